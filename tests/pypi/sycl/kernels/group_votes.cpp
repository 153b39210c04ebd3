// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Votes and broadcasts of work-groups, five facts a group.
#include <sycl/sycl.hpp>

namespace experimental = sycl::ext::oneapi::experimental;
namespace this_item = sycl::ext::oneapi::this_work_item;

extern "C" SYCL_EXT_ONEAPI_FUNCTION_PROPERTY((experimental::nd_range_kernel<1>)) void votes(const int *in, int *out,
                                                                                            int threshold) {
  const auto item = this_item::get_nd_item<1>();
  const auto group = item.get_group();
  const int x = in[item.get_global_id(0)];
  const bool any = sycl::any_of_group(group, x > threshold), all = sycl::all_of_group(group, x > threshold);
  const bool none = sycl::none_of_group(group, x > threshold);
  const int first = sycl::group_broadcast(group, x), last = sycl::group_broadcast(group, x, item.get_local_range(0) - 1);
  if (!group.leader()) return;
  int *mine = out + 5 * item.get_group(0);
  mine[0] = any, mine[1] = all, mine[2] = none, mine[3] = first, mine[4] = last;
}
