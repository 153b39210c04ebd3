// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Writes the ids of each work-item.
#include <sycl/sycl.hpp>

namespace experimental = sycl::ext::oneapi::experimental;
namespace this_item = sycl::ext::oneapi::this_work_item;

extern "C" SYCL_EXT_ONEAPI_FUNCTION_PROPERTY((experimental::nd_range_kernel<3>)) void ids(int *out) {
  const auto item = this_item::get_nd_item<3>();
  int *mine = out + item.get_global_linear_id() * 11;
  for (int d = 0; d < 3; ++d) {
    mine[d] = item.get_global_id(d);
    mine[3 + d] = item.get_local_id(d);
    mine[6 + d] = item.get_group(d);
  }
  mine[9] = item.get_group_linear_id();
  mine[10] = item.get_local_linear_id();
}
