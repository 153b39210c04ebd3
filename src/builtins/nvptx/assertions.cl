// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SYCL's assert (cl_intel_devicelib_assert), by the function of NVIDIA's driver that serves assert() of CUDA C++. The function prints the
// message with the block and the thread. The GPU's work then ends with an error, for which targets/cuda ends the program.
#include "nvptx.h"

void __assertfail(const char *expression, const char *file, uint line, const char *function, ulong char_bytes);

void __devicelib_assert_fail(const char *expression, const char *file, int line, const char *function, ulong g0, ulong g1, ulong g2,
                             ulong l0, ulong l1, ulong l2) {
  __assertfail(expression, file, (uint)line, function, 1);
}
