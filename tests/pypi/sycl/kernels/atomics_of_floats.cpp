// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Atomics on floating-point numbers.
#include <sycl/sycl.hpp>

namespace experimental = sycl::ext::oneapi::experimental;
namespace this_item = sycl::ext::oneapi::this_work_item;

template <typename T>
void update(const T *in, T *out) {
  using Atomic =
      sycl::atomic_ref<T, sycl::memory_order::relaxed, sycl::memory_scope::device, sycl::access::address_space::global_space>;
  const T x = in[this_item::get_nd_item<1>().get_global_id(0)];
  Atomic(out[0]).fetch_add(x);
  Atomic(out[1]).fetch_min(x);
  Atomic(out[2]).fetch_max(x);
  Atomic(out[3]).exchange(T(1));
}

extern "C" SYCL_EXT_ONEAPI_FUNCTION_PROPERTY((experimental::nd_range_kernel<1>)) void of_float(const float *in, float *out) {
  update(in, out);
}

extern "C" SYCL_EXT_ONEAPI_FUNCTION_PROPERTY((experimental::nd_range_kernel<1>)) void of_double(const double *in, double *out) {
  update(in, out);
}
