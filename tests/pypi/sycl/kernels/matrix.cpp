// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A matrix product by broadcasts within sub-groups of 16.
#include <sycl/sycl.hpp>

namespace experimental = sycl::ext::oneapi::experimental;
namespace this_item = sycl::ext::oneapi::this_work_item;

extern "C" SYCL_EXT_ONEAPI_FUNCTION_PROPERTY((experimental::nd_range_kernel<2>))
    SYCL_EXT_ONEAPI_FUNCTION_PROPERTY((experimental::sub_group_size<16>)) void product(const float *a, const float *b,
                                                                                       float *out, size_t size) {
  const auto item = this_item::get_nd_item<2>();
  const auto group = this_item::get_sub_group();
  const size_t row = item.get_global_id(0), column = item.get_global_id(1);
  float sum = 0;
  for (size_t k = 0; k < size; k += 16) {
    const float mine = a[row * size + k + group.get_local_linear_id()];
    for (unsigned j = 0; j < 16; ++j) sum += sycl::group_broadcast(group, mine, j) * b[(k + j) * size + column];
  }
  out[row * size + column] = sum;
}
