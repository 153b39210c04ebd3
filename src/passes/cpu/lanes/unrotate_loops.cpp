// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Finds rotated loops, compares their two tests, and makes a header of them.
#include "passes/cpu/lanes/unrotate_loops.h"

#include "passes/common/intrinsics.h"

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/ConstantRange.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/Transforms/Utils/Local.h>

#include <optional>

using namespace llvm;

namespace upsweep::passes {
namespace {

constexpr unsigned kMostTestDepth = 4;  // of a test's operands in terms of the loop's phis
constexpr unsigned kMostHoisted = 32;   // instructions between the guard and the loop, which then run without the guard

/// A comparison that holds if control enters the loop, or stays in it.
struct Test {
  CmpInst::Predicate predicate;
  Value *left, *right;

  [[nodiscard]] Test swapped() const { return {CmpInst::getSwappedPredicate(predicate), right, left}; }
};

/// The comparison of a branch that holds on the edge to `inside`.
std::optional<Test> test_of(const BranchInst &branch, const BasicBlock *inside) {
  auto *compare = dyn_cast<ICmpInst>(branch.getCondition());
  if (!compare) return std::nullopt;
  const auto predicate = branch.getSuccessor(0) == inside ? compare->getPredicate() : compare->getInversePredicate();
  return Test{predicate, compare->getOperand(0), compare->getOperand(1)};
}

/// A loop with a guard: `guard` branches to `before` (or straight to the header) and to `exit`, `latch` to the header and to
/// `exit`.
struct Rotated {
  Loop *loop;
  BasicBlock *guard, *before, *header, *latch, *exit;
};

bool may_run_unguarded(const Instruction &instruction) {
  if (isa<PHINode>(instruction) || instruction.mayReadOrWriteMemory()) return false;
  if (auto *call = dyn_cast<CallBase>(&instruction); call && ups_function(*call).effect == Effect::kPure) return true;
  return isSafeToSpeculativelyExecute(&instruction);
}

bool may_run_unguarded(const BasicBlock &block) {
  unsigned count = 0;
  for (const Instruction &instruction : block)
    if (!instruction.isTerminator() && (++count > kMostHoisted || !may_run_unguarded(instruction))) return false;
  return true;
}

const BranchInst *two_way_branch(const BasicBlock *block) {
  auto *branch = block ? dyn_cast<BranchInst>(block->getTerminator()) : nullptr;
  return branch && branch->isConditional() && branch->getSuccessor(0) != branch->getSuccessor(1) ? branch : nullptr;
}

std::optional<Rotated> find_rotated(Loop &loop) {
  BasicBlock *header = loop.getHeader(), *latch = loop.getLoopLatch(), *outside = loop.getLoopPredecessor();
  const BranchInst *back = two_way_branch(latch);
  if (!back || !outside) return std::nullopt;
  BasicBlock *exit = back->getSuccessor(back->getSuccessor(0) == header ? 1 : 0);
  if (loop.contains(exit)) return std::nullopt;
  Rotated found{&loop, outside, nullptr, header, latch, exit};
  if (outside->getSingleSuccessor()) {
    found.before = outside;
    found.guard = outside->getSinglePredecessor();
    if (!may_run_unguarded(*outside)) return std::nullopt;
  }
  const BranchInst *entry = two_way_branch(found.guard);
  if (!entry || !is_contained(entry->successors(), exit)) return std::nullopt;
  return found;
}

/// Whether an expression of the values at the loop's end is another expression in which only the values before the loop differ.
class Comparison {
public:
  explicit Comparison(const Rotated &rotated) : loop_(*rotated.loop), latch_(rotated.latch) {
    for (PHINode &phi : rotated.header->phis()) phis_.push_back(&phi);
  }

  bool are_equal(Value *before, Value *at_end, unsigned depth = 0) {
    // in_header() leaves an invariant value as it is, also where a phi has it at the loop's end.
    const bool is_invariant = loop_.isLoopInvariant(at_end);
    if (is_invariant && before == at_end) return true;
    for (PHINode *phi : phis_)
      if (!is_invariant && phi->getIncomingValueForBlock(latch_) == at_end && first(phi) == before) {
        PHINode *&known = known_[at_end];
        if (known && known != phi) return false;
        known = phi;
        return true;
      }
    auto *a = dyn_cast<Instruction>(before), *b = dyn_cast<Instruction>(at_end);
    if (!a || !b || depth == kMostTestDepth || !b->isSameOperationAs(a) || !(isa<BinaryOperator>(b) || isa<CastInst>(b)))
      return false;
    if (!isSafeToSpeculativelyExecute(b)) return false;
    for (unsigned k = 0; k < b->getNumOperands(); ++k)
      if (!are_equal(a->getOperand(k), b->getOperand(k), depth + 1)) return false;
    return true;
  }

  bool are_equal(const Test &guard, const Test &end) {
    if (guard.predicate == end.predicate && are_equal(guard.left, end.left) && are_equal(guard.right, end.right)) return true;
    known_.clear();
    // i < n is i != 0 for a constant first value, and i <= 7 is i < 8.
    const ConstantInt *bound = dyn_cast<ConstantInt>(guard.right), *last = dyn_cast_or_null<ConstantInt>(first_of(end.right));
    if (bound && last && bound->getType() == last->getType() && are_equal(guard.left, end.left) &&
        ConstantRange::makeExactICmpRegion(guard.predicate, bound->getValue()) ==
            ConstantRange::makeExactICmpRegion(end.predicate, last->getValue()))
      return true;
    known_.clear();
    return false;
  }

  /// The value in the header that becomes `at_end` with the values of the loop's end.
  Value *in_header(Value *at_end, IRBuilder<> &build) {
    if (loop_.isLoopInvariant(at_end)) return at_end;
    if (PHINode *phi = known_.lookup(at_end)) return phi;
    Instruction *copy = cast<Instruction>(at_end)->clone();
    copy->dropPoisonGeneratingFlags();
    for (Use &operand : copy->operands()) operand = in_header(operand, build);
    return build.Insert(copy);
  }

private:
  Value *first(const PHINode *phi) const { return phi->getIncomingValue(phi->getIncomingBlock(0) == latch_ ? 1 : 0); }
  /// The value before the loop of the phi that has this value at the loop's end; of an invariant value itself.
  Value *first_of(Value *at_end) {
    if (loop_.isLoopInvariant(at_end)) return at_end;
    for (PHINode *phi : phis_)
      if (phi->getIncomingValueForBlock(latch_) == at_end) {
        known_[at_end] = phi;
        return first(phi);
      }
    return nullptr;
  }

  const Loop &loop_;
  const BasicBlock *latch_;
  SmallVector<PHINode *, 8> phis_;
  SmallDenseMap<Value *, PHINode *, 4> known_;
};

void jump(BasicBlock *from, BasicBlock *to) {
  Instruction *old = from->getTerminator();
  BranchInst *made = BranchInst::Create(to, old->getIterator());
  made->setDebugLoc(old->getDebugLoc());
  if (MDNode *loop = old->getMetadata(LLVMContext::MD_loop)) made->setMetadata(LLVMContext::MD_loop, loop);
  Value *condition = cast<BranchInst>(old)->isConditional() ? cast<BranchInst>(old)->getCondition() : nullptr;
  old->eraseFromParent();
  if (condition) RecursivelyDeleteTriviallyDeadInstructions(condition);
}

/// The phis of the exit take their values from the header.
void move_exit_values(const Rotated &rotated, BasicBlock *header) {
  for (PHINode &phi : rotated.exit->phis()) {
    Value *before = phi.getIncomingValueForBlock(rotated.guard), *at_end = phi.getIncomingValueForBlock(rotated.latch);
    phi.removeIncomingValue(rotated.guard, false);
    phi.removeIncomingValue(rotated.latch, false);
    Value *value = before == at_end ? before : nullptr;
    for (PHINode &known : header->phis())
      if (known.getType() == phi.getType() && known.getIncomingValueForBlock(rotated.guard) == before &&
          known.getIncomingValueForBlock(rotated.latch) == at_end)
        value = &known;
    if (!value) {
      auto *made = PHINode::Create(phi.getType(), 2, phi.getName() + ".last", header->begin());
      made->addIncoming(before, rotated.guard);
      made->addIncoming(at_end, rotated.latch);
      value = made;
    }
    phi.addIncoming(value, header);
  }
}

void unrotate(const Rotated &rotated, const Test &end, Comparison &comparison, LoopInfo &loops) {
  LLVMContext &context = rotated.header->getContext();
  auto *header = BasicBlock::Create(context, rotated.header->getName() + ".test", rotated.header->getParent(), rotated.header);
  while (auto *phi = dyn_cast<PHINode>(rotated.header->begin())) phi->moveBefore(*header, header->end());
  if (rotated.before) {
    while (!rotated.before->front().isTerminator()) rotated.before->front().moveBefore(rotated.guard->getTerminator());
    for (PHINode &phi : header->phis()) phi.replaceIncomingBlockWith(rotated.before, rotated.guard);
  }
  IRBuilder<> build(header);
  Value *left = comparison.in_header(end.left, build), *right = comparison.in_header(end.right, build);
  build.CreateCondBr(build.CreateICmp(end.predicate, left, right), rotated.header, rotated.exit);
  move_exit_values(rotated, header);
  jump(rotated.latch, header);
  jump(rotated.guard, header);
  rotated.loop->addBasicBlockToLoop(header, loops);
  rotated.loop->moveToHeader(header);
  if (!rotated.before) return;
  loops.removeBlock(rotated.before);
  rotated.before->eraseFromParent();
}

bool unrotate(Loop &loop, LoopInfo &loops) {
  const std::optional<Rotated> rotated = find_rotated(loop);
  if (!rotated) return false;
  const auto *entry = cast<BranchInst>(rotated->guard->getTerminator());
  const std::optional<Test> guard = test_of(*entry, rotated->before ? rotated->before : rotated->header);
  const std::optional<Test> end = test_of(*cast<BranchInst>(rotated->latch->getTerminator()), rotated->header);
  if (!guard || !end) return false;
  Comparison comparison(*rotated);
  for (const Test &first : {*guard, guard->swapped()})
    for (const Test &last : {*end, end->swapped()})
      if (comparison.are_equal(first, last)) {
        unrotate(*rotated, last, comparison, loops);
        return true;
      }
  return false;
}

}  // namespace

bool unrotate_loops(Function &function, FunctionAnalysisManager &analyses) {
  auto &loops = analyses.getResult<LoopAnalysis>(function);
  bool changed = false;
  for (Loop *loop : loops.getLoopsInPreorder()) changed |= unrotate(*loop, loops);
  return changed;
}

}  // namespace upsweep::passes
