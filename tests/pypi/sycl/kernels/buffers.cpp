// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels on accessors of buffers.
#include <sycl/sycl.hpp>

namespace experimental = sycl::ext::oneapi::experimental;
namespace this_item = sycl::ext::oneapi::this_work_item;

extern "C" SYCL_EXT_ONEAPI_FUNCTION_PROPERTY((experimental::nd_range_kernel<1>)) void twice(
    sycl::accessor<int, 1, sycl::access_mode::read> in, sycl::accessor<int, 1, sycl::access_mode::write> out) {
  const size_t i = this_item::get_nd_item<1>().get_global_id(0);
  out[i] = 2 * in[i];
}

extern "C" SYCL_EXT_ONEAPI_FUNCTION_PROPERTY((experimental::nd_range_kernel<1>)) void add_to(
    sycl::accessor<int, 1, sycl::access_mode::read> in, sycl::accessor<int, 1, sycl::access_mode::read_write> out) {
  const size_t i = this_item::get_nd_item<1>().get_global_id(0);
  out[i] += in[i];
}
