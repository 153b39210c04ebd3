// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How a kernel's control flow runs for all lanes of a sub-group at once: the order of its blocks, which branches stay, which
// blocks run one after another under masks. Partial linearisation after Moll and Hack, "Partial control-flow linearization",
// PLDI 2018.
//
// A branch that all active lanes take in the same direction stays a branch. After a divergent branch both sides run, each under
// its own mask. A loop that lanes may leave in different iterations, a divergent loop, runs until no lane is left in it.
//
// Three rules decide where control goes. Each block has a set of pending blocks: the later blocks at which lanes may wait when
// the block begins.
//  1. Control goes to the earliest pending block in a topological order that keeps loops together.
//  2. Lanes that leave a divergent loop wait outside, and are not pending before the loop ends. Where nothing is pending in
//     the loop, the loop is over: control goes where the loop's latch goes when no lane is left.
//  3. A loop that is not divergent, and the function, lose no lane: a block with nothing pending beside it has a lane.
// `lane_control_check` verifies them in all builds: a kernel whose plans break a rule becomes scalar code.
// docs/decisions/masks-of-control-flow.md has the proof.
#ifndef UPSWEEP_PASSES_CPU_LANES_LANE_CONTROL_H
#define UPSWEEP_PASSES_CPU_LANES_LANE_CONTROL_H

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/SetVector.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/Dominators.h>

#include <set>
#include <string>
#include <vector>

#include "passes/cpu/lanes/lane_uniformity.h"

namespace upsweep::passes {

struct BlockPlan {
  llvm::BasicBlock *block = nullptr;
  unsigned index = 0;                              ///< place in the order
  bool divergent = false;                          ///< both successors run, one after another
  bool active = true;                              ///< when the block runs, at least one lane is active
  bool check = false;                              ///< the block is guarded: run it only if a lane is active,
  llvm::BasicBlock *skip_to = nullptr;             ///< else go there
  bool blend = false;                              ///< phis get their values for some lanes at a time
  bool entry_mask = false;                         ///< exactly the lanes of the sub-group run it
  llvm::BasicBlock *equivalent = nullptr;          ///< the nearest block before it that the same lanes run, or null
  std::vector<llvm::BasicBlock *> promises;        ///< the blocks whose `equivalent` this is
  llvm::BasicBlock *next[2] = {nullptr, nullptr};  ///< where control goes for each successor (the first alone when divergent)
  llvm::Loop *tested_loop = nullptr;  ///< latch of a loop that lanes leave at different times: after it, run the loop
                                      ///< again while a lane is active, else go to `next[0]`
};

class LaneControl {
public:
  /// Precondition: `levels` are valid.
  LaneControl(llvm::LoopInfo &loops, llvm::DominatorTree &tree, const LaneLevels &levels, const LaneUniformity &uniformity);

  const std::vector<BlockPlan> &plans() const { return plans_; }
  const BlockPlan &plan(const llvm::BasicBlock *block) const { return plans_[levels_.place(block)]; }
  /// The places of the later blocks at which lanes may wait when the block begins.
  const std::set<unsigned> &pending(const BlockPlan &plan) const { return pending_[plan.index]; }
  /// The innermost divergent loop from `loop` outwards, or null.
  llvm::Loop *divergent_loop(llvm::Loop *loop) const;
  llvm::Loop *divergent_loop_around(const llvm::BasicBlock *block) const { return divergent_loop(loops_.getLoopFor(block)); }
  const llvm::LoopInfo &loops() const { return loops_; }
  /// A rule that a plan breaks, and its block: then no code may be written by these plans. Empty when all rules hold.
  const std::string &broken_rule() const { return broken_; }

private:
  struct Arrival {
    bool direct = false;  // from a running block to the very successor that its active lanes take
    const llvm::BasicBlock *from = nullptr;
  };

  void find_post_dominators(const LaneLevels::Level &level);
  void number_post_dominators(const LaneLevels::Level &level,
                              const llvm::DenseMap<llvm::BasicBlock *, llvm::BasicBlock *> &parents);
  void find_equivalents();
  bool post_dominates(llvm::BasicBlock *later, llvm::BasicBlock *earlier) const;
  void plan_block(BlockPlan &plan);
  void plan_activity(BlockPlan &plan);
  void plan_successors(BlockPlan &plan);
  void plan_loop_end(BlockPlan &plan, llvm::Loop *loop);
  void plan_entry_mask(BlockPlan &plan);
  void plan_blend(BlockPlan &plan);
  llvm::Loop *entered_from(const BlockPlan &plan) const;
  bool only_lanes_of(const BlockPlan &plan) const;
  void go(const BlockPlan &from, llvm::BasicBlock *&to, llvm::ArrayRef<llvm::BasicBlock *> wanted, llvm::Loop *around,
          bool direct = false);
  bool cheap_to_speculate(const llvm::BasicBlock &block) const;
  BlockPlan &plan_of(const llvm::BasicBlock *block) { return plans_[levels_.place(block)]; }

  llvm::LoopInfo &loops_;
  llvm::DominatorTree &tree_;
  const LaneLevels &levels_;
  const LaneUniformity &uniformity_;
  std::vector<BlockPlan> plans_;
  llvm::DenseMap<const llvm::BasicBlock *, std::pair<unsigned, unsigned>> post_dominated_;  ///< see number_post_dominators
  std::vector<std::set<unsigned>> pending_;
  llvm::DenseMap<llvm::Loop *, std::vector<llvm::BasicBlock **>> ends_;  ///< fields that wait for the end of the loop
  std::vector<std::vector<Arrival>> arrivals_;
  std::string broken_;
};

}  // namespace upsweep::passes

#endif
