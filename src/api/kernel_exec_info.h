// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The checks of clSetKernelExecInfo.
#ifndef UPSWEEP_API_KERNEL_EXEC_INFO_H
#define UPSWEEP_API_KERNEL_EXEC_INFO_H

#include "runtime/objects/kernel.h"

namespace upsweep {

/// Validates the arguments and ignores the values: every kernel can use every pointer that its device can use, and
/// clMemBlockingFreeINTEL waits for all commands.
Result<void> check_exec_info(const Kernel &kernel, cl_kernel_exec_info name, size_t size, const void *value);

}  // namespace upsweep
#endif
