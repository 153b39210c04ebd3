// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Adds two arrays.
#include <sycl/sycl.hpp>

namespace experimental = sycl::ext::oneapi::experimental;
namespace this_item = sycl::ext::oneapi::this_work_item;

extern "C" SYCL_EXT_ONEAPI_FUNCTION_PROPERTY((experimental::nd_range_kernel<1>)) void vector_add(const float *a, const float *b,
                                                                                                 float *out, size_t count) {
  const size_t i = this_item::get_nd_item<1>().get_global_id(0);
  if (i < count) out[i] = a[i] + b[i];
}
