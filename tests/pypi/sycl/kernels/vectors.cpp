// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Vectors, their swizzles, relations and geometric functions.
#include <sycl/sycl.hpp>

namespace experimental = sycl::ext::oneapi::experimental;
namespace this_item = sycl::ext::oneapi::this_work_item;

extern "C" SYCL_EXT_ONEAPI_FUNCTION_PROPERTY((experimental::nd_range_kernel<1>)) void functions(const float *in, float *out,
                                                                                                size_t count) {
  const size_t i = this_item::get_nd_item<1>().get_global_id(0);
  if (i >= count) return;
  const sycl::vec<float, 4> v(in[4 * i], in[4 * i + 1], in[4 * i + 2], in[4 * i + 3]);
  const sycl::vec<float, 4> reversed = v.swizzle<3, 2, 1, 0>();
  for (int k = 0; k < 4; ++k) out[8 * i + k] = reversed[k];
  const sycl::vec<float, 3> a(v.x(), v.y(), v.z()), b(v.x(), v.z(), v.y());
  out[8 * i + 4] = sycl::dot(v, reversed);
  out[8 * i + 5] = sycl::cross(a, b).x();
  out[8 * i + 6] = sycl::fmax(v, sycl::vec<float, 4>(v.swizzle<2, 3, 0, 1>())).x();
  out[8 * i + 7] = sycl::select(v.w(), v.x(), v.x() < v.y());
}
