// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sums of work-groups by a tree in local memory.
#include <sycl/sycl.hpp>

namespace experimental = sycl::ext::oneapi::experimental;
namespace this_item = sycl::ext::oneapi::this_work_item;

extern "C" SYCL_EXT_ONEAPI_FUNCTION_PROPERTY((experimental::nd_range_kernel<1>)) void local_reduction(
    const int *in, int *sums, sycl::local_accessor<int, 1> partial) {
  const auto item = this_item::get_nd_item<1>();
  const size_t i = item.get_local_id(0);
  partial[i] = in[item.get_global_id(0)];
  for (size_t half = item.get_local_range(0) / 2; half > 0; half /= 2) {
    sycl::group_barrier(item.get_group());
    if (i < half) partial[i] += partial[i + half];
  }
  if (i == 0) sums[item.get_group(0)] = partial[0];
}
