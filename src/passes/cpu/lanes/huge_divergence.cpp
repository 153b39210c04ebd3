// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Divergence goes from values to their users, from branches to the phis of the iterated dominance frontier of their successors
// (the blocks where a way from there may meet another), and from divergent loops to the values that leave them.
#include "passes/cpu/lanes/huge_divergence.h"

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/InstIterator.h>

using namespace llvm;

namespace upsweep::passes {
namespace {

class Divergence {
public:
  Divergence(const Function &function, const DominatorTree &tree, const TargetTransformInfo &lanes)
      : tree_(tree), lanes_(lanes), loops_(tree) {
    for (const BasicBlock &block : function) add_to_frontiers(block);
    for (const Loop *loop : loops_.getLoopsInPreorder()) note_exits(*loop);
    for (const Instruction &instruction : instructions(function))
      if (lanes_.isSourceOfDivergence(&instruction)) mark(instruction);
    while (!pending_.empty()) {
      const Instruction &instruction = *pending_.pop_back_val();
      mark_users(instruction);
      if (instruction.isTerminator()) part_at(*instruction.getParent());
    }
  }
  DenseSet<const Instruction *> take() { return std::move(divergent_); }

private:
  void add_to_frontiers(const BasicBlock &block);
  void note_exits(const Loop &loop);
  void mark(const Instruction &instruction);
  void mark_users(const Value &value);
  void part_at(const BasicBlock &branch);
  void meet_at(const BasicBlock &block);
  void meet_beyond(const BasicBlock &block);
  void leave(const Loop &loop);

  const DominatorTree &tree_;
  const TargetTransformInfo &lanes_;
  LoopInfo loops_;
  DenseMap<const BasicBlock *, SmallVector<const BasicBlock *, 2>> frontiers_;
  DenseMap<const BasicBlock *, SmallVector<const Loop *, 1>> exits_of_;  // by exiting block
  DenseSet<const Loop *> scattered_;                                     // loops whose exits not every round passes
  DenseSet<const Loop *> left_;                                          // divergent loops
  DenseSet<const BasicBlock *> met_, passed_;
  DenseSet<const Instruction *> divergent_;
  SmallVector<const Instruction *, 32> pending_;
};

/// Of all blocks that dominate a predecessor but not the block (Cooper, Harvey and Kennedy 2001). The way back to a loop's
/// header is left out: lanes go together from round to round.
void Divergence::add_to_frontiers(const BasicBlock &block) {
  const auto *node = tree_.getNode(&block);
  if (!node || pred_size(&block) < 2) return;
  for (const BasicBlock *before : predecessors(&block)) {
    if (!tree_.getNode(before) || tree_.dominates(&block, before)) continue;
    for (const auto *at = tree_.getNode(before); at != node->getIDom(); at = at->getIDom()) {
      auto &frontier = frontiers_[at->getBlock()];
      if (!frontier.empty() && frontier.back() == &block) break;  // by another predecessor
      frontier.push_back(&block);
    }
  }
}

void Divergence::note_exits(const Loop &loop) {
  SmallVector<BasicBlock *, 4> exiting;
  loop.getExitingBlocks(exiting);
  const BasicBlock *latch = loop.getLoopLatch();
  for (const BasicBlock *block : exiting) {
    exits_of_[block].push_back(&loop);
    // A block of an inner loop runs several times each round.
    if (!latch || loops_.getLoopFor(block) != &loop || !tree_.dominates(block, latch)) scattered_.insert(&loop);
  }
}

void Divergence::mark(const Instruction &instruction) {
  if (divergent_.insert(&instruction).second) pending_.push_back(&instruction);
}

void Divergence::mark_users(const Value &value) {
  for (const User *user : value.users())
    if (const auto *instruction = dyn_cast<Instruction>(user); instruction && !lanes_.isAlwaysUniform(instruction))
      mark(*instruction);
}

void Divergence::part_at(const BasicBlock &branch) {
  if (succ_size(&branch) < 2) return;
  for (const BasicBlock *next : successors(&branch)) {
    if (tree_.dominates(next, &branch)) continue;
    if (next->getSinglePredecessor())
      meet_beyond(*next);
    else
      meet_at(*next);
  }
  for (const Loop *loop = loops_.getLoopFor(&branch); loop; loop = loop->getParentLoop())
    if (scattered_.contains(loop)) leave(*loop);
  for (const Loop *loop : exits_of_.lookup(&branch)) leave(*loop);
}

void Divergence::meet_at(const BasicBlock &block) {
  if (!met_.insert(&block).second) return;
  for (const PHINode &phi : block.phis())
    if (!phi.hasConstantOrUndefValue()) mark(phi);
  meet_beyond(block);
}

void Divergence::meet_beyond(const BasicBlock &block) {
  SmallVector<const BasicBlock *, 8> work = {&block};
  while (!work.empty()) {
    const BasicBlock *from = work.pop_back_val();
    if (!passed_.insert(from).second) continue;
    for (const BasicBlock *meeting : frontiers_.lookup(from)) {
      if (met_.insert(meeting).second)
        for (const PHINode &phi : meeting->phis())
          if (!phi.hasConstantOrUndefValue()) mark(phi);
      work.push_back(meeting);
    }
  }
}

/// Lanes leave the loop in different rounds, or by different edges: its values differ outside, and the ways meet there.
void Divergence::leave(const Loop &loop) {
  if (!left_.insert(&loop).second) return;
  for (const BasicBlock *block : loop.blocks())
    for (const Instruction &instruction : *block)
      for (const User *user : instruction.users())
        if (const auto *outside = dyn_cast<Instruction>(user);
            outside && !loop.contains(outside) && !lanes_.isAlwaysUniform(outside))
          mark(*outside);
  SmallVector<BasicBlock *, 4> exits;
  loop.getExitBlocks(exits);
  for (const BasicBlock *exit : exits) meet_at(*exit);
}

}  // namespace

DenseSet<const Instruction *> divergent_instructions(const Function &function, const DominatorTree &tree,
                                                     const TargetTransformInfo &lanes) {
  return Divergence(function, tree, lanes).take();
}

}  // namespace upsweep::passes
