// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reverse post-order of a graph in which each loop directly inside the region is one node; each such loop is then ordered
// recursively.
#include "passes/cpu/scalar/structured_order.h"

#include <llvm/ADT/DenseSet.h>
#include <llvm/IR/CFG.h>

#include <algorithm>

using namespace llvm;

namespace upsweep::passes {
namespace {

class Orderer {
public:
  explicit Orderer(LoopInfo &loops) : loops_(loops) {}
  void order(BasicBlock *entry, Loop *region);
  std::vector<BasicBlock *> result;

private:
  void visit(BasicBlock *node, Loop *region, BasicBlock *entry, DenseSet<BasicBlock *> &seen,
             std::vector<BasicBlock *> &post_order);
  Loop *child_at(BasicBlock *block, Loop *region);

  LoopInfo &loops_;
};

// The loop directly inside `region` that contains `block`; null if the block is directly in the region.
Loop *Orderer::child_at(BasicBlock *block, Loop *region) {
  Loop *loop = loops_.getLoopFor(block);
  if (loop == region) return nullptr;
  while (loop->getParentLoop() != region) loop = loop->getParentLoop();
  return loop;
}

void Orderer::visit(BasicBlock *node, Loop *region, BasicBlock *entry, DenseSet<BasicBlock *> &seen,
                    std::vector<BasicBlock *> &post_order) {
  if (!seen.insert(node).second) return;
  SmallVector<BasicBlock *, 4> next;
  if (Loop *child = child_at(node, region))
    child->getExitBlocks(next);
  else
    append_range(next, successors(node));
  for (BasicBlock *successor : next) {
    if (successor == entry || (region && !region->contains(successor))) continue;
    Loop *child = child_at(successor, region);
    visit(child ? child->getHeader() : successor, region, entry, seen, post_order);
  }
  post_order.push_back(node);
}

void Orderer::order(BasicBlock *entry, Loop *region) {
  DenseSet<BasicBlock *> seen;
  std::vector<BasicBlock *> post_order;
  visit(entry, region, entry, seen, post_order);
  std::reverse(post_order.begin(), post_order.end());
  for (BasicBlock *node : post_order) {
    if (Loop *child = child_at(node, region))
      order(child->getHeader(), child);
    else
      result.push_back(node);
  }
}

}  // namespace

std::vector<BasicBlock *> structured_order(Function &function, LoopInfo &loops) {
  Orderer orderer(loops);
  orderer.order(&function.getEntryBlock(), nullptr);
  return std::move(orderer.result);
}

}  // namespace upsweep::passes
