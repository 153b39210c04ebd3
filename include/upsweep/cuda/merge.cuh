// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Merges of two sorted ranges, and sorts of any type by a comparison: stable, the same from run to run.
//
//   merge             merges two sorted ranges; equal elements of `a` come first
//   merge_pairs       merges keys, and moves the value of each with it
//   merge_sort        sorts elements
//   merge_sort_pairs  sorts keys, and moves the value of each with it
//
// `space`      for merge_sort and merge_sort_pairs: memory of at least merge_sort_workspace_bytes<Key, Value>(n) bytes, aligned
//              to 16, which need not be initialised, or stream_pool (workspace.cuh). A sort writes over it: calls of another
//              kind need it initialised again. A merge needs none.
// `a`, `b`     device pointers to a_count and b_count elements, each in order; the sum is up to 2^40.
// `in`, `out`  device pointers. A sort may be in place; other arrays must not overlap.
// `Key`        trivially copyable, of up to 64 bytes; so is Value.
// `n`          0 to 2^40 elements, or count_at(pointer, at_most).
// `options`    the stream, and less(x, y), whether x comes before y: a strict weak ordering that __device__ code can call. By
//              default, numbers are in the order of sort_keys (sort.cuh), with -0 before 0 and NaNs last, and other types in
//              the order of x < y. If less is no order, or ranges are not sorted by it, results are arbitrary elements.
//
// A merge reads each element once and writes it once. A sort does so once for tiles of 256 elements (of 64 bytes) to 3,840 (of
// up to 4 bytes), and once more each time that the runs double. Numbers are faster by sort_keys (sort.cuh). Work is queued on
// the stream and nothing synchronises. Only stream_pool allocates memory.
//
// Errors: cudaErrorInvalidValue for a null pointer, arrays that overlap, a workspace that is too small or misaligned, or more
// than 2^40 elements.
//
// Source: Green, McColl and Bader 2012, "GPU Merge Path".
#pragma once

#include <upsweep/common/cpp17.h>
#ifdef UPSWEEP_CPP17
#include <upsweep/cuda/device/merge_call.cuh>

namespace upsweep::cuda {

template <class Key, class Value = detail::NoValue>
std::size_t merge_sort_workspace_bytes(std::uint64_t n) {
  return detail::merge_sort_bytes<Key, Value>(n);
}

template <class A, class B, class Out, class... More>
cudaError_t merge(A a, B b, Out out, std::uint64_t a_count, std::uint64_t b_count, More... more) {
  if constexpr (detail::are_arrays<A, Out, std::uint64_t>() && detail::are_arrays<B, Out, std::uint64_t>() &&
                detail::are_pointers<A, B, Out>()) {
    using Key = detail::ElementOf<detail::Unwrapped<A>>;
    static_assert(std::is_same_v<Key, detail::ElementOf<detail::Unwrapped<B>>>, "upsweep: both ranges have the same type");
    const detail::NoValue *const none = nullptr;
    return detail::merge_ranges<Key, detail::NoValue>(detail::const_pointer(a), detail::const_pointer(b),
                                                      detail::unwrapped(out), none, none, nullptr, a_count, b_count, more...);
  }
  return cudaErrorInvalidValue;
}

template <class AKeys, class AValues, class BKeys, class BValues, class KeysOut, class ValuesOut, class... More>
cudaError_t merge_pairs(AKeys a_keys, AValues a_values, BKeys b_keys, BValues b_values, KeysOut keys_out, ValuesOut values_out,
                        std::uint64_t a_count, std::uint64_t b_count, More... more) {
  if constexpr (detail::are_arrays<AKeys, KeysOut, std::uint64_t>() &&
                detail::are_arrays<AValues, ValuesOut, std::uint64_t>() &&
                detail::are_pointers<AKeys, AValues, BKeys, BValues, KeysOut, ValuesOut>()) {
    using Key = detail::ElementOf<detail::Unwrapped<AKeys>>;
    using Value = detail::ElementOf<detail::Unwrapped<AValues>>;
    static_assert(std::is_same_v<Key, detail::ElementOf<detail::Unwrapped<BKeys>>> &&
                      std::is_same_v<Value, detail::ElementOf<detail::Unwrapped<BValues>>>,
                  "upsweep: both ranges have the same types");
    return detail::merge_ranges<Key, Value>(detail::const_pointer(a_keys), detail::const_pointer(b_keys),
                                            detail::unwrapped(keys_out), detail::const_pointer(a_values),
                                            detail::const_pointer(b_values), detail::unwrapped(values_out), a_count, b_count,
                                            more...);
  }
  return cudaErrorInvalidValue;
}

template <class In, class Out, class N, class... More>
cudaError_t merge_sort(const workspace &space, In in, Out out, N n, More... more) {
  if constexpr (detail::are_arrays<In, Out, N>() && detail::are_pointers<In, Out>()) {
    using Key = detail::ElementOf<detail::Unwrapped<In>>;
    const detail::NoValue *const none = nullptr;
    return detail::merge_sort<Key, detail::NoValue>(space, detail::const_pointer(in), detail::unwrapped(out), none, nullptr,
                                                    detail::count_of(n), more...);
  }
  return cudaErrorInvalidValue;
}

template <class KeysIn, class KeysOut, class ValuesIn, class ValuesOut, class N, class... More>
cudaError_t merge_sort_pairs(const workspace &space, KeysIn keys_in, KeysOut keys_out, ValuesIn values_in, ValuesOut values_out,
                             N n, More... more) {
  if constexpr (detail::are_arrays<KeysIn, KeysOut, N>() && detail::are_arrays<ValuesIn, ValuesOut, N>() &&
                detail::are_pointers<KeysIn, KeysOut, ValuesIn, ValuesOut>()) {
    using Key = detail::ElementOf<detail::Unwrapped<KeysIn>>;
    using Value = detail::ElementOf<detail::Unwrapped<ValuesIn>>;
    return detail::merge_sort<Key, Value>(space, detail::const_pointer(keys_in), detail::unwrapped(keys_out),
                                          detail::const_pointer(values_in), detail::unwrapped(values_out), detail::count_of(n),
                                          more...);
  }
  return cudaErrorInvalidValue;
}

UPSWEEP_CUDA_CALL_FROM_POOL(merge_sort)
UPSWEEP_CUDA_CALL_FROM_POOL(merge_sort_pairs)

}  // namespace upsweep::cuda
#endif
