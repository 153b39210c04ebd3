// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Control dependence within one round of a loop: which branches decide whether a block runs before the round ends. In the whole
// function's graph the branch `if (!ready) continue;` decides nothing about the loop's only exit behind it, since control comes
// there at last if it ever leaves the loop.
#ifndef UPSWEEP_PASSES_CPU_LOOP_DECIDERS_H
#define UPSWEEP_PASSES_CPU_LOOP_DECIDERS_H

#include <llvm/ADT/DenseMap.h>
#include <llvm/Analysis/LoopInfo.h>

#include <vector>

namespace upsweep::passes {

class LoopDeciders {
public:
  explicit LoopDeciders(const llvm::Loop &loop);

  /// The blocks whose branches decide it directly; what decides about those decides, too.
  [[nodiscard]] llvm::ArrayRef<const llvm::BasicBlock *> of(const llvm::BasicBlock *block) const;

private:
  static constexpr unsigned kEnd = ~0U;  ///< of the round

  unsigned place_of(const llvm::BasicBlock *block) const;
  void order_blocks();
  void find_post_dominators();
  unsigned meet(unsigned a, unsigned b) const;

  const llvm::Loop &loop_;
  std::vector<const llvm::BasicBlock *> order_;  ///< from the end of a round: each block follows a successor
  llvm::DenseMap<const llvm::BasicBlock *, unsigned> places_;
  std::vector<unsigned> post_dominators_;  ///< the nearest one's place
  llvm::DenseMap<const llvm::BasicBlock *, llvm::SmallVector<const llvm::BasicBlock *, 2>> deciders_;
};

}  // namespace upsweep::passes
#endif
