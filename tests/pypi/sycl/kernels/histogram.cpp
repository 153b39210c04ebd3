// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Counts in local memory, and adds them to the counts of all groups.
#include <sycl/sycl.hpp>

namespace experimental = sycl::ext::oneapi::experimental;
namespace this_item = sycl::ext::oneapi::this_work_item;

template <typename T, auto Space>
using Atomic = sycl::atomic_ref<T, sycl::memory_order::relaxed, sycl::memory_scope::device, Space>;

extern "C" SYCL_EXT_ONEAPI_FUNCTION_PROPERTY((experimental::nd_range_kernel<1>)) void histogram(
    const unsigned *in, int *bins, size_t num_bins, sycl::local_accessor<int, 1> counts) {
  using sycl::access::address_space;
  const auto item = this_item::get_nd_item<1>();
  for (size_t i = item.get_local_id(0); i < num_bins; i += item.get_local_range(0)) counts[i] = 0;
  sycl::group_barrier(item.get_group());
  Atomic<int, address_space::local_space>(counts[in[item.get_global_id(0)]])++;
  sycl::group_barrier(item.get_group());
  for (size_t i = item.get_local_id(0); i < num_bins; i += item.get_local_range(0))
    Atomic<int, address_space::global_space>(bins[i]).fetch_add(counts[i]);
}
