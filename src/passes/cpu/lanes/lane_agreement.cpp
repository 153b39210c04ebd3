// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Detects with scalar tests that all lanes agree on a branch. A guard such as `i < n` needs no vector comparison if the last
// lane's i is below n, and most sub-groups of a kernel are inside its guard.
#include <llvm/IR/PatternMatch.h>

#include "passes/cpu/lanes/lane_writer.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace upsweep::passes {
namespace {

CmpInst::Predicate swapped_if(bool swap, CmpInst::Predicate predicate) {
  return swap ? CmpInst::getSwappedPredicate(predicate) : predicate;
}

}  // namespace

/// True if each of the numbers from `base` to `base + span`, which may wrap, satisfies the comparison with `limit`; sufficient,
/// not necessary. Null if no such test is known.
Value *LaneWriter::all_compare(CmpInst::Predicate predicate, Value *base, const APInt &span, Value *limit) {
  Type *type = base->getType();
  auto constant = [&](const APInt &value) { return ConstantInt::get(type, value); };
  unsigned bits = type->getIntegerBitWidth();
  switch (predicate) {
  case CmpInst::ICMP_NE: return b_.CreateICmpUGT(b_.CreateSub(limit, base), constant(span));
  case CmpInst::ICMP_ULT:
  case CmpInst::ICMP_ULE: {
    CmpInst::Predicate far_enough = predicate == CmpInst::ICMP_ULT ? CmpInst::ICMP_UGT : CmpInst::ICMP_UGE;
    return b_.CreateAnd(b_.CreateICmp(predicate, base, limit),
                        b_.CreateICmp(far_enough, b_.CreateSub(limit, base), constant(span)));
  }
  case CmpInst::ICMP_UGT:
  case CmpInst::ICMP_UGE: return b_.CreateAnd(b_.CreateICmp(predicate, base, limit), b_.CreateICmpULE(base, constant(~span)));
  case CmpInst::ICMP_SLT:
  case CmpInst::ICMP_SLE:
    return b_.CreateAnd(b_.CreateICmpSLE(base, constant(APInt::getSignedMaxValue(bits) - span)),
                        b_.CreateICmp(predicate, b_.CreateAdd(base, constant(span)), limit));
  case CmpInst::ICMP_SGT:
  case CmpInst::ICMP_SGE:
    return b_.CreateAnd(b_.CreateICmp(predicate, base, limit),
                        b_.CreateICmpSLE(base, constant(APInt::getSignedMaxValue(bits) - span)));
  default: return nullptr;
  }
}

LaneWriter::Agreement LaneWriter::agreement_of(const ICmpInst &compare) {
  for (bool swap : {false, true}) {
    Value *stepped = compare.getOperand(swap), *uniform = compare.getOperand(!swap);
    Shape shape = shapes_.of(stepped);
    if (shape.kind != Shape::kStep || !shapes_.of(uniform).is_uniform() || !stepped->getType()->isIntegerTy()) continue;
    unsigned bits = stepped->getType()->getIntegerBitWidth();
    uint64_t distance = std::abs(shape.step) * uint64_t{lanes_ - 1};
    if (bits < 32 || shape.step == INT64_MIN || distance >> 30 != 0) continue;
    Value *base = b_.CreateFreeze(scalar(stepped)), *limit = b_.CreateFreeze(scalar(uniform));
    if (shape.step < 0) base = b_.CreateSub(base, ConstantInt::get(base->getType(), distance));
    CmpInst::Predicate predicate = swapped_if(swap, compare.getPredicate());
    APInt span(bits, distance);
    return {all_compare(predicate, base, span, limit), all_compare(CmpInst::getInversePredicate(predicate), base, span, limit)};
  }
  return {};
}

/// Scalars that tell whether the condition is true in all lanes, or in none.
LaneWriter::Agreement LaneWriter::agreement_of(Value *condition) {
  // Freeze each test separately: a combined test would no longer become separate branches.
  if (shapes_.of(condition).is_uniform()) {
    Value *known = b_.CreateFreeze(scalar(condition));
    return {known, b_.CreateNot(known)};
  }
  // Values of other blocks may not be available here.
  if (cast<Instruction>(condition)->getParent() != plan_->block) return {};
  if (auto *compare = dyn_cast<ICmpInst>(condition)) return agreement_of(*compare);
  Value *first, *second;
  if (match(condition, m_Not(m_Value(first)))) {
    Agreement inverse = agreement_of(first);
    return {inverse.none, inverse.all};
  }
  auto both = [&](Value *a, Value *b) { return a && b ? b_.CreateAnd(a, b) : nullptr; };
  auto either = [&](Value *a, Value *b) { return a && b ? b_.CreateOr(a, b) : a ? a : b; };
  if (match(condition, m_LogicalAnd(m_Value(first), m_Value(second)))) {
    Agreement a = agreement_of(first), b = agreement_of(second);
    return {both(a.all, b.all), either(a.none, b.none)};
  }
  if (match(condition, m_LogicalOr(m_Value(first), m_Value(second)))) {
    Agreement a = agreement_of(first), b = agreement_of(second);
    return {either(a.all, b.all), both(a.none, b.none)};
  }
  return {};
}

/// The destination when all lanes leave for `target`: skips the blocks in between at which no lane waits.
BasicBlock *LaneWriter::landing(const BlockPlan &plan, BasicBlock *target) const {
  for (BasicBlock *at = plan.next[0]; at; at = control_.plan(at).skip_to) {
    if (at == target) return bodies_.lookup(target);
    if (!control_.plan(at).check || control_.plan(at).index > control_.plan(target).index) break;
  }
  return entrance(plan.next[0]);
}

/// Adds, at the end of a block that all lanes run, a path for when all lanes take the branch and a path for when none does, if
/// scalar tests exist. The code after it handles lanes that differ.
void LaneWriter::write_agreement(const BlockPlan &plan, const BranchInst &branch) {
  Agreement known = agreement_of(branch.getCondition());
  Value *tests[] = {known.all, known.none};
  auto scalars = scalars_;
  auto vectors = vectors_;
  for (unsigned i = 0; i < 2; ++i) {
    if (!tests[i]) continue;
    BasicBlock *agreed = BasicBlock::Create(context_, plan.block->getName() + ".agreed", &target_);
    BasicBlock *differs = BasicBlock::Create(context_, plan.block->getName() + ".differs", &target_);
    b_.CreateCondBr(tests[i], agreed, differs);
    b_.SetInsertPoint(agreed);
    write_edge(plan, branch.getSuccessor(i), mask_, true);
    b_.CreateBr(landing(plan, branch.getSuccessor(i)));
    scalars_ = scalars;
    vectors_ = vectors;
    b_.SetInsertPoint(differs);
  }
}

}  // namespace upsweep::passes
