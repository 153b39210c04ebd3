// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Linear recurrences along an axis (upsweep/cpu/recurrence.h).
#include "recurrence.h"

#include <upsweep/cpu/recurrence.h>

#include <complex>
#include <stdexcept>

namespace upsweep::python {
namespace {

template <class A, class T>
void recur(const Recurrence &of, cpu::thread_pool &pool) {
  const cpu::axis axis{of.batches, of.length, of.inner, {of.in_batch, of.in_along}, {of.out_batch, of.out_along}};
  const auto *a = static_cast<const A *>(of.a);
  const auto *b = static_cast<const T *>(of.b);
  auto *out = static_cast<T *>(of.out);
  const cpu::states<T> ends(static_cast<const T *>(of.initial), static_cast<T *>(of.last));
  if (of.is_backward != 0) {
    cpu::linear_recurrence_of_axis(a, b, out, axis, ends, pool, cpu::backward);
  } else {
    cpu::linear_recurrence_of_axis(a, b, out, axis, ends, pool);
  }
}

template <class Real>
void recur_complex(const Recurrence &of, cpu::thread_pool &pool) {
  using T = std::complex<Real>;
  of.has_real_factors != 0 ? recur<Real, T>(of, pool) : recur<T, T>(of, pool);
}

}  // namespace

void linear_recurrence(const Recurrence &of, cpu::thread_pool &pool) {
  switch (static_cast<State>(of.type)) {
  case State::float32: return recur<float, float>(of, pool);
  case State::float64: return recur<double, double>(of, pool);
  case State::complex64: return recur_complex<float>(of, pool);
  case State::complex128: return recur_complex<double>(of, pool);
  }
  throw std::domain_error("recurrences need float32, float64, complex64 or complex128");
}

}  // namespace upsweep::python
