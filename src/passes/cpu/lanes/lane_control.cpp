// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Order, masks and branches of a sub-group's control flow.
#include "passes/cpu/lanes/lane_control.h"

#include <llvm/ADT/PostOrderIterator.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/IntrinsicInst.h>

#include <algorithm>

using namespace llvm;

namespace upsweep::passes {

LaneControl::LaneControl(Function &function, LoopInfo &loops, DominatorTree &tree, const LaneUniformity &uniformity)
    : loops_(loops), tree_(tree), uniformity_(uniformity) {
  for (BasicBlock &block : function) {
    if (!isa<BranchInst, ReturnInst>(block.getTerminator())) valid_ = false;
    Loop *loop = loops.getLoopFor(&block);
    if (loop && (!loop->getLoopLatch() || !loop->getLoopPreheader())) valid_ = false;
  }
  if (!valid_) return;
  find_divergent_loops();
  order_level(nullptr, &function.getEntryBlock());
  if (!valid_ || plans_.size() != function.size() || !isa<ReturnInst>(plans_.back().block->getTerminator())) {
    valid_ = false;
    return;
  }
  pending_.resize(plans_.size());
  arrivals_.resize(plans_.size());
  find_equivalents();
  for (BlockPlan &plan : plans_) plan_block(plan);
  for (BlockPlan &plan : plans_) plan_blend(plan);
}

void LaneControl::find_divergent_loops() {
  for (Loop *loop : loops_.getLoopsInPreorder()) {
    bool branches_diverge = any_of(loop->blocks(), [&](BasicBlock *block) { return uniformity_.has_divergent_branch(*block); });
    if (!branches_diverge) continue;
    SmallVector<BasicBlock *, 4> exiting;
    loop->getExitingBlocks(exiting);
    bool leave_together = all_of(exiting, [&](BasicBlock *block) {
      // A block inside an inner loop runs several times per iteration, so that reaching the latch says nothing about it.
      return loops_.getLoopFor(block) == loop && !uniformity_.has_divergent_branch(*block) &&
             tree_.dominates(block, loop->getLoopLatch());
    });
    if (!leave_together) divergent_loops_.insert(loop);
  }
}

/// The block that stands for `block` on `level`: itself, or the header of the loop of that level that contains it; null when
/// it lies outside the level.
BasicBlock *LaneControl::level_node(Loop *level, BasicBlock *block) const {
  if (level && !level->contains(block)) return nullptr;
  Loop *inner = loops_.getLoopFor(block);
  if (inner == level) return block;
  while (inner->getParentLoop() != level) inner = inner->getParentLoop();
  return inner->getHeader();
}

std::vector<BasicBlock *> LaneControl::level_successors(Loop *level, BasicBlock *node) const {
  SmallVector<BasicBlock *, 4> targets;
  if (loops_.getLoopFor(node) == level) {
    targets.append(succ_begin(node), succ_end(node));
  } else {
    Loop *inner = loops_.getLoopFor(node);
    while (inner->getParentLoop() != level) inner = inner->getParentLoop();
    inner->getExitBlocks(targets);
  }
  std::vector<BasicBlock *> found;
  for (BasicBlock *target : targets) {
    BasicBlock *other = level_node(level, target);
    found.push_back(other && !(level && other == level->getHeader()) ? other : nullptr);
  }
  return found;
}

/// With a stack of its own: kernels have thousands of blocks in a row.
std::vector<BasicBlock *> LaneControl::level_post_order(Loop *level, BasicBlock *entry) const {
  std::vector<BasicBlock *> post_order;
  DenseSet<BasicBlock *> seen;
  std::vector<std::pair<BasicBlock *, std::vector<BasicBlock *>>> open;
  auto enter = [&](BasicBlock *node) {
    if (node && seen.insert(node).second) open.push_back({node, level_successors(level, node)});
  };
  enter(entry);
  while (!open.empty()) {
    auto &[node, successors] = open.back();
    if (successors.empty()) {
      post_order.push_back(node);
      open.pop_back();
      continue;
    }
    // The first successor of a branch comes first in the order.
    BasicBlock *next = successors.back();
    successors.pop_back();
    enter(next);
  }
  return post_order;
}

void LaneControl::order_level(Loop *level, BasicBlock *entry) {
  const std::vector<BasicBlock *> post_order = level_post_order(level, entry);
  find_post_dominators(level, post_order);
  for (BasicBlock *node : reverse(post_order)) {
    Loop *inner = loops_.getLoopFor(node);
    if (inner != level) {
      while (inner->getParentLoop() != level) inner = inner->getParentLoop();
      order_level(inner, node);
      continue;
    }
    index_[node] = plans_.size();
    BlockPlan plan;
    plan.block = node;
    plan.index = plans_.size();
    plans_.push_back(plan);
  }
}

/// Post-dominators of a graph without cycles in one sweep (Cooper, Harvey and Kennedy 2001); `nodes` in post-order.
void LaneControl::find_post_dominators(Loop *level, const std::vector<BasicBlock *> &nodes) {
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
  for (BasicBlock *node : nodes) {
    std::vector<BasicBlock *> successors = level_successors(level, node);
    BasicBlock *common = successors.empty() ? nullptr : successors.front();
    for (BasicBlock *next : successors) common = meet(common, next);
    parent[node] = common;
    depth[node] = common ? depth[common] + 1 : 1;
    if (loops_.getLoopFor(node) == level) {
      post_dominator_[node] = common;
    } else {
      Loop *inner = loops_.getLoopFor(node);
      while (inner->getParentLoop() != level) inner = inner->getParentLoop();
      loop_post_dominator_[inner] = common;
    }
  }
  number_post_dominators(level, nodes, parent);
}

/// Gives each block of the level an interval that holds those of the blocks that it post-dominates; parents precede in `nodes`.
void LaneControl::number_post_dominators(Loop *level, const std::vector<BasicBlock *> &nodes,
                                         const DenseMap<BasicBlock *, BasicBlock *> &parents) {
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
    if (loops_.getLoopFor(node) == level) post_dominated_[node] = {first, first + size};
  }
}

/// The next post-dominator on `level` of a block of it, or of the header that stands for a loop inside.
BasicBlock *LaneControl::post_dominator_on(Loop *level, BasicBlock *node) const {
  Loop *inner = loops_.getLoopFor(node);
  if (inner == level) return post_dominator_.lookup(node);
  while (inner->getParentLoop() != level) inner = inner->getParentLoop();
  return loop_post_dominator_.lookup(inner);
}

/// Of two blocks of one level.
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
      BasicBlock *node = level_node(level, earlier);  // the header of an inner loop, whose other blocks are on other levels
      auto *dominator = node ? tree_.getNode(node)->getIDom() : nullptr;
      earlier = dominator ? dominator->getBlock() : nullptr;
    } while (earlier && loops_.getLoopFor(earlier) != level && (!level || level->contains(earlier)));
    if (!earlier || loops_.getLoopFor(earlier) != level || !post_dominates(plan.block, earlier)) continue;
    plan.equivalent = earlier;
    plans_[index_[earlier]].promises.push_back(plan.block);
  }
}

Loop *LaneControl::divergent_loop_around(BasicBlock *block) const {
  for (Loop *loop = loops_.getLoopFor(block); loop; loop = loop->getParentLoop())
    if (is_divergent(loop)) return loop;
  return nullptr;
}

/// Successors but those outside a divergent loop around the block: lanes that leave wait in their mask until the loop ends.
std::vector<BasicBlock *> LaneControl::inner_successors(const BlockPlan &plan, bool &lost) const {
  Loop *around = divergent_loop_around(plan.block);
  std::vector<BasicBlock *> inner;
  for (BasicBlock *next : successors(plan.block)) {
    if (around && !around->contains(next))
      lost = true;
    else if (!is_contained(inner, next))
      inner.push_back(next);
  }
  return inner;
}

/// Plans an edge of control from `from` to the earliest of `wanted` and what is pending; the others stay pending there.
BasicBlock *LaneControl::go(const BlockPlan &from, ArrayRef<BasicBlock *> wanted, bool direct) {
  std::set<unsigned> targets = pending_[from.index];
  targets.erase(from.index);
  for (BasicBlock *block : wanted) targets.insert(index_[block]);
  if (targets.empty()) return nullptr;
  unsigned first = *targets.begin();
  targets.erase(first);
  pending_[first].insert(targets.begin(), targets.end());
  direct = direct && wanted.size() == 1 && index_[wanted.front()] == first && from.active;
  arrivals_[first].push_back({direct, from.block});
  return plans_[first].block;
}

/// Where control goes when no lane runs the block: past all that only its lanes would run. Null: its loop is over.
BasicBlock *LaneControl::skip_target(const BlockPlan &plan) const {
  Loop *level = loops_.getLoopFor(plan.block);
  BasicBlock *at = post_dominator_.lookup(plan.block);
  if (level && level->getHeader() == plan.block) {
    at = loop_post_dominator_.lookup(level);
    level = level->getParentLoop();
  }
  // What is pending outside the loop has to wait for the loop's other lanes.
  for (unsigned target : pending_[plan.index])
    if (target != plan.index && (!level || level->contains(plans_[target].block))) return plans_[target].block;
  while (at && tree_.dominates(plan.block, at)) at = post_dominator_on(level, at);
  if (at) return at;
  if (level && is_divergent(level)) return nullptr;  // no lane is left in the loop
  return level ? level->getLoopLatch() : plans_.back().block;
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
  if (plan.equivalent && plans_[index_[plan.equivalent]].active) return;
  Loop *loop = loops_.getLoopFor(plan.block);
  bool header = loop && loop->getHeader() == plan.block;
  // A back edge is not planned yet when its header is; it always brings an active lane.
  bool all_direct =
      !arrivals_[plan.index].empty() && all_of(arrivals_[plan.index], [](const Arrival &arrival) { return arrival.direct; });
  if (all_direct) return;
  bool conditional_uniform = !uniformity_.has_divergent_branch(*plan.block) && succ_size(plan.block) > 1;
  bool ends_loop = loop && loop->getLoopLatch() == plan.block;
  if (!header && !ends_loop && !conditional_uniform && cheap_to_speculate(*plan.block)) {
    plan.active = false;
    return;
  }
  plan.check = true;
  bool ends_tested_loop = ends_loop && is_divergent(loop);
  plan.skip_to = ends_tested_loop ? nullptr : skip_target(plan);
  if (!plan.skip_to) return;
  std::set<unsigned> rest = pending_[plan.index];
  unsigned target = index_[plan.skip_to];
  rest.erase(plan.index);
  rest.erase(target);
  pending_[target].insert(rest.begin(), rest.end());
  arrivals_[target].push_back({false, plan.block});
}

void LaneControl::plan_entry_mask(BlockPlan &plan) {
  if (plan.index == 0) {
    plan.entry_mask = true;
    return;
  }
  if (plan.equivalent) {
    plan.entry_mask = plans_[index_[plan.equivalent]].entry_mask;
    return;
  }
  Loop *loop = loops_.getLoopFor(plan.block);
  if (loop && loop->getHeader() == plan.block && is_divergent(loop)) return;
  if (plan.check || !plan.active) return;
  plan.entry_mask = all_of(arrivals_[plan.index],
                           [&](const Arrival &arrival) { return arrival.direct && plans_[index_[arrival.from]].entry_mask; });
}

void LaneControl::plan_successors(BlockPlan &plan) {
  if (isa<ReturnInst>(plan.block->getTerminator())) return;
  bool lost = false;
  std::vector<BasicBlock *> inner = inner_successors(plan, lost);
  Loop *loop = loops_.getLoopFor(plan.block);
  if (loop && loop->getLoopLatch() == plan.block && is_divergent(loop)) {
    plan.tested_loop = loop;
    plan.divergent = true;
    SmallVector<BasicBlock *, 4> exits;
    loop->getExitBlocks(exits);
    Loop *around = loop->getParentLoop();
    while (around && !is_divergent(around)) around = around->getParentLoop();
    std::vector<BasicBlock *> kept;
    for (BasicBlock *exit : exits)
      if ((!around || around->contains(exit)) && !is_contained(kept, exit)) kept.push_back(exit);
    if (kept.empty() && around) kept.push_back(around->getLoopLatch());
    plan.next[0] = plan.next[1] = go(plan, kept, false);
    if (!plan.next[0]) valid_ = false;
    return;
  }
  plan.divergent = lost || uniformity_.has_divergent_branch(*plan.block);
  if (inner.empty()) inner.push_back(divergent_loop_around(plan.block)->getLoopLatch());
  if (plan.divergent) {
    plan.next[0] = plan.next[1] = go(plan, inner, false);
    return;
  }
  auto *branch = cast<BranchInst>(plan.block->getTerminator());
  for (unsigned i = 0; i < branch->getNumSuccessors(); ++i) {
    BasicBlock *target = branch->getSuccessor(i);
    // A back edge goes to a header that is planned already; what is pending here was pending there.
    if (index_[target] <= plan.index)
      plan.next[i] = target;
    else
      plan.next[i] = go(plan, target, true);
  }
}

void LaneControl::plan_blend(BlockPlan &plan) {
  Loop *loop = loops_.getLoopFor(plan.block);
  if (loop && loop->getHeader() == plan.block) return;  // lanes enter a loop together, and an iteration too
  for (BasicBlock *from : predecessors(plan.block)) {
    Loop *inside = loops_.getLoopFor(from);
    for (; inside && !inside->contains(plan.block); inside = inside->getParentLoop())
      if (is_divergent(inside)) plan.blend = true;
  }
  if (plan.block->getSinglePredecessor()) return;
  plan.blend |= !all_of(arrivals_[plan.index], [](const Arrival &arrival) { return arrival.direct; });
}

}  // namespace upsweep::passes
