// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Seven facts of each work-item's sub-group of SIZE.
#include <sycl/sycl.hpp>

namespace experimental = sycl::ext::oneapi::experimental;
namespace this_item = sycl::ext::oneapi::this_work_item;

extern "C" SYCL_EXT_ONEAPI_FUNCTION_PROPERTY((experimental::nd_range_kernel<1>))
    SYCL_EXT_ONEAPI_FUNCTION_PROPERTY((experimental::sub_group_size<SIZE>)) void sub_groups(const int *in, int *out) {
  const auto group = this_item::get_sub_group();
  const size_t i = this_item::get_nd_item<1>().get_global_id(0);
  const unsigned lane = group.get_local_linear_id(), count = group.get_local_linear_range();
  int *mine = out + 7 * i;
  mine[0] = sycl::exclusive_scan_over_group(group, in[i], sycl::plus<int>());
  mine[1] = sycl::reduce_over_group(group, in[i] < 0 ? -in[i] : in[i], sycl::maximum<int>());
  mine[2] = sycl::reduce_over_group(group, (in[i] & 1) << lane, sycl::bit_or<int>());
  mine[3] = count;
  mine[4] = sycl::select_from_group(group, in[i], 0);
  const int partner = sycl::permute_group_by_xor(group, in[i], 1), next = sycl::shift_group_left(group, in[i], 1);
  mine[5] = (lane ^ 1) < count ? partner : 0;
  mine[6] = lane + 1 < count ? next : 0;
}
