// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sub-groups of a kernel: warps, or halves or quarters of warps if the kernel requires 16 or 8 work-items.
#ifndef UPSWEEP_PASSES_GPU_SUB_GROUP_SIZES_H
#define UPSWEEP_PASSES_GPU_SUB_GROUP_SIZES_H

#include "passes/program.h"

namespace upsweep::passes {

/// Replaces the calls of `__ups_max_sub_group_size` in a kernel into which all functions with such calls have been inlined, and
/// removes the library's code for other sizes.
void fold_sub_group_size(Kernel &kernel, Program &program);

/// Checks a kernel's required size of sub-groups, and sets its size.
[[nodiscard]] llvm::Error set_gpu_sub_group_size(KernelDescription &kernel);

}  // namespace upsweep::passes
#endif
