// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SYCL's functions of integers.
#include <sycl/sycl.hpp>

namespace experimental = sycl::ext::oneapi::experimental;
namespace this_item = sycl::ext::oneapi::this_work_item;

extern "C" SYCL_EXT_ONEAPI_FUNCTION_PROPERTY((experimental::nd_range_kernel<1>)) void functions(const unsigned *in,
                                                                                                unsigned *out, size_t count) {
  const size_t i = this_item::get_nd_item<1>().get_global_id(0);
  if (i >= count) return;
  const unsigned x = in[i];
  unsigned *mine = out + 6 * i;
  mine[0] = sycl::popcount(x), mine[1] = sycl::clz(x), mine[2] = sycl::mul_hi(x, 0x9E3779B9U);
  mine[3] = sycl::rotate(x, 7U), mine[4] = sycl::add_sat(x, 0x80000000U), mine[5] = sycl::abs_diff(x, 1000U);
}
