// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sources of divergence of OpenCL kernels on the CPU, and the analysis over them.
#include "passes/cpu/lanes/lane_uniformity.h"

#include "passes/common/long_functions.h"
#include "passes/cpu/lanes/huge_divergence.h"

#include <llvm/ADT/GenericUniformityImpl.h>
#include <llvm/ADT/PostOrderIterator.h>
#include <llvm/Analysis/CycleAnalysis.h>
#include <llvm/Analysis/PostDominators.h>
#include <llvm/Analysis/TargetTransformInfoImpl.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IntrinsicInst.h>

using namespace llvm;

namespace upsweep::passes {

CallLanes call_lanes(const CallBase &call, Cover cover) {
  const UpsFunction &intrinsic = ups_function(call);
  if (intrinsic.id == Ups::kNone) {
    const Function *callee = call.getCalledFunction();
    if (callee && callee->isIntrinsic()) return CallLanes::kByArguments;
    // Another call is made once for all lanes only if nobody could tell.
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

class LaneCosts : public TargetTransformInfoImplCRTPBase<LaneCosts> {
public:
  LaneCosts(const DataLayout &layout, Cover cover, const SmallPtrSetImpl<const Value *> &meetings)
      : TargetTransformInfoImplCRTPBase(layout), cover_(cover), meetings_(meetings) {}

  bool hasBranchDivergence(const Function * = nullptr) const { return true; }

  bool isSourceOfDivergence(const Value *value) const {
    // Private memory belongs to one work-item each.
    if (isa<AllocaInst, AtomicRMWInst, AtomicCmpXchgInst>(value) || meetings_.contains(value)) return true;
    const auto *call = dyn_cast<CallBase>(value);
    return call && call_lanes(*call, cover_) == CallLanes::kVarying;
  }

  bool isAlwaysUniform(const Value *value) const {
    const auto *call = dyn_cast<CallBase>(value);
    return call && call_lanes(*call, cover_) == CallLanes::kUniform;
  }

private:
  Cover cover_;
  const SmallPtrSetImpl<const Value *> &meetings_;
};

// The blocks where control meets that came by different ways, found by handing labels from block to block. `start` gives the
// label of an edge that a way begins with, or null; `inside` the blocks that no way is followed through. Ways back to the
// header of a loop are not followed: there, all have met.
template <typename Start, typename Inside>
SmallVector<BasicBlock *, 4> meeting_blocks(ArrayRef<BasicBlock *> order, const DominatorTree &tree, Start start,
                                            Inside inside) {
  SmallVector<BasicBlock *, 4> meetings;
  DenseMap<const BasicBlock *, const BasicBlock *> labels;
  for (BasicBlock *block : order) {
    if (inside(block)) continue;
    SmallPtrSet<const BasicBlock *, 4> ways;
    for (BasicBlock *before : predecessors(block)) {
      const BasicBlock *begun = start(before, block), *label = begun ? begun : labels.lookup(before);
      if (label && !tree.dominates(block, before)) ways.insert(label);
    }
    if (ways.empty()) continue;
    labels[block] = ways.size() == 1 ? *ways.begin() : block;
    if (ways.size() > 1) meetings.push_back(block);
  }
  return meetings;
}

/// Of control that left `loop` by different edges.
SmallVector<BasicBlock *, 4> meeting_blocks(const Loop &loop, ArrayRef<BasicBlock *> order, const DominatorTree &tree) {
  auto start = [&](const BasicBlock *before, const BasicBlock *) { return loop.contains(before) ? before : nullptr; };
  return meeting_blocks(order, tree, start, [&](const BasicBlock *block) { return loop.contains(block); });
}

/// Of control that parted at the end of `branch`.
SmallVector<BasicBlock *, 4> meeting_blocks(const BasicBlock &branch, ArrayRef<BasicBlock *> order, const DominatorTree &tree) {
  auto start = [&](const BasicBlock *before, const BasicBlock *block) { return before == &branch ? block : nullptr; };
  return meeting_blocks(order, tree, start, [&](const BasicBlock *block) { return block == &branch; });
}

}  // namespace

LaneUniformity::LaneUniformity(Function &function, const DominatorTree &tree, Cover cover)
    : lanes_(LaneCosts(function.getParent()->getDataLayout(), cover, meetings_)) {
  if (has_many_blocks(function)) {
    divergent_ = divergent_instructions(function, tree, lanes_);
    return;
  }
  cycles_.compute(function);
  do {
    info_ = UniformityInfo(tree, cycles_, &lanes_);
    info_.compute();
  } while (add_meetings(function, tree));
}

/// Whether lanes may leave the loop by different edges, or in different rounds.
bool LaneUniformity::lanes_part(const Loop &loop, const DominatorTree &tree) const {
  SmallVector<BasicBlock *, 4> exiting;
  loop.getExitingBlocks(exiting);
  if (exiting.size() < 2) return false;
  if (any_of(exiting, [&](BasicBlock *block) { return has_divergent_branch(*block); })) return true;
  BasicBlock *latch = loop.getLoopLatch();
  bool all_pass = latch && all_of(exiting, [&](BasicBlock *block) { return tree.dominates(block, latch); });
  return !all_pass && any_of(loop.blocks(), [&](BasicBlock *block) { return has_divergent_branch(*block); });
}

/// LLVM's analysis overlooks phis of values from outside the loop, `phi [1, %found], [0, %header]`, when a loop within it
/// diverges as well; and, as it stops before all labels have come down, phis where the ways of a branch meet that branch again
/// on their own. True when there are some.
bool LaneUniformity::add_meetings(Function &function, const DominatorTree &tree) {
  LoopInfo loops(tree);
  // All ways of a branch have met at the block that post-dominates it.
  const PostDominatorTree ends(function);
  ReversePostOrderTraversal<Function *> traversal(&function);
  const SmallVector<BasicBlock *, 32> order(traversal.begin(), traversal.end());
  bool found = false;
  auto add = [&](ArrayRef<BasicBlock *> blocks) {
    for (BasicBlock *block : blocks)
      for (PHINode &phi : block->phis())
        if (is_uniform(phi) && !phi.hasConstantOrUndefValue()) found |= meetings_.insert(&phi).second;
  };
  for (const Loop *loop : loops.getLoopsInPreorder())
    if (lanes_part(*loop, tree)) add(meeting_blocks(*loop, order, tree));
  DenseMap<const BasicBlock *, size_t> places;
  for (auto [place, block] : enumerate(order)) places[block] = place;
  for (auto [place, block] : enumerate(order)) {
    if (!has_divergent_branch(*block)) continue;
    const auto *node = ends.getNode(block) ? ends.getNode(block)->getIDom() : nullptr;
    const BasicBlock *meeting = node ? node->getBlock() : nullptr;
    const size_t last = meeting && places.lookup(meeting) > place ? places.lookup(meeting) : order.size() - 1;
    add(meeting_blocks(*block, ArrayRef(order).slice(place, last + 1 - place), tree));
  }
  return found;
}

bool LaneUniformity::is_uniform(const Value &value) const {
  const auto *instruction = dyn_cast<Instruction>(&value);
  if (!instruction) return true;
  if (divergent_) return !divergent_->contains(instruction);
  return info_.isUniform(&value);
}

bool LaneUniformity::has_divergent_branch(const BasicBlock &block) const {
  if (divergent_) return divergent_->contains(block.getTerminator());
  return info_.isDivergent(block.getTerminator()) || info_.hasDivergentTerminator(block);
}

}  // namespace upsweep::passes
