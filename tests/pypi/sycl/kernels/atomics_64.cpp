// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Atomics on 64-bit integers by generic pointers.
#include <sycl/sycl.hpp>

namespace experimental = sycl::ext::oneapi::experimental;
namespace this_item = sycl::ext::oneapi::this_work_item;

using Atomic = sycl::atomic_ref<unsigned long, sycl::memory_order::acq_rel, sycl::memory_scope::device>;

extern "C" SYCL_EXT_ONEAPI_FUNCTION_PROPERTY((experimental::nd_range_kernel<1>)) void atomics(const unsigned long *in,
                                                                                              unsigned long *out) {
  const unsigned long x = in[this_item::get_nd_item<1>().get_global_id(0)];
  Atomic(out[0]).fetch_add(x);
  Atomic(out[1]).fetch_max(x);
  Atomic(out[2]).fetch_min(x);
  Atomic(out[3]).fetch_xor(x);
  Atomic(out[4]).fetch_or(x);
  Atomic count(out[5]);
  unsigned long seen = count.load();
  while (!count.compare_exchange_weak(seen, seen + 1)) {
  }
}
