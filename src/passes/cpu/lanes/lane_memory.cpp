// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loads and stores of a sub-group. Lanes that use one address need a scalar access, contiguous lanes a vector access, other
// lanes a gather or scatter if the CPU has it. Otherwise lanes are accessed one by one without branches (inactive lanes use a
// dummy).
#include <llvm/Analysis/VectorUtils.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/PatternMatch.h>

#include "passes/cpu/arithmetic.h"
#include "passes/cpu/lanes/lane_writer.h"
#include "passes/cpu/lanes/likely_steps.h"

using namespace llvm;

namespace upsweep::passes {

LaneWriter::Access LaneWriter::access_of(Instruction &instruction) {
  Access access;
  access.type = getLoadStoreType(&instruction);
  access.align = getLoadStoreAlignment(&instruction);
  access.pointer = getLoadStorePointerOperand(&instruction);
  auto *vector = dyn_cast<FixedVectorType>(access.type);
  access.components = vector ? vector->getNumElements() : 1;
  access.bytes = layout_.getTypeAllocSize(access.type);
  return access;
}

bool LaneWriter::masked_memory_is_legal(Type *element, Align align, bool store) const {
  Type *type = FixedVectorType::get(element, lanes_);
  return store ? costs_.isLegalMaskedStore(type, align) : costs_.isLegalMaskedLoad(type, align);
}

/// Whether elements have the same layout in a vector as in an array. Elements of 24 bits, for example, do not. Three elements
/// may take the space of four.
bool LaneWriter::packs(const Access &access) const {
  if (access.type->isAggregateType()) return false;
  Type *element = access.type->getScalarType();
  uint64_t bits = layout_.getTypeSizeInBits(element).getFixedValue();
  if (bits % 8 != 0 || layout_.getTypeAllocSizeInBits(element).getFixedValue() != bits) return false;
  return access.bytes * 8 == bits * (access.components == 3 ? 4 : access.components);
}

/// The known alignment of all addresses that are `step` bytes apart. The access's alignment only holds for the executing lane's
/// address, not for the other lanes' addresses.
Align LaneWriter::common_align(const Access &access, int64_t step) const { return commonAlignment(access.align, step); }

/// The first address (lane_shapes.h) of an access whose lanes are `step` bytes apart.
Value *LaneWriter::contiguous_pointer(const Access &access, int64_t step) {
  if (shapes_.of(access.pointer).kind == Shape::kStep) return scalar(access.pointer);
  // Lane 0 may be inactive and its address wrapped, so start from an active lane.
  Value *lane = first_lane(mask_);
  Value *address = scalar_at(access.pointer, lane);
  return b_.CreateGEP(b_.getInt8Ty(), address, b_.CreateMul(lane, b_.getInt64(-step)));
}

/// Atomic accesses to adjacent addresses become one vector access: no x86 processor splits an aligned element of up to 8 bytes.
/// Fences preserve the order; for relaxed accesses they only restrict the compiler. Sequentially consistent accesses are not
/// joined.
bool LaneWriter::joins_atomic(const Access &access, AtomicOrdering ordering, bool store) const {
  const Shape shape = shapes_.of(access.pointer);
  return isStrongerThanUnordered(ordering) && ordering != AtomicOrdering::SequentiallyConsistent && packs(access) &&
         access.components == 1 && access.align.value() >= access.bytes &&
         (shape.kind == Shape::kStep || shape.kind == Shape::kLooseStep) && shape.step == static_cast<int64_t>(access.bytes) &&
         (all_lanes() || masked_memory_is_legal(access.type, access.align, store));
}

/// Whether lanes that are not known to be contiguous probably are, and a vector access exists for them.
bool LaneWriter::is_likely_row(const Access &access) const {
  return access.components == 1 && !access.type->isVectorTy() && isPowerOf2_64(access.bytes) && access.bytes <= 8 &&
         (all_lanes() || (masked_memory_is_legal(access.type, access.align, true) &&
                          masked_memory_is_legal(access.type, access.align, false))) &&
         passes::is_likely_row(*access.pointer, access.bytes, shapes_, layout_);
}

/// An element of a constant table that fits into registers; null for other loads.
Value *LaneWriter::load_from_table(LoadInst &load) {
  auto *address = dyn_cast<GetElementPtrInst>(load.getPointerOperand());
  // The index of an address from another block may not be available here.
  if (!address || address->getParent() != load.getParent()) return nullptr;
  auto *table = dyn_cast<GlobalVariable>(address->getPointerOperand());
  if (!table || !table->isConstant() || !table->hasDefinitiveInitializer()) return nullptr;
  auto *array = dyn_cast<ArrayType>(table->getValueType());
  const bool through_array = address->getNumIndices() == 2 && address->getSourceElementType() == array;
  if (!array || array->getElementType() != load.getType() || !load.getType()->isFloatingPointTy()) return nullptr;
  if (!through_array && !(address->getNumIndices() == 1 && address->getSourceElementType() == load.getType())) return nullptr;
  if (through_array && !match(address->getOperand(1), PatternMatch::m_Zero())) return nullptr;
  return write_table(b_, *table->getInitializer(), vector(address->getOperand(address->getNumOperands() - 1)));
}

Value *LaneWriter::write_load(LoadInst &load) {
  Access access = access_of(load);
  Shape shape = shapes_.of(access.pointer);
  if (joins_atomic(access, load.getOrdering(), false)) {
    Value *data = load_contiguous(access, contiguous_pointer(access, shape.step));
    const bool orders = load.getOrdering() == AtomicOrdering::Acquire;
    b_.CreateFence(AtomicOrdering::Acquire, orders ? load.getSyncScopeID() : SyncScope::SingleThread);
    return data;
  }
  bool plain = load.isSimple() && packs(access);
  bool stepped = plain && (shape.kind == Shape::kStep || shape.kind == Shape::kLooseStep);
  if (stepped && shape.step == static_cast<int64_t>(access.bytes))
    return load_contiguous(access, contiguous_pointer(access, shape.step));
  if (stepped && shape.step == -static_cast<int64_t>(access.bytes) && access.components == 1) return load_reversed(access);
  if (stepped && strided_gap(access, shape.step, false)) return load_strided(access, shape.step);
  bool gathers =
      plain && access.components == 1 && costs_.isLegalMaskedGather(FixedVectorType::get(access.type, lanes_), access.align);
  if (Value *data = plain ? load_from_table(load) : nullptr) return data;
  const bool row = plain && is_likely_row(access);
  if (gathers || row) {
    Type *wide = widened(access.type);
    CallInst *data = b_.CreateMaskedGather(wide, vector(access.pointer), access.align, mask_, PoisonValue::get(wide));
    if (row) data->setMetadata(kLikelyRow, MDNode::get(context_, {}));
    return data;
  }
  return load_lanes(access, load);
}

/// A mask of the first three of each four components.
Constant *LaneWriter::first_three() {
  SmallVector<Constant *, 64> set;
  for (unsigned i = 0; i < lanes_ * 4; ++i) set.push_back(b_.getInt1(i % 4 != 3));
  return ConstantVector::get(set);
}

Value *LaneWriter::load_contiguous(const Access &access, Value *first) {
  Type *element = access.type->getScalarType();
  Align align = common_align(access, static_cast<int64_t>(access.bytes));
  // Three components take the space of four.
  bool padded = access.components == 3;
  unsigned stored = padded ? 4 : access.components;
  auto *wide = FixedVectorType::get(element, stored * lanes_);
  Value *data;
  if (all_lanes() && !padded) {
    data = b_.CreateAlignedLoad(wide, first, align);
  } else if (masked_memory_is_legal(element, align, false)) {
    Value *mask = spread_mask(mask_, stored);
    // An access that is not aligned for four components may end at the end of memory.
    if (padded && access.align.value() < access.bytes) mask = b_.CreateAnd(mask, first_three());
    data = b_.CreateMaskedLoad(wide, first, align, mask, PoisonValue::get(wide));
  } else {
    // There is no masked access of this width: read lane by lane, inactive lanes from a dummy.
    Value *data_lanes = PoisonValue::get(widened(access.type));
    AllocaInst *dummy = inactive_place(access, false);
    for (unsigned lane = 0; lane < lanes_; ++lane) {
      Value *at = b_.CreateGEP(b_.getInt8Ty(), first, b_.getInt64(lane * access.bytes));
      Value *from = b_.CreateSelect(b_.CreateExtractElement(mask_, lane), at, dummy);
      Value *one = b_.CreateAlignedLoad(access.type, from, access.align);
      for (unsigned i = 0; i < access.components; ++i) {
        Value *component = access.components == 1 && !access.type->isVectorTy() ? one : b_.CreateExtractElement(one, i);
        data_lanes = b_.CreateInsertElement(data_lanes, component, lane * access.components + i);
      }
    }
    return data_lanes;
  }
  if (!padded) return data;
  SmallVector<int, 64> picked;
  for (unsigned i = 0; i < lanes_ * 3; ++i) picked.push_back(i / 3 * 4 + i % 3);
  return b_.CreateShuffleVector(data, picked);
}

Value *LaneWriter::load_reversed(const Access &access) {
  Value *first = contiguous_pointer(access, -static_cast<int64_t>(access.bytes));
  Value *lowest = b_.CreateGEP(b_.getInt8Ty(), first, b_.getInt64(-static_cast<int64_t>(access.bytes * (lanes_ - 1))));
  SmallVector<int, 32> reversed;
  for (unsigned lane = 0; lane < lanes_; ++lane) reversed.push_back(lanes_ - 1 - lane);
  Value *mask = mask_;
  mask_ = b_.CreateShuffleVector(mask, reversed);
  Value *data = load_contiguous(access, lowest);
  mask_ = mask;
  return b_.CreateShuffleVector(data, reversed);
}

/// The distance of adjacent lanes in elements if it is small: whole vectors, with the gaps masked, are then faster than a
/// gather or scatter. Otherwise 0.
unsigned LaneWriter::strided_gap(const Access &access, int64_t step, bool store) const {
  if (access.components != 1 || step <= 0 || step % static_cast<int64_t>(access.bytes) != 0) return 0;
  uint64_t gap = step / access.bytes;
  if (gap < 2 || gap > 4 || !masked_memory_is_legal(access.type, access.align, store)) return 0;
  return gap;
}

/// The mask of a vector of lanes × gap elements in which every gap-th element is a lane's.
Value *LaneWriter::strided_mask(unsigned gap) {
  SmallVector<int, 64> lane_of;
  for (unsigned i = 0; i < lanes_ * gap; ++i) lane_of.push_back(i % gap == 0 ? i / gap : lanes_);
  return b_.CreateShuffleVector(mask_, Constant::getNullValue(mask_->getType()), lane_of);
}

Value *LaneWriter::load_strided(const Access &access, int64_t step) {
  unsigned gap = strided_gap(access, step, false);
  auto *wide = FixedVectorType::get(access.type, lanes_ * gap);
  Value *data = b_.CreateMaskedLoad(wide, contiguous_pointer(access, step), common_align(access, step), strided_mask(gap),
                                    PoisonValue::get(wide));
  SmallVector<int, 64> picked;
  for (unsigned lane = 0; lane < lanes_; ++lane) picked.push_back(lane * gap);
  return b_.CreateShuffleVector(data, picked);
}

void LaneWriter::store_strided(const Access &access, int64_t step, Value *data) {
  unsigned gap = strided_gap(access, step, true);
  SmallVector<int, 64> apart;
  for (unsigned i = 0; i < lanes_ * gap; ++i) apart.push_back(i % gap == 0 ? static_cast<int>(i / gap) : -1);
  Value *first = contiguous_pointer(access, step);
  b_.CreateMaskedStore(b_.CreateShuffleVector(data, apart), first, common_align(access, step), strided_mask(gap));
}

/// The dummy for inactive lanes. All loads share one: LLVM moves the vector of its address out of all loops, where a vector for
/// each access would be alive throughout the kernel. All stores share another one, so loads do not depend on stores.
AllocaInst *LaneWriter::inactive_place(const Access &access, bool store) {
  AllocaInst *&place = inactive_places_[store];
  if (!place) place = memory(access.type, 1, "inactive");
  if (layout_.getTypeAllocSize(access.type) > layout_.getTypeAllocSize(place->getAllocatedType()))
    place->setAllocatedType(access.type);
  place->setAlignment(std::max({place->getAlign(), layout_.getPrefTypeAlign(access.type), access.align}));
  return place;
}

/// The lanes' addresses; inactive lanes have a dummy's.
Value *LaneWriter::safe_pointers(const Access &access, bool store) {
  Value *pointers = vector(access.pointer);
  if (all_lanes()) return pointers;
  return b_.CreateSelect(mask_, pointers, b_.CreateVectorSplat(lanes_, inactive_place(access, store)));
}

Value *LaneWriter::load_lanes(const Access &access, LoadInst &load) {
  if (access.type->isAggregateType()) return write_lane_loop(load);
  Value *pointers = safe_pointers(access, false);
  SmallVector<Value *, 32> loaded;
  for (unsigned lane = 0; lane < lanes_; ++lane) {
    auto *one = cast<LoadInst>(load.clone());
    one->setOperand(0, b_.CreateExtractElement(pointers, lane));
    one->dropUnknownNonDebugMetadata();
    loaded.push_back(b_.Insert(one));
  }
  if (access.type->isVectorTy()) return concatenateVectors(b_, loaded);
  Value *data = PoisonValue::get(widened(access.type));
  for (auto [lane, one] : enumerate(loaded)) data = b_.CreateInsertElement(data, one, lane);
  return data;
}

void LaneWriter::write_store(StoreInst &store) {
  Access access = access_of(store);
  Shape shape = shapes_.of(access.pointer);
  Value *stored = store.getValueOperand();
  if (shape.is_uniform()) {
    // All lanes write to one address: the last active lane's value remains.
    auto *copy = cast<StoreInst>(store.clone());
    Value *data =
        shapes_.of(stored).is_uniform() ? scalar(stored) : lane_element(vector(stored), access.type, last_lane(mask_));
    copy->setOperand(0, data);
    copy->setOperand(1, scalar(access.pointer));
    b_.Insert(copy);
    return;
  }
  bool plain = store.isSimple() && packs(access);
  bool stepped = plain && (shape.kind == Shape::kStep || shape.kind == Shape::kLooseStep);
  bool fits =
      (all_lanes() && access.components != 3) || masked_memory_is_legal(access.type->getScalarType(), access.align, true);
  if (joins_atomic(access, store.getOrdering(), true)) {
    const bool orders = store.getOrdering() == AtomicOrdering::Release;
    b_.CreateFence(AtomicOrdering::Release, orders ? store.getSyncScopeID() : SyncScope::SingleThread);
    store_contiguous(access, contiguous_pointer(access, shape.step), vector(stored));
    return;
  }
  if (stepped && shape.step == static_cast<int64_t>(access.bytes) && fits) {
    store_contiguous(access, contiguous_pointer(access, shape.step), vector(stored));
    return;
  }
  if (stepped && strided_gap(access, shape.step, true)) {
    store_strided(access, shape.step, vector(stored));
    return;
  }
  bool scatters =
      plain && access.components == 1 && costs_.isLegalMaskedScatter(FixedVectorType::get(access.type, lanes_), access.align);
  const bool row = plain && is_likely_row(access);
  if (scatters || row) {
    CallInst *call = b_.CreateMaskedScatter(vector(stored), vector(access.pointer), access.align, mask_);
    if (row) call->setMetadata(kLikelyRow, MDNode::get(context_, {}));
  } else {
    store_lanes(access, store);
  }
}

void LaneWriter::store_contiguous(const Access &access, Value *first, Value *data) {
  Align align = common_align(access, static_cast<int64_t>(access.bytes));
  if (access.components != 3) {
    if (all_lanes())
      b_.CreateAlignedStore(data, first, align);
    else
      b_.CreateMaskedStore(data, first, align, spread_mask(mask_, access.components));
    return;
  }
  // Three components in the space of four: the fourth is not written.
  SmallVector<int, 64> apart;
  SmallVector<int, 64> lane_of;
  for (unsigned i = 0; i < lanes_ * 4; ++i) {
    apart.push_back(i % 4 == 3 ? -1 : static_cast<int>(i / 4 * 3 + i % 4));
    lane_of.push_back(i / 4);
  }
  Value *mask = b_.CreateAnd(b_.CreateShuffleVector(mask_, lane_of), first_three());
  b_.CreateMaskedStore(b_.CreateShuffleVector(data, apart), first, align, mask);
}

void LaneWriter::store_lanes(const Access &access, StoreInst &store) {
  if (access.type->isAggregateType()) {
    write_lane_loop(store);
    return;
  }
  Value *pointers = safe_pointers(access, true);
  Value *data = vector(store.getValueOperand());
  for (unsigned lane = 0; lane < lanes_; ++lane) {
    auto *one = cast<StoreInst>(store.clone());
    one->setOperand(0, lane_element(data, access.type, b_.getInt64(lane)));
    one->setOperand(1, b_.CreateExtractElement(pointers, lane));
    one->dropUnknownNonDebugMetadata();
    b_.Insert(one);
  }
}

/// memset of a whole variable that is stored element by element.
void LaneWriter::write_fill(MemSetInst &fill) {
  auto *variable = cast<AllocaInst>(fill.getDest());
  uint64_t bytes = layout_.getTypeAllocSize(variable->getAllocatedType());
  Value *all = scalar(variable);
  if (all_lanes() && shapes_.of(fill.getValue()).is_uniform()) {
    b_.CreateMemSet(all, scalar(fill.getValue()), bytes * lanes_, Align(64));
    return;
  }
  uint64_t element = shapes_.interleaved_bytes(variable);
  Value *mask = spread_mask(mask_, element);
  SmallVector<int, 256> repeated;
  for (uint64_t i = 0; i < element * lanes_; ++i) repeated.push_back(i / element);
  Value *data = b_.CreateShuffleVector(vector(fill.getValue()), repeated);
  // Writes one row of elements after another, and writes back the other lanes' bytes.
  BasicBlock *before = b_.GetInsertBlock();
  BasicBlock *loop = BasicBlock::Create(context_, "fill", &target_);
  BasicBlock *after = BasicBlock::Create(context_, "filled", &target_);
  b_.CreateBr(loop);
  b_.SetInsertPoint(loop);
  PHINode *offset = b_.CreatePHI(b_.getInt64Ty(), 2);
  offset->addIncoming(b_.getInt64(0), before);
  Value *at = b_.CreateGEP(b_.getInt8Ty(), all, offset);
  Value *old = b_.CreateAlignedLoad(data->getType(), at, Align(1));
  b_.CreateAlignedStore(b_.CreateSelect(mask, data, old), at, Align(1));
  Value *next = b_.CreateAdd(offset, b_.getInt64(element * lanes_));
  offset->addIncoming(next, loop);
  b_.CreateCondBr(b_.CreateICmpULT(next, b_.getInt64(bytes * lanes_)), loop, after);
  b_.SetInsertPoint(after);
}

}  // namespace upsweep::passes
