// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Scans of work-groups.
#include <sycl/sycl.hpp>

namespace experimental = sycl::ext::oneapi::experimental;
namespace this_item = sycl::ext::oneapi::this_work_item;

extern "C" SYCL_EXT_ONEAPI_FUNCTION_PROPERTY((experimental::nd_range_kernel<1>)) void scans(const long *in, long *inclusive,
                                                                                            long *exclusive, long *maxima) {
  const auto item = this_item::get_nd_item<1>();
  const size_t i = item.get_global_id(0);
  inclusive[i] = sycl::inclusive_scan_over_group(item.get_group(), in[i], sycl::plus<long>());
  exclusive[i] = sycl::exclusive_scan_over_group(item.get_group(), in[i], sycl::plus<long>());
  maxima[i] = sycl::inclusive_scan_over_group(item.get_group(), in[i], sycl::maximum<long>());
}
