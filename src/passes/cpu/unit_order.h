// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// End of step 3: the order of units, as far as the library may use it. `__ups_in_order()` becomes a constant;
// `__ups_scratch_barrier()` vanishes where no earlier one can have been met since the last barrier, else it becomes a barrier.
#ifndef UPSWEEP_PASSES_CPU_UNIT_ORDER_H
#define UPSWEEP_PASSES_CPU_UNIT_ORDER_H

#include <llvm/IR/Function.h>

namespace upsweep::passes {

[[nodiscard]] bool asks_for_order(const llvm::Function &item);

void resolve_order(llvm::Function &item, bool in_order);

/// To be called when the code that resolve_order() has made unreachable is gone.
void resolve_scratch_barriers(llvm::Function &item);

}  // namespace upsweep::passes
#endif
