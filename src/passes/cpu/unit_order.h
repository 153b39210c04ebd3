// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// End of step 3: the order of units, as far as the library may use it. `__ups_in_order()` becomes a constant;
// `__ups_scratch_barrier()` vanishes where no earlier one can have been met since the last barrier, else it becomes a barrier.
#ifndef UPSWEEP_PASSES_CPU_UNIT_ORDER_H
#define UPSWEEP_PASSES_CPU_UNIT_ORDER_H

#include "passes/program.h"

namespace upsweep::passes {

/// For vector code, and cleans up behind it. A kernel that asks keeps its item for scalar code as it is.
void resolve_unit_order(Kernel &kernel, Program &program);

/// For kernels that have no vector code: their units run in no order.
void resolve_scalar_order(Kernel &kernel, Program &program);

/// When the code that the answer has made unreachable is gone.
bool resolve_scratch_barriers(llvm::Function &item);

}  // namespace upsweep::passes
#endif
