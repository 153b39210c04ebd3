// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Functions of the C++ standard library and of SYCL.
#include <cmath>
#include <sycl/sycl.hpp>

namespace experimental = sycl::ext::oneapi::experimental;
namespace this_item = sycl::ext::oneapi::this_work_item;

template <typename T>
void functions(const T *in, T *out, size_t count) {
  const size_t i = this_item::get_nd_item<1>().get_global_id(0);
  if (i >= count) return;
  const T x = in[i];
  T *mine = out + 8 * i;
  mine[0] = std::sin(x), mine[1] = std::exp(-x), mine[2] = sycl::log(x), mine[3] = sycl::pow(x, T(1.5));
  mine[4] = std::atan2(x, T(3)), mine[5] = std::erf(x / 10), mine[6] = sycl::cbrt(x), mine[7] = std::tgamma(x / 4);
}

extern "C" SYCL_EXT_ONEAPI_FUNCTION_PROPERTY((experimental::nd_range_kernel<1>)) void of_float(const float *in, float *out,
                                                                                               size_t count) {
  functions(in, out, count);
}

extern "C" SYCL_EXT_ONEAPI_FUNCTION_PROPERTY((experimental::nd_range_kernel<1>)) void of_double(const double *in, double *out,
                                                                                                size_t count) {
  functions(in, out, count);
}
