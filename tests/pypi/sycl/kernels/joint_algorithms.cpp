// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Algorithms of one work-group on a range of any length.
#include <sycl/sycl.hpp>

namespace experimental = sycl::ext::oneapi::experimental;
namespace this_item = sycl::ext::oneapi::this_work_item;

extern "C" SYCL_EXT_ONEAPI_FUNCTION_PROPERTY((experimental::nd_range_kernel<1>)) void joint(int *in, int *inclusive,
                                                                                            int *exclusive, int *facts,
                                                                                            size_t count) {
  const auto group = this_item::get_work_group<1>();
  sycl::joint_inclusive_scan(group, in, in + count, inclusive, sycl::plus<int>());
  sycl::joint_exclusive_scan(group, in, in + count, exclusive, 5, sycl::plus<int>());
  const int sum = sycl::joint_reduce(group, in, in + count, sycl::plus<int>());
  const int high = sycl::joint_reduce(group, in, in + count, sycl::maximum<int>());
  const bool any = sycl::joint_any_of(group, in, in + count, [](int x) { return x > 990; });
  const bool all = sycl::joint_all_of(group, in, in + count, [](int x) { return x > -995; });
  if (group.leader()) facts[0] = sum, facts[1] = high, facts[2] = any, facts[3] = all;
}
