// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// End of step 3: tells the library whether units run in order. `__ups_in_order()` becomes a constant. `__ups_scratch_barrier()`
// disappears if no path since the last barrier contains another; otherwise it becomes a barrier.
#ifndef UPSWEEP_PASSES_CPU_UNIT_ORDER_H
#define UPSWEEP_PASSES_CPU_UNIT_ORDER_H

#include "passes/program.h"

namespace upsweep::passes {

/// For vector code; cleans up afterwards. A kernel that queries the order keeps a copy of its item for scalar code.
void resolve_unit_order(Kernel &kernel, Program &program);

/// For kernels without vector code: their units run in no particular order.
void resolve_scalar_order(Kernel &kernel, Program &program);

/// Call it after the code that the answer made unreachable has been removed.
bool resolve_scratch_barriers(llvm::Function &item);

}  // namespace upsweep::passes
#endif
