// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The first k elements of a sort, or the element of one rank, without sorting all elements: the same from run to run.
//
//   top_k_keys       out[0] to out[k - 1] are the first k keys of sort_keys (sort.cuh), in order
//   top_k_pairs      the same with values, as in sort_pairs
//   arg_top_k        the same with indices, as in arg_sort
//   nth_element      *out is the key that a sort puts at place `rank`, from 0 on
//   arg_nth_element  the same, and *index is its index; equal keys are in the order of a stable sort
//
// `space`      memory of at least top_k_workspace_bytes<Key>(n, k) or nth_element_workspace_bytes<Key>(n, rank) bytes, aligned
//              to 16, which need not be initialised, or stream_pool (workspace.cuh). A call writes over it: calls of another
//              kind need it initialised again.
// `in`, `out`  device pointers to arrays that do not overlap. The keys' output of arg_top_k and arg_nth_element may be null.
// `Key`        as in sort_keys; so are values and indices.
// `n`, `k`     0 to 2^32 elements, or count_at(pointer, at_most); k is 0 to n, or to at_most. If the device's count is less
//              than k, only that many elements are written; if `rank` exceeds the count, nothing is written.
// `options`    the stream; `descending`, for the k largest.
//
// The elements are read once, after a sample of up to 65,536 of them. A little more than k elements, depending on the sample,
// are kept and sorted. If the sample misleads, as with many equal keys, the elements are read up to 7 times more (keys of 64
// bits: 10, of 128 bits: 16). Work is queued on the stream and nothing synchronises. Only stream_pool allocates memory.
//
// Errors: cudaErrorInvalidValue for a null or misaligned pointer to keys, arrays that overlap, a workspace that is too small or
// misaligned, too many elements, k > n, or rank >= n.
//
// Source: Floyd and Rivest 1975, "Expected Time Bounds for Selection" (bounds from a sample).
#pragma once

#include <upsweep/common/cpp17.h>
#ifdef UPSWEEP_CPP17
#include <upsweep/cuda/device/top_k_call.cuh>

namespace upsweep::cuda {

template <class Key>
std::size_t top_k_workspace_bytes(std::uint64_t n, std::uint64_t k) {
  using Space = detail::RankSpace<detail::UnsignedOf<sizeof(Key)>>;
  return k == 0 || k > n ? 0 : Space(detail::RankPlan(n, 0, k - 1)).bytes;
}
template <class Key>
std::size_t nth_element_workspace_bytes(std::uint64_t n, std::uint64_t rank) {
  return rank >= n ? 0 : detail::RankSpace<detail::UnsignedOf<sizeof(Key)>>(detail::RankPlan(n, rank, rank)).bytes;
}

template <class In, class Out, class N, class... Options>
cudaError_t top_k_keys(const workspace &space, In in, Out out, N n, std::uint64_t k, Options... options) {
  if constexpr (detail::are_arrays<In, Out, N>() && detail::are_pointers<In, Out>()) {
    using Key = detail::ElementOf<detail::Unwrapped<In>>;
    Key *const to = detail::unwrapped(out);
    const detail::NoValue *const none = nullptr;
    return detail::select_ranks<Key, detail::NoValue>(space, detail::const_pointer(in), detail::count_of(n), 0, k, to, none,
                                                      nullptr, to != nullptr, options...);
  }
  return cudaErrorInvalidValue;
}

template <class KeysIn, class KeysOut, class ValuesIn, class ValuesOut, class N, class... Options>
cudaError_t top_k_pairs(const workspace &space, KeysIn keys_in, KeysOut keys_out, ValuesIn values_in, ValuesOut values_out, N n,
                        std::uint64_t k, Options... options) {
  if constexpr (detail::are_arrays<KeysIn, KeysOut, N>() && detail::are_arrays<ValuesIn, ValuesOut, N>() &&
                detail::are_pointers<KeysIn, KeysOut, ValuesIn, ValuesOut>()) {
    using Key = detail::ElementOf<detail::Unwrapped<KeysIn>>;
    using Value = detail::ElementOf<detail::Unwrapped<ValuesIn>>;
    const Value *const from = detail::const_pointer(values_in);
    Value *const to = detail::unwrapped(values_out);
    Key *const keys_to = detail::unwrapped(keys_out);
    return detail::select_ranks<Key, Value>(space, detail::const_pointer(keys_in), detail::count_of(n), 0, k, keys_to, from, to,
                                            keys_to != nullptr && from != nullptr && to != nullptr, options...);
  }
  return cudaErrorInvalidValue;
}

template <class KeysIn, class Key, class Index, class N, class... Options>
cudaError_t arg_top_k(const workspace &space, KeysIn keys_in, Key *keys_out, Index *indices, N n, std::uint64_t k,
                      Options... options) {
  static_assert(std::is_unsigned_v<Index> && sizeof(Index) >= 4, "upsweep: indices are unsigned integers of 32 or 64 bits");
  if constexpr (detail::are_arrays<KeysIn, Key *, N>() && detail::are_pointers<KeysIn>()) {
    const Index *const none = nullptr;
    return detail::select_ranks<Key, Index>(space, detail::const_pointer(keys_in), detail::count_of(n), 0, k, keys_out, none,
                                            indices, indices != nullptr, options...);
  }
  return cudaErrorInvalidValue;
}

template <class In, class Key, class N, class... Options>
cudaError_t nth_element(const workspace &space, In in, Key *out, N n, std::uint64_t rank, Options... options) {
  if constexpr (detail::are_arrays<In, Key *, N>() && detail::are_pointers<In>()) {
    const detail::NoValue *const none = nullptr;
    return detail::select_ranks<Key, detail::NoValue>(space, detail::const_pointer(in), detail::count_of(n), rank, 1, out, none,
                                                      nullptr, out != nullptr, options...);
  }
  return cudaErrorInvalidValue;
}

template <class In, class Key, class Index, class N, class... Options>
cudaError_t arg_nth_element(const workspace &space, In in, Key *out, Index *index, N n, std::uint64_t rank,
                            Options... options) {
  static_assert(std::is_unsigned_v<Index> && sizeof(Index) >= 4, "upsweep: indices are unsigned integers of 32 or 64 bits");
  if constexpr (detail::are_arrays<In, Key *, N>() && detail::are_pointers<In>()) {
    const Index *const none = nullptr;
    return detail::select_ranks<Key, Index>(space, detail::const_pointer(in), detail::count_of(n), rank, 1, out, none, index,
                                            index != nullptr, options...);
  }
  return cudaErrorInvalidValue;
}

UPSWEEP_CUDA_CALL_FROM_POOL(top_k_keys)
UPSWEEP_CUDA_CALL_FROM_POOL(top_k_pairs)
UPSWEEP_CUDA_CALL_FROM_POOL(arg_top_k)
UPSWEEP_CUDA_CALL_FROM_POOL(nth_element)
UPSWEEP_CUDA_CALL_FROM_POOL(arg_nth_element)

}  // namespace upsweep::cuda
#endif
