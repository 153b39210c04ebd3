// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Finds the values, branches and loops that are uniform over the active lanes of a sub-group. A `full` sub-group is in one row
// of the work-group: only dimension 0 of its local ids varies.
//
// Lanes run as LaneControl plans. They diverge at divergent branches, and join at each block that they reach in the same
// iteration of the enclosing loops. They stay in a divergent loop until all have left it. Divergence spreads
//  - from a value to its users;
//  - from a branch to the phis where its paths join within the iteration;
//  - from a divergent loop to the users of its values outside;
//  - from the exits of such a loop to the phis where the paths after them join.
#ifndef UPSWEEP_PASSES_CPU_LANES_LANE_UNIFORMITY_H
#define UPSWEEP_PASSES_CPU_LANES_LANE_UNIFORMITY_H

#include <llvm/ADT/DenseSet.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/Instructions.h>

#include "passes/common/intrinsics.h"
#include "passes/cpu/lanes/lane_levels.h"

namespace upsweep::passes {

/// The sub-groups that a version of the code supports.
enum class Cover : uint8_t {
  kFull,  ///< all lanes exist and share y and z
  kRow,   ///< lane 0 and some lanes after it exist and share y and z
  kAny
};
inline bool shares_row(Cover cover) { return cover != Cover::kAny; }

/// The relation between a call's results in the lanes, whatever its arguments are.
enum class CallLanes { kUniform, kVarying, kByArguments };
CallLanes call_lanes(const llvm::CallBase &call, Cover cover);

class LaneUniformity {
public:
  /// Precondition: `levels` are valid.
  LaneUniformity(llvm::Function &function, const llvm::DominatorTree &tree, const llvm::LoopInfo &loops,
                 const LaneLevels &levels, Cover cover);

  [[nodiscard]] bool is_uniform(const llvm::Value &value) const;
  /// Whether lanes may leave the block through different edges.
  [[nodiscard]] bool has_divergent_branch(const llvm::BasicBlock &block) const {
    return divergent_.contains(block.getTerminator());
  }
  /// Whether lanes may leave the loop in different iterations or through different edges.
  [[nodiscard]] bool is_divergent(const llvm::Loop *loop) const { return divergent_loops_.contains(loop); }

private:
  llvm::DenseSet<const llvm::Instruction *> divergent_;
  llvm::DenseSet<const llvm::Loop *> divergent_loops_;
};

}  // namespace upsweep::passes

#endif
