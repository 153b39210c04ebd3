// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Device-wide radix sorts: stable, the same from run to run.
//
//   sort_keys   sorts keys
//   sort_pairs  sorts keys, and moves the value of each with it
//   arg_sort    sorts keys, and writes the former index of each
//
// `space`      memory of at least sort_workspace_bytes<Key, Value>(n) bytes, aligned to 16, which need not be initialised, or
//              stream_pool (workspace.cuh). A sort writes over it: calls of another kind need it initialised again.
// `in`, `out`  device pointers. Arrays of the same type may be the same, but must not overlap otherwise.
// `buffers`    double_buffer: the elements are in `current`, and both arrays are written; afterwards `current` has the sorted
//              elements. This call takes sort_buffers_workspace_bytes<Key, Value>(n) bytes.
// `Key`        integer of 8 to 128 bits, __half, __nv_bfloat16, float or double. Numbers are ordered, -0 before 0, NaNs last. A
//              struct of 1, 2, 4, 8 or 16 bytes, aligned to its size, is sorted with the option by_members.
// `Value`      trivially copyable, of up to 64 bytes; an index is an unsigned integer.
// `n`          0 to 2^40 elements, or count_at(pointer, at_most).
// `options`    the stream. `descending`: the reverse order, but equal keys keep their order. `key_bits(begin, end)`: only these
//              bits of integer keys count, from the lowest on. `by_members<&Key::a, &Key::b>{}`: only these members of structs
//              count, the first member most.
//
// A sort reads the keys once, and then reads and writes all elements once for each 8 bits of the keys. Short arrays are sorted
// in one launch. Work is queued on the stream and nothing synchronises, so calls can be captured in a graph. Only stream_pool
// allocates memory.
//
// Errors: cudaErrorInvalidValue for a null or misaligned pointer to keys, partly overlapping arrays, a workspace that is too
// small or misaligned, too many elements, or bits that the keys do not have.
//
// Source: Adinets and Merrill 2022, "Onesweep: A Faster Least Significant Digit Radix Sort for GPUs".
#pragma once

#include <upsweep/common/cpp17.h>
#ifdef UPSWEEP_CPP17
#include <upsweep/cuda/device/sort_call.cuh>

namespace upsweep::cuda {

template <class Key, class Value = detail::NoValue>
std::size_t sort_workspace_bytes(std::uint64_t n) {
  return detail::sort_bytes<Key, Value>(n) + detail::other_bytes<Key>(n) + detail::other_bytes<Value>(n);
}
template <class Key, class Value = detail::NoValue>
std::size_t sort_buffers_workspace_bytes(std::uint64_t n) {
  return detail::sort_bytes<Key, Value>(n);
}

namespace detail {

template <class T>
inline constexpr bool is_double_buffer = false;
template <class T>
inline constexpr bool is_double_buffer<double_buffer<T>> = true;
template <class In>
using IfArray = std::enable_if_t<!is_double_buffer<In>, int>;

}  // namespace detail

template <class In, class Out, class N, class... Options, detail::IfArray<In> = 0>
cudaError_t sort_keys(const workspace &space, In in, Out out, N n, Options... options) {
  if constexpr (detail::are_arrays<In, Out, N>() && detail::are_pointers<In, Out>()) {
    using Key = detail::ElementOf<detail::Unwrapped<In>>;
    return detail::sort<Key, detail::NoValue>(space, detail::const_pointer(in), detail::unwrapped(out), nullptr, nullptr,
                                              detail::count_of(n), options...);
  }
  return cudaErrorInvalidValue;
}
template <class Key, class N, class... Options>
cudaError_t sort_keys(const workspace &space, double_buffer<Key> &buffers, N n, Options... options) {
  double_buffer<detail::NoValue> none{nullptr, nullptr};
  return detail::sort_buffers(space, buffers, none, detail::count_of(n), options...);
}

template <class KeysIn, class KeysOut, class ValuesIn, class ValuesOut, class N, class... Options, detail::IfArray<KeysIn> = 0>
cudaError_t sort_pairs(const workspace &space, KeysIn keys_in, KeysOut keys_out, ValuesIn values_in, ValuesOut values_out, N n,
                       Options... options) {
  if constexpr (detail::are_arrays<KeysIn, KeysOut, N>() && detail::are_arrays<ValuesIn, ValuesOut, N>() &&
                detail::are_pointers<KeysIn, KeysOut, ValuesIn, ValuesOut>()) {
    using Key = detail::ElementOf<detail::Unwrapped<KeysIn>>;
    using Value = detail::ElementOf<detail::Unwrapped<ValuesIn>>;
    const detail::Count count = detail::count_of(n);
    const auto *const from = detail::const_pointer(values_in);
    auto *const to = detail::unwrapped(values_out);
    if (count.most > 0 && (from == nullptr || to == nullptr)) {
      return cudaErrorInvalidValue;
    }
    return detail::sort<Key, Value>(space, detail::const_pointer(keys_in), detail::unwrapped(keys_out), from, to, count,
                                    options...);
  }
  return cudaErrorInvalidValue;
}
template <class Key, class Value, class N, class... Options>
cudaError_t sort_pairs(const workspace &space, double_buffer<Key> &keys, double_buffer<Value> &values, N n,
                       Options... options) {
  const detail::Count count = detail::count_of(n);
  if (count.most > 0 && (values.current == nullptr || values.other == nullptr)) {
    return cudaErrorInvalidValue;
  }
  return detail::sort_buffers(space, keys, values, count, options...);
}

template <class KeysIn, class KeysOut, class Indices, class N, class... Options>
cudaError_t arg_sort(const workspace &space, KeysIn keys_in, KeysOut keys_out, Indices indices, N n, Options... options) {
  if constexpr (detail::are_arrays<KeysIn, KeysOut, N>() && detail::are_pointers<KeysIn, KeysOut, Indices>()) {
    using Key = detail::ElementOf<detail::Unwrapped<KeysIn>>;
    using Index = detail::ElementOf<detail::Unwrapped<Indices>>;
    static_assert(std::is_unsigned_v<Index> && sizeof(Index) >= 4, "upsweep: indices are unsigned integers of 32 or 64 bits");
    const detail::Count count = detail::count_of(n);
    Index *const to = detail::unwrapped(indices);
    if (count.most > 0 && (to == nullptr || count.most - 1 > std::numeric_limits<Index>::max())) {
      return cudaErrorInvalidValue;
    }
    return detail::sort<Key, Index>(space, detail::const_pointer(keys_in), detail::unwrapped(keys_out), nullptr, to, count,
                                    options...);
  }
  return cudaErrorInvalidValue;
}

UPSWEEP_CUDA_CALL_FROM_POOL(sort_keys)
UPSWEEP_CUDA_CALL_FROM_POOL(sort_pairs)
UPSWEEP_CUDA_CALL_FROM_POOL(arg_sort)

}  // namespace upsweep::cuda
#endif
