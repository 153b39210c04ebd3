// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Pushes each work-item's id onto one stack.
#include <sycl/sycl.hpp>

namespace experimental = sycl::ext::oneapi::experimental;
namespace this_item = sycl::ext::oneapi::this_work_item;

extern "C" SYCL_EXT_ONEAPI_FUNCTION_PROPERTY((experimental::nd_range_kernel<1>)) void push(int *head, int *next) {
  const int mine = this_item::get_nd_item<1>().get_global_id(0);
  sycl::atomic_ref<int, sycl::memory_order::seq_cst, sycl::memory_scope::device> top(*head);
  int seen = top.load();
  do next[mine] = seen;
  while (!top.compare_exchange_strong(seen, mine));
}
