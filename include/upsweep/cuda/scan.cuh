// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Device-wide scans: one launch, each element read once and written once, at the speed of a copy.
//
//   inclusive_scan   result[i] = x[0] op ... op x[i]
//   exclusive_scan   result[i] = initial op x[0] op ... op x[i - 1]
//   ..._sum          the same with plus, from 0
//   ..._by_key       starts again wherever keys[i] is not equal to keys[i - 1]
//   ..._by_flag      starts again wherever flags[i] is not 0
//   ..._of_segments  starts again at each of the sorted offsets[0] to offsets[segments - 1]
//   ..._of_rows      starts again after every `length` elements: a scan of each row of a matrix
//
// `space`      initialised workspace of at least scan_workspace_bytes<T>(n) bytes, for ..._of_segments
//              segmented_scan_workspace_bytes<T>(n), or stream_pool (workspace.cuh).
// `in`, `out`  device pointers or random-access iterators; they may be the same, but must not overlap otherwise. Pointers that
//              are aligned to 16 bytes take the fast path. In forward scans of whole arrays, so do pointers to elements of one
//              size that divides 16 bytes, aligned to that size. With `reproducible`, the input must be aligned to 16 bytes.
// `n`          0 to 2^40 elements, or count_at(pointer, at_most).
// `op`         associative; it need not commute. T, the type of totals, is the type of the initial value, or else the result
//              type of op on two (transformed) inputs. plus and multiplies of integers use the type of `out` if it is a wider
//              integer (accumulator in options.cuh).
// `options`    see options.cuh.
//
// Work is queued on `stream` and nothing synchronises, so calls can be captured in a graph. Only stream_pool allocates memory.
// Results do not depend on timing. A floating-point sum is the same, bit for bit, from run to run (and on every GPU with the
// option `reproducible`).
//
// Errors: cudaErrorInvalidValue for a null pointer, partly overlapping arrays, a workspace that is too small or misaligned, or
// too many elements; cudaErrorInvalidConfiguration for elements too large for the GPU's shared memory.
//
// Source: Merrill and Garland 2016, "Single-pass Parallel Prefix Scan with Decoupled Look-back"; here the look-back reads
// totals alone (docs/decisions/cuda-scan-pipeline.md).
#pragma once

#include <upsweep/common/cpp17.h>
#ifdef UPSWEEP_CPP17
#include <upsweep/cuda/device/scan_call.cuh>

namespace upsweep::cuda {

// Bytes of a workspace for up to `n` elements whose totals are Ts: at most n / 28 for Ts of up to 8 bytes. Largest is the
// largest of T and the types of the input and the output; it matters beyond 16 bytes alone.
template <class T, class Largest = T>
std::size_t scan_workspace_bytes(std::uint64_t n) {
  return detail::words_workspace_bytes(n, sizeof(detail::Run<T>), sizeof(Largest));
}

// The same for scans of segments that are given by offsets.
template <class T, class Largest = T>
std::size_t segmented_scan_workspace_bytes(std::uint64_t n) {
  return scan_workspace_bytes<T, Largest>(n) + detail::heads_workspace_bytes(n, sizeof(Largest));
}

template <class In, class Out, class N, class Op, class... More>
cudaError_t inclusive_scan(const workspace &space, In in, Out out, N n, Op op, More... more) {
  return detail::call_scan(space, in, out, n, op, detail::FromFirst{}, detail::Whole{}, more...);
}

template <class In, class Out, class N, class Op, class Initial, class... More>
cudaError_t exclusive_scan(const workspace &space, In in, Out out, N n, Op op, Initial initial, More... more) {
  return detail::call_scan(space, in, out, n, op, initial, detail::Whole{}, more...);
}

template <class In, class Out, class N, class... More>
cudaError_t inclusive_sum(const workspace &space, In in, Out out, N n, More... more) {
  return detail::call_scan(space, in, out, n, plus{}, detail::FromFirst{}, detail::Whole{}, more...);
}

template <class In, class Out, class N, class... More>
cudaError_t exclusive_sum(const workspace &space, In in, Out out, N n, More... more) {
  return detail::call_scan(space, in, out, n, plus{}, detail::FromIdentity{}, detail::Whole{}, more...);
}

// Equal, among the options, compares neighbouring keys; == if it is not given.
template <class Keys, class In, class Out, class N, class Op, class... More>
cudaError_t inclusive_scan_by_key(const workspace &space, Keys keys, In in, Out out, N n, Op op, More... more) {
  return detail::call_scan_by_key(space, keys, in, out, n, op, detail::FromFirst{}, more...);
}

template <class Keys, class In, class Out, class N, class Op, class Initial, class... More>
cudaError_t exclusive_scan_by_key(const workspace &space, Keys keys, In in, Out out, N n, Op op, Initial initial,
                                  More... more) {
  return detail::call_scan_by_key(space, keys, in, out, n, op, initial, more...);
}

template <class Flags, class In, class Out, class N, class Op, class... More>
cudaError_t inclusive_scan_by_flag(const workspace &space, Flags flags, In in, Out out, N n, Op op, More... more) {
  return detail::call_scan(space, in, out, n, op, detail::FromFirst{}, detail::by_flag(flags), more...);
}

template <class Flags, class In, class Out, class N, class Op, class Initial, class... More>
cudaError_t exclusive_scan_by_flag(const workspace &space, Flags flags, In in, Out out, N n, Op op, Initial initial,
                                   More... more) {
  return detail::call_scan(space, in, out, n, op, initial, detail::by_flag(flags), more...);
}

template <class In, class Out, class N, class Op, class... More>
cudaError_t inclusive_scan_of_rows(const workspace &space, In in, Out out, N n, std::uint64_t length, Op op, More... more) {
  return detail::call_scan(space, in, out, n, op, detail::FromFirst{}, detail::ByRow{length}, more...);
}

template <class In, class Out, class N, class Op, class Initial, class... More>
cudaError_t exclusive_scan_of_rows(const workspace &space, In in, Out out, N n, std::uint64_t length, Op op, Initial initial,
                                   More... more) {
  return detail::call_scan(space, in, out, n, op, initial, detail::ByRow{length}, more...);
}

template <class In, class Out, class N, class Offsets, class Op, class... More>
cudaError_t inclusive_scan_of_segments(const workspace &space, In in, Out out, N n, Offsets offsets, std::uint64_t segments,
                                       Op op, More... more) {
  return detail::call_scan(space, in, out, n, op, detail::FromFirst{}, detail::by_offset(offsets, segments), more...);
}

template <class In, class Out, class N, class Offsets, class Op, class Initial, class... More>
cudaError_t exclusive_scan_of_segments(const workspace &space, In in, Out out, N n, Offsets offsets, std::uint64_t segments,
                                       Op op, Initial initial, More... more) {
  return detail::call_scan(space, in, out, n, op, initial, detail::by_offset(offsets, segments), more...);
}

UPSWEEP_CUDA_CALL_FROM_POOL(inclusive_scan)
UPSWEEP_CUDA_CALL_FROM_POOL(exclusive_scan)
UPSWEEP_CUDA_CALL_FROM_POOL(inclusive_sum)
UPSWEEP_CUDA_CALL_FROM_POOL(exclusive_sum)
UPSWEEP_CUDA_CALL_FROM_POOL(inclusive_scan_by_key)
UPSWEEP_CUDA_CALL_FROM_POOL(exclusive_scan_by_key)
UPSWEEP_CUDA_CALL_FROM_POOL(inclusive_scan_by_flag)
UPSWEEP_CUDA_CALL_FROM_POOL(exclusive_scan_by_flag)
UPSWEEP_CUDA_CALL_FROM_POOL(inclusive_scan_of_rows)
UPSWEEP_CUDA_CALL_FROM_POOL(exclusive_scan_of_rows)
UPSWEEP_CUDA_CALL_FROM_POOL(inclusive_scan_of_segments)
UPSWEEP_CUDA_CALL_FROM_POOL(exclusive_scan_of_segments)

}  // namespace upsweep::cuda
#endif
