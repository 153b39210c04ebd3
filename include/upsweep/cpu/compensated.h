// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sums of floating-point numbers whose error does not grow with the number of elements. Each sum carries the rounding error of
// its additions, and is rounded once at the end.
//
//   inclusive_compensated_sum, exclusive_compensated_sum   scans; options: backward, reproducible (scan.h)
//   compensated_sum                                        *out = sum of all elements (reduce.h)
//
// in, out, n, executor and errors as in scan.h and reduce.h; the elements of `in` are floats or doubles. Infinities, NaNs and
// overflow give the results of plain sums.
//
// Source: Dekker 1971, Knuth (TAOCP volume 2, 4.2.2): the error of a floating-point addition is a floating-point number.
#pragma once

#include <upsweep/common/cpp20.h>
#ifdef UPSWEEP_CPP20
#include <upsweep/common/compensated.h>
#include <upsweep/cpu/reduce.h>
#include <upsweep/cpu/scan.h>

namespace upsweep::cpu {

using common::compensated, common::compensated_plus;

namespace detail {

using common::CompensatedTotal, common::FromCompensated, common::ToCompensated;

// CompensatedTotal without a check, for sums of finite numbers: an infinity makes a NaN.
struct FiniteTotal {
  template <class T>
  compensated<T> operator()(const compensated<T> &a, const compensated<T> &b) const {
    const T sum = a.high + b.high, part = sum - a.high;
    const T error = (a.high - (sum - part)) + (b.high - part);
    const T low = error + (a.low + b.low), high = sum + low;
    return {high, low - (high - sum)};
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
  if (detail::is_nan(sum.high + sum.low)) {  // an infinity, an overflow or a NaN: again, with the checks
    cpu::transform_reduce(in, &sum, n, detail::CompensatedTotal(), detail::ToCompensated(), zero, more...);
  }
  *out = sum.high + sum.low;
}

}  // namespace upsweep::cpu
#endif
