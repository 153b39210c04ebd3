// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Turns an instruction of a work-item into an instruction of the sub-group.
#include <llvm/Analysis/VectorUtils.h>
#include <llvm/IR/GetElementPtrTypeIterator.h>
#include <llvm/IR/IntrinsicInst.h>

#include "passes/cpu/arithmetic.h"
#include "passes/cpu/lanes/lane_writer.h"

using namespace llvm;

namespace upsweep::passes {

void LaneWriter::write_instruction(Instruction &instruction) {
  if (auto *intrinsic = dyn_cast<IntrinsicInst>(&instruction)) {
    if (intrinsic->isAssumeLikeIntrinsic() || isa<DbgInfoIntrinsic>(intrinsic)) return;
  }
  if (write_uniform(instruction)) return;
  Shape shape = shapes_.of(&instruction);
  if (shape.kind == Shape::kStep && !isa<CallBase, AllocaInst>(instruction)) {
    write_stepped(instruction);
    return;
  }
  define(instruction, write_varying(instruction));
}

/// Emits the instruction once for all lanes if the result is the same.
bool LaneWriter::write_uniform(Instruction &instruction) {
  if (instruction.getType()->isVoidTy()) {
    if (auto *call = dyn_cast<CallBase>(&instruction)) {
      if (call_lanes(*call, cover_) != CallLanes::kUniform) return false;
    } else if (!isa<FenceInst>(instruction)) {
      return false;
    }
  } else {
    if (!shapes_.of(&instruction).is_uniform()) return false;
    const UpsFunction &callee = ups_function(instruction);
    if (callee.is_of_sub_group() || callee.id == Ups::kLocalId) return false;
  }
  if (intrinsic_of(instruction) == Ups::kSubGroupBarrier) {
    // The lanes of a sub-group run in lockstep, so only the compiler must preserve the order of memory accesses.
    b_.CreateFence(AtomicOrdering::AcquireRelease);
    return true;
  }
  Instruction *copy = instruction.clone();
  // OpenCL requires equal operands of all work-items, such as a barrier's flags; where they differ, the operands of one lane
  // count.
  for (Use &use : copy->operands()) {
    Value *value = use.get();
    if (!isa<Instruction>(value)) continue;
    const bool is_alike = shapes_.of(value).has_scalar();
    use.set(is_alike ? scalar(value) : lane_element(vector(value), value->getType(), first_lane(mask_)));
  }
  b_.Insert(copy, instruction.getName());
  define(instruction, copy->getType()->isVoidTy() ? nullptr : copy);
  return true;
}

/// The first number of a strict step (lane_shapes.h), whether or not lane 0 is active.
void LaneWriter::write_stepped(Instruction &instruction) {
  if (auto *address = dyn_cast<GetElementPtrInst>(&instruction); address && shapes_.interleaved_address(address)) {
    Value *base = scalar(address->getPointerOperand());
    define(instruction, b_.CreateGEP(b_.getInt8Ty(), base, address_offset(*address, false)));
    return;
  }
  Instruction *copy = first_of_step(instruction);
  for (Use &use : copy->operands())
    if (isa<Instruction>(use.get())) use.set(scalar_at(use.get(), b_.getInt64(0)));
  b_.Insert(copy, instruction.getName());
  define(instruction, copy);
}

Value *LaneWriter::write_varying(Instruction &instruction) {
  if (auto *call = dyn_cast<CallBase>(&instruction)) return write_call(*call);
  if (auto *load = dyn_cast<LoadInst>(&instruction)) return write_load(*load);
  if (auto *store = dyn_cast<StoreInst>(&instruction)) {
    write_store(*store);
    return nullptr;
  }
  if (auto *atomic = dyn_cast<AtomicRMWInst>(&instruction)) return write_atomic(*atomic);
  if (auto *variable = dyn_cast<AllocaInst>(&instruction)) return write_variable(*variable);
  if (auto *address = dyn_cast<GetElementPtrInst>(&instruction)) return write_address(*address);
  if (auto *select = dyn_cast<SelectInst>(&instruction)) return write_select(*select);
  if (auto *binary = dyn_cast<BinaryOperator>(&instruction)) {
    if (binary->isIntDivRem()) return write_division(*binary);
    Value *value = b_.CreateBinOp(binary->getOpcode(), vector(binary->getOperand(0)), vector(binary->getOperand(1)));
    if (auto *made = dyn_cast<Instruction>(value)) made->copyIRFlags(binary);
    return value;
  }
  if (auto *unary = dyn_cast<UnaryOperator>(&instruction)) {
    Value *value = b_.CreateUnOp(unary->getOpcode(), vector(unary->getOperand(0)));
    if (auto *made = dyn_cast<Instruction>(value)) made->copyIRFlags(unary);
    return value;
  }
  if (auto *compare = dyn_cast<CmpInst>(&instruction)) {
    Value *value = b_.CreateCmp(compare->getPredicate(), vector(compare->getOperand(0)), vector(compare->getOperand(1)));
    if (auto *made = dyn_cast<Instruction>(value)) made->copyIRFlags(compare);
    return value;
  }
  if (auto *cast = dyn_cast<CastInst>(&instruction)) {
    Value *value = b_.CreateCast(cast->getOpcode(), vector(cast->getOperand(0)), widened(cast->getType()));
    if (auto *made = dyn_cast<Instruction>(value)) made->copyIRFlags(cast);
    return value;
  }
  if (isa<FreezeInst>(instruction)) {
    if (instruction.getType()->isAggregateType()) return write_lane_loop(instruction);
    return b_.CreateFreeze(vector(instruction.getOperand(0)));
  }
  if (auto *extract = dyn_cast<ExtractValueInst>(&instruction))
    return b_.CreateExtractValue(vector(extract->getAggregateOperand()), extract->getIndices());
  if (auto *insert = dyn_cast<InsertValueInst>(&instruction))
    return b_.CreateInsertValue(vector(insert->getAggregateOperand()), vector(insert->getInsertedValueOperand()),
                                insert->getIndices());
  if (isa<ExtractElementInst, InsertElementInst, ShuffleVectorInst>(instruction)) return write_components(instruction);
  return write_lane_loop(instruction);  // compare-exchange, and rare instructions
}

/// Integer division by a divisor that is valid in active lanes (safe_division.h). x86 has no vector form, and scalar division
/// would trap for inactive lanes. Up to 32 bits it uses double, where the quotient of two 32-bit integers is exact after
/// truncation.
Value *LaneWriter::write_division(BinaryOperator &division) {
  unsigned opcode = division.getOpcode();
  bool is_signed = opcode == Instruction::SDiv || opcode == Instruction::SRem;
  bool remainder = opcode == Instruction::SRem || opcode == Instruction::URem;
  Value *numerator = vector(division.getOperand(0));
  Value *denominator = vector(division.getOperand(1));
  auto *type = cast<FixedVectorType>(numerator->getType());
  bool constant = isa<Constant>(division.getOperand(1)) && shapes_.of(division.getOperand(1)).is_uniform();
  if (constant) return b_.CreateBinOp(division.getOpcode(), numerator, denominator);
  unsigned components = type->getNumElements() / lanes_;
  if (!all_lanes()) denominator = b_.CreateSelect(spread_mask(mask_, components), denominator, ConstantInt::get(type, 1));
  if (type->getScalarSizeInBits() > 32)
    return divide_wide(division.getOpcode(), b_.CreateFreeze(numerator), b_.CreateFreeze(denominator));
  Type *real = FixedVectorType::get(b_.getDoubleTy(), type->getNumElements());
  // 64-bit integers represent every quotient, including one that overflows.
  Type *wide =
      FixedVectorType::get(type->getScalarSizeInBits() < 32 ? b_.getInt32Ty() : b_.getInt64Ty(), type->getNumElements());
  auto to_real = [&](Value *value) { return is_signed ? b_.CreateSIToFP(value, real) : b_.CreateUIToFP(value, real); };
  Value *ratio = b_.CreateFDiv(to_real(numerator), to_real(denominator));
  Value *quotient = type->getScalarSizeInBits() == 32 && !is_signed ? b_.CreateFPToUI(ratio, type)
                                                                    : b_.CreateTrunc(b_.CreateFPToSI(ratio, wide), type);
  return remainder ? b_.CreateSub(numerator, b_.CreateMul(quotient, denominator)) : quotient;
}

/// 64-bit division by a valid denominator. Sizes and ids have 64 bits but are small. If all lanes' operands are below 2^52, the
/// quotient comes from double and is at most one too large; otherwise from a scalar division per lane.
Value *LaneWriter::divide_wide(Instruction::BinaryOps opcode, Value *numerator, Value *denominator) {
  Type *type = numerator->getType();
  StringRef features = target_.getFnAttribute("target-features").getValueAsString();
  if (type->getScalarSizeInBits() != 64 || !features.contains("+avx512dq"))
    return b_.CreateBinOp(opcode, numerator, denominator);
  bool remainder = opcode == Instruction::SRem || opcode == Instruction::URem;
  Value *high = b_.CreateLShr(b_.CreateOr(numerator, denominator), ConstantInt::get(type, 52));
  Value *small = b_.CreateICmpEQ(b_.CreateOrReduce(high), b_.getInt64(0));
  BasicBlock *fast = BasicBlock::Create(context_, "divide.small", &target_);
  BasicBlock *slow = BasicBlock::Create(context_, "divide.large", &target_);
  BasicBlock *done = BasicBlock::Create(context_, "divided", &target_);
  b_.CreateCondBr(small, fast, slow);

  b_.SetInsertPoint(fast);
  Type *real = FixedVectorType::get(b_.getDoubleTy(), cast<FixedVectorType>(type)->getNumElements());
  Value *ratio = b_.CreateFDiv(b_.CreateSIToFP(numerator, real), b_.CreateSIToFP(denominator, real));
  Value *quotient = b_.CreateFPToSI(ratio, type);
  Value *rest = b_.CreateSub(numerator, b_.CreateMul(quotient, denominator));
  Value *too_large = b_.CreateICmpSLT(rest, Constant::getNullValue(type));
  Value *quick = remainder ? b_.CreateSelect(too_large, b_.CreateAdd(rest, denominator), rest)
                           : b_.CreateSelect(too_large, b_.CreateSub(quotient, ConstantInt::get(type, 1)), quotient);
  b_.CreateBr(done);

  b_.SetInsertPoint(slow);
  Value *exact = b_.CreateBinOp(opcode, numerator, denominator);
  b_.CreateBr(done);

  b_.SetInsertPoint(done);
  PHINode *value = b_.CreatePHI(type, 2);
  value->addIncoming(quick, fast);
  value->addIncoming(exact, slow);
  return value;
}

Value *LaneWriter::write_select(SelectInst &select) {
  Value *condition = select.getCondition();
  Value *yes = vector(select.getTrueValue());
  Value *no = vector(select.getFalseValue());
  if (condition->getType()->isVectorTy()) return b_.CreateSelect(vector(condition), yes, no);
  if (shapes_.of(condition).is_uniform()) return b_.CreateSelect(scalar(condition), yes, no);
  if (select.getType()->isAggregateType()) return blend(vector(condition), yes, no);
  unsigned components = cast<FixedVectorType>(yes->getType())->getNumElements() / lanes_;
  Value *value = b_.CreateSelect(spread_mask(vector(condition), components), yes, no);
  if (auto *made = dyn_cast<Instruction>(value); made && isa<FPMathOperator>(made) && isa<FPMathOperator>(select))
    made->copyFastMathFlags(&select);
  return value;
}

/// The byte offset that an address adds to its base: a vector, or a scalar if it is uniform.
Value *LaneWriter::address_offset(GetElementPtrInst &address, bool wide) {
  Type *type = wide ? widened(b_.getInt64Ty()) : b_.getInt64Ty();
  Value *offset = Constant::getNullValue(type);
  for (auto it = gep_type_begin(address); it != gep_type_end(address); ++it) {
    if (StructType *record = it.getStructTypeOrNull()) {
      uint64_t field = cast<ConstantInt>(it.getOperand())->getZExtValue();
      offset = b_.CreateAdd(offset,
                            ConstantInt::get(type, layout_.getStructLayout(record)->getElementOffset(field).getFixedValue()));
    } else {
      Value *index = wide ? vector(it.getOperand()) : scalar(it.getOperand());
      Value *stride = ConstantInt::get(type, it.getSequentialElementStride(layout_).getFixedValue());
      offset = b_.CreateAdd(offset, b_.CreateMul(b_.CreateSExtOrTrunc(index, type), stride));
    }
  }
  if (shapes_.interleaved_address(&address)) offset = b_.CreateMul(offset, ConstantInt::get(type, lanes_));
  return offset;
}

Value *LaneWriter::write_address(GetElementPtrInst &address) {
  if (address.getType()->isVectorTy()) return write_lane_loop(address);
  return b_.CreateGEP(b_.getInt8Ty(), vector(address.getPointerOperand()), address_offset(address, true));
}

Value *LaneWriter::write_components(Instruction &instruction) {
  if (auto *shuffle = dyn_cast<ShuffleVectorInst>(&instruction)) {
    int from = cast<FixedVectorType>(shuffle->getOperand(0)->getType())->getNumElements();
    SmallVector<int, 64> picked;
    for (unsigned lane = 0; lane < lanes_; ++lane)
      for (int index : shuffle->getShuffleMask())
        picked.push_back(index < 0      ? index
                         : index < from ? static_cast<int>(lane) * from + index
                                        : static_cast<int>(lanes_ + lane) * from + (index - from));
    return b_.CreateShuffleVector(vector(shuffle->getOperand(0)), vector(shuffle->getOperand(1)), picked);
  }
  if (auto known = channels_.find(instruction.getOperand(0)); known != channels_.end())
    return known->second[cast<ConstantInt>(instruction.getOperand(1))->getZExtValue()];
  bool inserts = isa<InsertElementInst>(instruction);
  Value *index = instruction.getOperand(inserts ? 2 : 1);
  int width = cast<FixedVectorType>(instruction.getOperand(0)->getType())->getNumElements();
  Value *whole = vector(instruction.getOperand(0));
  auto pick = [&](Value *from, unsigned number) { return component(from, width, number); };
  auto put = [&](Value *into, Value *element, int component) {
    SmallVector<int, 64> apart, picked;
    for (int i = 0; i < static_cast<int>(lanes_) * width; ++i) {
      apart.push_back(i % width == component ? i / width : -1);
      picked.push_back(i % width == component ? static_cast<int>(lanes_) * width + i : i);
    }
    return b_.CreateShuffleVector(into, b_.CreateShuffleVector(element, apart), picked);
  };
  Value *element = inserts ? vector(instruction.getOperand(1)) : nullptr;
  if (auto *constant = dyn_cast<ConstantInt>(index)) {
    int component = constant->getValue().ult(width) ? constant->getZExtValue() : 0;
    return inserts ? put(whole, element, component) : pick(whole, component);
  }
  // A component chosen at run time: select each component in the lanes that chose it.
  Value *chosen = vector(index);
  Value *made = inserts ? whole : pick(whole, 0);
  for (int component = inserts ? 0 : 1; component < width; ++component) {
    Value *here = b_.CreateICmpEQ(chosen, ConstantInt::get(chosen->getType(), component));
    if (inserts)
      made = put(made, b_.CreateSelect(here, element, pick(made, component)), component);
    else
      made = b_.CreateSelect(here, pick(whole, component), made);
  }
  return made;
}

/// A private variable: one copy per lane, either whole or element by element (LaneShapes::interleaved_bytes).
Value *LaneWriter::write_variable(AllocaInst &variable) {
  uint64_t bytes = layout_.getTypeAllocSize(variable.getAllocatedType());
  uint64_t stride = alignTo(bytes, variable.getAlign());
  AllocaInst *all = memory(b_.getInt8Ty(), std::max<uint64_t>(stride, 1) * lanes_, variable.getName());
  all->setAlignment(std::max(variable.getAlign(), Align(64)));
  return all;
}

Value *LaneWriter::write_call(CallBase &call) {
  if (auto *fill = dyn_cast<MemSetInst>(&call)) {
    if (auto *variable = dyn_cast<AllocaInst>(fill->getDest()); variable && shapes_.interleaved_bytes(variable)) {
      write_fill(*fill);
      return nullptr;
    }
  }
  if (auto *intrinsic = dyn_cast<IntrinsicInst>(&call))
    if (Value *value = write_intrinsic(*intrinsic)) return value;
  const UpsFunction &callee = ups_function(call);
  if (callee.is_of_sub_group()) return write_collective(call, callee);
  if (callee.effect == Effect::kArithmetic) {
    SmallVector<Value *, 2> arguments;
    for (Value *argument : call.args()) arguments.push_back(vector(argument));
    return write_arithmetic(b_, callee.id, arguments);
  }
  if (callee.id == Ups::kRace) {
    write_race(cast<CallInst>(call));
    return nullptr;
  }
  if (callee.is_image_access()) return write_image_access(call, callee);
  if (callee.id == Ups::kLane) return ConstantInt::get(call.getType(), 0);
  if (callee.id == Ups::kLocalId) {
    Value *dim = call.getArgOperand(0);
    if (auto *constant = dyn_cast<ConstantInt>(dim))
      return local_id_[constant->getValue().ult(3) ? constant->getZExtValue() : 0];
    Value *ids[3];
    for (unsigned i = 0; i < 3; ++i)
      ids[i] = local_id_[i]->getType()->isVectorTy() ? local_id_[i]
               : i == 0                              ? step_vector(local_id_[0], 1)
                                                     : spread(local_id_[i]);
    Value *chosen = vector(dim);
    auto is = [&](unsigned i) { return b_.CreateICmpEQ(chosen, ConstantInt::get(chosen->getType(), i)); };
    return b_.CreateSelect(is(0), ids[0], b_.CreateSelect(is(1), ids[1], ids[2]));
  }
  return write_lane_loop(call);
}

/// LLVM intrinsics that have a vector form; null for others.
Value *LaneWriter::write_intrinsic(IntrinsicInst &intrinsic) {
  Intrinsic::ID id = intrinsic.getIntrinsicID();
  bool vectorizable = isTriviallyVectorizable(id);
  switch (id) {
  case Intrinsic::uadd_with_overflow:
  case Intrinsic::sadd_with_overflow:
  case Intrinsic::usub_with_overflow:
  case Intrinsic::ssub_with_overflow:
  case Intrinsic::umul_with_overflow:
  case Intrinsic::smul_with_overflow:
  case Intrinsic::ldexp:
  case Intrinsic::is_fpclass: vectorizable = true; break;
  default: break;
  }
  if (!vectorizable) return nullptr;
  SmallVector<Value *, 4> arguments;
  SmallVector<Type *, 4> types, overloads;
  for (unsigned i = 0; i < intrinsic.arg_size(); ++i) {
    Value *argument = intrinsic.getArgOperand(i);
    bool keep = isVectorIntrinsicWithScalarOpAtArg(id, i) || (id == Intrinsic::is_fpclass && i == 1);
    if (keep && !shapes_.of(argument).is_uniform()) return nullptr;
    arguments.push_back(keep ? scalar(argument) : vector(argument));
    types.push_back(arguments.back()->getType());
  }
  auto *signature = FunctionType::get(widened(intrinsic.getType()), types, false);
  if (!Intrinsic::getIntrinsicSignature(id, signature, overloads)) return nullptr;
  Function *declaration = Intrinsic::getDeclaration(item_.getParent(), id, overloads);
  CallInst *made = b_.CreateCall(declaration, arguments);
  if (isa<FPMathOperator>(made)) made->copyFastMathFlags(&intrinsic);
  return made;
}

}  // namespace upsweep::passes
