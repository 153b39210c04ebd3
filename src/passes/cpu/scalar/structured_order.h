// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// An order of a function's blocks in which divergent control flow joins as early as possible. Each block follows its
// predecessors (except back edges). Every loop's blocks are contiguous and precede the blocks after the loop.
#ifndef UPSWEEP_PASSES_CPU_SCALAR_STRUCTURED_ORDER_H
#define UPSWEEP_PASSES_CPU_SCALAR_STRUCTURED_ORDER_H

#include <llvm/Analysis/LoopInfo.h>

#include <vector>

namespace upsweep::passes {

[[nodiscard]] std::vector<llvm::BasicBlock *> structured_order(llvm::Function &function, llvm::LoopInfo &loops);

}  // namespace upsweep::passes
#endif
