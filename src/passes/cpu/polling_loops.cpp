// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A loop polls when a decision to leave it depends on memory that others may change: an atomic or volatile access that can come
// to the same address again. Plain loads do not count: another work-item's store would be a data race.
#include "passes/cpu/polling_loops.h"

#include "passes/common/intrinsics.h"
#include "passes/common/optimise.h"

#include <llvm/Analysis/AssumptionCache.h>
#include <llvm/Analysis/DomTreeUpdater.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Module.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>
#include <llvm/Transforms/Utils/LoopSimplify.h>

using namespace llvm;

namespace upsweep::passes {
namespace {

// Spins between two yields, a power of two: a yield costs about as much as this many.
constexpr unsigned kSpins = 128;

class PollFinder {
public:
  PollFinder(const Loop &loop, const DominatorTree &dominators) : loop_(loop), dominators_(dominators) {}
  bool polls();

private:
  bool depends_on_poll(const Value *value);
  bool is_poll(const Instruction &instruction);
  bool may_repeat(const Value *address);
  void add_decisions(const PHINode &phi, SmallVectorImpl<const Value *> &work);
  void add_condition(const BasicBlock *block, SmallVectorImpl<const Value *> &work);

  const Loop &loop_;
  const DominatorTree &dominators_;
};

// Whether an address (or index) can be the same in a later iteration: not when each one moves it on.
bool PollFinder::may_repeat(const Value *address) {
  SmallPtrSet<const Value *, 8> seen;
  SmallVector<const Value *, 8> work{address};
  while (!work.empty()) {
    const Value *value = work.pop_back_val();
    auto *instruction = dyn_cast<Instruction>(value);
    if (!instruction || !loop_.contains(instruction) || !seen.insert(value).second) continue;
    if (auto *phi = dyn_cast<PHINode>(instruction); phi && phi->getParent() == loop_.getHeader()) {
      for (unsigned i = 0; i < phi->getNumIncomingValues(); ++i) {
        auto *step = dyn_cast<BinaryOperator>(phi->getIncomingValue(i));
        auto *gep = dyn_cast<GetElementPtrInst>(phi->getIncomingValue(i));
        bool moves =
            (step && (step->getOperand(0) == phi || step->getOperand(1) == phi)) || (gep && gep->getPointerOperand() == phi);
        if (loop_.contains(phi->getIncomingBlock(i)) && moves) return false;
      }
      continue;
    }
    if (isa<GetElementPtrInst>(instruction) || isa<CastInst>(instruction) || isa<BinaryOperator>(instruction))
      append_range(work, instruction->operands());
  }
  return true;
}

bool PollFinder::is_poll(const Instruction &instruction) {
  if (auto *load = dyn_cast<LoadInst>(&instruction))
    return (load->isVolatile() || load->isAtomic()) && may_repeat(load->getPointerOperand());
  if (auto *update = dyn_cast<AtomicRMWInst>(&instruction)) {
    // A counter changes the memory that it reads: there is nothing to wait for.
    bool counts = update->getOperation() == AtomicRMWInst::Add || update->getOperation() == AtomicRMWInst::Sub;
    auto *step = dyn_cast<ConstantInt>(update->getValOperand());
    return !(counts && step && !step->isZero()) && may_repeat(update->getPointerOperand());
  }
  if (auto *exchange = dyn_cast<AtomicCmpXchgInst>(&instruction)) {
    // With an expected value from this loop it is an update that is tried again; a lock waits for one certain value.
    auto *expected = dyn_cast<Instruction>(exchange->getCompareOperand());
    return !(expected && loop_.contains(expected)) && may_repeat(exchange->getPointerOperand());
  }
  return false;
}

void PollFinder::add_condition(const BasicBlock *block, SmallVectorImpl<const Value *> &work) {
  if (!loop_.contains(block)) return;
  if (auto *branch = dyn_cast<BranchInst>(block->getTerminator()); branch && branch->isConditional())
    work.push_back(branch->getCondition());
  if (auto *choice = dyn_cast<SwitchInst>(block->getTerminator())) work.push_back(choice->getCondition());
}

// The incoming edge decides a phi's value.
void PollFinder::add_decisions(const PHINode &phi, SmallVectorImpl<const Value *> &work) {
  for (const BasicBlock *block : phi.blocks()) add_condition(block, work);
  if (const DomTreeNode *node = dominators_.getNode(phi.getParent()); node->getIDom())
    add_condition(node->getIDom()->getBlock(), work);
}

bool PollFinder::depends_on_poll(const Value *start) {
  SmallPtrSet<const Value *, 16> seen;
  SmallVector<const Value *, 16> work{start};
  while (!work.empty()) {
    auto *instruction = dyn_cast<Instruction>(work.pop_back_val());
    if (!instruction || !loop_.contains(instruction) || !seen.insert(instruction).second) continue;
    if (is_poll(*instruction)) return true;
    append_range(work, instruction->operands());
    if (auto *phi = dyn_cast<PHINode>(instruction)) add_decisions(*phi, work);
  }
  return false;
}

bool PollFinder::polls() {
  SmallVector<BasicBlock *, 4> exits;
  loop_.getExitingBlocks(exits);
  SmallVector<const Value *, 4> conditions;
  for (const BasicBlock *block : exits) add_condition(block, conditions);
  return any_of(conditions, [this](const Value *condition) { return depends_on_poll(condition); });
}

// On the way back to the header, so that a loop that is left at once costs nothing.
void yield_at_back_edge(Loop &loop, DominatorTree &dominators, LoopInfo &loops) {
  BasicBlock *header = loop.getHeader();
  BasicBlock *latch = SplitEdge(loop.getLoopLatch(), header, &dominators, &loops);
  IRBuilder<> builder(header, header->begin());
  PHINode *spins = builder.CreatePHI(builder.getInt32Ty(), 2, "spins");
  builder.SetInsertPoint(latch->getTerminator());
  Value *next = builder.CreateAdd(spins, builder.getInt32(1));
  for (BasicBlock *block : predecessors(header)) spins->addIncoming(block == latch ? next : builder.getInt32(0), block);
  Value *enough = builder.CreateIsNull(builder.CreateAnd(next, builder.getInt32(kSpins - 1)));
  DomTreeUpdater updater(dominators, DomTreeUpdater::UpdateStrategy::Eager);
  Instruction *then =
      SplitBlockAndInsertIfThen(enough, latch->getTerminator()->getIterator(), false, nullptr, &updater, &loops);
  builder.SetInsertPoint(then);
  CallInst *yield = builder.CreateCall(header->getModule()->getOrInsertFunction(name_of(Ups::kYield), builder.getVoidTy()));
  yield->setConvergent();
  yield->setDoesNotThrow();
}

/// Not a loop around it that tries again: that one also comes back without.
bool says_no_wait(const Loop &loop, const DominatorTree &dominators, ArrayRef<Instruction *> notes) {
  SmallVector<BasicBlock *, 4> latches;
  loop.getLoopLatches(latches);
  return any_of(notes, [&](const Instruction *note) {
    return loop.contains(note) &&
           all_of(latches, [&](const BasicBlock *latch) { return dominators.dominates(note->getParent(), latch); });
  });
}

bool may_poll(const Instruction &instruction) { return instruction.isAtomic() || instruction.isVolatile(); }

}  // namespace

bool add_yields(Function &item) {
  if (item.hasFnAttribute(kOneItemAttribute) || none_of(instructions(item), may_poll)) return false;
  DominatorTree dominators(item);
  LoopInfo loops(dominators);
  AssumptionCache assumptions(item);
  SmallVector<Instruction *, 4> notes;
  for (Instruction &instruction : instructions(item))
    if (intrinsic_of(instruction) == Ups::kNoWait) notes.push_back(&instruction);
  SmallVector<Loop *, 4> polling;
  for (Loop *loop : loops.getLoopsInPreorder())
    if (!says_no_wait(*loop, dominators, notes) && PollFinder(*loop, dominators).polls()) polling.push_back(loop);
  for (Instruction *note : notes) note->eraseFromParent();
  for (Loop *loop : polling) {
    simplifyLoop(loop, &dominators, &loops, nullptr, &assumptions, nullptr, /*PreserveLCSSA=*/false);
    if (loop->getLoopLatch()) yield_at_back_edge(*loop, dominators, loops);
  }
  return !polling.empty();
}

}  // namespace upsweep::passes
