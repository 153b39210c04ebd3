// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sums of floating-point numbers that carry the rounding error of their additions along. opencl/compensated.h has the same
// additions in OpenCL C. C++17.
// Source: Dekker 1971, Knuth (TAOCP volume 2, 4.2.2): the error of a floating-point addition is a floating-point number.
#pragma once

#include <upsweep/common/standard.h>

namespace upsweep::common {

// The unevaluated sum high + low, where low is the part that rounding took from high.
template <class T>
struct compensated {
  T high, low;
};

// Adds two sums with a relative error of about the square of the type's rounding error (if the terms have one sign).
struct compensated_plus {
  template <class T>
  UPSWEEP_HOST_DEVICE compensated<T> operator()(const compensated<T> &a, const compensated<T> &b) const {
    const T sum = a.high + b.high;
    const T part = sum - a.high;
    const T error = (a.high - (sum - part)) + (b.high - part);
    const T low = error + (a.low + b.low);
    const T high = sum + low;
    // An infinity or a NaN has no low part, which would be a difference of infinities. x - x is 0 for all finite numbers.
    const bool is_finite = high - high == T(0);  // NOLINT(misc-redundant-expression)
    return {is_finite ? high : sum, is_finite ? low - (high - sum) : T(0)};
  }
};

// The sum of two numbers and its error do not depend on their order, but scans keep their own order.
struct CompensatedTotal : compensated_plus {};

struct ToCompensated {
  template <class T>
  UPSWEEP_HOST_DEVICE compensated<T> operator()(const T &value) const {
    static_assert(std::is_floating_point_v<T>, "compensated sums need floats or doubles");
    return {value, T(0)};
  }
};
struct FromCompensated {
  template <class T>
  UPSWEEP_HOST_DEVICE T operator()(const compensated<T> &sum) const {
    return sum.high + sum.low;
  }
};

}  // namespace upsweep::common
