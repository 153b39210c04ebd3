// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Computes the steps between lanes by an optimistic fixed-point iteration over the function. `Shape` describes what they
// promise.
#include "passes/cpu/lanes/lane_shapes.h"

#include <llvm/ADT/SetVector.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/GetElementPtrTypeIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/PatternMatch.h>

using namespace llvm;
using namespace llvm::PatternMatch;

namespace upsweep::passes {
namespace {

constexpr Shape kVaryingShape{Shape::kVarying};
constexpr Shape kUniformShape{Shape::kUniform};

// The limit of a step in bytes, and the distance of 64 lanes with that step; vector accesses have smaller steps.
constexpr int64_t kFarthestStep = int64_t{1} << 20, kFarthestLanes = 64 * kFarthestStep;

// No object has 2^47 bytes: x86-64 has that much address space per process with four levels of page tables. With five, a
// process gets more only by requesting addresses there.
constexpr uint8_t kAddressBits = 47;

// Limits of the search in is_used_by_all(), which nearly always ends close to the pointer.
constexpr unsigned kMostUsers = 32, kMostBlocks = 64, kMostPointers = 4;

Shape::Kind worse(Shape::Kind a, Shape::Kind b) { return std::max(a, b); }

/// a + sign × b; steps wrap like the values.
Shape sum(Shape a, Shape b, int64_t sign) {
  Shape::Kind kind = worse(a.kind, b.kind);
  if (a.kind == Shape::kUnknown || b.kind == Shape::kUnknown) return {};
  if (kind == Shape::kVarying) return kVaryingShape;
  return {kind,
          static_cast<int64_t>(static_cast<uint64_t>(a.step) + static_cast<uint64_t>(sign) * static_cast<uint64_t>(b.step)),
          std::min(a.wrap, b.wrap)};
}

Shape scaled(Shape a, int64_t factor) {
  if (a.kind == Shape::kVarying || a.kind == Shape::kUnknown) return a;
  // k × 2^wrap × factor is a multiple of 2^wrap and of each power of two in the factor.
  const unsigned wrap = std::min<unsigned>(a.wrap + countr_zero(static_cast<uint64_t>(factor)), Shape::kNoWrap);
  return {a.kind, static_cast<int64_t>(static_cast<uint64_t>(a.step) * static_cast<uint64_t>(factor)),
          a.kind == Shape::kLooseStep ? static_cast<uint8_t>(wrap) : Shape::kNoWrap};
}

/// Whether all active lanes have the same value, which is the first.
bool is_level(Shape shape) { return shape.is_uniform() || (shape.kind == Shape::kStep && shape.step == 0); }

/// A step that wraps at 2^wrap, or where it did before.
Shape loose(Shape shape, int64_t step, unsigned wrap) {
  return {Shape::kLooseStep, step, static_cast<uint8_t>(std::min<unsigned>(shape.wrap, wrap))};
}

/// An id within a work-group or a sub-group, truncated to at least 32 bits: no lane's value wraps when it is extended. (Joined
/// work-groups have at most UPSWEEP_MAX_JOINED_ITEMS.)
bool is_local_id(const Value *value) {
  if (auto *cut = dyn_cast<TruncInst>(value)) value = cut->getOperand(0);
  auto *call = dyn_cast<CallBase>(value);
  if (!call || value->getType()->getScalarSizeInBits() < 32) return false;
  const Ups intrinsic = intrinsic_of(*call);
  return intrinsic == Ups::kLane || intrinsic == Ups::kLocalId;
}

}  // namespace

Instruction *first_of_step(const Instruction &instruction) {
  if (auto *join = dyn_cast<PossiblyDisjointInst>(&instruction))
    return BinaryOperator::CreateAdd(join->getOperand(0), join->getOperand(1));
  Instruction *copy = instruction.clone();
  copy->dropPoisonGeneratingFlags();
  return copy;
}

LaneShapes::LaneShapes(Function &function, const LaneUniformity &uniformity, const LaneControl &control, Cover cover)
    : uniformity_(uniformity), control_(control), layout_(function.getParent()->getDataLayout()), cover_(cover) {
  for (Instruction &instruction : function.getEntryBlock())
    if (auto *variable = dyn_cast<AllocaInst>(&instruction)) find_interleaved(*variable);
  for (bool changed = true; changed;) {
    changed = false;
    for (const BlockPlan &plan : control.plans()) {
      for (Instruction &instruction : *plan.block) {
        if (instruction.getType()->isVoidTy()) continue;
        Shape shape = normal(compute(instruction), *instruction.getType());
        Shape &known = shapes_[&instruction];
        if (known == shape) continue;
        known = known.kind > shape.kind ? kVaryingShape : shape;  // only downwards, so that the iteration ends
        changed = true;
      }
    }
  }
  find_wraps(function);
}

void LaneShapes::find_wraps(Function &function) {
  auto note = [&](const Value &pointer, uint8_t wrap) {
    const Value *object = getUnderlyingObject(&pointer);
    auto *variable = dyn_cast<GlobalVariable>(object);
    const bool small = isa<AllocaInst>(object) || (variable && layout_.getTypeAllocSize(variable->getValueType()) < 1u << 31);
    if (!small) least_wrap_ = std::min(least_wrap_, wrap);
  };
  for (BasicBlock &block : function) {
    for (Instruction &instruction : block) {
      const Value *pointer = getLoadStorePointerOperand(&instruction);
      if (pointer && of(pointer).kind == Shape::kLooseStep) note(*pointer, of(pointer).wrap);
    }
  }
  for (auto [address, wrap] : taken_for_strict_)
    if (of(address).kind == Shape::kStep) note(*address, wrap);
}

std::optional<uint64_t> LaneShapes::largest_object() const {
  if (least_wrap_ > kAddressBits) return std::nullopt;
  return (uint64_t{1} << least_wrap_) - kFarthestLanes;
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
  // Offsets are multiplied by the number of lanes, so each must be a multiple of the element size.
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

/// The shape that a value of this type can have.
Shape LaneShapes::normal(Shape shape, const Type &type) const {
  if (shape.kind != Shape::kStep && shape.kind != Shape::kLooseStep) return shape;
  if (shape.kind == Shape::kLooseStep && cover_ == Cover::kAny && shape.wrap <= kAddressBits) return kVaryingShape;
  if (type.isPointerTy()) return shape;
  // A step of a boolean is no better than a vector.
  if (!type.isIntegerTy() || type.isIntegerTy(1) || type.getIntegerBitWidth() > 64) return kVaryingShape;
  return {shape.kind, SignExtend64(static_cast<uint64_t>(shape.step), type.getIntegerBitWidth()), shape.wrap};
}

Shape LaneShapes::compute(Instruction &instruction) {
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
  // The quotient of the firsts is the first of the quotients. Only a divisor can raise an exception, so it must be uniform.
  case Instruction::UDiv:
  case Instruction::URem:
    if (operand(0).kind == Shape::kUnknown || operand(1).kind == Shape::kUnknown) return {};
    return is_level(operand(0)) && operand(1).is_uniform() ? Shape{Shape::kStep, 0} : kVaryingShape;
  case Instruction::Shl:
    if (constant(1) && constant(1)->getValue().ult(63)) return scaled(operand(0), int64_t{1} << constant(1)->getZExtValue());
    return kVaryingShape;
  // A lane's frozen poison must be the same at all uses, but a loose step is computed again at each use.
  case Instruction::Freeze: return operand(0).kind == Shape::kLooseStep ? kVaryingShape : operand(0);
  case Instruction::Trunc:
  case Instruction::AddrSpaceCast:
  case Instruction::PtrToInt: return operand(0);
  case Instruction::IntToPtr: return instruction.getOperand(0)->getType()->isIntegerTy(64) ? operand(0) : kVaryingShape;
  case Instruction::BitCast:
    return instruction.getType()->isIntOrPtrTy() && instruction.getOperand(0)->getType()->isIntOrPtrTy() ? operand(0)
                                                                                                         : kVaryingShape;
  case Instruction::SExt:
  case Instruction::ZExt:
  case Instruction::And: return compute_extension(instruction);
  case Instruction::AShr:
  case Instruction::LShr: return compute_shift(instruction);
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

// Integer extensions: casts, and masks of the low bits. Extensions of less than 32 bits wrap too often to be useful.
Shape LaneShapes::compute_extension(const Instruction &instruction) const {
  Shape shape = of(instruction.getOperand(0));
  if (shape.kind == Shape::kUnknown || shape.kind == Shape::kVarying) return shape;
  unsigned bits = instruction.getOperand(0)->getType()->getScalarSizeInBits();
  if (isa<BinaryOperator>(instruction)) {
    auto *mask = dyn_cast<ConstantInt>(instruction.getOperand(1));
    if (!mask || !mask->getValue().isMask()) return kVaryingShape;
    bits = mask->getValue().countr_one();
  }
  if (bits < 32) return kVaryingShape;
  // Phis keep a strict step but lose a loose step; this matters for loops that start at an id.
  if (is_local_id(instruction.getOperand(0)) && shape.kind == Shape::kStep) return shape;
  return loose(shape, shape.step, bits);
}

// Right shifts, into which InstCombine turns extensions and divisions. Steps remain steps if only zero bits of the step are
// shifted out. The result of a strict step wraps at 2^(width - bits); the term k × 2^wrap of a loose step must have been
// shifted out to the left.
Shape LaneShapes::compute_shift(const Instruction &instruction) const {
  Shape shape = of(instruction.getOperand(0));
  if (shape.kind == Shape::kUnknown || shape.kind == Shape::kVarying) return shape;
  auto *amount = dyn_cast<ConstantInt>(instruction.getOperand(1));
  unsigned width = instruction.getType()->getScalarSizeInBits();
  if (!amount || width > 64 || width < 32 || amount->getValue().ugt(width - 32)) return kVaryingShape;
  if (shape.kind == Shape::kLooseStep && shape.wrap < width) return kVaryingShape;
  uint64_t bits = amount->getZExtValue();
  if (shape.step % (int64_t{1} << bits) != 0) return kVaryingShape;
  // An extension of the low bits in InstCombine's form.
  Value *extended;
  const bool is_id = match(instruction.getOperand(0), m_Shl(m_Value(extended), m_SpecificInt(bits))) && is_local_id(extended);
  if (is_id && shape.kind == Shape::kStep) return {Shape::kStep, shape.step >> bits};
  return loose(kUniformShape, shape.step >> bits, width - bits);
}

Shape LaneShapes::compute_variable(const AllocaInst &variable) const {
  if (!variable.isStaticAlloca()) return kVaryingShape;
  if (uint64_t element = interleaved_bytes(&variable)) return {Shape::kStep, static_cast<int64_t>(element)};
  uint64_t bytes = layout_.getTypeAllocSize(variable.getAllocatedType());
  return {Shape::kStep, static_cast<int64_t>(alignTo(bytes, variable.getAlign()))};
}

Shape LaneShapes::compute_call(const CallBase &call) const {
  const Ups intrinsic = intrinsic_of(call);
  if (intrinsic == Ups::kLane) return {Shape::kStep, 1};
  if (intrinsic == Ups::kLocalId && shares_row(cover_))
    if (auto *dim = dyn_cast<ConstantInt>(call.getArgOperand(0)); dim && dim->isZero()) return {Shape::kStep, 1};
  return kVaryingShape;
}

Shape LaneShapes::compute_address(GetElementPtrInst &address) {
  if (address.getType()->isVectorTy()) return kVaryingShape;
  Shape base = of(address.getPointerOperand());
  Shape offset = kUniformShape;
  for (auto it = gep_type_begin(address); it != gep_type_end(address); ++it) {
    if (it.isStruct()) continue;
    Shape index = of(it.getOperand());
    // A narrow index is extended.
    unsigned bits = it.getOperand()->getType()->getScalarSizeInBits();
    if (bits < 64 && (index.kind == Shape::kStep || index.kind == Shape::kLooseStep))
      index = bits < 32 ? kVaryingShape : loose(index, index.step, bits);
    offset = sum(offset, scaled(index, it.getSequentialElementStride(layout_).getFixedValue()), 1);
  }
  if (interleaved_address(&address) && !offset.is_uniform() && offset.kind != Shape::kUnknown) return kVaryingShape;
  Shape shape = sum(base, offset, 1);
  // If all lanes of the sub-group use the address, no two of them wrap (k is 0 for all), and lane 0 is active. Its address is
  // then the first of a strict step, which may pass through loops.
  if (shape.kind == Shape::kLooseStep && shape.step >= -kFarthestStep && shape.step <= kFarthestStep && shares_row(cover_) &&
      control_.plan(address.getParent()).entry_mask &&
      (is_used_by_all(address, address.getParent(), kMostPointers) || has_uses_by_all_alone(address))) {
    taken_for_strict_[&address] = shape.wrap;
    return {Shape::kStep, shape.step};
  }
  return shape;
}

/// Whether all lanes that run `earlier` also run `block` afterwards.
bool LaneShapes::runs_with(const BasicBlock *block, const BasicBlock *earlier) const {
  for (unsigned steps = 0; block && steps < kMostBlocks; ++steps, block = control_.plan(block).equivalent)
    if (block == earlier) return true;
  return false;
}

/// Whether the user is an address at a distance from `pointer` that is uniform.
bool LaneShapes::moves_uniformly(const User *user, const Value &pointer) const {
  auto *address = dyn_cast<GetElementPtrInst>(user);
  return address && address->getPointerOperand() == &pointer &&
         all_of(address->indices(), [&](const Use &index) { return uniformity_.is_uniform(*index); });
}

/// Whether all lanes that run `block`, where `pointer` is available, access that address, or one at a uniform distance.
bool LaneShapes::is_used_by_all(const Instruction &pointer, const BasicBlock *block, unsigned depth) const {
  if (depth == 0) return false;
  unsigned users = 0;
  for (const Use &use : pointer.uses()) {
    if (++users > kMostUsers) return false;
    auto *user = cast<Instruction>(use.getUser());
    if (auto *phi = dyn_cast<PHINode>(user)) {
      // For a loop, in its first iteration.
      if (phi->getIncomingBlock(use) == block && block->getSingleSuccessor() == phi->getParent() &&
          is_used_by_all(*phi, phi->getParent(), depth - 1))
        return true;
    } else if (runs_with(user->getParent(), block)) {
      if (getLoadStorePointerOperand(user) == &pointer) return true;
      if (moves_uniformly(user, pointer) && is_used_by_all(*user, block, depth - 1)) return true;
    }
  }
  return false;
}

/// Whether all uses of `pointer`, and of addresses at uniform distances from it, are accesses by all lanes.
bool LaneShapes::has_uses_by_all_alone(const Instruction &pointer) const {
  SmallSetVector<const Instruction *, 8> known;
  known.insert(&pointer);
  unsigned users = 0;
  for (unsigned i = 0; i < known.size(); ++i) {
    for (const User *each : known[i]->users()) {
      if (++users > kMostUsers) return false;
      auto *user = cast<Instruction>(each);
      auto *store = dyn_cast<StoreInst>(user);
      if (isa<PHINode>(user) || moves_uniformly(user, *known[i]))
        known.insert(user);
      else if (getLoadStorePointerOperand(user) != known[i] || (store && store->getValueOperand() == known[i]) ||
               !control_.plan(user->getParent()).entry_mask)
        return false;
    }
  }
  return true;
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
