// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Remarks on vector code. They are read off the code that LaneWriter wrote for an instruction, so that they cannot differ from
// it.
#ifndef UPSWEEP_PASSES_CPU_LANES_LANE_REMARKS_H
#define UPSWEEP_PASSES_CPU_LANES_LANE_REMARKS_H

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/IRBuilder.h>

#include "passes/cpu/lanes/lane_shapes.h"

namespace upsweep::passes {

/// The code that is written for one instruction from the constructor on.
class WrittenCode {
public:
  explicit WrittenCode(const llvm::IRBuilderBase &builder);

  /// Makes a remark on the form of an access, or on an instruction that lanes run one after another. All other instructions
  /// have no remark. `is_masked`: some lanes may not run it.
  void remark_on(const llvm::Instruction &instruction, const Shape &address, unsigned lanes, bool is_masked) const;

private:
  const llvm::IRBuilderBase &builder_;
  const llvm::BasicBlock *block_;
  const llvm::Instruction *last_;  ///< of the block before; null if it was empty
};

/// Whether a side of the branch is outside of the innermost loop around it.
[[nodiscard]] bool leaves_loop(const llvm::BranchInst &branch, const llvm::LoopInfo &loops);

/// Tells that the lanes may go different ways at a branch.
void remark_on_branch(const llvm::BranchInst &branch, bool ends_loop);

}  // namespace upsweep::passes
#endif
