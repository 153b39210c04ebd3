// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sorts that need no memory but the arrays: for arrays that fill more than half of a GPU, which sort.cuh has no room for.
//
//   sort_keys_in_place   sorts keys
//   sort_pairs_in_place  sorts keys, and moves the value of each with it
//
// keys, values  device pointers to arrays that do not overlap, which are read and written
// Key, Value    as of sort_keys (sort.cuh); so are the options
// n             0 to 2^40 elements, or count_at(pointer, at_most)
//
// The same from run to run, but not stable: equal keys, and their values, may be in another order than before. Elements are
// read and written about log2(n / t)^2 / 8 + log2(n / t) times, where t, 512 to 8,192, is the number of elements that a block
// sorts. On an H200 2^28 keys of 32 bits take 9 times as long as by sort_keys, and pairs 11 times as long as by sort_pairs.
// Work is queued on the stream; nothing is allocated, and nothing synchronises, so that calls can be captured in a graph.
//
// Errors: cudaErrorInvalidValue for a null or misaligned pointer, too many elements, or bits that the keys do not have.
//
// Source: Batcher 1968, "Sorting Networks and Their Applications".
#pragma once

#include <upsweep/cuda/device/sort_in_place.cuh>

namespace upsweep::cuda {

template <class Keys, class N, class... Options>
cudaError_t sort_keys_in_place(Keys keys, N n, Options... options) {
  if constexpr (detail::are_arrays<Keys, Keys, N>() && detail::are_pointers<Keys>()) {
    using Key = detail::ElementOf<detail::Unwrapped<Keys>>;
    detail::NoValue *const none = nullptr;
    Key *const to = detail::unwrapped(keys);
    return detail::sort_in_place(to, none, detail::count_of(n), options...);
  }
  return cudaErrorInvalidValue;
}

template <class Keys, class Values, class N, class... Options>
cudaError_t sort_pairs_in_place(Keys keys, Values values, N n, Options... options) {
  if constexpr (detail::are_arrays<Keys, Keys, N>() && detail::are_arrays<Values, Values, N>() &&
                detail::are_pointers<Keys, Values>()) {
    using Key = detail::ElementOf<detail::Unwrapped<Keys>>;
    using Value = detail::ElementOf<detail::Unwrapped<Values>>;
    Key *const keys_to = detail::unwrapped(keys);
    Value *const values_to = detail::unwrapped(values);
    return detail::sort_in_place(keys_to, values_to, detail::count_of(n), options...);
  }
  return cudaErrorInvalidValue;
}

}  // namespace upsweep::cuda
