// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Asserts that values are positive.
#include <cassert>
#include <sycl/sycl.hpp>

namespace experimental = sycl::ext::oneapi::experimental;
namespace this_item = sycl::ext::oneapi::this_work_item;

extern "C" SYCL_EXT_ONEAPI_FUNCTION_PROPERTY((experimental::nd_range_kernel<1>)) void check_signs(int *values) {
  const size_t i = this_item::get_nd_item<1>().get_global_id(0);
  assert(values[i] > 0);
  values[i] *= 2;
}
