// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sums along an axis that carry the rounding errors of their additions (upsweep/cpu/compensated.h).
#include "compensated.h"

#include <upsweep/cpu/axis.h>
#include <upsweep/cpu/compensated.h>
#include <upsweep/cpu/segmented_reduce.h>

#include <stdexcept>

namespace upsweep::python {
namespace {

cpu::axis axis_of(const Scan &of) {
  if (static_cast<Type>(of.type) != Type::float64) {
    throw std::domain_error("compensated sums need float64");
  }
  return {of.batches, of.length, of.inner, {of.in_batch, of.in_along}, {of.out_batch, of.out_along}};
}

}  // namespace

void scan_compensated(const Scan &of, cpu::thread_pool &pool) {
  const cpu::axis axis = axis_of(of);
  const auto *in = static_cast<const double *>(of.in);
  auto *out = static_cast<double *>(of.out);
  const cpu::transform_input to{common::ToCompensated()};
  const cpu::transform_output from{common::FromCompensated()};
  if (of.is_backward != 0) {
    cpu::inclusive_scan_of_axis(in, out, axis, cpu::compensated_plus{}, to, from, pool, cpu::backward);
  } else {
    cpu::inclusive_scan_of_axis(in, out, axis, cpu::compensated_plus{}, to, from, pool);
  }
}

void reduce_compensated(const Scan &of, cpu::thread_pool &pool) {
  cpu::transform_reduce_of_axis(static_cast<const double *>(of.in), static_cast<cpu::compensated<double> *>(of.out),
                                axis_of(of), cpu::compensated_plus{}, common::ToCompensated(), cpu::compensated<double>{0, 0},
                                pool);
}

}  // namespace upsweep::python
