// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Inputs and outputs by index, fused with the call that reads or writes them: no array of gathered elements is made.
//
//   gathered(in, indices)    an input whose element i is in[indices[i]]
//   scattered(out, indices)  an output whose element i is out[indices[i]]
//
//   inclusive_sum(gathered(x, order), out, n);           // sums in another order
//   exclusive_sum(x, scattered(out, order), n);          // results to other places
//   select_if(gathered(x, order), out, kept, n, is_odd);
//
// `in`, `out`  pointers or random-access iterators.
// `indices`    pointer or random-access iterator to integers. Indices of an output must differ. Neither the range of indices
//              nor the overlap of arrays is checked.
//
// All calls that take iterators accept them as inputs and outputs.
#pragma once

#include <upsweep/common/cpp20.h>
#ifdef UPSWEEP_CPP20
#include <compare>
#include <cstddef>
#include <iterator>
#include <type_traits>

namespace upsweep::cpu {

namespace detail {

template <class Iterator, class Indices>
class ByIndex {
public:
  using iterator_category = std::random_access_iterator_tag;
  using value_type = typename std::iterator_traits<Iterator>::value_type;
  using difference_type = std::ptrdiff_t;
  using reference = typename std::iterator_traits<Iterator>::reference;
  using pointer = void;

  ByIndex() = default;
  ByIndex(Iterator array, Indices indices) : array_(array), indices_(indices) {}

  reference operator[](std::ptrdiff_t i) const { return array_[static_cast<std::ptrdiff_t>(indices_[i])]; }
  reference operator*() const { return (*this)[0]; }
  ByIndex &operator+=(std::ptrdiff_t n) {
    indices_ += n;
    return *this;
  }
  ByIndex &operator-=(std::ptrdiff_t n) { return *this += -n; }
  ByIndex &operator++() { return *this += 1; }
  ByIndex &operator--() { return *this += -1; }
  ByIndex operator++(int) {
    const ByIndex before = *this;
    ++*this;
    return before;
  }
  ByIndex operator--(int) {
    const ByIndex before = *this;
    --*this;
    return before;
  }
  friend ByIndex operator+(ByIndex it, std::ptrdiff_t n) { return it += n; }
  friend ByIndex operator+(std::ptrdiff_t n, ByIndex it) { return it += n; }
  friend ByIndex operator-(ByIndex it, std::ptrdiff_t n) { return it -= n; }
  friend std::ptrdiff_t operator-(const ByIndex &a, const ByIndex &b) { return a.indices_ - b.indices_; }
  friend bool operator==(const ByIndex &a, const ByIndex &b) { return a.indices_ == b.indices_; }
  friend auto operator<=>(const ByIndex &a, const ByIndex &b) { return a.indices_ <=> b.indices_; }

private:
  Iterator array_;
  Indices indices_;
};

}  // namespace detail

template <class In, class Indices>
auto gathered(In in, Indices indices) {
  return detail::ByIndex<In, Indices>(in, indices);
}

template <class Out, class Indices>
auto scattered(Out out, Indices indices) {
  return gathered(out, indices);
}

}  // namespace upsweep::cpu
#endif
