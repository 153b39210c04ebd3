// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Nodes, edges and order of the levels of control flow.
#include "passes/cpu/lanes/lane_levels.h"

#include <llvm/ADT/DenseSet.h>
#include <llvm/ADT/STLExtras.h>
#include <llvm/IR/Instructions.h>

using namespace llvm;

namespace upsweep::passes {

LaneLevels::LaneLevels(Function &function, const LoopInfo &loops) : loops_(loops) {
  valid_ = has_simple_parts(function);
  if (!valid_) return;
  add(nullptr, &function.getEntryBlock());
  valid_ = order_.size() == function.size() && isa<ReturnInst>(order_.back()->getTerminator()) && has_edges_forward();
}

bool LaneLevels::has_simple_parts(Function &function) const {
  for (BasicBlock &block : function)
    if (!isa<BranchInst, ReturnInst>(block.getTerminator())) return false;
  return none_of(loops_.getLoopsInPreorder(), [](const Loop *loop) {
    return !loop->getLoopLatch() || !loop->getLoopPreheader() || loop->hasNoExitBlocks();
  });
}

/// Whether each edge goes forward in the order, except edges from a latch to its header.
bool LaneLevels::has_edges_forward() const {
  for (const BasicBlock *block : order_)
    for (const BasicBlock *next : llvm::successors(block)) {
      if (place(next) > place(block)) continue;
      const Loop *loop = loops_.getLoopFor(next);
      if (!loop || loop->getHeader() != next || loop->getLoopLatch() != block) return false;
    }
  return true;
}

/// The loop directly inside `loop` that contains the block.
Loop *LaneLevels::loop_below(const Loop *loop, const BasicBlock *block) const {
  Loop *inner = loops_.getLoopFor(block);
  while (inner->getParentLoop() != loop) inner = inner->getParentLoop();
  return inner;
}

BasicBlock *LaneLevels::node(const Loop *loop, BasicBlock *block) const {
  if (loop && !loop->contains(block)) return nullptr;
  return loops_.getLoopFor(block) == loop ? block : loop_below(loop, block)->getHeader();
}

SmallVector<BasicBlock *, 4> LaneLevels::successors(const Loop *loop, BasicBlock *node) const {
  SmallVector<BasicBlock *, 4> found;
  if (loops_.getLoopFor(node) == loop)
    found.append(succ_begin(node), succ_end(node));
  else
    loop_below(loop, node)->getExitBlocks(found);
  for (BasicBlock *&next : found) {
    next = this->node(loop, next);
    if (loop && next == loop->getHeader()) next = nullptr;
  }
  return found;
}

/// Uses an explicit stack, since kernels may have thousands of consecutive blocks.
std::vector<BasicBlock *> LaneLevels::post_order(const Loop *loop, BasicBlock *entry) const {
  std::vector<BasicBlock *> made;
  DenseSet<BasicBlock *> seen;
  std::vector<std::pair<BasicBlock *, SmallVector<BasicBlock *, 4>>> open;
  auto enter = [&](BasicBlock *node) {
    if (node && seen.insert(node).second) open.push_back({node, successors(loop, node)});
  };
  enter(entry);
  while (!open.empty()) {
    auto &[node, rest] = open.back();
    if (rest.empty()) {
      made.push_back(node);
      open.pop_back();
      continue;
    }
    // Visits last the first successor of a branch, so that it comes first in the order.
    enter(rest.pop_back_val());
  }
  return made;
}

void LaneLevels::add(Loop *loop, BasicBlock *entry) {
  std::vector<BasicBlock *> nodes = post_order(loop, entry);
  for (BasicBlock *node : reverse(nodes)) {
    if (loops_.getLoopFor(node) != loop) {
      add(loop_below(loop, node), node);
      continue;
    }
    places_[node] = static_cast<unsigned>(order_.size());
    order_.push_back(node);
  }
  levels_.push_back({loop, std::move(nodes)});
}

}  // namespace upsweep::passes
