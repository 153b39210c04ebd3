// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sorts a range by one work-group.
#include <sycl/sycl.hpp>

namespace experimental = sycl::ext::oneapi::experimental;
namespace this_item = sycl::ext::oneapi::this_work_item;

extern "C" SYCL_EXT_ONEAPI_FUNCTION_PROPERTY((experimental::nd_range_kernel<1>)) void sort_keys(int *keys, size_t count,
                                                                                                char *room, size_t bytes) {
  const experimental::group_with_scratchpad group(this_item::get_work_group<1>(),
                                                  sycl::span(reinterpret_cast<std::byte *>(room), bytes));
  experimental::joint_sort(group, keys, keys + count);
}
