// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Running sums of exponentials, log(exp(x[0]) + ... + exp(x[i])), along an axis.
#include "logarithmic.h"

#include <upsweep/cpu/axis.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace upsweep::python {
namespace {

// log(exp(a) + exp(b)) without an overflow. Totals are doubles.
struct AddExponentials {
  double operator()(double a, double b) const {
    if (std::isnan(a) || std::isnan(b)) {
      return a + b;
    }
    const double most = std::max(a, b), least = std::min(a, b);
    return std::isinf(most) && most == least ? most : most + std::log1p(std::exp(least - most));
  }
};

template <class T>
void scan(const Scan &of, cpu::thread_pool &pool) {
  const cpu::axis axis{of.batches, of.length, of.inner, {of.in_batch, of.in_along}, {of.out_batch, of.out_along}};
  const auto *in = static_cast<const T *>(of.in);
  auto *out = static_cast<T *>(of.out);
  constexpr cpu::accumulator_t<double> total;
  if (of.is_backward != 0) {
    cpu::inclusive_scan_of_axis(in, out, axis, AddExponentials{}, total, pool, cpu::backward);
  } else {
    cpu::inclusive_scan_of_axis(in, out, axis, AddExponentials{}, total, pool);
  }
}

}  // namespace

void scan_logarithmic(const Scan &of, cpu::thread_pool &pool) {
  switch (static_cast<Type>(of.type)) {
  case Type::float32: return scan<float>(of, pool);
  case Type::float64: return scan<double>(of, pool);
  default: throw std::domain_error("sums of exponentials need float32 or float64");
  }
}

}  // namespace upsweep::python
