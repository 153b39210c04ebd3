// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Order, masks and branches of a sub-group's control flow.
#include "passes/cpu/lanes/lane_control.h"

#include <llvm/ADT/PostOrderIterator.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/Support/CommandLine.h>

#include <algorithm>

#include "passes/cpu/lanes/lane_control_check.h"

using namespace llvm;

namespace upsweep::passes {
namespace {

cl::opt<bool> is_broken_for_tests("upsweep-broken-control", cl::Hidden,
                                  cl::desc("Break the control flow of masks, so that its check has something to find"));

}  // namespace

LaneControl::LaneControl(LoopInfo &loops, DominatorTree &tree, const LaneLevels &levels, const LaneUniformity &uniformity)
    : loops_(loops), tree_(tree), levels_(levels), uniformity_(uniformity), plans_(levels.order().size()),
      pending_(levels.order().size()), arrivals_(levels.order().size()) {
  for (auto [index, block] : enumerate(levels.order())) {
    plans_[index].block = block;
    plans_[index].index = static_cast<unsigned>(index);
  }
  for (const LaneLevels::Level &level : levels.levels()) find_post_dominators(level);
  find_equivalents();
  for (BlockPlan &plan : plans_) plan_block(plan);
  for (BlockPlan &plan : plans_) plan_blend(plan);
  if (is_broken_for_tests) plans_.front().next[0] = plans_.back().block;
  broken_ = check_control(*this);
  assert((broken_.empty() || is_broken_for_tests) && "the control flow of masks keeps its rules");
}

Loop *LaneControl::divergent_loop(Loop *loop) const {
  while (loop && !uniformity_.is_divergent(loop)) loop = loop->getParentLoop();
  return loop;
}

/// Post-dominators of a graph without cycles in one sweep (Cooper, Harvey and Kennedy 2001).
void LaneControl::find_post_dominators(const LaneLevels::Level &level) {
  DenseMap<BasicBlock *, BasicBlock *> parent;
  DenseMap<BasicBlock *, unsigned> depth;
  auto meet = [&](BasicBlock *a, BasicBlock *b) {
    while (a != b) {
      if (!a || !b) return static_cast<BasicBlock *>(nullptr);
      if (depth[a] >= depth[b])
        a = parent[a];
      else
        b = parent[b];
    }
    return a;
  };
  for (BasicBlock *node : level.post_order) {
    const auto successors = levels_.successors(level.loop, node);
    BasicBlock *common = successors.empty() ? nullptr : successors.front();
    for (BasicBlock *next : successors) common = meet(common, next);
    parent[node] = common;
    depth[node] = common ? depth[common] + 1 : 1;
  }
  number_post_dominators(level, parent);
}

/// Gives each block of the level an interval that contains the intervals of the blocks that it post-dominates. In post-order
/// parents come first.
void LaneControl::number_post_dominators(const LaneLevels::Level &level, const DenseMap<BasicBlock *, BasicBlock *> &parents) {
  const std::vector<BasicBlock *> &nodes = level.post_order;
  DenseMap<BasicBlock *, unsigned> sizes, free;
  for (BasicBlock *node : reverse(nodes)) {
    const unsigned size = ++sizes[node];
    sizes[parents.lookup(node)] += size;
  }
  for (BasicBlock *node : nodes) {
    const unsigned size = sizes[node];
    unsigned &next = free[parents.lookup(node)];
    const unsigned first = next;
    next += size;
    free[node] = first + 1;
    if (loops_.getLoopFor(node) == level.loop) post_dominated_[node] = {first, first + size};
  }
}

/// For two blocks of one level.
bool LaneControl::post_dominates(BasicBlock *later, BasicBlock *earlier) const {
  const auto [first, end] = post_dominated_.lookup(later);
  const unsigned at = post_dominated_.lookup(earlier).first;
  return first <= at && at < end;
}

/// If a block does not post-dominate its nearest dominator on its level, it post-dominates none further up.
void LaneControl::find_equivalents() {
  for (BlockPlan &plan : plans_) {
    Loop *level = loops_.getLoopFor(plan.block);
    if (level && level->getHeader() == plan.block) continue;
    BasicBlock *earlier = plan.block;
    do {
      BasicBlock *node = levels_.node(level, earlier);  // the header of an inner loop, whose other blocks are on other levels
      auto *dominator = node ? tree_.getNode(node)->getIDom() : nullptr;
      earlier = dominator ? dominator->getBlock() : nullptr;
    } while (earlier && loops_.getLoopFor(earlier) != level && (!level || level->contains(earlier)));
    if (!earlier || loops_.getLoopFor(earlier) != level || !post_dominates(plan.block, earlier)) continue;
    plan.equivalent = earlier;
    plan_of(earlier).promises.push_back(plan.block);
  }
}

/// The loop whose iteration hands the block its lanes; for a header, the loop around its own.
Loop *LaneControl::entered_from(const BlockPlan &plan) const {
  Loop *loop = loops_.getLoopFor(plan.block);
  return loop && loop->getHeader() == plan.block ? loop->getParentLoop() : loop;
}

/// Whether all lanes of the iteration around the block, or of the function, are in the block when it begins (rule 3).
bool LaneControl::only_lanes_of(const BlockPlan &plan) const {
  Loop *around = entered_from(plan);
  if (around && uniformity_.is_divergent(around)) return false;
  return none_of(pending_[plan.index],
                 [&](unsigned other) { return other != plan.index && (!around || around->contains(plans_[other].block)); });
}

/// Plans where control goes after `from`, whose lanes then wait at `wanted`, within the divergent loop `around` (rules 1 and
/// 2). `direct`: `from` hands all of its lanes to the one wanted block.
void LaneControl::go(const BlockPlan &from, BasicBlock *&to, ArrayRef<BasicBlock *> wanted, Loop *around, bool direct) {
  std::set<unsigned> targets = pending_[from.index];
  targets.erase(from.index);
  for (BasicBlock *block : wanted) targets.insert(levels_.place(block));
  if (targets.empty() || (around && !around->contains(plans_[*targets.begin()].block))) {
    ends_[around].push_back(&to);
    return;
  }
  unsigned first = *targets.begin();
  targets.erase(first);
  pending_[first].insert(targets.begin(), targets.end());
  direct = direct && wanted.size() == 1 && levels_.place(wanted.front()) == first && from.active;
  arrivals_[first].push_back({direct, from.block});
  to = plans_[first].block;
}

/// Blocks whose instructions do no harm under an empty mask and cost less than a test and a branch.
bool LaneControl::cheap_to_speculate(const BasicBlock &block) const {
  constexpr unsigned kMostInstructions = 12;  // about the cost of a mispredicted branch on current cores
  unsigned count = 0;
  for (const Instruction &instruction : block) {
    if (isa<PHINode>(instruction) || instruction.isTerminator()) continue;
    if (++count > kMostInstructions) return false;
    // Under an empty mask an access still costs a cache line: a stencil whose border has a branch of its own ran at two thirds
    // of its speed on a Zen 5.
    if (isa<LoadInst, StoreInst>(instruction)) return false;
    if (isa<CallBase>(instruction)) {
      const auto *intrinsic = dyn_cast<IntrinsicInst>(&instruction);
      if (!intrinsic || !isSafeToSpeculativelyExecute(intrinsic)) return false;
    } else if (!isSafeToSpeculativelyExecute(&instruction)) {
      return false;
    }
  }
  return true;
}

void LaneControl::plan_block(BlockPlan &plan) {
  plan_activity(plan);
  plan_entry_mask(plan);
  plan_successors(plan);
}

void LaneControl::plan_activity(BlockPlan &plan) {
  if (plan.index == 0) return;
  if (plan.equivalent && plan_of(plan.equivalent).active) return;
  Loop *loop = loops_.getLoopFor(plan.block);
  bool header = loop && loop->getHeader() == plan.block;
  // A back edge is not planned yet when its header is; it always brings an active lane.
  bool all_direct =
      !arrivals_[plan.index].empty() && all_of(arrivals_[plan.index], [](const Arrival &arrival) { return arrival.direct; });
  if (all_direct || only_lanes_of(plan)) return;
  bool conditional_uniform = !uniformity_.has_divergent_branch(*plan.block) && succ_size(plan.block) > 1;
  bool ends_loop = loop && loop->getLoopLatch() == plan.block;
  if (!header && !ends_loop && !conditional_uniform && cheap_to_speculate(*plan.block)) {
    plan.active = false;
    return;
  }
  plan.check = true;
  go(plan, plan.skip_to, {}, divergent_loop(entered_from(plan)));
}

void LaneControl::plan_entry_mask(BlockPlan &plan) {
  if (plan.index == 0) {
    plan.entry_mask = true;
    return;
  }
  if (plan.equivalent) {
    plan.entry_mask = plan_of(plan.equivalent).entry_mask;
    return;
  }
  Loop *loop = loops_.getLoopFor(plan.block);
  if (loop && loop->getHeader() == plan.block && uniformity_.is_divergent(loop)) return;
  if (plan.check || !plan.active) return;
  const Loop *around = entered_from(plan);
  if (only_lanes_of(plan) && (!around || plan_of(around->getHeader()).entry_mask)) {
    plan.entry_mask = true;
    return;
  }
  plan.entry_mask =
      all_of(arrivals_[plan.index], [&](const Arrival &arrival) { return arrival.direct && plan_of(arrival.from).entry_mask; });
}

/// For the latch of a divergent loop: plans where control goes when no lane is left in the loop.
void LaneControl::plan_loop_end(BlockPlan &plan, Loop *loop) {
  plan.tested_loop = loop;
  plan.divergent = true;
  SmallVector<BasicBlock *, 4> exits;
  loop->getUniqueExitBlocks(exits);
  Loop *around = divergent_loop(loop->getParentLoop());
  erase_if(exits, [&](BasicBlock *exit) { return around && !around->contains(exit); });
  go(plan, plan.next[0], exits, around);
  const std::vector<BasicBlock **> waiting = std::move(ends_[loop]);
  for (BasicBlock **field : waiting) *field = plan.next[0];
  if (!plan.next[0]) ends_[around].insert(ends_[around].end(), waiting.begin(), waiting.end());
}

void LaneControl::plan_successors(BlockPlan &plan) {
  if (isa<ReturnInst>(plan.block->getTerminator())) return;
  Loop *loop = loops_.getLoopFor(plan.block);
  if (loop && loop->getLoopLatch() == plan.block && uniformity_.is_divergent(loop)) {
    plan_loop_end(plan, loop);
    return;
  }
  Loop *around = divergent_loop(loop);
  auto stays = [&](BasicBlock *next) { return !around || around->contains(next); };
  if (uniformity_.has_divergent_branch(*plan.block)) {
    plan.divergent = true;
    const SmallVector<BasicBlock *, 2> inside(make_filter_range(successors(plan.block), stays));
    go(plan, plan.next[0], inside, around);
    return;
  }
  for (auto [i, target] : enumerate(successors(plan.block))) {
    // A back edge goes to a header that is planned already; the blocks that are pending here were pending there.
    if (levels_.place(target) <= plan.index)
      plan.next[i] = target;
    else
      go(plan, plan.next[i], stays(target) ? ArrayRef(target) : ArrayRef<BasicBlock *>(), around, true);
  }
}

void LaneControl::plan_blend(BlockPlan &plan) {
  Loop *loop = loops_.getLoopFor(plan.block);
  if (loop && loop->getHeader() == plan.block) return;  // lanes enter a loop together, and an iteration too
  for (BasicBlock *from : predecessors(plan.block)) {
    Loop *inside = loops_.getLoopFor(from);
    for (; inside && !inside->contains(plan.block); inside = inside->getParentLoop())
      if (uniformity_.is_divergent(inside)) plan.blend = true;
  }
  if (plan.block->getSinglePredecessor()) return;
  plan.blend |= !all_of(arrivals_[plan.index], [](const Arrival &arrival) { return arrival.direct; });
}

}  // namespace upsweep::passes
