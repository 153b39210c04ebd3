// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sorts many parts of an array separately: stable, the same from run to run.
//
//   sort_keys_of_segments, sort_keys_of_rows    sort keys
//   sort_pairs_of_segments, sort_pairs_of_rows  sort keys, and move the value of each with it
//   arg_sort_of_segments, arg_sort_of_rows      sort keys, and write the former index of each within its segment
//
// `space`      memory of at least sort_segments_workspace_bytes<Key, Value>(n, segments) or sort_rows_workspace_bytes<Key,
//              Value>(rows, length) bytes, aligned to 16, which need not be initialised, or stream_pool (workspace.cuh). A sort
//              writes over it: calls of another kind need it initialised again.
// `in`, `out`  device pointers. Arrays of the same type may be the same, but must not overlap otherwise.
// `Key`        as in sort_keys (sort.cuh); so are values, indices and options.
// `n`          0 to 2^40 elements of the arrays.
// `offsets`    device pointer to segments + 1 non-decreasing integers, up to n. Elements before the first offset and from the
//              last one on are neither read nor written.
// `segments`   their number, up to 2^32 - 1, or count_at(pointer, at_most).
// `rows`       their number, the same, of `length` elements each; rows of up to 2,560 (16-byte keys) to 7,168 elements (keys of
//              up to 4 bytes) need no workspace, and are sorted in one launch.
//
// Segments may have any lengths, in any order (docs/decisions/cuda-sort-segments.md). Up to these lengths, a part of a warp, a
// warp or a block sorts a segment, which is read once and written once. Longer segments are sorted together, in a sweep for
// each 8 bits of the keys. Work is queued on the stream and nothing synchronises. Only stream_pool allocates memory.
//
// Errors: cudaErrorInvalidValue for a null pointer, arrays that overlap but are not the same, a workspace that is too small or
// misaligned, too many elements or segments, or bits that the keys do not have.
#pragma once

#include <upsweep/common/cpp17.h>
#ifdef UPSWEEP_CPP17
#include <upsweep/cuda/device/sort_segments_call.cuh>
#include <upsweep/cuda/sort.cuh>

namespace upsweep::cuda {

template <class Key, class Value = detail::NoValue>
std::size_t sort_segments_workspace_bytes(std::uint64_t n, std::uint64_t segments) {
  return detail::SegmentsSpace<detail::UnsignedOf<sizeof(Key)>, detail::OpaqueOf<Value>>(n, segments).bytes();
}
template <class Key, class Value = detail::NoValue>
std::size_t sort_rows_workspace_bytes(std::uint64_t rows, std::uint64_t length) {
  using Bits = detail::UnsignedOf<sizeof(Key)>;
  return detail::is_short_row<Bits>(length) ? 0 : sort_segments_workspace_bytes<Key, Value>(rows * length, rows);
}

template <class In, class Out, class N, class Offsets, class Segments, class... Options>
cudaError_t sort_keys_of_segments(const workspace &space, In in, Out out, N n, Offsets offsets, Segments segments,
                                  Options... options) {
  return detail::call_sort_segments(space, in, out, detail::no_values, detail::no_values, n, offsets, segments, options...);
}
template <class KeysIn, class KeysOut, class ValuesIn, class ValuesOut, class N, class Offsets, class Segments,
          class... Options>
cudaError_t sort_pairs_of_segments(const workspace &space, KeysIn keys_in, KeysOut keys_out, ValuesIn values_in,
                                   ValuesOut values_out, N n, Offsets offsets, Segments segments, Options... options) {
  return detail::call_sort_segments(space, keys_in, keys_out, values_in, values_out, n, offsets, segments, options...);
}
template <class KeysIn, class KeysOut, class Indices, class N, class Offsets, class Segments, class... Options>
cudaError_t arg_sort_of_segments(const workspace &space, KeysIn keys_in, KeysOut keys_out, Indices indices, N n,
                                 Offsets offsets, Segments segments, Options... options) {
  return detail::call_sort_segments(space, keys_in, keys_out, detail::Places{}, indices, n, offsets, segments, options...);
}

template <class In, class Out, class Rows, class... Options>
cudaError_t sort_keys_of_rows(const workspace &space, In in, Out out, Rows rows, std::uint64_t length, Options... options) {
  return detail::call_sort_rows(space, in, out, detail::no_values, detail::no_values, rows, length, options...);
}
template <class KeysIn, class KeysOut, class ValuesIn, class ValuesOut, class Rows, class... Options>
cudaError_t sort_pairs_of_rows(const workspace &space, KeysIn keys_in, KeysOut keys_out, ValuesIn values_in,
                               ValuesOut values_out, Rows rows, std::uint64_t length, Options... options) {
  return detail::call_sort_rows(space, keys_in, keys_out, values_in, values_out, rows, length, options...);
}
template <class KeysIn, class KeysOut, class Indices, class Rows, class... Options>
cudaError_t arg_sort_of_rows(const workspace &space, KeysIn keys_in, KeysOut keys_out, Indices indices, Rows rows,
                             std::uint64_t length, Options... options) {
  return detail::call_sort_rows(space, keys_in, keys_out, detail::Places{}, indices, rows, length, options...);
}

UPSWEEP_CUDA_CALL_FROM_POOL(sort_keys_of_segments)
UPSWEEP_CUDA_CALL_FROM_POOL(sort_pairs_of_segments)
UPSWEEP_CUDA_CALL_FROM_POOL(arg_sort_of_segments)
UPSWEEP_CUDA_CALL_FROM_POOL(sort_keys_of_rows)
UPSWEEP_CUDA_CALL_FROM_POOL(sort_pairs_of_rows)
UPSWEEP_CUDA_CALL_FROM_POOL(arg_sort_of_rows)

}  // namespace upsweep::cuda
#endif
