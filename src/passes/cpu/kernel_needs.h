// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// End of step 4: what a kernel's item says about its sub-groups, its memory and its output, before it becomes units.
#ifndef UPSWEEP_PASSES_CPU_KERNEL_NEEDS_H
#define UPSWEEP_PASSES_CPU_KERNEL_NEEDS_H

#include "passes/program.h"

namespace upsweep::passes {

/// Whether the result can depend on which work-items make a sub-group.
[[nodiscard]] bool tells_sub_groups(const llvm::Function &item);

/// Fills in the kernel's description, the layout of its local variables and whether its units yield.
/// An error when local memory cannot be aligned as they ask.
llvm::Error find_needs(Kernel &kernel, Program &program);

}  // namespace upsweep::passes
#endif
