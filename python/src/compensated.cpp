// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sums along an axis that carry the rounding errors of their additions (upsweep/cpu/compensated.h).
#include "compensated.h"

#include <upsweep/cpu/axis.h>
#include <upsweep/cpu/compensated.h>
#include <upsweep/cpu/segmented_reduce.h>

#include <stdexcept>

namespace upsweep::python {
namespace {

template <class T>
void scan_of(const Scan &of, cpu::thread_pool &pool) {
  const cpu::axis axis{of.batches, of.length, of.inner, {of.in_batch, of.in_along}, {of.out_batch, of.out_along}};
  const auto *in = static_cast<const T *>(of.in);
  auto *out = static_cast<T *>(of.out);
  const cpu::transform_input to{common::ToCompensated()};
  const cpu::transform_output from{common::FromCompensated()};
  if (of.is_backward != 0) {
    cpu::inclusive_scan_of_axis(in, out, axis, cpu::compensated_plus{}, to, from, pool, cpu::backward);
  } else {
    cpu::inclusive_scan_of_axis(in, out, axis, cpu::compensated_plus{}, to, from, pool);
  }
}

template <class T>
void reduce_of(const Scan &of, cpu::thread_pool &pool) {
  const cpu::axis axis{of.batches, of.length, of.inner, {of.in_batch, of.in_along}, {}};
  cpu::transform_reduce_of_axis(static_cast<const T *>(of.in), static_cast<cpu::compensated<T> *>(of.out), axis,
                                cpu::compensated_plus{}, common::ToCompensated(), cpu::compensated<T>{T(0), T(0)}, pool);
}

// call(float()) or call(double()).
template <class Call>
void call_for(std::int32_t type, const Call &call) {
  if (static_cast<Type>(type) == Type::float32) {
    call(float());
  } else if (static_cast<Type>(type) == Type::float64) {
    call(double());
  } else {
    throw std::domain_error("compensated sums need float32 or float64");
  }
}

}  // namespace

void scan_compensated(const Scan &of, cpu::thread_pool &pool) {
  call_for(of.type, [&]<class T>(T) { scan_of<T>(of, pool); });
}

void reduce_compensated(const Scan &of, cpu::thread_pool &pool) {
  call_for(of.type, [&]<class T>(T) { reduce_of<T>(of, pool); });
}

}  // namespace upsweep::python
