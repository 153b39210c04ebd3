// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Blocks that at most one lane of a sub-group runs, such as the body of `if (get_local_id(0) == 0)`.
//
// The condition must determine the lane by its ids in the dimensions in which lanes of a sub-group may differ: only dimension 0
// if each sub-group is in one row.
#ifndef UPSWEEP_PASSES_CPU_LANES_SOLE_LANE_H
#define UPSWEEP_PASSES_CPU_LANES_SOLE_LANE_H

#include "passes/cpu/lanes/lane_uniformity.h"

#include <llvm/ADT/SmallSet.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/InstrTypes.h>

namespace upsweep::passes {

class SoleLanes {
public:
  /// `lanes`: of a sub-group. `differing`: the dimensions, as bits, in which its lanes may have different local ids.
  SoleLanes(const llvm::DominatorTree &tree, const LaneUniformity &uniformity, unsigned lanes, unsigned differing)
      : tree_(tree), uniformity_(uniformity), lanes_(lanes), differing_(differing) {}

  [[nodiscard]] bool runs_one(const llvm::BasicBlock *block) const;
  /// Whether the lane of `block`, which runs_one(), is the only lane that may run `other`: in the same rounds of all loops, or
  /// with `around` in any round of that loop.
  [[nodiscard]] bool run_same(const llvm::BasicBlock *block, const llvm::BasicBlock *other, const llvm::Loop *around) const;

private:
  /// An id that is the same for all lanes that reach a block. The second value is the id's value, or the condition that shows
  /// the equality.
  using Equality = std::pair<const llvm::Value *, const llvm::Value *>;
  using Equalities = llvm::SmallVector<Equality, 4>;

  [[nodiscard]] Equalities equalities(const llvm::BasicBlock *block) const;
  void add_equalities(const llvm::Value *condition, bool value, Equalities &found) const;
  void add_equal(const llvm::Value *left, const llvm::Value *right, Equalities &found) const;
  [[nodiscard]] bool leaves_one(llvm::CmpInst::Predicate predicate, const llvm::Value *id, const llvm::Value *limit) const;
  [[nodiscard]] unsigned dimensions_of(const llvm::Value *id) const;
  [[nodiscard]] unsigned dimensions_of_sum(const llvm::Value *id) const;
  [[nodiscard]] unsigned dimensions_of_remainder(const llvm::Value *id) const;
  [[nodiscard]] bool is_enough(unsigned dimensions) const { return (dimensions & differing_) == differing_ && dimensions; }
  [[nodiscard]] Equalities deciding(const llvm::BasicBlock *block) const;

  const llvm::DominatorTree &tree_;
  const LaneUniformity &uniformity_;
  unsigned lanes_;
  unsigned differing_;
};

}  // namespace upsweep::passes
#endif
