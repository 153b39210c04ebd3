// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Instructions without a vector form run for one active lane after another, in lane order: atomics, calls of other functions,
// inline assembly. Operands and results pass through arrays on the stack, so the code for a lane exists only once.
#include <llvm/IR/Instructions.h>

#include "passes/cpu/check/access.h"
#include "passes/cpu/collective_operation.h"
#include "passes/cpu/group_joining.h"
#include "passes/cpu/lanes/lane_writer.h"

using namespace llvm;

namespace upsweep::passes {
namespace {

/// The lanes' values of an operand or result in memory: contiguous vectors, booleans as bytes, aggregates by member.
class LaneArray {
public:
  using Reserve = std::function<AllocaInst *(Type *, uint64_t)>;

  LaneArray(Type *type, unsigned lanes, const Reserve &reserve, const DataLayout &layout) : type_(type), lanes_(lanes) {
    if (type->isAggregateType()) {
      unsigned count = type->isArrayTy() ? type->getArrayNumElements() : type->getStructNumElements();
      for (unsigned i = 0; i < count; ++i)
        members_.emplace_back(type->isArrayTy() ? type->getArrayElementType() : type->getStructElementType(i), lanes, reserve,
                              layout);
      return;
    }
    auto *vector = dyn_cast<FixedVectorType>(type);
    components_ = vector ? vector->getNumElements() : 1;
    boolean_ = type->getScalarType()->isIntegerTy(1);
    element_ = boolean_ ? Type::getInt8Ty(type->getContext()) : type->getScalarType();
    memory_ = reserve(element_, uint64_t{lanes} * components_);
    memory_->setAlignment(Align(64));
    align_ = Align(layout.getTypeStoreSize(element_));
  }

  void store_all(IRBuilder<> &b, Value *wide) {
    for (unsigned i = 0; i < members_.size(); ++i) members_[i].store_all(b, b.CreateExtractValue(wide, i));
    if (!memory_) return;
    if (boolean_) wide = b.CreateZExt(wide, FixedVectorType::get(element_, lanes_ * components_));
    b.CreateAlignedStore(wide, memory_, Align(64));
  }

  Value *load_all(IRBuilder<> &b, Type *wide) {
    if (members_.empty()) {
      Type *stored = boolean_ ? FixedVectorType::get(element_, lanes_ * components_) : wide;
      Value *value = b.CreateAlignedLoad(stored, memory_, Align(64));
      return boolean_ ? b.CreateTrunc(value, wide) : value;
    }
    Value *made = PoisonValue::get(wide);
    for (unsigned i = 0; i < members_.size(); ++i) {
      Type *member = wide->isArrayTy() ? wide->getArrayElementType() : wide->getStructElementType(i);
      made = b.CreateInsertValue(made, members_[i].load_all(b, member), i);
    }
    return made;
  }

  Value *load_lane(IRBuilder<> &b, Value *lane) {
    if (members_.empty()) {
      Value *value = b.CreateAlignedLoad(stored_type(), address(b, lane), align_);
      return boolean_ ? b.CreateTrunc(value, type_) : value;
    }
    Value *made = PoisonValue::get(type_);
    for (unsigned i = 0; i < members_.size(); ++i) made = b.CreateInsertValue(made, members_[i].load_lane(b, lane), i);
    return made;
  }

  void store_lane(IRBuilder<> &b, Value *lane, Value *value) {
    for (unsigned i = 0; i < members_.size(); ++i) members_[i].store_lane(b, lane, b.CreateExtractValue(value, i));
    if (!memory_) return;
    b.CreateAlignedStore(boolean_ ? b.CreateZExt(value, stored_type()) : value, address(b, lane), align_);
  }

private:
  Type *stored_type() const {
    return type_->isVectorTy() ? static_cast<Type *>(FixedVectorType::get(element_, components_)) : element_;
  }
  Value *address(IRBuilder<> &b, Value *lane) const {
    return b.CreateGEP(element_, memory_, b.CreateMul(lane, b.getInt64(components_)));
  }

  Type *type_;
  unsigned lanes_;
  unsigned components_ = 1;
  bool boolean_ = false;
  Type *element_ = nullptr;
  AllocaInst *memory_ = nullptr;
  Align align_;
  std::vector<LaneArray> members_;
};

/// The operation that merges the lanes' updates into one, or none: sums of floats depend on the order.
Operation joining_operation(AtomicRMWInst::BinOp update) {
  switch (update) {
  case AtomicRMWInst::Add:
  case AtomicRMWInst::Sub: return Operation::kAdd;
  case AtomicRMWInst::And: return Operation::kAnd;
  case AtomicRMWInst::Or: return Operation::kOr;
  case AtomicRMWInst::Xor: return Operation::kXor;
  case AtomicRMWInst::Max: return Operation::kSMax;
  case AtomicRMWInst::Min: return Operation::kSMin;
  case AtomicRMWInst::UMax: return Operation::kUMax;
  case AtomicRMWInst::UMin: return Operation::kUMin;
  default: return Operation::kNone;
  }
}

}  // namespace

/// Precondition: some lane is active (LaneControl guards blocks with such instructions).
Value *LaneWriter::write_lane_loop(Instruction &instruction) {
  auto reserve = [&](Type *type, uint64_t count) { return memory(type, count, "lanes"); };
  Instruction *copy = instruction.clone();
  std::vector<std::pair<Use *, LaneArray>> operands;
  for (Use &use : copy->operands()) {
    Value *value = use.get();
    if (!isa<Instruction>(value)) continue;
    if (shapes_.of(value).is_uniform()) {
      use.set(scalar(value));
      continue;
    }
    operands.push_back({&use, LaneArray(value->getType(), lanes_, reserve, layout_)});
    operands.back().second.store_all(b_, vector(value));
  }
  bool has_result = !instruction.getType()->isVoidTy();
  std::vector<LaneArray> result;
  if (has_result) result.emplace_back(instruction.getType(), lanes_, reserve, layout_);

  Value *waiting = mask_bits(mask_);
  BasicBlock *before = b_.GetInsertBlock();
  BasicBlock *loop = BasicBlock::Create(context_, "lane", &target_);
  BasicBlock *after = BasicBlock::Create(context_, "lanes.done", &target_);
  b_.CreateBr(loop);
  b_.SetInsertPoint(loop);
  PHINode *bits = b_.CreatePHI(b_.getInt64Ty(), 2, "waiting");
  bits->addIncoming(waiting, before);
  Value *lane = b_.CreateBinaryIntrinsic(Intrinsic::cttz, bits, b_.getTrue());
  for (auto &[use, values] : operands) use->set(values.load_lane(b_, lane));
  b_.Insert(copy);
  if (has_result) result.front().store_lane(b_, lane, copy);
  Value *rest = b_.CreateAnd(bits, b_.CreateSub(bits, b_.getInt64(1)));
  bits->addIncoming(rest, b_.GetInsertBlock());
  b_.CreateCondBr(b_.CreateICmpNE(rest, b_.getInt64(0)), loop, after);
  b_.SetInsertPoint(after);
  return has_result ? result.front().load_all(b_, widened(instruction.getType())) : nullptr;
}

/// Tests the checks exactly in each active lane, which then runs `access`, or reports.
Value *LaneWriter::write_checked_lanes(Instruction *access, ArrayRef<CallInst *> checks) {
  // All places share their arrays, since no value is in one from one place to the next.
  DenseMap<std::pair<Type *, uint64_t>, unsigned> used;
  auto reserve = [&](Type *type, uint64_t count) {
    SmallVector<AllocaInst *, 4> &arrays = checked_arrays_[{type, count}];
    const unsigned number = used[{type, count}]++;
    if (number == arrays.size()) arrays.push_back(memory(type, count, "lanes"));
    return arrays[number];
  };
  DenseMap<Value *, LaneArray> arrays;
  const auto keep = [&](Value *value) {
    if (shapes_.of(value).is_uniform() || arrays.contains(value)) return;
    const auto kept = arrays.try_emplace(value, value->getType(), lanes_, reserve, layout_).first;
    kept->second.store_all(b_, vector(value));
  };
  for (CallInst *check : checks)
    for (Value *operand : check->args()) keep(operand);
  Instruction *copy = access ? access->clone() : nullptr;
  if (access)
    for (Value *operand : access->operands())
      if (isa<Instruction>(operand)) keep(operand);
  const auto of_lane = [&](Value *value, Value *lane) {
    const auto kept = arrays.find(value);
    return kept == arrays.end() ? scalar(value) : kept->second.load_lane(b_, lane);
  };
  for (CallInst *check : checks)
    for (Value *operand : check->args())
      if (!arrays.contains(operand)) (void)scalar(operand);  // loaded before the loop
  const bool has_result = access && !access->getType()->isVoidTy();
  std::optional<LaneArray> result;
  if (has_result) result.emplace(access->getType(), lanes_, reserve, layout_);
  if (has_result) result->store_all(b_, skipped_value(*access, widened(access->getType())));

  Value *waiting = mask_bits(mask_);
  BasicBlock *before = b_.GetInsertBlock();
  BasicBlock *loop = BasicBlock::Create(context_, "checked.lane", &target_);
  BasicBlock *next = BasicBlock::Create(context_, "checked.next", &target_);
  BasicBlock *after = BasicBlock::Create(context_, "checked.lanes", &target_);
  b_.CreateBr(loop);
  b_.SetInsertPoint(loop);
  PHINode *bits = b_.CreatePHI(b_.getInt64Ty(), 2, "waiting");
  bits->addIncoming(waiting, before);
  Value *lane = b_.CreateBinaryIntrinsic(Intrinsic::cttz, bits, b_.getTrue());
  Value *value = nullptr;
  if (auto *store = dyn_cast_or_null<StoreInst>(access)) value = of_lane(store->getValueOperand(), lane);
  Value *all = b_.getTrue();
  for (CallInst *check : checks) {
    SmallVector<Value *, 6> operands;
    for (Value *operand : check->args()) operands.push_back(of_lane(operand, lane));
    Value *passes = b_.CreateFreeze(passes_check(b_, operands));
    all = b_.CreateAnd(all, passes);
    if (isa<ConstantPointerNull>(operands[kSite])) continue;
    BasicBlock *report = BasicBlock::Create(context_, "report", &target_);
    BasicBlock *reported = BasicBlock::Create(context_, "reported", &target_);
    b_.CreateCondBr(passes, reported, report);
    b_.SetInsertPoint(report);
    add_report(b_, operands, value_bits(b_, value), b_.CreateTrunc(lane, b_.getInt32Ty()));
    b_.CreateBr(reported);
    b_.SetInsertPoint(reported);
  }
  if (access) {
    BasicBlock *inside = BasicBlock::Create(context_, "inside", &target_);
    b_.CreateCondBr(all, inside, next);
    b_.SetInsertPoint(inside);
    for (Use &use : copy->operands())
      if (isa<Instruction>(use.get())) use.set(of_lane(use.get(), lane));
    copy->dropUnknownNonDebugMetadata();
    b_.Insert(copy);
    if (has_result) result->store_lane(b_, lane, copy);
  }
  b_.CreateBr(next);
  b_.SetInsertPoint(next);
  Value *rest = b_.CreateAnd(bits, b_.CreateSub(bits, b_.getInt64(1)));
  bits->addIncoming(rest, next);
  BranchInst *again = b_.CreateCondBr(b_.CreateICmpNE(rest, b_.getInt64(0)), loop, after);
  again->setMetadata(kRareLoop, MDNode::get(context_, {}));
  b_.SetInsertPoint(after);
  return has_result ? result->load_all(b_, widened(access->getType())) : nullptr;
}

/// Merges the updates of lanes that use the same address into one access, with the effect of sequential updates. The access
/// stores the sub-group's sum (or maximum, or last lane's value), and a scan gives each lane its old value.
Value *LaneWriter::write_atomic(AtomicRMWInst &atomic) {
  const AtomicRMWInst::BinOp update = atomic.getOperation();
  const Operation operation = joining_operation(update);
  const bool exchanges = update == AtomicRMWInst::Xchg && all_lanes();
  Type *type = atomic.getType();
  if ((operation == Operation::kNone && !exchanges) || !shapes_.of(atomic.getPointerOperand()).is_uniform() ||
      atomic.isVolatile() || type->getPrimitiveSizeInBits() < 8)
    return write_lane_loop(atomic);
  Value *data = vector(atomic.getValOperand());
  Value *joined = exchanges ? b_.CreateExtractElement(data, uint64_t{lanes_ - 1}) : reduce(operation, data);
  Value *before = b_.CreateAtomicRMW(update, scalar(atomic.getPointerOperand()), joined, atomic.getAlign(),
                                     atomic.getOrdering(), atomic.getSyncScopeID());
  if (atomic.use_empty()) return PoisonValue::get(widened(type));
  before = spread(before);
  if (exchanges) {
    SmallVector<int, 32> one_below{0};
    for (unsigned lane = 1; lane < lanes_; ++lane) one_below.push_back(static_cast<int>(lanes_ + lane - 1));
    return b_.CreateShuffleVector(before, data, one_below);
  }
  Value *below = scan(operation, data, false);
  return update == AtomicRMWInst::Sub ? b_.CreateSub(before, below) : combine(b_, operation, before, below);
}

}  // namespace upsweep::passes
