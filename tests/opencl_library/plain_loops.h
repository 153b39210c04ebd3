// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The results of calls by plain loops and the standard library alone, as references for tests.
#ifndef UPSWEEP_TESTS_OPENCL_LIBRARY_PLAIN_LOOPS_H
#define UPSWEEP_TESTS_OPENCL_LIBRARY_PLAIN_LOOPS_H

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <numeric>
#include <utility>
#include <vector>

namespace upsweep::opencl::test::plain {

// The sum wraps to the type.
template <class T>
T add(T a, T b) {
  return static_cast<T>(a + b);
}

template <class T, class Op>
T fold(const std::vector<T> &in, std::size_t from, std::size_t to, T first, Op op) {
  for (std::size_t i = from; i < to; ++i) first = op(first, in[i]);
  return first;
}

template <class T>
std::vector<T> inclusive_sum(const std::vector<T> &in) {
  std::vector<T> out;
  T sum{};
  for (const T x : in) out.push_back(sum = add(sum, x));
  return out;
}

// Each element has the maximum of `first` and all elements behind it.
template <class T>
std::vector<T> backward_exclusive_maximum(const std::vector<T> &in, T first) {
  std::vector<T> out(in.size());
  for (std::size_t i = in.size(); i-- > 0; first = std::max(first, in[i])) out[i] = first;
  return out;
}

template <class T, class Key>
std::vector<T> minimum_by_key(const std::vector<Key> &keys, const std::vector<T> &in) {
  std::vector<T> out(in.size());
  for (std::size_t i = 0; i < in.size(); ++i) out[i] = i > 0 && keys[i] == keys[i - 1] ? std::min(out[i - 1], in[i]) : in[i];
  return out;
}

template <class T, class Key>
std::vector<T> select_by_flag(const std::vector<T> &in, const std::vector<Key> &flags) {
  std::vector<T> out;
  for (std::size_t i = 0; i < in.size(); ++i)
    if (flags[i] != 0) out.push_back(in[i]);
  return out;
}

template <class T, class Key>
std::pair<std::vector<Key>, std::vector<T>> sum_by_key(const std::vector<Key> &keys, const std::vector<T> &in) {
  std::pair<std::vector<Key>, std::vector<T>> out;
  for (std::size_t i = 0; i < in.size(); ++i) {
    if (i == 0 || keys[i] != keys[i - 1]) {
      out.first.push_back(keys[i]);
      out.second.push_back(T{});
    }
    out.second.back() = add(out.second.back(), in[i]);
  }
  return out;
}

template <class T>
std::vector<T> unique(std::vector<T> in) {
  in.erase(std::unique(in.begin(), in.end()), in.end());
  return in;
}

template <class T, class Less = std::less<T>>
std::vector<T> sorted(std::vector<T> in, Less less = {}) {
  std::sort(in.begin(), in.end(), less);
  return in;
}

// Where the elements of a stable sort of [from, to) come from, counted from `from`.
template <class T, class Less = std::less<T>>
std::vector<std::uint32_t> order_of(const std::vector<T> &in, std::size_t from, std::size_t to, Less less = {}) {
  std::vector<std::uint32_t> order(to - from);
  std::iota(order.begin(), order.end(), 0U);
  std::sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
    const T &x = in[from + a], &y = in[from + b];
    return less(x, y) || (!less(y, x) && a < b);
  });
  return order;
}

template <class T>
std::vector<T> sum_of_axis(const std::vector<T> &in, std::size_t batches, std::size_t length, std::size_t inner) {
  std::vector<T> out(batches * inner);
  for (std::size_t b = 0; b < batches; ++b)
    for (std::size_t i = 0; i < length; ++i)
      for (std::size_t k = 0; k < inner; ++k) {
        T &sum = out[b * inner + k];
        sum = add(sum, in[(b * length + i) * inner + k]);
      }
  return out;
}

template <class T>
std::vector<T> weighted_counts(const std::vector<std::uint8_t> &samples, const std::vector<T> &weights) {
  std::vector<T> out(256);
  for (std::size_t i = 0; i < samples.size(); ++i) out[samples[i]] = add(out[samples[i]], weights[i]);
  return out;
}

// The sums of the elements in[order[0]], in[order[1]], … before each, stored to the places in this order.
template <class T>
std::vector<T> exclusive_sum_by_index(const std::vector<T> &in, const std::vector<std::uint32_t> &order, T first) {
  std::vector<T> out(in.size());
  for (const std::uint32_t place : order) {
    out[place] = first;
    first = add(first, in[place]);
  }
  return out;
}

}  // namespace upsweep::opencl::test::plain

#endif
