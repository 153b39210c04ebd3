// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How a kernel's control flow runs for all lanes of a sub-group at once: the order of its blocks, which branches stay, which
// blocks run one after another under masks. Partial linearisation after Moll and Hack, "Partial control-flow linearization",
// PLDI 2018.
//
// Branches that all active lanes take alike stay branches. After a divergent branch both sides run, each under its own mask;
// the block that comes next is always the earliest pending one in a topological order that keeps loops together. A loop that
// lanes may leave at different times runs until no lane is left and has one exit, at its latch.
//
// Assumes: reducible control flow, simplified loops (one latch, dedicated exits), one returning block, branches only.
#ifndef UPSWEEP_PASSES_CPU_LANES_LANE_CONTROL_H
#define UPSWEEP_PASSES_CPU_LANES_LANE_CONTROL_H

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/SetVector.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/Dominators.h>

#include <set>
#include <vector>

#include "passes/cpu/lanes/lane_uniformity.h"

namespace upsweep::passes {

struct BlockPlan {
  llvm::BasicBlock *block = nullptr;
  unsigned index = 0;                              ///< place in the order
  bool divergent = false;                          ///< both successors run, one after another
  bool active = true;                              ///< when the block runs, at least one lane is active
  bool check = false;                              ///< the block is guarded: run it only if a lane is active,
  llvm::BasicBlock *skip_to = nullptr;             ///< else go there (null: the tested loop around it is over)
  bool blend = false;                              ///< values of phis come in for some lanes at a time
  bool entry_mask = false;                         ///< exactly the lanes of the sub-group run it
  llvm::BasicBlock *equivalent = nullptr;          ///< the nearest block before it that the same lanes run, or null
  std::vector<llvm::BasicBlock *> promises;        ///< the blocks whose `equivalent` this is
  llvm::BasicBlock *next[2] = {nullptr, nullptr};  ///< where control goes for each successor (both the same when divergent)
  llvm::Loop *tested_loop = nullptr;  ///< latch of a loop that lanes leave at different times: after it, run the loop
                                      ///< again while a lane is active, else go to `next[0]`
};

class LaneControl {
public:
  LaneControl(llvm::Function &function, llvm::LoopInfo &loops, llvm::DominatorTree &tree, const LaneUniformity &uniformity);

  /// False when the control flow is not of the assumed kind.
  bool valid() const { return valid_; }
  const std::vector<BlockPlan> &plans() const { return plans_; }
  const BlockPlan &plan(const llvm::BasicBlock *block) const { return plans_[index_.lookup(block)]; }
  /// Lanes may leave the loop in different iterations.
  bool is_divergent(const llvm::Loop *loop) const { return divergent_loops_.contains(loop); }
  /// The innermost such loop around a block, or null.
  llvm::Loop *divergent_loop_around(llvm::BasicBlock *block) const;

private:
  struct Arrival {
    bool direct = false;  // from a running block to the very successor that its active lanes take
    const llvm::BasicBlock *from = nullptr;
  };

  void find_divergent_loops();
  std::vector<llvm::BasicBlock *> level_post_order(llvm::Loop *level, llvm::BasicBlock *entry) const;
  void order_level(llvm::Loop *level, llvm::BasicBlock *entry);
  void find_post_dominators(llvm::Loop *level, const std::vector<llvm::BasicBlock *> &nodes);
  void number_post_dominators(llvm::Loop *level, const std::vector<llvm::BasicBlock *> &nodes,
                              const llvm::DenseMap<llvm::BasicBlock *, llvm::BasicBlock *> &parents);
  std::vector<llvm::BasicBlock *> level_successors(llvm::Loop *level, llvm::BasicBlock *node) const;
  llvm::BasicBlock *level_node(llvm::Loop *level, llvm::BasicBlock *block) const;
  void find_equivalents();
  llvm::BasicBlock *post_dominator_on(llvm::Loop *level, llvm::BasicBlock *node) const;
  bool post_dominates(llvm::BasicBlock *later, llvm::BasicBlock *earlier) const;
  void plan_block(BlockPlan &plan);
  void plan_activity(BlockPlan &plan);
  void plan_successors(BlockPlan &plan);
  void plan_entry_mask(BlockPlan &plan);
  void plan_blend(BlockPlan &plan);
  std::vector<llvm::BasicBlock *> inner_successors(const BlockPlan &plan, bool &lost) const;
  llvm::BasicBlock *go(const BlockPlan &from, llvm::ArrayRef<llvm::BasicBlock *> wanted, bool direct);
  llvm::BasicBlock *skip_target(const BlockPlan &plan) const;
  bool cheap_to_speculate(const llvm::BasicBlock &block) const;

  llvm::LoopInfo &loops_;
  llvm::DominatorTree &tree_;
  const LaneUniformity &uniformity_;
  bool valid_ = true;
  std::vector<BlockPlan> plans_;
  llvm::DenseMap<const llvm::BasicBlock *, unsigned> index_;
  llvm::DenseSet<const llvm::Loop *> divergent_loops_;
  /// Nearest post-dominator on the block's own loop level (loops inside count as one node, back edges are cut); null: the
  /// level's end.
  llvm::DenseMap<const llvm::BasicBlock *, llvm::BasicBlock *> post_dominator_;
  llvm::DenseMap<const llvm::Loop *, llvm::BasicBlock *> loop_post_dominator_;  ///< the same for a loop, on the level around it
  llvm::DenseMap<const llvm::BasicBlock *, std::pair<unsigned, unsigned>> post_dominated_;  ///< see number_post_dominators
  std::vector<std::set<unsigned>> pending_;
  std::vector<std::vector<Arrival>> arrivals_;
};

}  // namespace upsweep::passes

#endif
