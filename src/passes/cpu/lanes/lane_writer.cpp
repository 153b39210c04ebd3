// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Values, masks and control flow of a sub-group's code.
#include "passes/cpu/lanes/lane_writer.h"

#include "passes/cpu/lanes/lane_remarks.h"
#include "passes/cpu/lanes/promote_slots.h"

#include <llvm/IR/Instructions.h>

using namespace llvm;

namespace upsweep::passes {

LaneWriter::LaneWriter(Function &item, Function &target, unsigned lanes, Cover cover, const LaneControl &control,
                       const LaneShapes &shapes, const TargetTransformInfo &costs)
    : item_(item), target_(target), lanes_(lanes), cover_(cover), control_(control), shapes_(shapes), costs_(costs),
      layout_(item.getParent()->getDataLayout()), context_(item.getContext()), b_(item.getContext()) {}

void LaneWriter::write() {
  prepare();
  write_entry();
  for (const BlockPlan &plan : control_.plans()) write_block(plan);
  promote_slots(target_, promotable_);
}

Type *LaneWriter::widened(Type *type) const {
  if (type->isVoidTy()) return type;
  if (auto *vector = dyn_cast<FixedVectorType>(type))
    return FixedVectorType::get(vector->getElementType(), vector->getNumElements() * lanes_);
  if (auto *array = dyn_cast<ArrayType>(type)) return ArrayType::get(widened(array->getElementType()), array->getNumElements());
  if (auto *record = dyn_cast<StructType>(type)) {
    SmallVector<Type *, 4> members;
    for (Type *member : record->elements()) members.push_back(widened(member));
    return StructType::get(context_, members);
  }
  return FixedVectorType::get(type, lanes_);
}

AllocaInst *LaneWriter::slot(Type *type, const Twine &name) {
  IRBuilder<> at(entry_, entry_->begin());
  AllocaInst *slot = at.CreateAlloca(type, nullptr, name);
  promotable_.push_back(slot);
  return slot;
}

AllocaInst *LaneWriter::memory(Type *type, uint64_t count, const Twine &name) {
  IRBuilder<> at(entry_, entry_->begin());
  return at.CreateAlloca(type, count == 1 ? nullptr : at.getInt64(count), name);
}

Value *LaneWriter::lane_numbers(Type *element) {
  SmallVector<Constant *, 32> numbers;
  for (unsigned lane = 0; lane < lanes_; ++lane) numbers.push_back(ConstantInt::get(element, lane));
  return ConstantVector::get(numbers);
}

Value *LaneWriter::spread(Value *scalar) {
  Type *type = scalar->getType();
  if (auto *aggregate = dyn_cast<Constant>(scalar); aggregate && isa<UndefValue>(aggregate))
    return isa<PoisonValue>(aggregate) ? PoisonValue::get(widened(type)) : UndefValue::get(widened(type));
  if (type->isAggregateType()) {
    Value *wide = PoisonValue::get(widened(type));
    unsigned count = type->isArrayTy() ? type->getArrayNumElements() : type->getStructNumElements();
    for (unsigned i = 0; i < count; ++i) wide = b_.CreateInsertValue(wide, spread(b_.CreateExtractValue(scalar, i)), i);
    return wide;
  }
  auto *vector = dyn_cast<FixedVectorType>(type);
  if (!vector) return b_.CreateVectorSplat(lanes_, scalar);
  SmallVector<int, 64> repeated;
  for (unsigned i = 0; i < lanes_ * vector->getNumElements(); ++i) repeated.push_back(i % vector->getNumElements());
  return b_.CreateShuffleVector(scalar, repeated);
}

Value *LaneWriter::step_vector(Value *first, int64_t step) {
  if (first->getType()->isPointerTy()) {
    Value *offsets = b_.CreateMul(lane_numbers(b_.getInt64Ty()), b_.CreateVectorSplat(lanes_, b_.getInt64(step)));
    return b_.CreateGEP(b_.getInt8Ty(), first, offsets);
  }
  Type *type = first->getType();
  Value *steps = b_.CreateVectorSplat(lanes_, ConstantInt::get(type, step, true));
  return b_.CreateAdd(b_.CreateVectorSplat(lanes_, first), b_.CreateMul(lane_numbers(type), steps));
}

Value *LaneWriter::scalar(Value *value) {
  auto *instruction = dyn_cast<Instruction>(value);
  if (!instruction) return value;
  assert(shapes_.of(value).has_scalar() && "a varying value has no scalar");
  Value *&known = scalars_[value];
  if (!known) known = b_.CreateLoad(value->getType(), slots_.lookup(value));
  return known;
}

Value *LaneWriter::vector(Value *value) {
  auto *instruction = dyn_cast<Instruction>(value);
  if (!instruction) return spread(value);
  if (Value *known = vectors_.lookup(value)) return known;
  Shape shape = shapes_.of(value);
  Value *made;
  if (shape.kind == Shape::kUniform)
    made = spread(scalar(value));
  else if (shape.kind == Shape::kStep)
    made = step_vector(scalar(value), shape.step);
  else
    made = b_.CreateLoad(widened(value->getType()), slots_.lookup(value));
  return vectors_[value] = made;
}

/// Computes loose steps again from strict steps for the requested lane, so that other lanes' wrapping does not matter.
Value *LaneWriter::scalar_at(Value *value, Value *lane) {
  Shape shape = shapes_.of(value);
  if (shape.kind == Shape::kUniform) return scalar(value);
  if (shape.kind == Shape::kStep) {
    Value *first = scalar(value);
    if (auto *constant = dyn_cast<ConstantInt>(lane); constant && constant->isZero()) return first;
    Value *offset = b_.CreateMul(lane, b_.getInt64(shape.step));
    if (first->getType()->isPointerTy()) return b_.CreateGEP(b_.getInt8Ty(), first, offset);
    return b_.CreateAdd(first, b_.CreateZExtOrTrunc(offset, first->getType()));
  }
  assert(shape.kind == Shape::kLooseStep && "only values with a step have one lane's scalar");
  auto *instruction = cast<Instruction>(value);
  Instruction *copy = instruction->clone();
  for (Use &use : copy->operands()) use.set(scalar_at(use.get(), lane));
  copy->dropPoisonGeneratingFlags();
  return b_.Insert(copy);
}

Value *LaneWriter::spread_mask(Value *mask, unsigned components) {
  if (components == 1) return mask;
  SmallVector<int, 64> repeated;
  for (unsigned i = 0; i < lanes_ * components; ++i) repeated.push_back(i / components);
  return b_.CreateShuffleVector(mask, repeated);
}

Value *LaneWriter::mask_bits(Value *mask) {
  return b_.CreateZExt(b_.CreateBitCast(mask, b_.getIntNTy(lanes_)), b_.getInt64Ty());
}

Value *LaneWriter::any(Value *mask) {
  Value *bits = b_.CreateBitCast(mask, b_.getIntNTy(lanes_));
  return b_.CreateICmpNE(bits, ConstantInt::get(bits->getType(), 0));
}

Value *LaneWriter::first_lane(Value *mask) {
  if (shares_row(cover_) && plan_->entry_mask && mask == mask_) return b_.getInt64(0);
  return b_.CreateBinaryIntrinsic(Intrinsic::cttz, mask_bits(mask), b_.getTrue());
}

Value *LaneWriter::last_lane(Value *mask) {
  if (all_lanes() && mask == mask_) return b_.getInt64(lanes_ - 1);
  return b_.CreateSub(b_.getInt64(63), b_.CreateBinaryIntrinsic(Intrinsic::ctlz, mask_bits(mask), b_.getTrue()));
}

Value *LaneWriter::lane_element(Value *vector, Type *type, Value *lane) {
  if (type->isAggregateType()) {
    Value *made = PoisonValue::get(type);
    unsigned count = type->isArrayTy() ? type->getArrayNumElements() : type->getStructNumElements();
    for (unsigned i = 0; i < count; ++i) {
      Type *member = type->isArrayTy() ? type->getArrayElementType() : type->getStructElementType(i);
      made = b_.CreateInsertValue(made, lane_element(b_.CreateExtractValue(vector, i), member, lane), i);
    }
    return made;
  }
  auto *wide = dyn_cast<FixedVectorType>(type);
  if (!wide) return b_.CreateExtractElement(vector, lane);
  unsigned width = wide->getNumElements();
  if (auto *constant = dyn_cast<ConstantInt>(lane)) {
    SmallVector<int, 16> picked;
    for (unsigned i = 0; i < width; ++i) picked.push_back(constant->getZExtValue() * width + i);
    return b_.CreateShuffleVector(vector, picked);
  }
  Value *made = PoisonValue::get(type);
  for (unsigned i = 0; i < width; ++i) {
    Value *at = b_.CreateAdd(b_.CreateMul(lane, b_.getInt64(width)), b_.getInt64(i));
    made = b_.CreateInsertElement(made, b_.CreateExtractElement(vector, at), i);
  }
  return made;
}

/// `now` where the mask is set, `before` elsewhere.
Value *LaneWriter::blend(Value *mask, Value *now, Value *before) {
  Type *type = now->getType();
  if (!type->isAggregateType()) {
    unsigned components = cast<FixedVectorType>(type)->getNumElements() / lanes_;
    return b_.CreateSelect(spread_mask(mask, components), now, before);
  }
  Value *made = PoisonValue::get(type);
  unsigned count = type->isArrayTy() ? type->getArrayNumElements() : type->getStructNumElements();
  for (unsigned i = 0; i < count; ++i)
    made = b_.CreateInsertValue(made, blend(mask, b_.CreateExtractValue(now, i), b_.CreateExtractValue(before, i)), i);
  return made;
}

void LaneWriter::define(Instruction &instruction, Value *value) {
  if (!value || instruction.getType()->isVoidTy()) return;
  bool is_scalar = shapes_.of(&instruction).has_scalar();
  (is_scalar ? scalars_ : vectors_)[&instruction] = value;
  if (AllocaInst *slot = slots_.lookup(&instruction); slot && !isa<PHINode>(instruction)) b_.CreateStore(value, slot);
}

AllocaInst *LaneWriter::mask_slot(const BasicBlock *block) {
  AllocaInst *&slot = mask_slots_[block];
  if (!slot) {
    slot = this->slot(FixedVectorType::get(Type::getInt1Ty(context_), lanes_), block->getName() + ".mask");
    IRBuilder<> at(entry_, std::next(slot->getIterator()));
    at.CreateStore(Constant::getNullValue(slot->getAllocatedType()), slot);
  }
  return slot;
}

BasicBlock *LaneWriter::entrance(const BasicBlock *block) const {
  BasicBlock *check = checks_.lookup(block);
  return check ? check : bodies_.lookup(block);
}

void LaneWriter::prepare() {
  entry_ = BasicBlock::Create(context_, "entry", &target_);
  for (const BlockPlan &plan : control_.plans()) {
    StringRef name = plan.block->getName();
    if (plan.check) checks_[plan.block] = BasicBlock::Create(context_, name + ".check", &target_);
    bodies_[plan.block] = BasicBlock::Create(context_, name, &target_);
  }
  for (Instruction *instruction : values_across_blocks()) {
    bool is_scalar = shapes_.of(instruction).has_scalar();
    Type *type = is_scalar ? instruction->getType() : widened(instruction->getType());
    slots_[instruction] = slot(type, instruction->getName() + ".slot");
  }
}

/// Phis, values used in other blocks, and operands of loose steps that are computed again in other blocks (scalar_at).
SetVector<Instruction *> LaneWriter::values_across_blocks() {
  SetVector<Instruction *> found;
  for (const BlockPlan &plan : control_.plans()) {
    for (Instruction &instruction : *plan.block) {
      if (instruction.getType()->isVoidTy()) continue;
      // A phi uses its value at the end of the incoming block.
      bool elsewhere = any_of(instruction.uses(), [&](const Use &use) {
        auto *phi = dyn_cast<PHINode>(use.getUser());
        return (phi ? phi->getIncomingBlock(use) : cast<Instruction>(use.getUser())->getParent()) != plan.block;
      });
      if (elsewhere || isa<PHINode>(instruction)) found.insert(&instruction);
    }
  }
  for (unsigned i = 0; i < found.size(); ++i) {
    if (shapes_.of(found[i]).kind != Shape::kLooseStep) continue;
    for (Value *operand : found[i]->operands())
      if (auto *source = dyn_cast<Instruction>(operand)) found.insert(source);
  }
  return found;
}

/// Writes the local ids and the mask of existing lanes. Parameters: group, first, x, y, z (see vectorise_lanes.h).
void LaneWriter::write_entry() {
  b_.SetInsertPoint(entry_);
  Type *i64 = b_.getInt64Ty();
  auto local_size = [&](unsigned dim) {
    FunctionCallee size = item_.getParent()->getOrInsertFunction(name_of(Ups::kLocalSize), i64, b_.getInt32Ty());
    return b_.CreateCall(size, b_.getInt32(dim));
  };
  if (shares_row(cover_)) {
    entry_mask_ = Constant::getAllOnesValue(FixedVectorType::get(b_.getInt1Ty(), lanes_));
    if (cover_ == Cover::kRow) {
      Value *rest = b_.CreateSub(b_.CreateTrunc(local_size(0), b_.getInt32Ty()), target_.getArg(2));
      entry_mask_ = b_.CreateICmpULT(lane_numbers(b_.getInt32Ty()), b_.CreateVectorSplat(lanes_, rest));
    }
    for (unsigned dim = 0; dim < 3; ++dim) local_id_[dim] = b_.CreateZExt(target_.getArg(2 + dim), i64);
  } else {
    Value *sizes[3] = {local_size(0), local_size(1), local_size(2)};
    Value *first = target_.getArg(1);
    Value *linear = b_.CreateAdd(b_.CreateVectorSplat(lanes_, first), lane_numbers(b_.getInt32Ty()));
    Value *count = b_.CreateTrunc(b_.CreateMul(b_.CreateMul(sizes[0], sizes[1]), sizes[2]), b_.getInt32Ty());
    entry_mask_ = b_.CreateICmpULT(linear, b_.CreateVectorSplat(lanes_, count));
    // Exact in double: both numbers are below 2^31.
    Type *f64 = FixedVectorType::get(b_.getDoubleTy(), lanes_);
    Value *rest = linear;
    for (unsigned dim = 0; dim < 2; ++dim) {
      Value *size = b_.CreateVectorSplat(lanes_, b_.CreateTrunc(sizes[dim], b_.getInt32Ty()));
      Value *quotient = b_.CreateFPToUI(b_.CreateFDiv(b_.CreateUIToFP(rest, f64), b_.CreateUIToFP(size, f64)), rest->getType());
      local_id_[dim] = b_.CreateSub(rest, b_.CreateMul(quotient, size));
      rest = quotient;
    }
    local_id_[2] = rest;
    for (Value *&id : local_id_) id = b_.CreateZExt(id, FixedVectorType::get(i64, lanes_));
  }
  b_.CreateBr(entrance(control_.plans().front().block));
}

void LaneWriter::write_block(const BlockPlan &plan) {
  plan_ = &plan;
  scalars_.clear();
  vectors_.clear();
  Type *mask_type = FixedVectorType::get(b_.getInt1Ty(), lanes_);
  if (plan.check) {
    b_.SetInsertPoint(checks_[plan.block]);
    Value *waiting = b_.CreateLoad(mask_type, mask_slot(plan.block));
    b_.CreateCondBr(any(waiting), bodies_[plan.block], entrance(plan.skip_to));
  }
  b_.SetInsertPoint(bodies_[plan.block]);
  if (plan.entry_mask) {
    mask_ = entry_mask_;
  } else {
    AllocaInst *slot = mask_slot(plan.block);
    mask_ = b_.CreateLoad(mask_type, slot);
    b_.CreateStore(Constant::getNullValue(mask_type), slot);
  }
  for (Instruction &instruction : *plan.block) {
    if (instruction.isTerminator()) break;
    b_.SetCurrentDebugLocation(instruction.getDebugLoc());
    if (auto *phi = dyn_cast<PHINode>(&instruction)) {
      AllocaInst *slot = slots_.lookup(phi);
      define(*phi, b_.CreateLoad(slot->getAllocatedType(), slot));
    } else if (const Ups intrinsic = intrinsic_of(instruction); intrinsic == Ups::kCheck) {
      checks_of_next_.push_back(cast<CallInst>(&instruction));
    } else if (intrinsic == Ups::kCheckIndex) {
      write_checked(nullptr, cast<CallInst>(&instruction));
    } else if (intrinsic == Ups::kMeetAt) {
      write_meeting(cast<CallInst>(instruction));
    } else if (!checks_of_next_.empty()) {
      write_checked(&instruction, std::exchange(checks_of_next_, {}));
    } else {
      tells_ ? write_remarked(instruction) : write_instruction(instruction);
    }
  }
  for (BasicBlock *later : plan.promises)
    if (!control_.plan(later).entry_mask) b_.CreateStore(mask_, mask_slot(later));
  write_terminator(plan);
}

void LaneWriter::write_remarked(Instruction &instruction) {
  const WrittenCode written(b_);
  write_instruction(instruction);
  const Value *pointer = getLoadStorePointerOperand(&instruction);
  written.remark_on(instruction, pointer ? shapes_.of(pointer) : Shape(), lanes_, !all_lanes());
}

void LaneWriter::write_terminator(const BlockPlan &plan) {
  Instruction *terminator = plan.block->getTerminator();
  b_.SetCurrentDebugLocation(terminator->getDebugLoc());
  if (isa<ReturnInst>(terminator)) {
    b_.CreateRetVoid();
    return;
  }
  auto *branch = cast<BranchInst>(terminator);
  bool conditional = branch->isConditional() && branch->getSuccessor(0) != branch->getSuccessor(1);
  if (!conditional) {
    write_edge(plan, branch->getSuccessor(0), mask_, true);
  } else if (plan.divergent) {
    if (tells_) remark_on_branch(*branch, plan.tested_loop || leaves_loop(*branch, control_.loops()));
    if (all_lanes() && !plan.tested_loop) write_agreement(plan, *branch);
    // Freeze: an inactive lane's condition may be poison, and one lane's poison must not affect the whole test.
    Value *condition = b_.CreateFreeze(vector(branch->getCondition()));
    // A phi that one edge writes may be an operand of a phi on the other edge.
    for (BasicBlock *to : branch->successors()) (void)edge_values(*plan.block, *to);
    write_edge(plan, branch->getSuccessor(0), b_.CreateAnd(mask_, condition), false);
    write_edge(plan, branch->getSuccessor(1), b_.CreateAnd(mask_, b_.CreateNot(condition)), false);
  } else {
    BasicBlock *from = b_.GetInsertBlock();
    BasicBlock *edges[2];
    Value *condition = scalar(branch->getCondition());
    auto scalars = scalars_;
    auto vectors = vectors_;
    for (unsigned i = 0; i < 2; ++i) {
      edges[i] = BasicBlock::Create(context_, plan.block->getName() + ".edge", &target_);
      b_.SetInsertPoint(edges[i]);
      // Values that one edge loads are not available on the other.
      scalars_ = scalars;
      vectors_ = vectors;
      write_edge(plan, branch->getSuccessor(i), mask_, true);
      BasicBlock *next = plan.next[i];
      b_.CreateBr(control_.plan(next).index <= plan.index ? bodies_[next] : entrance(next));
    }
    b_.SetInsertPoint(from);
    b_.CreateCondBr(condition, edges[0], edges[1]);
    return;
  }
  if (plan.tested_loop && !conditional && plan.active) {
    b_.CreateBr(bodies_[plan.tested_loop->getHeader()]);
  } else if (plan.tested_loop) {
    write_loop_test(plan);
  } else {
    BasicBlock *next = plan.next[0];
    b_.CreateBr(control_.plan(next).index <= plan.index ? bodies_[next] : entrance(next));
  }
}

void LaneWriter::write_loop_test(const BlockPlan &plan) {
  BasicBlock *header = plan.tested_loop->getHeader();
  Value *going_on = b_.CreateLoad(FixedVectorType::get(b_.getInt1Ty(), lanes_), mask_slot(header));
  b_.CreateCondBr(any(going_on), bodies_[header], entrance(plan.next[0]));
}

/// The current values of the phis of `to` on the edge from `from`, available until the end of the block.
SmallVector<std::pair<PHINode *, Value *>, 8> LaneWriter::edge_values(const BasicBlock &from, BasicBlock &to) {
  SmallVector<std::pair<PHINode *, Value *>, 8> values;
  for (PHINode &phi : to.phis()) {
    Value *value = phi.getIncomingValueForBlock(&from);
    bool is_scalar = shapes_.of(&phi).has_scalar();
    if (isa<UndefValue>(value) && is_scalar) continue;
    values.push_back({&phi, is_scalar ? scalar(value) : vector(value)});
  }
  return values;
}

/// Passes the lanes of `edge_mask` and their phi values to `to`. `whole`: all lanes of the block go there.
void LaneWriter::write_edge(const BlockPlan &plan, BasicBlock *to, Value *edge_mask, bool whole) {
  const BlockPlan &target = control_.plan(to);
  if (!target.entry_mask && !target.equivalent) {
    AllocaInst *slot = mask_slot(to);
    Value *waiting = b_.CreateLoad(slot->getAllocatedType(), slot);
    b_.CreateStore(b_.CreateOr(waiting, edge_mask), slot);
  }
  for (auto [phi, now] : edge_values(*plan.block, *to)) {
    AllocaInst *slot = slots_.lookup(phi);
    bool is_scalar = shapes_.of(phi).has_scalar();
    if (target.blend && !(is_scalar && whole && plan.active)) {
      Value *before = b_.CreateLoad(slot->getAllocatedType(), slot);
      now = is_scalar ? b_.CreateSelect(any(edge_mask), now, before) : blend(edge_mask, now, before);
    }
    b_.CreateStore(now, slot);
  }
}

}  // namespace upsweep::passes
