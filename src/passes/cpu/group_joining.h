// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which kernels may have neighbouring work-groups run as one: those that cannot tell. docs/decisions/joined-groups.md has the
// reasons.
#ifndef UPSWEEP_PASSES_CPU_GROUP_JOINING_H
#define UPSWEEP_PASSES_CPU_GROUP_JOINING_H

#include "passes/program.h"

namespace upsweep::passes {

/// Whether the item, which calls the library still (before inline_context), knows its place by global ids alone: it asks for no
/// local or group id, and uses no local memory, barrier or collective.
[[nodiscard]] bool has_global_ids_alone(const llvm::Function &item);
/// Sets Kernel::global_ids_alone by that.
void find_joinable_kernel(Kernel &kernel, Program &program);

/// Whether `full`, a vectorised unit, gains from neighbours along x whatever lies between them and the next row: it does not
/// loop, and its lanes' accesses lie side by side.
[[nodiscard]] bool walks_rows(const llvm::Function &full);

}  // namespace upsweep::passes
#endif
