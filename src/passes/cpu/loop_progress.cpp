// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Analyses addresses by ScalarEvolution, and updates by the blocks that each iteration passes.
#include "passes/cpu/loop_progress.h"

#include "passes/common/pointed_objects.h"

#include <llvm/Analysis/ScalarEvolutionExpressions.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Operator.h>
#include <llvm/IR/PatternMatch.h>

#include <optional>

using namespace llvm;
using namespace llvm::PatternMatch;

namespace upsweep::passes {
namespace {

/// The constant by which a value changes in each iteration of a loop; empty if it is not constant.
class Steps {
public:
  Steps(const Loop &loop, ScalarEvolution &evolution) : loop_(loop), evolution_(evolution) {}
  std::optional<int64_t> of(const SCEV *value);

private:
  std::optional<int64_t> of_sum(const SCEVNAryExpr &sum);
  std::optional<int64_t> of_product(const SCEVNAryExpr &product);
  std::optional<int64_t> checked(int64_t step, const SCEVNAryExpr &value);

  const Loop &loop_;
  ScalarEvolution &evolution_;
};

/// Narrow values may wrap. Large steps return to an earlier value after few iterations.
std::optional<int64_t> Steps::checked(int64_t step, const SCEVNAryExpr &value) {
  if (value.hasNoUnsignedWrap() || value.hasNoSignedWrap() || value.hasNoSelfWrap()) return step;
  const uint64_t bits = evolution_.getTypeSizeInBits(value.getType());
  const int64_t longest = int64_t{1} << (bits / 2);
  if (bits < 32 || bits > 64 || step > longest || step < -longest) return std::nullopt;
  return step;
}

std::optional<int64_t> Steps::of_sum(const SCEVNAryExpr &sum) {
  int64_t step = 0;
  for (const SCEV *term : sum.operands()) {
    const std::optional<int64_t> more = of(term);
    if (!more || AddOverflow(step, *more, step)) return std::nullopt;
  }
  return checked(step, sum);
}

std::optional<int64_t> Steps::of_product(const SCEVNAryExpr &product) {
  const auto *factor = dyn_cast<SCEVConstant>(product.getOperand(0));  // ScalarEvolution puts constants first
  if (!factor || product.getNumOperands() != 2 || factor->getAPInt().getSignificantBits() > 64) return std::nullopt;
  const std::optional<int64_t> step = of(product.getOperand(1));
  int64_t result = 0;
  if (!step || MulOverflow(*step, factor->getAPInt().getSExtValue(), result)) return std::nullopt;
  return checked(result, product);
}

std::optional<int64_t> Steps::of(const SCEV *value) {
  if (evolution_.isLoopInvariant(value, &loop_)) return 0;
  switch (value->getSCEVType()) {
  case scAddRecExpr: {
    const auto *recurrence = cast<SCEVAddRecExpr>(value);
    if (recurrence->getLoop() != &loop_ || !recurrence->isAffine()) return std::nullopt;
    const auto *step = dyn_cast<SCEVConstant>(recurrence->getStepRecurrence(evolution_));
    if (!step || step->getAPInt().getSignificantBits() > 64) return std::nullopt;
    return checked(step->getAPInt().getSExtValue(), *recurrence);
  }
  case scZeroExtend:
  case scSignExtend:
  case scPtrToInt: return of(cast<SCEVCastExpr>(value)->getOperand());
  case scAddExpr: return of_sum(*cast<SCEVNAryExpr>(value));
  case scMulExpr: return of_product(*cast<SCEVNAryExpr>(value));
  default: return std::nullopt;
  }
}

/// Whether each iteration that continues has run the block once.
bool is_in_each_round(const BasicBlock *block, const Loop &loop, const DominatorTree &dominators, const LoopInfo &loops) {
  if (loops.getLoopFor(block) != &loop) return false;
  SmallVector<BasicBlock *, 4> latches;
  loop.getLoopLatches(latches);
  return all_of(latches, [&](const BasicBlock *latch) { return dominators.dominates(block, latch); });
}

/// Whether, in each iteration, the loop ends if the condition equals `value`.
bool leaves(const Value &condition, bool value, const Loop &loop, const DominatorTree &dominators, const LoopInfo &loops) {
  return any_of(condition.users(), [&](const User *user) {
    const auto *branch = dyn_cast<BranchInst>(user);
    return branch && branch->isConditional() && loop.contains(branch) && !loop.contains(branch->getSuccessor(value ? 0 : 1)) &&
           is_in_each_round(branch->getParent(), loop, dominators, loops);
  });
}

class ExchangeChecker {
public:
  ExchangeChecker(const AtomicCmpXchgInst &exchange, const Loop &loop) : exchange_(exchange), loop_(loop) {}
  bool expects_what_was_found();

private:
  bool is_found(const Value &value);

  const AtomicCmpXchgInst &exchange_;
  const Loop &loop_;
  SmallPtrSet<const Value *, 8> seen_;
};

/// Whether the value comes from this or the previous iteration. A phi that is reached again may pass on a value of any
/// iteration.
bool ExchangeChecker::is_found(const Value &value) {
  const auto *instruction = dyn_cast<Instruction>(&value);
  if (!instruction || !loop_.contains(instruction)) return false;
  if (match(&value, m_ExtractValue<0>(m_Specific(&exchange_)))) return true;
  if (const auto *load = dyn_cast<LoadInst>(instruction)) return load->getPointerOperand() == exchange_.getPointerOperand();
  if (isa<FreezeInst>(instruction) || isa<BitCastInst>(instruction)) return is_found(*instruction->getOperand(0));
  const auto *phi = dyn_cast<PHINode>(instruction);
  return phi && seen_.insert(phi).second && all_of(phi->blocks(), [&](const BasicBlock *block) {
           // The first iteration may expect any value.
           const bool enters = phi->getParent() == loop_.getHeader() && !loop_.contains(block);
           return enters || is_found(*phi->getIncomingValueForBlock(block));
         });
}

bool ExchangeChecker::expects_what_was_found() {
  return loop_.isLoopInvariant(exchange_.getPointerOperand()) && is_found(*exchange_.getCompareOperand());
}

bool tries_update(const AtomicCmpXchgInst &exchange, const Loop &loop, const DominatorTree &dominators, const LoopInfo &loops) {
  if (!ExchangeChecker(exchange, loop).expects_what_was_found()) return false;
  for (const User *user : exchange.users()) {
    if (match(user, m_ExtractValue<1>(m_Value())) && leaves(*user, true, loop, dominators, loops)) return true;
    if (!match(user, m_ExtractValue<0>(m_Value()))) continue;
    for (const User *comparison : user->users()) {
      ICmpInst::Predicate predicate;
      if (match(comparison, m_c_ICmp(predicate, m_Specific(user), m_Specific(exchange.getCompareOperand()))) &&
          ICmpInst::isEquality(predicate) && leaves(*comparison, predicate == ICmpInst::ICMP_EQ, loop, dominators, loops))
        return true;
    }
  }
  return false;
}

bool is_written_beside(const AtomicRMWInst &update, const Loop &loop) {
  const PointedObjects counter(*update.getPointerOperand());
  for (const BasicBlock *block : loop.blocks())
    for (const Instruction &other : *block) {
      if (&other == &update || !other.mayWriteToMemory()) continue;
      const Value *pointer = getLoadStorePointerOperand(&other);
      if (auto *second = dyn_cast<AtomicRMWInst>(&other)) pointer = second->getPointerOperand();
      if (auto *exchange = dyn_cast<AtomicCmpXchgInst>(&other)) pointer = exchange->getPointerOperand();
      if (pointer && counter.have_common(PointedObjects(*pointer))) return true;
    }
  return false;
}

/// Whether each iteration compares the sum with a limit and leaves the loop beyond it.
bool ends_beyond_limit(const Value &sum, bool grows, const Loop &loop, const DominatorTree &dominators, const LoopInfo &loops) {
  return any_of(sum.users(), [&](const User *user) {
    if (isa<ZExtInst>(user) || isa<SExtInst>(user)) return ends_beyond_limit(*user, grows, loop, dominators, loops);
    return any_of(user->users(), [&](const User *end) {
      const auto *branch = dyn_cast<BranchInst>(end);
      bool limit_grows = false;
      return branch && limited_operand(*branch, loop, limit_grows) == &sum && limit_grows == grows &&
             is_in_each_round(branch->getParent(), loop, dominators, loops);
    });
  });
}

bool counts_to_limit(const AtomicRMWInst &update, const Loop &loop, const DominatorTree &dominators, const LoopInfo &loops) {
  return any_of(ArrayRef({false, true}), [&](bool grows) {
    return counts(update, loop, grows) && ends_beyond_limit(update, grows, loop, dominators, loops);
  });
}

}  // namespace

bool walks_on(const Value &address, const Loop &loop, ScalarEvolution &evolution) {
  const SCEV *value = evolution.getSCEV(const_cast<Value *>(&address));
  return Steps(loop, evolution).of(value).value_or(0) != 0;
}

bool counts(const AtomicRMWInst &update, const Loop &loop, bool grows) {
  const auto operation = update.getOperation();
  const auto *step = dyn_cast<ConstantInt>(update.getValOperand());
  if ((operation != AtomicRMWInst::Add && operation != AtomicRMWInst::Sub) || !step || step->isZero()) return false;
  return grows == ((operation == AtomicRMWInst::Add) != step->isNegative()) &&
         loop.isLoopInvariant(update.getPointerOperand()) && !is_written_beside(update, loop);
}

Value *limited_operand(const BranchInst &branch, const Loop &loop, bool &grows) {
  if (!branch.isConditional() || !loop.contains(&branch)) return nullptr;
  const bool leaves_if_true = !loop.contains(branch.getSuccessor(0));
  const auto *comparison = dyn_cast<ICmpInst>(branch.getCondition());
  if (leaves_if_true == !loop.contains(branch.getSuccessor(1)) || !comparison || !comparison->isRelational()) return nullptr;
  const unsigned limit = loop.isLoopInvariant(comparison->getOperand(1)) ? 1 : 0;
  if (!loop.isLoopInvariant(comparison->getOperand(limit))) return nullptr;
  const ICmpInst::Predicate predicate = limit ? comparison->getPredicate() : comparison->getSwappedPredicate();
  grows = (ICmpInst::isGT(predicate) || ICmpInst::isGE(predicate)) == leaves_if_true;
  return comparison->getOperand(1 - limit);
}

bool progresses_by_updates(const Loop &loop, const DominatorTree &dominators, const LoopInfo &loops) {
  for (const BasicBlock *block : loop.blocks()) {
    if (!is_in_each_round(block, loop, dominators, loops)) continue;
    for (const Instruction &instruction : *block) {
      if (auto *exchange = dyn_cast<AtomicCmpXchgInst>(&instruction))
        if (tries_update(*exchange, loop, dominators, loops)) return true;
      if (auto *update = dyn_cast<AtomicRMWInst>(&instruction))
        if (counts_to_limit(*update, loop, dominators, loops)) return true;
    }
  }
  return false;
}

}  // namespace upsweep::passes
