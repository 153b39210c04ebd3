// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The levels of a function's control flow: the function, and each loop. On a level, an inner loop is one node, named by its
// header, and back edges are removed, so a level is an acyclic graph.
//
// Assumes simplified loops (dedicated exits) and one returning block. `valid` tells whether the other conditions hold: all
// blocks but the returning one end in branches; the graph is reducible; each loop has one latch, a preheader and an exit; the
// returning block is the last in the order.
#ifndef UPSWEEP_PASSES_CPU_LANES_LANE_LEVELS_H
#define UPSWEEP_PASSES_CPU_LANES_LANE_LEVELS_H

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/Analysis/LoopInfo.h>

#include <vector>

namespace upsweep::passes {

class LaneLevels {
public:
  struct Level {
    llvm::Loop *loop = nullptr;                  ///< null for the function
    std::vector<llvm::BasicBlock *> post_order;  ///< of its nodes
  };

  LaneLevels(llvm::Function &function, const llvm::LoopInfo &loops);

  [[nodiscard]] bool valid() const { return valid_; }
  /// All blocks in a topological order; the blocks of a loop are contiguous, its latch last.
  [[nodiscard]] const std::vector<llvm::BasicBlock *> &order() const { return order_; }
  [[nodiscard]] unsigned place(const llvm::BasicBlock *block) const { return places_.lookup(block); }
  [[nodiscard]] const std::vector<Level> &levels() const { return levels_; }
  /// The node of `block` on the level of `loop`; null if the block is not on it.
  [[nodiscard]] llvm::BasicBlock *node(const llvm::Loop *loop, llvm::BasicBlock *block) const;
  /// The successors of `node`; null for each edge that leaves the level or goes back to its header.
  [[nodiscard]] llvm::SmallVector<llvm::BasicBlock *, 4> successors(const llvm::Loop *loop, llvm::BasicBlock *node) const;

private:
  [[nodiscard]] llvm::Loop *loop_below(const llvm::Loop *loop, const llvm::BasicBlock *block) const;
  [[nodiscard]] std::vector<llvm::BasicBlock *> post_order(const llvm::Loop *loop, llvm::BasicBlock *entry) const;
  void add(llvm::Loop *loop, llvm::BasicBlock *entry);
  [[nodiscard]] bool has_simple_parts(llvm::Function &function) const;
  [[nodiscard]] bool has_edges_forward() const;

  const llvm::LoopInfo &loops_;
  bool valid_ = true;
  std::vector<llvm::BasicBlock *> order_;
  llvm::DenseMap<const llvm::BasicBlock *, unsigned> places_;
  std::vector<Level> levels_;
};

}  // namespace upsweep::passes

#endif
