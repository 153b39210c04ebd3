// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Inputs and outputs by index, fused with the call that reads or writes them: no array of gathered elements is made.
//
//   gathered(in, indices)    an input whose element i is in[indices[i]]
//   scattered(out, indices)  an output whose element i is out[indices[i]]
//
//   inclusive_sum(gathered(x, order), out, n);           // sums in another order
//   exclusive_sum(x, scattered(out, order), n);          // results to other places
//   select_if(gathered(x, order), out, kept, n, IsOdd{});
//
// `in`, `out`  device pointers or random-access iterators.
// `indices`    device pointer or random-access iterator to integers. Indices of an output must be distinct. No index is checked
//              against the array's bounds.
//
// All calls that take iterators accept them, and load and store them by element. Each index costs its own bytes. Each element
// costs the 32 bytes of its sector unless indices are neighbours.
#pragma once

#include <upsweep/common/cpp17.h>
#ifdef UPSWEEP_CPP17
#include <upsweep/cuda/device/iterators.cuh>

#include <cstddef>
#include <iterator>

namespace upsweep::cuda {

namespace detail {

template <class Iterator, class Indices>
struct ByIndex {
  using iterator_category = std::random_access_iterator_tag;
  using value_type = ElementOf<Iterator>;
  using difference_type = std::ptrdiff_t;
  using reference = decltype(std::declval<const Iterator &>()[0]);
  using pointer = void;

  Iterator array;
  Indices indices;

  template <class I>
  __host__ __device__ reference operator[](I i) const {
    return array[indices[i]];
  }
  __host__ __device__ reference operator*() const { return (*this)[0]; }
  template <class N>
  __host__ __device__ ByIndex operator+(N n) const {
    return {array, indices + n};
  }
};

}  // namespace detail

template <class In, class Indices>
auto gathered(In in, Indices indices) {
  using Input = detail::Unwrapped<In>;
  return detail::ByIndex<Input, detail::Unwrapped<Indices>>{detail::unwrapped(in), detail::unwrapped(indices)};
}

template <class Out, class Indices>
auto scattered(Out out, Indices indices) {
  return gathered(out, indices);
}

}  // namespace upsweep::cuda
#endif
