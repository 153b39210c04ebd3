// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels in which lanes of one sub-group may wait for each other, as for a lock. Vector code would run the loop that waits
// until no lane is left in it, and hold back the lane that has the lock. docs/decisions/locks.md states the rule and its
// reasons.
#ifndef UPSWEEP_PASSES_CPU_LANES_WAITING_LANES_H
#define UPSWEEP_PASSES_CPU_LANES_WAITING_LANES_H

#include <llvm/IR/Function.h>

namespace upsweep::passes {

/// Whether work-items need to make progress by themselves: then the kernel takes the scalar path. Expects loops that poll to
/// yield (polling_loops.h), and loops in simplified form.
[[nodiscard]] bool lanes_wait_for_lanes(llvm::Function &item, unsigned lanes);

}  // namespace upsweep::passes
#endif
