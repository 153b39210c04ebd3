// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checked accesses of a sub-group. A cheap test, which may fail for lanes that are inactive, chooses between the usual access
// and a cold loop that tests one active lane after another.
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/MDBuilder.h>

#include "passes/cpu/check/access.h"
#include "passes/cpu/check/lower_checks.h"
#include "passes/cpu/lanes/lane_writer.h"

using namespace llvm;

namespace upsweep::passes {

/// An i1: the check passes in all active lanes. Sufficient, not necessary, for lanes that are a step apart.
Value *LaneWriter::all_pass(CallInst &check) {
  Value *start = check.getArgOperand(kStart), *bytes = check.getArgOperand(kBytes), *width = check.getArgOperand(kWidth);
  const Shape shape = shapes_.of(start);
  const bool is_sized_alike = shapes_.of(bytes).is_uniform() && shapes_.of(width).is_uniform();
  const int64_t last = static_cast<int64_t>(lanes_) - 1;
  Value *passes = nullptr;
  if (is_sized_alike && shape.is_uniform()) {
    passes = is_inside(b_, scalar(start), scalar(bytes), scalar(width));
  } else if (is_sized_alike && shape.kind != Shape::kVarying && std::abs(shape.step) <= kFarthestCheckedStep) {
    // The first lane's address, also if that lane is inactive.
    Value *lane = shape.kind == Shape::kStep ? b_.getInt64(0) : first_lane(mask_);
    Value *first = scalar_at(start, lane);
    if (shape.kind != Shape::kStep) first = b_.CreateSub(first, b_.CreateMul(lane, b_.getInt64(shape.step)));
    if (shape.step < 0) first = b_.CreateAdd(first, b_.getInt64(shape.step * last));
    passes = is_inside(b_, first, scalar(bytes),
                       b_.CreateBinaryIntrinsic(Intrinsic::uadd_sat, scalar(width), b_.getInt64(std::abs(shape.step) * last)));
  } else {
    Value *fails = b_.CreateNot(is_inside(b_, vector(start), vector(bytes), vector(width)));
    passes = b_.CreateNot(any(b_.CreateAnd(b_.CreateFreeze(fails), mask_)));
  }
  return b_.CreateAnd(b_.CreateFreeze(passes), all_are_aligned(check));
}

Value *LaneWriter::all_are_aligned(CallInst &check) {
  const uint64_t align = cast<ConstantInt>(check.getArgOperand(kAlign))->getZExtValue();
  if (align == 1) return b_.getTrue();
  Value *pointer = check.getArgOperand(kPointer);
  const Shape shape = shapes_.of(pointer);
  if (shape.has_scalar() && shape.step % static_cast<int64_t>(align) == 0) {
    Value *low = b_.CreateAnd(b_.CreatePtrToInt(scalar(pointer), b_.getInt64Ty()), b_.getInt64(align - 1));
    return b_.CreateIsNull(b_.CreateFreeze(low));
  }
  Type *numbers = widened(b_.getInt64Ty());
  Value *low = b_.CreateAnd(b_.CreatePtrToInt(vector(pointer), numbers), ConstantInt::get(numbers, align - 1));
  return b_.CreateNot(any(b_.CreateAnd(b_.CreateFreeze(b_.CreateIsNotNull(low)), mask_)));
}

/// Values that one path makes are not available on the other.
LaneWriter::Available LaneWriter::available() const { return {scalars_, vectors_}; }
void LaneWriter::restore(const Available &before) {
  scalars_ = before.scalars;
  vectors_ = before.vectors;
}

/// Reports a check that failed for all lanes alike, once.
void LaneWriter::report_uniform(CallInst &check, Instruction *access) {
  SmallVector<Value *, 6> operands;
  for (Value *operand : check.args()) operands.push_back(shapes_.of(operand).is_uniform() ? scalar(operand) : nullptr);
  if (isa<ConstantPointerNull>(operands[kSite]) || is_contained(operands, nullptr)) return;
  Value *lane = first_lane(mask_);
  auto *store = dyn_cast_or_null<StoreInst>(access);
  Value *value = nullptr;
  if (store) {
    Value *stored = store->getValueOperand();
    value = shapes_.of(stored).is_uniform() ? scalar(stored) : lane_element(vector(stored), stored->getType(), lane);
  }
  add_report(b_, operands, value_bits(b_, value), b_.CreateTrunc(lane, b_.getInt32Ty()));
}

bool LaneWriter::is_uniform_access(Instruction *access, ArrayRef<CallInst *> checks) const {
  const auto is_alike = [&](const CallInst *check) {
    return all_of(check->args(), [&](const Use &operand) { return shapes_.of(operand).is_uniform(); });
  };
  if (!all_of(checks, is_alike)) return false;
  if (!access) return true;
  if (auto *store = dyn_cast<StoreInst>(access)) return shapes_.of(store->getPointerOperand()).is_uniform();
  return !access->getType()->isVoidTy() && shapes_.of(access).is_uniform();
}

/// Writes `access`, or only the report if it is null, behind its checks.
void LaneWriter::write_checked(Instruction *access, ArrayRef<CallInst *> checks) {
  Value *passes = b_.getTrue();
  for (CallInst *check : checks) passes = b_.CreateAnd(passes, all_pass(*check));
  BasicBlock *fast = BasicBlock::Create(context_, "inside", &target_);
  BasicBlock *slow = BasicBlock::Create(context_, "outside", &target_);
  BasicBlock *done = BasicBlock::Create(context_, "checked", &target_);
  b_.CreateCondBr(passes, fast, slow, MDBuilder(context_).createLikelyBranchWeights());
  const Available before = available();
  const bool has_result = access && !access->getType()->isVoidTy();
  const bool is_scalar = has_result && shapes_.of(access).has_scalar();

  // Code without an active lane runs too. Its access is masked.
  b_.SetInsertPoint(slow);
  BasicBlock *some = BasicBlock::Create(context_, "outside.some", &target_);
  b_.CreateCondBr(any(mask_), some, fast);
  restore(before);

  b_.SetInsertPoint(some);
  Value *skipped = nullptr;
  if (is_uniform_access(access, checks)) {
    for (CallInst *check : checks) report_uniform(*check, access);
    if (has_result) skipped = skipped_value(*access, access->getType());
  } else {
    skipped = write_checked_lanes(access, checks);
    if (is_scalar) skipped = lane_element(skipped, access->getType(), first_lane(mask_));
  }
  BasicBlock *slow_end = b_.GetInsertBlock();
  b_.CreateBr(done);
  restore(before);

  b_.SetInsertPoint(fast);
  Value *value = nullptr;
  if (access) {
    write_instruction(*access);
    value = (is_scalar ? scalars_ : vectors_).lookup(access);
  }
  BasicBlock *fast_end = b_.GetInsertBlock();
  b_.CreateBr(done);
  restore(before);

  b_.SetInsertPoint(done);
  if (!has_result) return;
  PHINode *result = b_.CreatePHI(value->getType(), 2);
  result->addIncoming(value, fast_end);
  result->addIncoming(skipped, slow_end);
  define(*access, result);
}

/// The lanes that reach a barrier or a similar call, and their arguments that must be equal, all lanes' values of an argument
/// together.
void LaneWriter::write_meeting(CallInst &meeting) {
  const uint32_t count = num_meeting_values(meeting);
  // A stride of 0: all lanes have the same values.
  uint32_t stride = 0;
  for (uint32_t i = 0; i < count; ++i)
    if (!shapes_.of(meeting.getArgOperand(1 + i)).is_uniform()) stride = lanes_;
  Value *values = ConstantPointerNull::get(b_.getPtrTy());
  if (count) values = memory(b_.getInt64Ty(), uint64_t{count} * std::max(stride, 1U), "meeting");
  for (uint32_t i = 0; i < count; ++i) {
    Value *value = meeting.getArgOperand(1 + i);
    b_.CreateAlignedStore(stride ? vector(value) : scalar(value),
                          b_.CreateConstInBoundsGEP1_64(b_.getInt64Ty(), values, uint64_t{i} * std::max(stride, 1U)), Align(8));
  }
  add_meeting_row(b_, meeting.getArgOperand(0), values, mask_bits(mask_), stride, lanes_);
}

}  // namespace upsweep::passes
