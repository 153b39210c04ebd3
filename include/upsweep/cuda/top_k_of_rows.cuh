// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The first k elements of each row's sort, or the element of one rank, without sorting all elements: the same from run to run.
// They correspond to torch.topk and torch.kthvalue along the last dimension.
//
//   top_k_keys_of_rows       out[row * k] to out[row * k + k - 1] are the first k keys of sort_keys_of_rows, in order
//   top_k_pairs_of_rows      the same with values, as in sort_pairs_of_rows
//   arg_top_k_of_rows        the same with indices in the row, as in arg_sort_of_rows
//   nth_element_of_rows      out[row] is the key that a sort of the row puts at place `rank`, from 0 on
//   arg_nth_element_of_rows  the same, and indices[row] is its index in the row; equal keys are in the order of a stable sort
//
// `space`           memory of at least top_k_of_rows_workspace_bytes<Key, Value>(rows, length, k) or
//                   nth_element_of_rows_workspace_bytes<Key, Value>(rows, length, rank) bytes, aligned to 16, which need not be
//                   initialised, or stream_pool (workspace.cuh). Value is the type of the values or indices. Rows of up to 512
//                   elements (256 of 128 bits) need none. A call writes over it: calls of another kind need it initialised
//                   again.
// `in`, `out`       device pointers to arrays that do not overlap. The keys' output of arg_top_k_of_rows and
//                   arg_nth_element_of_rows may be null.
// `Key`             as in sort_keys (sort.cuh); so are values, indices and options, except key_bits.
// `rows`, `length`  up to 2^32 - 1 rows, or count_at(pointer, at_most), of up to 2^32 - 1 elements, 2^40 in all.
// `k`, `rank`       0 to length; 0 to length - 1.
// `options`         the stream; `descending`, for the k largest.
//
// Rows of up to 512 elements (256 of 128 bits) are sorted in one launch, which writes only k elements of each. Longer rows are
// also sorted if more than a quarter of each is wanted: up to 2,560 (keys of 128 bits), 4,608 (64 bits) or 7,168 elements. For
// any other row, a block selects k elements, which are then sorted. It reads the row once for each 11 bits of the keys, and
// once more; fewer bits suffice where they tell the elements apart. A few long rows go through top_k_keys (top_k.cuh) serially
// if the host knows their number. Work is queued on the stream and nothing synchronises. Only stream_pool allocates memory.
//
// Errors: cudaErrorInvalidValue for a null or misaligned pointer, arrays that overlap, a workspace that is too small or
// misaligned, too many elements, k > length, or rank >= length.
#pragma once

#include <upsweep/common/cpp17.h>
#ifdef UPSWEEP_CPP17
#include <upsweep/cuda/device/top_k_rows_call.cuh>

namespace upsweep::cuda {

template <class Key, class Value = detail::NoValue>
std::size_t top_k_of_rows_workspace_bytes(std::uint64_t rows, std::uint64_t length, std::uint64_t k) {
  return k > length ? 0 : detail::RanksOfRowsSpace<Key, Value>(rows, length, 0, k).bytes;
}
template <class Key, class Value = detail::NoValue>
std::size_t nth_element_of_rows_workspace_bytes(std::uint64_t rows, std::uint64_t length, std::uint64_t rank) {
  return rank >= length ? 0 : detail::RanksOfRowsSpace<Key, Value>(rows, length, rank, 1).bytes;
}

template <class In, class Out, class Rows, class... Options>
cudaError_t top_k_keys_of_rows(const workspace &space, In in, Out out, Rows rows, std::uint64_t length, std::uint64_t k,
                               Options... options) {
  if constexpr (detail::are_arrays<In, Out, Rows>() && detail::are_pointers<In, Out>()) {
    using Key = detail::ElementOf<detail::Unwrapped<In>>;
    Key *const to = detail::unwrapped(out);
    const detail::RanksOfRowsRequest<Key, detail::NoValue> request{detail::const_pointer(in), to,     nullptr, nullptr,
                                                                   detail::count_of(rows),    length, 0,       k};
    return detail::select_ranks_of_rows(space, request, to != nullptr, options...);
  }
  return cudaErrorInvalidValue;
}

template <class KeysIn, class KeysOut, class ValuesIn, class ValuesOut, class Rows, class... Options>
cudaError_t top_k_pairs_of_rows(const workspace &space, KeysIn keys_in, KeysOut keys_out, ValuesIn values_in,
                                ValuesOut values_out, Rows rows, std::uint64_t length, std::uint64_t k, Options... options) {
  if constexpr (detail::are_arrays<KeysIn, KeysOut, Rows>() && detail::are_arrays<ValuesIn, ValuesOut, Rows>() &&
                detail::are_pointers<KeysIn, KeysOut, ValuesIn, ValuesOut>()) {
    using Key = detail::ElementOf<detail::Unwrapped<KeysIn>>;
    using Value = detail::ElementOf<detail::Unwrapped<ValuesIn>>;
    const detail::RanksOfRowsRequest<Key, Value> request{detail::const_pointer(keys_in),
                                                         detail::unwrapped(keys_out),
                                                         detail::const_pointer(values_in),
                                                         detail::unwrapped(values_out),
                                                         detail::count_of(rows),
                                                         length,
                                                         0,
                                                         k};
    return detail::select_ranks_of_rows(
        space, request, request.keys_out != nullptr && request.values_in != nullptr && request.values_out != nullptr,
        options...);
  }
  return cudaErrorInvalidValue;
}

template <class KeysIn, class Key, class Index, class Rows, class... Options>
cudaError_t arg_top_k_of_rows(const workspace &space, KeysIn keys_in, Key *keys_out, Index *indices, Rows rows,
                              std::uint64_t length, std::uint64_t k, Options... options) {
  static_assert(std::is_unsigned_v<Index> && sizeof(Index) >= 4, "upsweep: indices are unsigned integers of 32 or 64 bits");
  if constexpr (detail::are_arrays<KeysIn, Key *, Rows>() && detail::are_pointers<KeysIn>()) {
    const detail::RanksOfRowsRequest<Key, Index> request{detail::const_pointer(keys_in), keys_out, nullptr, indices,
                                                         detail::count_of(rows),         length,   0,       k};
    return detail::select_ranks_of_rows(space, request, indices != nullptr, options...);
  }
  return cudaErrorInvalidValue;
}

template <class In, class Key, class Rows, class... Options>
cudaError_t nth_element_of_rows(const workspace &space, In in, Key *out, Rows rows, std::uint64_t length, std::uint64_t rank,
                                Options... options) {
  if constexpr (detail::are_arrays<In, Key *, Rows>() && detail::are_pointers<In>()) {
    const detail::RanksOfRowsRequest<Key, detail::NoValue> request{detail::const_pointer(in), out,    nullptr, nullptr,
                                                                   detail::count_of(rows),    length, rank,    1};
    return detail::select_ranks_of_rows(space, request, out != nullptr, options...);
  }
  return cudaErrorInvalidValue;
}

template <class In, class Key, class Index, class Rows, class... Options>
cudaError_t arg_nth_element_of_rows(const workspace &space, In in, Key *out, Index *indices, Rows rows, std::uint64_t length,
                                    std::uint64_t rank, Options... options) {
  static_assert(std::is_unsigned_v<Index> && sizeof(Index) >= 4, "upsweep: indices are unsigned integers of 32 or 64 bits");
  if constexpr (detail::are_arrays<In, Key *, Rows>() && detail::are_pointers<In>()) {
    const detail::RanksOfRowsRequest<Key, Index> request{detail::const_pointer(in), out,    nullptr, indices,
                                                         detail::count_of(rows),    length, rank,    1};
    return detail::select_ranks_of_rows(space, request, indices != nullptr, options...);
  }
  return cudaErrorInvalidValue;
}

UPSWEEP_CUDA_CALL_FROM_POOL(top_k_keys_of_rows)
UPSWEEP_CUDA_CALL_FROM_POOL(top_k_pairs_of_rows)
UPSWEEP_CUDA_CALL_FROM_POOL(arg_top_k_of_rows)
UPSWEEP_CUDA_CALL_FROM_POOL(nth_element_of_rows)
UPSWEEP_CUDA_CALL_FROM_POOL(arg_nth_element_of_rows)

}  // namespace upsweep::cuda
#endif
