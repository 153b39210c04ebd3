// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Finds kernels whose adjacent work-groups may run as one, because the kernel cannot observe it.
// docs/decisions/joined-groups.md has the reasons.
#ifndef UPSWEEP_PASSES_CPU_GROUP_JOINING_H
#define UPSWEEP_PASSES_CPU_GROUP_JOINING_H

#include "passes/program.h"

namespace upsweep::passes {

/// Metadata of the branch at the end of a loop that rarely runs, such as the exact tests of a failed check.
inline constexpr llvm::StringLiteral kRareLoop = "upsweep.rare";

/// Whether the item, before inline_context inlines the library, only depends on global ids: it uses no local or group id, local
/// memory, barrier or collective.
[[nodiscard]] bool has_global_ids_alone(const llvm::Function &item);
/// Sets Kernel::global_ids_alone accordingly.
void find_joinable_kernel(Kernel &kernel, Program &program);

/// Whether `full`, a vectorised unit, profits from work-groups joined along x, however far apart rows are: it has no loop, and
/// its lanes' accesses are contiguous.
[[nodiscard]] bool walks_rows(const llvm::Function &full);

}  // namespace upsweep::passes
#endif
