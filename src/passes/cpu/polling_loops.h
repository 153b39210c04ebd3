// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// End of step 3: a loop whose exit waits for another work-item's store must let that one run. Such loops get `__ups_yield()`.
#ifndef UPSWEEP_PASSES_CPU_POLLING_LOOPS_H
#define UPSWEEP_PASSES_CPU_POLLING_LOOPS_H

#include <llvm/IR/Function.h>

namespace upsweep::passes {

/// Expects private variables in registers. True when there is such a loop: units then run in no certain order. A work-item that
/// is alone in its work-group has no other one to let run.
bool add_yields(llvm::Function &item);

}  // namespace upsweep::passes
#endif
