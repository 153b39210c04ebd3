// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Counts in a variable of program scope.
#include <sycl/sycl.hpp>

namespace experimental = sycl::ext::oneapi::experimental;
namespace this_item = sycl::ext::oneapi::this_work_item;

experimental::device_global<int[16]> table;

extern "C" SYCL_EXT_ONEAPI_FUNCTION_PROPERTY((experimental::nd_range_kernel<1>)) void use_table(int *out) {
  const size_t i = this_item::get_nd_item<1>().get_global_id(0);
  out[i] = ++table[i];
}
