// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Ends of the program become returns.
#include "passes/cpu/lanes/lane_ends.h"

#include <llvm/IR/Instructions.h>
#include <llvm/Transforms/Utils/Local.h>

using namespace llvm;

namespace upsweep::passes {

void end_lanes(Function &item) {
  for (BasicBlock &block : item) {
    auto *end = dyn_cast<UnreachableInst>(block.getTerminator());
    if (!end) continue;
    ReturnInst::Create(item.getContext(), nullptr, end->getIterator());
    end->eraseFromParent();
  }
  removeUnreachableBlocks(item);
}

}  // namespace upsweep::passes
