// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Blocks that one lane of a sub-group runs at most, such as those under `if (get_local_id(0) == 0)`.
//
// A kernel that asks for ids of dimension 0 alone is taken to be launched in one dimension: its work-items could not tell
// copies of themselves apart.
#ifndef UPSWEEP_PASSES_CPU_LANES_SOLE_LANE_H
#define UPSWEEP_PASSES_CPU_LANES_SOLE_LANE_H

#include "passes/cpu/lanes/lane_uniformity.h"

#include <llvm/ADT/SmallSet.h>
#include <llvm/IR/Dominators.h>

namespace upsweep::passes {

class SoleLanes {
public:
  /// `lanes`: of a sub-group.
  SoleLanes(llvm::Function &item, const llvm::DominatorTree &tree, const LaneUniformity &uniformity, unsigned lanes);

  [[nodiscard]] bool runs_one(const llvm::BasicBlock *block) const;
  /// Whether the lane of `block`, which runs_one(), is the only lane that may run `other`: in the same rounds of all loops, or
  /// with `around` in any round of that loop.
  [[nodiscard]] bool run_same(const llvm::BasicBlock *block, const llvm::BasicBlock *other, const llvm::Loop *around) const;

private:
  /// An id of the work-item is the same for all lanes that come to a block.
  using Equality = std::pair<const llvm::Value *, const llvm::Value *>;
  using Equalities = llvm::SmallVector<Equality, 4>;

  [[nodiscard]] Equalities equalities(const llvm::BasicBlock *block) const;
  void add_equalities(const llvm::Value *condition, bool value, Equalities &found) const;
  [[nodiscard]] unsigned dimensions_of(const llvm::Value *id) const;
  [[nodiscard]] bool is_enough(unsigned dimensions) const { return (dimensions & asked_) == asked_ && dimensions; }
  [[nodiscard]] Equalities deciding(const llvm::BasicBlock *block) const;

  const llvm::DominatorTree &tree_;
  const LaneUniformity &uniformity_;
  unsigned lanes_;
  unsigned asked_ = 0;  ///< the dimensions, as bits, whose local ids the kernel asks for
};

}  // namespace upsweep::passes
#endif
