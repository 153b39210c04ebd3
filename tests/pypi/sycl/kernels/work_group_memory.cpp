// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reverses each work-group's values.
#include <sycl/sycl.hpp>

namespace experimental = sycl::ext::oneapi::experimental;
namespace this_item = sycl::ext::oneapi::this_work_item;

extern "C" SYCL_EXT_ONEAPI_FUNCTION_PROPERTY((experimental::nd_range_kernel<1>)) void reverse(
    int *values, experimental::work_group_memory<int[]> room) {
  const auto item = this_item::get_nd_item<1>();
  const size_t i = item.get_local_id(0), count = item.get_local_range(0);
  room[i] = values[item.get_global_id(0)];
  sycl::group_barrier(item.get_group());
  values[item.get_global_id(0)] = room[count - 1 - i];
}
