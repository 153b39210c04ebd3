// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Conversions to and from bfloat16.
#include <sycl/sycl.hpp>

namespace experimental = sycl::ext::oneapi::experimental;
namespace this_item = sycl::ext::oneapi::this_work_item;

extern "C" SYCL_EXT_ONEAPI_FUNCTION_PROPERTY((experimental::nd_range_kernel<1>)) void round(const float *in, float *out,
                                                                                            size_t count) {
  const size_t i = this_item::get_nd_item<1>().get_global_id(0);
  if (i < count) out[i] = sycl::ext::oneapi::bfloat16(in[i]);
}
