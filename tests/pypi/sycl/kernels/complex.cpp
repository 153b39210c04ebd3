// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Functions of complex numbers, by the device libraries.
#include <complex>
#include <sycl/sycl.hpp>

namespace experimental = sycl::ext::oneapi::experimental;
namespace this_item = sycl::ext::oneapi::this_work_item;

extern "C" SYCL_EXT_ONEAPI_FUNCTION_PROPERTY((experimental::nd_range_kernel<1>)) void functions(const double *in, double *out,
                                                                                                size_t count) {
  const size_t i = this_item::get_nd_item<1>().get_global_id(0);
  if (i >= count) return;
  const std::complex<double> z(in[2 * i], in[2 * i + 1]);
  const std::complex<double> results[] = {z * z, 1.0 / z, std::exp(z), std::sqrt(z), std::sin(z)};
  for (int k = 0; k < 5; ++k) out[10 * i + 2 * k] = results[k].real(), out[10 * i + 2 * k + 1] = results[k].imag();
}
