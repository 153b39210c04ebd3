// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Adds yields at the back edges of polling loops.
#include "passes/cpu/polling_loops.h"

#include "passes/common/intrinsics.h"
#include "passes/common/optimise.h"
#include "passes/cpu/loop_polls.h"

#include <llvm/ADT/PostOrderIterator.h>
#include <llvm/Analysis/CFG.h>
#include <llvm/Analysis/DomTreeUpdater.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Module.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>
#include <llvm/Transforms/Utils/FixIrreducible.h>
#include <llvm/Transforms/Utils/LowerSwitch.h>

using namespace llvm;

namespace upsweep::passes {
namespace {

// Iterations between two yields, a power of two: a yield costs about as much as this many.
constexpr unsigned kSpins = 128;

// The yield is on the back edge, so a loop that ends in its first iteration costs nothing. All back edges are merged: LLVM's
// loop simplification may split a loop that has several, and only one part would yield.
void yield_at_back_edge(Loop &loop, DominatorTree &dominators, LoopInfo &loops) {
  BasicBlock *header = loop.getHeader();
  SmallVector<BasicBlock *, 4> latches;
  loop.getLoopLatches(latches);
  BasicBlock *latch = SplitBlockPredecessors(header, latches, ".back", &dominators, &loops);
  latch->moveAfter(latches.back());
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

/// Not for an outer loop that retries: it may also iterate without this note.
bool says_no_wait(const Loop &loop, const DominatorTree &dominators, ArrayRef<Instruction *> notes) {
  SmallVector<BasicBlock *, 4> latches;
  loop.getLoopLatches(latches);
  return any_of(notes, [&](const Instruction *note) {
    return loop.contains(note) &&
           all_of(latches, [&](const BasicBlock *latch) { return dominators.dominates(note->getParent(), latch); });
  });
}

bool may_poll(const Instruction &instruction) { return instruction.isAtomic() || instruction.isVolatile(); }

/// Clang says of volatile assembly that it reads memory.
bool may_wait_in_assembly(const Instruction &instruction) {
  const auto *call = dyn_cast<CallBase>(&instruction);
  return call && call->isInlineAsm() && call->mayReadFromMemory();
}

/// LoopInfo does not recognise loops with two entries, which `goto` can create.
void give_loops_one_entry(Function &item) {
  {
    const DominatorTree dominators(item);
    const LoopInfo loops(dominators);
    const ReversePostOrderTraversal<const Function *> order(&item);
    if (!containsIrreducibleCFG<const BasicBlock *>(order, loops)) return;
  }
  FunctionAnalysisManager analyses;
  register_analyses(analyses);
  FunctionPassManager passes;
  passes.addPass(LowerSwitchPass());
  passes.addPass(FixIrreduciblePass());
  passes.run(item, analyses);
}

/// Outer loops first.
SmallVector<Loop *, 4> polling_loops(LoopFacts &facts, ArrayRef<Instruction *> notes) {
  SmallVector<Loop *, 4> found;
  for (Loop *loop : facts.loops.getLoopsInPreorder()) {
    // Loops with fewer iterations never reach a yield.
    const bool is_short = !facts.has_many_loops && facts.evolution.getSmallConstantMaxTripCount(loop) - 1 < kSpins - 1;
    if (!is_short && !says_no_wait(*loop, facts.dominators, notes) && !polls_of(*loop, facts).empty()) found.push_back(loop);
  }
  return found;
}

}  // namespace

bool add_yields(Function &item) {
  if (any_of(instructions(item), may_wait_in_assembly)) item.addFnAttr(kPollsAttribute);
  if (none_of(instructions(item), may_poll)) return false;
  give_loops_one_entry(item);
  LoopFacts facts(item);
  SmallVector<Instruction *, 4> notes;
  for (Instruction &instruction : instructions(item))
    if (intrinsic_of(instruction) == Ups::kNoWait) notes.push_back(&instruction);
  const SmallVector<Loop *, 4> polling = polling_loops(facts, notes);
  for (Instruction *note : notes) note->eraseFromParent();
  if (polling.empty()) return false;
  item.addFnAttr(kPollsAttribute);
  if (item.hasFnAttribute(kOneItemAttribute)) return true;
  for (Loop *loop : polling) yield_at_back_edge(*loop, facts.dominators, facts.loops);
  return true;
}

}  // namespace upsweep::passes
