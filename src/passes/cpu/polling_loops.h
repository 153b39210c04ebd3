// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// End of step 3: adds `__ups_yield()` to loops whose exit waits for another work-item's store, so that the other work-item can
// run.
#ifndef UPSWEEP_PASSES_CPU_POLLING_LOOPS_H
#define UPSWEEP_PASSES_CPU_POLLING_LOOPS_H

#include <llvm/IR/Function.h>

namespace upsweep::passes {

/// Attribute of items with such a loop: a work-group may wait for another.
inline constexpr const char *kPollsAttribute = "upsweep-polls";

/// Expects private variables in registers. True if there is such a loop: units then run in no particular order. A work-item
/// alone in its work-group gets no yield, since it can only wait for other work-groups.
bool add_yields(llvm::Function &item);

}  // namespace upsweep::passes
#endif
