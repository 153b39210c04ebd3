// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tests of shadows, and the bounds checks of accesses to shadows.
#include "passes/common/intrinsics.h"
#include "passes/cpu/check/access.h"
#include "passes/cpu/check/shadow_writer.h"

#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/IntrinsicInst.h>

using namespace llvm;

namespace upsweep::passes {
namespace {

bool is_check(const Instruction *instruction) { return instruction && intrinsic_of(*instruction) == Ups::kCheck; }

bool is_private(const Value &pointer) {
  SmallVector<const Value *, 4> objects;
  getUnderlyingObjects(&pointer, objects);
  return any_of(objects, [](const Value *object) { return isa<AllocaInst>(object); });
}

}  // namespace

Instruction &before_checks(Instruction &access) {
  Instruction *at = &access;
  while (is_check(at->getPrevNode())) at = at->getPrevNode();
  return *at;
}

/// `value` may be a pointer or a number. `stored_at` is the address of a stored value.
void ShadowWriter::test(Instruction &at, Value *value, uint32_t use, Value *stored_at, uint64_t width) {
  Value *shadow = this->shadow(value);
  const auto *constant = dyn_cast_or_null<Constant>(shadow);
  if (!shadow || (constant && constant->isNullValue())) return;
  builder_.SetInsertPoint(&before_checks(at));
  builder_.SetCurrentDebugLocation(at.getDebugLoc());
  SiteFacts facts;
  facts.access = use;
  facts.width = width;
  facts.object = values_.origins_of(*value);
  const auto none = [](Value *) -> Value * { return nullptr; };
  Value *found = builder_.CreateZExt(ShadowRules(builder_, layout_, none).any(shadow), builder_.getInt64Ty());
  if (!stored_at) stored_at = ConstantPointerNull::get(builder_.getPtrTy());
  Value *one = builder_.getInt64(1);
  add_check(builder_, Ups::kCheckIndex, {stored_at, found, one, one, one, sites_.site(at, facts)});
}

void ShadowWriter::test_uses(Instruction &instruction) {
  if (auto *branch = dyn_cast<BranchInst>(&instruction)) {
    if (branch->isConditional()) test(*branch, branch->getCondition(), UPSWEEP_DECIDES_BRANCH);
  } else if (auto *choice = dyn_cast<SwitchInst>(&instruction)) {
    test(*choice, choice->getCondition(), UPSWEEP_DECIDES_BRANCH);
  } else if (auto *call = dyn_cast<CallInst>(&instruction); call && intrinsic_of(*call) == Ups::kPrintf) {
    for (Value *argument : call->args()) test(*call, argument, UPSWEEP_IS_OUTPUT);
  } else if (auto *fill = dyn_cast<MemIntrinsic>(&instruction)) {
    test(*fill, fill->getLength(), UPSWEEP_DECIDES_ADDRESS);
    test(*fill, fill->getRawDest(), UPSWEEP_DECIDES_ADDRESS);
    if (auto *copy = dyn_cast<MemTransferInst>(fill)) test(*copy, copy->getRawSource(), UPSWEEP_DECIDES_ADDRESS);
  } else if (Value *pointer = getLoadStorePointerOperand(&instruction)) {
    test(instruction, pointer, UPSWEEP_DECIDES_ADDRESS);
  } else if (isa<AtomicRMWInst, AtomicCmpXchgInst>(instruction)) {
    test(instruction, instruction.getOperand(0), UPSWEEP_DECIDES_ADDRESS);
  }
}

/// The driver keeps the place of the store until the host reads the memory.
void ShadowWriter::test_stored(Instruction &access, Value &pointer, Value &value) {
  const std::optional<Origin> origin = finder_.origin(&pointer);
  const bool is_global =
      origin ? origin->kind == UPSWEEP_OBJECT_ARGUMENT || origin->kind == UPSWEEP_OBJECT_UNKNOWN : !is_private(pointer);
  if (is_global) test(access, &value, UPSWEEP_IS_STORED, &pointer, layout_.getTypeStoreSize(value.getType()).getFixedValue());
}

/// An access of the shadow is left out where the access is: it gets a copy of the access's checks, which reports nothing.
/// The builder stands behind the access of the shadow.
void ShadowWriter::guard(Instruction &access, Value *pointer, Value *shadow) {
  Instruction *at = builder_.GetInsertPoint() == access.getParent()->end() ? access.getParent()->getTerminator()
                                                                           : &*builder_.GetInsertPoint();
  Instruction *of_shadow = at->getPrevNode();
  for (Instruction *check = access.getPrevNode(); is_check(check); check = check->getPrevNode()) {
    SmallVector<Value *, 6> operands(cast<CallInst>(check)->args());
    const bool is_variable = isa<ConstantPointerNull>(operands[kPointer]);
    if (!is_variable && operands[kPointer] != pointer) continue;
    IRBuilder<> builder(of_shadow);
    if (!is_variable) operands[kPointer] = shadow;
    operands[kAlign] = builder.getInt64(1);
    operands[kSite] = ConstantPointerNull::get(builder.getPtrTy());
    add_check(builder, Ups::kCheck, operands);
  }
}

}  // namespace upsweep::passes
