// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Steps between lanes, by an optimistic fixed point over the function.
#include "passes/cpu/lanes/lane_shapes.h"

#include <llvm/IR/GetElementPtrTypeIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>

using namespace llvm;

namespace upsweep::passes {
namespace {

constexpr Shape kVaryingShape{Shape::kVarying, 0};
constexpr Shape kUniformShape{Shape::kUniform, 0};

Shape::Kind worse(Shape::Kind a, Shape::Kind b) { return std::max(a, b); }

/// a + sign × b; steps wrap as the values do.
Shape sum(Shape a, Shape b, int64_t sign) {
  Shape::Kind kind = worse(a.kind, b.kind);
  if (a.kind == Shape::kUnknown || b.kind == Shape::kUnknown) return {};
  if (kind == Shape::kVarying) return kVaryingShape;
  return {kind,
          static_cast<int64_t>(static_cast<uint64_t>(a.step) + static_cast<uint64_t>(sign) * static_cast<uint64_t>(b.step))};
}

Shape scaled(Shape a, int64_t factor) {
  if (a.kind == Shape::kVarying || a.kind == Shape::kUnknown) return a;
  return {a.kind, static_cast<int64_t>(static_cast<uint64_t>(a.step) * static_cast<uint64_t>(factor))};
}

}  // namespace

LaneShapes::LaneShapes(Function &function, const LaneUniformity &uniformity, const LaneControl &control, Cover cover)
    : uniformity_(uniformity), control_(control), layout_(function.getParent()->getDataLayout()), cover_(cover) {
  for (Instruction &instruction : function.getEntryBlock())
    if (auto *variable = dyn_cast<AllocaInst>(&instruction)) find_interleaved(*variable);
  for (bool changed = true; changed;) {
    changed = false;
    for (const BlockPlan &plan : control.plans()) {
      for (Instruction &instruction : *plan.block) {
        if (instruction.getType()->isVoidTy()) continue;
        Shape shape = compute(instruction);
        // A one-bit step says nothing that a vector would not.
        if (shape.kind == Shape::kStep || shape.kind == Shape::kLooseStep)
          if (!instruction.getType()->isPointerTy() &&
              !(instruction.getType()->isIntegerTy() && !instruction.getType()->isIntegerTy(1)))
            shape = kVaryingShape;
        Shape &known = shapes_[&instruction];
        if (known == shape) continue;
        known = known.kind > shape.kind ? kVaryingShape : shape;  // only ever downwards, so that this ends
        changed = true;
      }
    }
  }
}

Shape LaneShapes::of(const Value *value) const {
  if (!isa<Instruction>(value)) return kUniformShape;
  return shapes_.lookup(value);
}

void LaneShapes::find_interleaved(AllocaInst &variable) {
  if (!variable.isStaticAlloca() || variable.isArrayAllocation()) return;
  uint64_t bytes = layout_.getTypeAllocSize(variable.getAllocatedType());
  uint64_t element = 0;
  SmallVector<Instruction *, 16> work{&variable};
  SmallVector<GetElementPtrInst *, 16> addresses;
  auto accept = [&](Type *type) {
    uint64_t size = layout_.getTypeStoreSize(type);
    bool plain = (type->isIntOrIntVectorTy() || type->isFPOrFPVectorTy() || type->isPointerTy()) && isPowerOf2_64(size) &&
                 size == layout_.getTypeAllocSize(type) && (element == 0 || element == size);
    element = size;
    return plain;
  };
  while (!work.empty()) {
    Instruction *pointer = work.pop_back_val();
    for (User *user : pointer->users()) {
      if (auto *address = dyn_cast<GetElementPtrInst>(user)) {
        if (address->getType()->isVectorTy() || address->getPointerOperand() != pointer) return;
        addresses.push_back(address);
        work.push_back(address);
      } else if (auto *load = dyn_cast<LoadInst>(user)) {
        if (!load->isSimple() || !accept(load->getType())) return;
      } else if (auto *store = dyn_cast<StoreInst>(user)) {
        if (!store->isSimple() || store->getValueOperand() == pointer || !accept(store->getValueOperand()->getType())) return;
      } else if (auto *fill = dyn_cast<MemSetInst>(user)) {
        auto *length = dyn_cast<ConstantInt>(fill->getLength());
        if (pointer != &variable || fill->isVolatile() || !length || length->getZExtValue() != bytes) return;
      } else {
        auto *marker = dyn_cast<IntrinsicInst>(user);
        if (!marker || !marker->isLifetimeStartOrEnd()) return;
      }
    }
  }
  if (element == 0 || bytes % element != 0) return;
  // Offsets are only multiplied by the number of lanes, so each must be a multiple of the element.
  for (GetElementPtrInst *address : addresses) {
    for (auto it = gep_type_begin(address); it != gep_type_end(address); ++it) {
      if (StructType *type = it.getStructTypeOrNull()) {
        uint64_t field = cast<ConstantInt>(it.getOperand())->getZExtValue();
        if (layout_.getStructLayout(type)->getElementOffset(field).getFixedValue() % element != 0) return;
      } else if (it.getSequentialElementStride(layout_).getFixedValue() % element != 0) {
        auto *constant = dyn_cast<ConstantInt>(it.getOperand());
        if (!constant || (constant->getSExtValue() * it.getSequentialElementStride(layout_).getFixedValue()) % element != 0)
          return;
      }
    }
  }
  interleaved_[&variable] = element;
  for (GetElementPtrInst *address : addresses) interleaved_gep_[address] = element;
}

Shape LaneShapes::compute(Instruction &instruction) const {
  if (uniformity_.is_uniform(instruction) && !isa<AllocaInst>(instruction)) return kUniformShape;
  auto operand = [&](unsigned i) { return of(instruction.getOperand(i)); };
  auto constant = [&](unsigned i) { return dyn_cast<ConstantInt>(instruction.getOperand(i)); };
  switch (instruction.getOpcode()) {
  case Instruction::Add: return sum(operand(0), operand(1), 1);
  case Instruction::Sub: return sum(operand(0), operand(1), -1);
  case Instruction::Or:
    return cast<PossiblyDisjointInst>(instruction).isDisjoint() ? sum(operand(0), operand(1), 1) : kVaryingShape;
  case Instruction::Mul:
    if (constant(1) && constant(1)->getBitWidth() <= 64) return scaled(operand(0), constant(1)->getSExtValue());
    return kVaryingShape;
  case Instruction::Shl:
    if (constant(1) && constant(1)->getValue().ult(63)) return scaled(operand(0), int64_t{1} << constant(1)->getZExtValue());
    return kVaryingShape;
  case Instruction::Trunc:
  case Instruction::Freeze:
  case Instruction::AddrSpaceCast:
  case Instruction::PtrToInt: return operand(0);
  case Instruction::IntToPtr: return instruction.getOperand(0)->getType()->isIntegerTy(64) ? operand(0) : kVaryingShape;
  case Instruction::BitCast:
    return instruction.getType()->isIntOrPtrTy() && instruction.getOperand(0)->getType()->isIntOrPtrTy() ? operand(0)
                                                                                                         : kVaryingShape;
  case Instruction::SExt:
  case Instruction::ZExt:
  case Instruction::AShr:
  case Instruction::LShr:
  case Instruction::And: return compute_extension(instruction);
  case Instruction::GetElementPtr: return compute_address(cast<GetElementPtrInst>(instruction));
  case Instruction::PHI: return compute_phi(cast<PHINode>(instruction));
  case Instruction::Select: {
    Shape a = operand(1), b = operand(2);
    if (a.kind == Shape::kUnknown || b.kind == Shape::kUnknown) return {};
    return operand(0).is_uniform() && a == b && a.kind == Shape::kStep ? a : kVaryingShape;
  }
  case Instruction::Alloca: return compute_variable(cast<AllocaInst>(instruction));
  case Instruction::Call: return compute_call(cast<CallBase>(instruction));
  default: return kVaryingShape;
  }
}

// Extensions of integers, also in the forms that InstCombine gives them: shifts to the right and masks of the low bits.
Shape LaneShapes::compute_extension(const Instruction &instruction) const {
  Shape shape = of(instruction.getOperand(0));
  if (shape.kind == Shape::kUnknown) return shape;
  if (isa<CastInst>(instruction)) {
    if (instruction.getOperand(0)->getType()->getScalarSizeInBits() < 32) return kVaryingShape;
    if (shape.kind == Shape::kStep) shape.kind = Shape::kLooseStep;
    return shape;
  }
  auto *constant = dyn_cast<ConstantInt>(instruction.getOperand(1));
  if (!constant || shape.kind == Shape::kVarying) return kVaryingShape;
  const APInt &bits = constant->getValue();
  if (instruction.getOpcode() == Instruction::And)
    return bits.isMask() && bits.countr_one() >= 32 ? Shape{Shape::kLooseStep, shape.step} : kVaryingShape;
  unsigned width = instruction.getType()->getScalarSizeInBits();
  if (auto *shifted = dyn_cast<BinaryOperator>(instruction.getOperand(0)); shifted && shifted->getOpcode() == Instruction::Shl)
    if (auto *left = dyn_cast<ConstantInt>(shifted->getOperand(1))) width -= left->getZExtValue();
  if (bits.uge(63) || width < 32 || shape.step % (int64_t{1} << bits.getZExtValue()) != 0) return kVaryingShape;
  return {Shape::kLooseStep, shape.step >> bits.getZExtValue()};
}

Shape LaneShapes::compute_variable(const AllocaInst &variable) const {
  if (!variable.isStaticAlloca()) return kVaryingShape;
  if (uint64_t element = interleaved_bytes(&variable)) return {Shape::kStep, static_cast<int64_t>(element)};
  uint64_t bytes = layout_.getTypeAllocSize(variable.getAllocatedType());
  return {Shape::kStep, static_cast<int64_t>(alignTo(bytes, variable.getAlign()))};
}

Shape LaneShapes::compute_call(const CallBase &call) const {
  StringRef name = callee_name(call);
  if (name == "__ups_lane") return {Shape::kStep, 1};
  if (name == "__ups_local_id" && shares_row(cover_))
    if (auto *dim = dyn_cast<ConstantInt>(call.getArgOperand(0)); dim && dim->isZero()) return {Shape::kStep, 1};
  return kVaryingShape;
}

Shape LaneShapes::compute_address(GetElementPtrInst &address) const {
  if (address.getType()->isVectorTy()) return kVaryingShape;
  Shape base = of(address.getPointerOperand());
  Shape offset = kUniformShape;
  for (auto it = gep_type_begin(address); it != gep_type_end(address); ++it) {
    if (it.isStruct()) continue;
    offset = sum(offset, scaled(of(it.getOperand()), it.getSequentialElementStride(layout_).getFixedValue()), 1);
  }
  if (interleaved_address(&address) && !offset.is_uniform() && offset.kind != Shape::kUnknown) return kVaryingShape;
  Shape shape = sum(base, offset, 1);
  // With all lanes of the sub-group active, lane 0's address counts, and nothing can wrap between lanes of one access. Pointers
  // are used for nothing else, so the loose step may become a strict one and live in loops.
  if (shape.kind == Shape::kLooseStep && shares_row(cover_) && control_.plan(address.getParent()).entry_mask)
    shape.kind = Shape::kStep;
  return shape;
}

Shape LaneShapes::compute_phi(PHINode &phi) const {
  if (control_.plan(phi.getParent()).blend) return kVaryingShape;
  Shape common;
  for (Value *value : phi.incoming_values()) {
    if (isa<UndefValue>(value)) continue;
    Shape shape = of(value);
    if (shape.kind == Shape::kUnknown) continue;
    if (common.kind == Shape::kUnknown)
      common = shape;
    else if (!(common == shape))
      return kVaryingShape;
  }
  return common.kind == Shape::kLooseStep ? kVaryingShape : common;
}

}  // namespace upsweep::passes
