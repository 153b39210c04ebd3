// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sums of floating-point numbers over ranks whose error does not grow with the number of elements (cpu/compensated.h).
//
//   inclusive_compensated_sum, exclusive_compensated_sum   scans; options: backward, reproducible (scan.h)
//   compensated_sum                                        *out = sum of all elements, on each rank (reduce.h)
//
// The totals of parts are gathered with their rounding errors, so that a border costs no precision.
#pragma once

#include <upsweep/common/cpp20.h>
#ifdef UPSWEEP_CPP20
#include <upsweep/cpu/compensated.h>
#include <upsweep/distributed/reduce.h>
#include <upsweep/distributed/scan.h>

namespace upsweep::distributed {

using cpu::compensated, cpu::compensated_plus;

template <class C, class In, class Out, class N, class... More>
void inclusive_compensated_sum(C &ranks, In in, Out out, N n, More &&...more) {
  distributed::inclusive_scan(ranks, in, out, n, compensated_plus{}, transform_input(cpu::detail::ToCompensated()),
                              transform_output(cpu::detail::FromCompensated()), more...);
}

template <class C, class In, class Out, class N, class... More>
void exclusive_compensated_sum(C &ranks, In in, Out out, N n, More &&...more) {
  using T = std::remove_cv_t<detail::ValueOf<In>>;
  distributed::exclusive_scan(ranks, in, out, n, compensated_plus{}, compensated<T>{T(0), T(0)},
                              transform_input(cpu::detail::ToCompensated()), transform_output(cpu::detail::FromCompensated()),
                              more...);
}

template <class C, class In, class Out, class N, class... More>
void compensated_sum(C &ranks, In in, Out out, N n, More &&...more) {
  using T = std::remove_cv_t<detail::ValueOf<In>>;
  compensated<T> total{};
  distributed::transform_reduce(ranks, in, &total, n, cpu::detail::CompensatedTotal{}, cpu::detail::ToCompensated(),
                                compensated<T>{T(0), T(0)}, more...);
  *out = cpu::detail::FromCompensated()(total);
}

}  // namespace upsweep::distributed
#endif
