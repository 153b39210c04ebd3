// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reductions of work-groups, six facts a group.
#include <sycl/sycl.hpp>

namespace experimental = sycl::ext::oneapi::experimental;
namespace this_item = sycl::ext::oneapi::this_work_item;

extern "C" SYCL_EXT_ONEAPI_FUNCTION_PROPERTY((experimental::nd_range_kernel<1>)) void reductions(const int *in, int *out) {
  const auto item = this_item::get_nd_item<1>();
  const auto group = item.get_group();
  const int x = in[item.get_global_id(0)];
  const int sum = sycl::reduce_over_group(group, x, sycl::plus<int>());
  const int low = sycl::reduce_over_group(group, x, sycl::minimum<int>());
  const int high = sycl::reduce_over_group(group, x, sycl::maximum<int>());
  const int ones = sycl::reduce_over_group(group, x, sycl::bit_and<int>());
  const int any = sycl::reduce_over_group(group, x, sycl::bit_or<int>());
  const int parity = sycl::reduce_over_group(group, x, sycl::bit_xor<int>());
  if (!group.leader()) return;
  int *mine = out + 6 * item.get_group(0);
  mine[0] = sum, mine[1] = low, mine[2] = high, mine[3] = ones, mine[4] = any, mine[5] = parity;
}
