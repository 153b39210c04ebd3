// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels in which lanes of one sub-group may wait for each other, as for a lock. Vector code would run the loop that waits
// until no lane is left in it, and hold back the lane that has the lock. docs/decisions/locks.md states the rule and its
// reasons.
#ifndef UPSWEEP_PASSES_CPU_LANES_WAITING_LANES_H
#define UPSWEEP_PASSES_CPU_LANES_WAITING_LANES_H

#include "passes/program.h"

#include <llvm/IR/Function.h>

namespace upsweep::passes {

/// The work-groups in which no lane waits for another lane of its sub-group. `size`: the required work-group size, or zeros.
/// Expects loops that poll to yield (polling_loops.h), and loops in simplified form.
[[nodiscard]] LaneGroups groups_for_lanes(llvm::Function &item, unsigned lanes, const GroupSize &size);

}  // namespace upsweep::passes
#endif
