// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Prints.
#include <sycl/sycl.hpp>

namespace experimental = sycl::ext::oneapi::experimental;
namespace this_item = sycl::ext::oneapi::this_work_item;

extern "C" SYCL_EXT_ONEAPI_FUNCTION_PROPERTY((experimental::nd_range_kernel<1>)) void print_ids(float number) {
  const auto item = this_item::get_nd_item<1>();
  experimental::printf("item %d of group %d has %.2f, %s\n", int(item.get_local_id(0)), int(item.get_group(0)), number, "text");
}
