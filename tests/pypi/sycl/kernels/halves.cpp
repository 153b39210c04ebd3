// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Arithmetic of halves.
#include <sycl/sycl.hpp>

namespace experimental = sycl::ext::oneapi::experimental;
namespace this_item = sycl::ext::oneapi::this_work_item;

extern "C" SYCL_EXT_ONEAPI_FUNCTION_PROPERTY((experimental::nd_range_kernel<1>)) void multiply_add(const float *in, float *out,
                                                                                                   size_t count) {
  const size_t i = this_item::get_nd_item<1>().get_global_id(0);
  if (i >= count) return;
  const sycl::half x = in[i];
  out[i] = x * x + x;
}
