// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sources of divergence of OpenCL kernels on the CPU, and how divergence spreads from them.
#include "passes/cpu/lanes/lane_uniformity.h"

#include <llvm/IR/CFG.h>
#include <llvm/IR/InstIterator.h>

#include <map>

#include "passes/common/long_functions.h"

using namespace llvm;

namespace upsweep::passes {

CallLanes call_lanes(const CallBase &call, Cover cover) {
  const UpsFunction &intrinsic = ups_function(call);
  if (intrinsic.id == Ups::kNone) {
    const Function *callee = call.getCalledFunction();
    if (callee && callee->isIntrinsic()) return CallLanes::kByArguments;
    // Any other call may be made once for all lanes only if that cannot be observed.
    return call.onlyReadsMemory() && call.willReturn() ? CallLanes::kByArguments : CallLanes::kVarying;
  }
  switch (intrinsic.spread) {
  case Spread::kUniform: return CallLanes::kUniform;
  case Spread::kVarying: return CallLanes::kVarying;
  case Spread::kByArguments: return CallLanes::kByArguments;
  case Spread::kByRow: break;
  }
  const auto *dim = dyn_cast<ConstantInt>(call.getArgOperand(0));
  return shares_row(cover) && dim && !dim->isZero() ? CallLanes::kUniform : CallLanes::kVarying;
}

namespace {

class Divergence {
public:
  Divergence(const Function &function, const DominatorTree &tree, const LoopInfo &loops, const LaneLevels &levels, Cover cover)
      : tree_(tree), loops_(loops), levels_(levels), cover_(cover), by_frontiers_(has_many_blocks(function)) {
    if (by_frontiers_)
      for (const BasicBlock &block : function) add_to_frontiers(block);
    for (const Loop *loop : loops_.getLoopsInPreorder()) note_exits(*loop);
    for (const Instruction &instruction : instructions(function))
      if (is_source(instruction)) mark(instruction);
    while (!pending_.empty()) {
      const Instruction &instruction = *pending_.pop_back_val();
      mark_users(instruction);
      if (instruction.isTerminator()) part_at(*instruction.getParent());
    }
  }
  DenseSet<const Instruction *> take_values() { return std::move(divergent_); }
  DenseSet<const Loop *> take_loops() { return std::move(left_); }

private:
  [[nodiscard]] bool is_source(const Instruction &instruction) const;
  [[nodiscard]] bool is_always_uniform(const Instruction &instruction) const;
  void note_exits(const Loop &loop);
  [[nodiscard]] bool each_iteration_passes(const BasicBlock *block, const Loop &loop) const;
  void mark(const Instruction &instruction);
  void mark_users(const Value &value);
  void mark_phis(const BasicBlock &block);
  void part_at(const BasicBlock &branch);
  void leave(const Loop &loop);

  using Path = std::pair<const BasicBlock *, BasicBlock *>;  // a label and a path's next block
  void follow(const Loop *level, ArrayRef<Path> paths);

  void add_to_frontiers(const BasicBlock &block);
  void meet_at(const BasicBlock &block);
  void meet_beyond(const BasicBlock &block);

  const DominatorTree &tree_;
  const LoopInfo &loops_;
  const LaneLevels &levels_;
  const Cover cover_;
  const bool by_frontiers_;  // functions with many early returns or cases, for which `follow` takes quadratic time
  DenseMap<const BasicBlock *, SmallVector<const Loop *, 1>> exits_of_;  // by exiting block
  DenseSet<const Loop *> scattered_;                                     // loops with an exit that some iterations do not pass
  DenseSet<const Loop *> left_;                                          // divergent loops
  DenseSet<const Instruction *> divergent_;
  SmallVector<const Instruction *, 32> pending_;
  DenseMap<const BasicBlock *, SmallVector<const BasicBlock *, 2>> frontiers_;
  DenseSet<const BasicBlock *> met_, passed_;
};

bool Divergence::is_source(const Instruction &instruction) const {
  // Private memory is separate for each work-item.
  if (isa<AllocaInst, AtomicRMWInst, AtomicCmpXchgInst>(instruction)) return true;
  const auto *call = dyn_cast<CallBase>(&instruction);
  return call && call_lanes(*call, cover_) == CallLanes::kVarying;
}

bool Divergence::is_always_uniform(const Instruction &instruction) const {
  const auto *call = dyn_cast<CallBase>(&instruction);
  return call && call_lanes(*call, cover_) == CallLanes::kUniform;
}

/// Whether each lane that runs an iteration of `loop` runs `block` in it and in each iteration of the loops between them.
bool Divergence::each_iteration_passes(const BasicBlock *block, const Loop &loop) const {
  for (const Loop *inner = loops_.getLoopFor(block);; inner = inner->getParentLoop()) {
    if (!tree_.dominates(block, inner->getLoopLatch())) return false;
    if (inner == &loop) return true;
    block = inner->getHeader();
  }
}

void Divergence::note_exits(const Loop &loop) {
  SmallVector<BasicBlock *, 4> exiting;
  loop.getExitingBlocks(exiting);
  for (const BasicBlock *block : exiting) {
    exits_of_[block].push_back(&loop);
    if (!each_iteration_passes(block, loop)) scattered_.insert(&loop);
  }
}

void Divergence::mark(const Instruction &instruction) {
  if (divergent_.insert(&instruction).second) pending_.push_back(&instruction);
}

void Divergence::mark_users(const Value &value) {
  for (const User *user : value.users())
    if (const auto *instruction = dyn_cast<Instruction>(user); instruction && !is_always_uniform(*instruction))
      mark(*instruction);
}

void Divergence::mark_phis(const BasicBlock &block) {
  for (const PHINode &phi : block.phis())
    if (!phi.hasConstantOrUndefValue()) mark(phi);
}

void Divergence::part_at(const BasicBlock &branch) {
  SmallVector<Path, 2> paths;
  for (const BasicBlock *next : successors(&branch)) paths.push_back({next, const_cast<BasicBlock *>(next)});
  if (paths.size() < 2 || paths[0] == paths[1]) return;
  if (!by_frontiers_) {
    follow(loops_.getLoopFor(&branch), paths);
  } else {
    for (const auto &[label, next] : paths) {
      if (tree_.dominates(next, &branch)) continue;
      if (next->getSinglePredecessor())
        meet_beyond(*next);
      else
        meet_at(*next);
    }
  }
  for (const Loop *loop = loops_.getLoopFor(&branch); loop; loop = loop->getParentLoop())
    if (scattered_.contains(loop)) leave(*loop);
  for (const Loop *loop : exits_of_.lookup(&branch)) leave(*loop);
}

/// Lanes leave the loop in different iterations or through different edges.
void Divergence::leave(const Loop &loop) {
  if (!left_.insert(&loop).second) return;
  for (const BasicBlock *block : loop.blocks())
    for (const Instruction &instruction : *block)
      for (const User *user : instruction.users())
        if (const auto *outside = dyn_cast<Instruction>(user);
            outside && !loop.contains(outside) && !is_always_uniform(*outside))
          mark(*outside);
  SmallVector<Loop::Edge, 4> exits;
  loop.getExitEdges(exits);
  SmallVector<Path, 4> paths;
  for (const auto &[block, exit] : exits) {
    paths.push_back({block, exit});
    if (by_frontiers_) meet_at(*exit);
    // An enclosing loop that ends at the same block ends for some lanes only.
    for (const Loop *around : exits_of_.lookup(block))
      if (around->contains(&loop)) leave(*around);
  }
  if (!by_frontiers_) follow(loop.getParentLoop(), paths);
}

/// Finds the join blocks of divergent paths: blocks of a level that paths with different labels reach. Visits the nearest block
/// first. If it is the only one left, all lanes that stay on the level pass it.
void Divergence::follow(const Loop *level, ArrayRef<Path> paths) {
  struct Arrival {
    BasicBlock *node;
    const BasicBlock *label;
    bool joins;
  };
  std::map<unsigned, Arrival> next;
  auto arrive = [&](const BasicBlock *label, BasicBlock *node) {
    if (!node) return;
    const auto [at, is_new] = next.try_emplace(levels_.place(node), Arrival{node, label, false});
    at->second.joins |= !is_new && at->second.label != label;
  };
  for (const auto &[label, block] : paths) {
    BasicBlock *node = levels_.node(level, block);
    arrive(label, level && node == level->getHeader() ? nullptr : node);
  }
  while (!next.empty()) {
    const Arrival now = next.begin()->second;
    next.erase(next.begin());
    if (now.joins) mark_phis(*now.node);
    if (next.empty()) return;
    for (BasicBlock *node : levels_.successors(level, now.node)) arrive(now.joins ? now.node : now.label, node);
  }
}

/// Adds the block to the frontier of each block that dominates a predecessor of it but not the block itself (Cooper, Harvey and
/// Kennedy 2001). Edges back to a loop's header are left out: lanes go from iteration to iteration together.
void Divergence::add_to_frontiers(const BasicBlock &block) {
  const auto *node = tree_.getNode(&block);
  if (!node || pred_size(&block) < 2) return;
  for (const BasicBlock *before : predecessors(&block)) {
    if (!tree_.getNode(before) || tree_.dominates(&block, before)) continue;
    for (const auto *at = tree_.getNode(before); at != node->getIDom(); at = at->getIDom()) {
      auto &frontier = frontiers_[at->getBlock()];
      if (!frontier.empty() && frontier.back() == &block) break;  // already added for another predecessor
      frontier.push_back(&block);
    }
  }
}

void Divergence::meet_at(const BasicBlock &block) {
  if (!met_.insert(&block).second) return;
  mark_phis(block);
  meet_beyond(block);
}

/// Marks the phis of the block's iterated dominance frontier: the join blocks of divergent paths from the block.
void Divergence::meet_beyond(const BasicBlock &block) {
  SmallVector<const BasicBlock *, 8> work = {&block};
  while (!work.empty()) {
    const BasicBlock *from = work.pop_back_val();
    if (!passed_.insert(from).second) continue;
    for (const BasicBlock *meeting : frontiers_.lookup(from)) {
      if (met_.insert(meeting).second) mark_phis(*meeting);
      work.push_back(meeting);
    }
  }
}

}  // namespace

LaneUniformity::LaneUniformity(Function &function, const DominatorTree &tree, const LoopInfo &loops, const LaneLevels &levels,
                               Cover cover) {
  Divergence divergence(function, tree, loops, levels, cover);
  divergent_ = divergence.take_values();
  divergent_loops_ = divergence.take_loops();
}

bool LaneUniformity::is_uniform(const Value &value) const {
  const auto *instruction = dyn_cast<Instruction>(&value);
  return !instruction || !divergent_.contains(instruction);
}

}  // namespace upsweep::passes
