// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Elements with their places, as arg_min and arg_max write them, and the comparison of these reductions. C++17.
#pragma once

#include <upsweep/common/numbers.h>

namespace upsweep::common {

// An element and its index in the array.
template <class T>
struct indexed {
  T value;
  std::uint64_t index;
};

// The lesser (larger) of two elements, and the first if neither is. A number is better than a NaN.
template <bool kLeast>
struct Better {
  template <class T>
  UPSWEEP_HOST_DEVICE indexed<T> operator()(const indexed<T> &a, const indexed<T> &b) const {
    return is_better(b.value, a.value) || (!is_better(a.value, b.value) && b.index < a.index) ? b : a;
  }

private:
  template <class T>
  UPSWEEP_HOST_DEVICE static bool is_better(const T &x, const T &y) {
    const bool is_before = kLeast ? x < y : y < x;
    if constexpr (is_float<T>) {
      // A NaN of 16 bits may compare as equal to itself by !=, but never by ==.
      return is_before || (!(y == y) && x == x);  // NOLINT(misc-redundant-expression)
    } else {
      return is_before;
    }
  }
};

struct WithIndex {
  template <class T>
  UPSWEEP_HOST_DEVICE indexed<T> operator()(const T &value, std::uint64_t index) const {
    return {value, index};
  }
};

}  // namespace upsweep::common
