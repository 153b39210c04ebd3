// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Functions of bytes, by the device libraries.
#include <cstring>
#include <sycl/sycl.hpp>

namespace experimental = sycl::ext::oneapi::experimental;
namespace this_item = sycl::ext::oneapi::this_work_item;

extern "C" SYCL_EXT_ONEAPI_FUNCTION_PROPERTY((experimental::nd_range_kernel<1>)) void copy_and_compare(const unsigned char *in,
                                                                                                       unsigned char *out,
                                                                                                       int *same,
                                                                                                       size_t bytes) {
  const size_t i = this_item::get_nd_item<1>().get_global_id(0), count = i % bytes;
  std::memset(out + i * bytes, 0x5A, bytes);
  std::memcpy(out + i * bytes, in + i * bytes, count);
  same[i] = std::memcmp(out + i * bytes, in + i * bytes, count) == 0;
}
