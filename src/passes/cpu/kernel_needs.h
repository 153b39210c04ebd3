// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// End of step 4: determines properties of sub-groups, memory and output from a kernel's item, before it becomes units.
#ifndef UPSWEEP_PASSES_CPU_KERNEL_NEEDS_H
#define UPSWEEP_PASSES_CPU_KERNEL_NEEDS_H

#include "passes/program.h"

namespace upsweep::passes {

/// Whether the result can depend on the grouping of work-items into sub-groups.
[[nodiscard]] bool tells_sub_groups(const llvm::Function &item);

/// Sets the kernel's description, the layout of its local variables, and whether its units yield. An error if local memory
/// cannot be aligned as required.
llvm::Error find_needs(Kernel &kernel, Program &program);

}  // namespace upsweep::passes
#endif
