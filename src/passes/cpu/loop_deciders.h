// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Control dependence within one iteration of a loop: the branches that decide whether a block runs before the iteration ends.
// In the whole function's graph, the branch `if (!ready) continue;` would not decide anything about a later exit, since a loop
// that ends at all reaches that exit eventually.
#ifndef UPSWEEP_PASSES_CPU_LOOP_DECIDERS_H
#define UPSWEEP_PASSES_CPU_LOOP_DECIDERS_H

#include <llvm/ADT/DenseMap.h>
#include <llvm/Analysis/LoopInfo.h>

#include <vector>

namespace upsweep::passes {

class LoopDeciders {
public:
  explicit LoopDeciders(const llvm::Loop &loop);

  /// The blocks whose branches directly decide whether it runs; their own deciders count too.
  [[nodiscard]] llvm::ArrayRef<const llvm::BasicBlock *> of(const llvm::BasicBlock *block) const;

private:
  static constexpr unsigned kEnd = ~0U;  ///< the end of the iteration

  unsigned place_of(const llvm::BasicBlock *block) const;
  void order_blocks();
  void find_post_dominators();
  unsigned meet(unsigned a, unsigned b) const;

  const llvm::Loop &loop_;
  std::vector<const llvm::BasicBlock *> order_;  ///< from the end of an iteration: each block follows a successor
  llvm::DenseMap<const llvm::BasicBlock *, unsigned> places_;
  std::vector<unsigned> post_dominators_;  ///< index of the nearest post-dominator
  llvm::DenseMap<const llvm::BasicBlock *, llvm::SmallVector<const llvm::BasicBlock *, 2>> deciders_;
};

}  // namespace upsweep::passes
#endif
