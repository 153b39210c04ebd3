// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sums of lists whose nodes are in allocations of their own.
#include <sycl/sycl.hpp>

namespace experimental = sycl::ext::oneapi::experimental;
namespace this_item = sycl::ext::oneapi::this_work_item;

struct Node {
  Node *next;
  long value;
};

extern "C" SYCL_EXT_ONEAPI_FUNCTION_PROPERTY((experimental::nd_range_kernel<1>)) void sum_lists(Node **heads, long *sums) {
  const size_t i = this_item::get_nd_item<1>().get_global_id(0);
  long sum = 0;
  for (const Node *node = heads[i]; node; node = node->next) sum += node->value;
  sums[i] = sum;
}
