// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Computes one number of a sequence.
#include <sycl/sycl.hpp>

namespace experimental = sycl::ext::oneapi::experimental;
namespace this_item = sycl::ext::oneapi::this_work_item;

extern "C" SYCL_EXT_ONEAPI_FUNCTION_PROPERTY((experimental::single_task_kernel)) void fibonacci(unsigned long *out,
                                                                                                size_t step) {
  out[step] = step < 2 ? 1 : out[step - 1] + out[step - 2];
}
