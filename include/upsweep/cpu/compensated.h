// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sums of floating-point numbers whose error does not grow with their number: each sum carries the rounding error of its
// additions along, and is rounded once at the end.
//
//   inclusive_compensated_sum, exclusive_compensated_sum   scans; options: backward, reproducible (scan.h)
//   compensated_sum                                        *out = the sum of all elements (reduce.h)
//
// in, out, n, executor and errors as in scan.h and reduce.h; the elements of `in` are floats or doubles. Infinities, NaNs and
// sums that overflow are those of sums without compensation.
//
// Source: Dekker 1971, Knuth (TAOCP volume 2, 4.2.2): the error of a floating-point addition is a floating-point number.
#pragma once

#include <upsweep/cpu/reduce.h>
#include <upsweep/cpu/scan.h>

namespace upsweep::cpu {

// The unevaluated sum high + low, where low is the part that rounding took from high.
template <class T>
struct compensated {
  T high, low;
};

// Adds two sums with a relative error of about the square of the type's rounding error (if the terms have one sign).
struct compensated_plus {
  template <class T>
  compensated<T> operator()(const compensated<T> &a, const compensated<T> &b) const {
    const T sum = a.high + b.high;
    const T part = sum - a.high;
    const T error = (a.high - (sum - part)) + (b.high - part);
    const T low = error + (a.low + b.low);
    const T high = sum + low;
    // An infinity or a NaN has no low part, which would be a difference of infinities. x - x is 0 for all finite numbers.
    const bool is_finite = high - high == T(0);
    return {is_finite ? high : sum, is_finite ? low - (high - sum) : T(0)};
  }
};

namespace detail {

// The sum of two numbers and its error do not depend on their order, but scans are left to add in theirs.
struct CompensatedTotal : compensated_plus {};
// The same without a check, for sums of finite numbers: an infinity makes a NaN.
struct FiniteTotal {
  template <class T>
  compensated<T> operator()(const compensated<T> &a, const compensated<T> &b) const {
    const T sum = a.high + b.high, part = sum - a.high;
    const T error = (a.high - (sum - part)) + (b.high - part);
    const T low = error + (a.low + b.low), high = sum + low;
    return {high, low - (high - sum)};
  }
};

struct ToCompensated {
  template <class T>
  compensated<T> operator()(const T &value) const {
    static_assert(std::is_floating_point_v<T>, "compensated sums are of floats or doubles");
    return {value, T(0)};
  }
};
struct FromCompensated {
  template <class T>
  T operator()(const compensated<T> &sum) const {
    return sum.high + sum.low;
  }
};

}  // namespace detail

template <class T>
inline constexpr bool is_commutative<detail::CompensatedTotal, compensated<T>> = true;
template <class T>
inline constexpr bool is_commutative<detail::FiniteTotal, compensated<T>> = true;

template <class In, class Out, class N, class... More>
void inclusive_compensated_sum(In in, Out out, N n, More &&...more) {
  cpu::inclusive_scan(in, out, n, compensated_plus{}, transform_input(detail::ToCompensated()),
                      transform_output(detail::FromCompensated()), more...);
}

template <class In, class Out, class N, class... More>
void exclusive_compensated_sum(In in, Out out, N n, More &&...more) {
  using T = std::remove_cv_t<detail::ValueOf<In>>;
  cpu::exclusive_scan(in, out, n, compensated_plus{}, compensated<T>{T(0), T(0)}, transform_input(detail::ToCompensated()),
                      transform_output(detail::FromCompensated()), more...);
}

template <class In, class Out, class N, class... More>
void compensated_sum(In in, Out out, N n, More &&...more) {
  using T = std::remove_cv_t<detail::ValueOf<In>>;
  detail::require_array(out, 1, "the result");
  compensated<T> sum;
  const compensated<T> zero{T(0), T(0)};
  cpu::transform_reduce(in, &sum, n, detail::FiniteTotal(), detail::ToCompensated(), zero, more...);
  if (detail::is_nan(sum.high + sum.low)) {  // an infinity, an overflow or a NaN: once more, with the checks
    cpu::transform_reduce(in, &sum, n, detail::CompensatedTotal(), detail::ToCompensated(), zero, more...);
  }
  *out = sum.high + sum.low;
}

}  // namespace upsweep::cpu
