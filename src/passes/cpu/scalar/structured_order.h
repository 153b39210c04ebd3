// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// An order of a function's blocks in which control that diverges meets again as early as it can: each block comes after those
// that lead to it (loops' back edges aside) and every loop's blocks are together, before the blocks behind the loop.
#ifndef UPSWEEP_PASSES_CPU_SCALAR_STRUCTURED_ORDER_H
#define UPSWEEP_PASSES_CPU_SCALAR_STRUCTURED_ORDER_H

#include <llvm/Analysis/LoopInfo.h>

#include <vector>

namespace upsweep::passes {

[[nodiscard]] std::vector<llvm::BasicBlock *> structured_order(llvm::Function &function, llvm::LoopInfo &loops);

}  // namespace upsweep::passes
#endif
