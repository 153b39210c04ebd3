// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Gathers the operands of all lanes in a vector, in which inactive lanes hold the identity, and combines them in log2(lanes)
// steps of shuffles.
#include "passes/cpu/scalar/lane_operations.h"

#include "passes/cpu/collective_operation.h"
#include "passes/cpu/unit_state.h"

#include <llvm/IR/IRBuilder.h>

using namespace llvm;

namespace upsweep::passes {
namespace {

Type *element_type(LLVMContext &context, Element element) {
  switch (element) {
  case Element::kF16: return Type::getHalfTy(context);
  case Element::kF32: return Type::getFloatTy(context);
  case Element::kF64: return Type::getDoubleTy(context);
  case Element::kI8: return Type::getInt8Ty(context);
  case Element::kI16: return Type::getInt16Ty(context);
  case Element::kI64: return Type::getInt64Ty(context);
  default: return Type::getInt32Ty(context);
  }
}

class OperationBuilder {
public:
  OperationBuilder(Function &function, unsigned lanes)
      : builder_(BasicBlock::Create(function.getContext(), "", &function)), function_(function), lanes_(lanes) {}
  void build(const UpsFunction &function);

private:
  Value *places(uint64_t offset);
  Value *lane_numbers();
  Value *gather(uint64_t offset, Type *element, Value *mask);
  Value *operate(const UpsFunction &function);
  Value *reduce(Operation operation, Value *values, Value *cluster);
  Value *scan(Operation operation, Value *values, bool exclusive);
  Value *shuffle(Value *values);
  Value *shift_up(Value *values, unsigned distance, Constant *fill);
  Value *splat(Value *scalar) { return builder_.CreateVectorSplat(lanes_, scalar); }

  IRBuilder<> builder_;
  Function &function_;
  unsigned lanes_;
  Value *active_ = nullptr;
  Type *type_ = nullptr;
};

Value *OperationBuilder::lane_numbers() {
  SmallVector<uint32_t, 32> numbers;
  for (unsigned i = 0; i < lanes_; ++i) numbers.push_back(i);
  return ConstantDataVector::get(builder_.getContext(), numbers);
}

Value *OperationBuilder::places(uint64_t offset) {
  Type *wide = VectorType::get(builder_.getInt64Ty(), lanes_, false);
  Value *distance = builder_.CreateMul(builder_.CreateZExt(lane_numbers(), wide), splat(function_.getArg(2)));
  Value *first = builder_.CreateConstInBoundsGEP1_64(builder_.getInt8Ty(), function_.getArg(0), kUnitRecordOffset + offset);
  return builder_.CreateGEP(builder_.getInt8Ty(), first, distance);
}

Value *OperationBuilder::gather(uint64_t offset, Type *element, Value *mask) {
  Type *type = VectorType::get(element, lanes_, false);
  return builder_.CreateMaskedGather(type, places(offset), Align(1), mask, Constant::getNullValue(type));
}

Value *OperationBuilder::shift_up(Value *values, unsigned distance, Constant *fill) {
  SmallVector<int, 32> mask;
  for (unsigned i = 0; i < lanes_; ++i) mask.push_back(i < distance ? lanes_ : i - distance);
  return builder_.CreateShuffleVector(values, splat(fill), mask);
}

// Butterflies of increasing distance, which stay below `cluster`.
Value *OperationBuilder::reduce(Operation operation, Value *values, Value *cluster) {
  for (unsigned distance = 1; distance < lanes_; distance *= 2) {
    SmallVector<int, 32> mask;
    for (unsigned i = 0; i < lanes_; ++i) mask.push_back(i ^ distance);
    Value *sum = combine(builder_, operation, values, builder_.CreateShuffleVector(values, mask));
    values =
        cluster ? builder_.CreateSelect(builder_.CreateICmpUGT(cluster, splat(builder_.getInt32(distance))), sum, values) : sum;
  }
  return values;
}

Value *OperationBuilder::scan(Operation operation, Value *values, bool exclusive) {
  Constant *start = scan_start(operation, type_);
  for (unsigned distance = 1; distance < lanes_; distance *= 2)
    values = combine(builder_, operation, shift_up(values, distance, start), values);
  return exclusive ? shift_up(values, 1, start) : values;
}

Value *OperationBuilder::shuffle(Value *values) {
  Value *buffer = builder_.CreateAlloca(values->getType());
  builder_.CreateStore(values, buffer);
  Value *lane =
      builder_.CreateAnd(gather(kSecondOperandOffset, builder_.getInt32Ty(), active_), splat(builder_.getInt32(lanes_ - 1)));
  Value *sources = builder_.CreateGEP(type_, buffer, lane);
  return builder_.CreateMaskedGather(values->getType(), sources, Align(1), active_, values);
}

Value *OperationBuilder::operate(const UpsFunction &function) {
  if (function.id == Ups::kSgBallot) {
    type_ = builder_.getInt64Ty();
    Value *predicate = gather(kOperandOffset, builder_.getInt32Ty(), active_);
    Value *bits = builder_.CreateAnd(active_, builder_.CreateIsNotNull(predicate));
    return splat(builder_.CreateZExt(builder_.CreateBitCast(bits, builder_.getIntNTy(lanes_)), type_));
  }
  type_ = element_type(builder_.getContext(), function.element);
  Value *values = gather(kOperandOffset, type_, active_);
  if (function.operation == Operation::kNone) return shuffle(values);
  values = builder_.CreateSelect(active_, values, splat(identity(function.operation, type_)));
  if (function.id == Ups::kSgScanInclusive) return scan(function.operation, values, false);
  if (function.id == Ups::kSgScanExclusive) return scan(function.operation, values, true);
  const bool has_clusters = function.id == Ups::kSgClusteredReduce;
  // A constant of the program, also for inactive lanes: their places carry the sums of active lanes to others.
  Value *cluster =
      has_clusters ? splat(builder_.CreateIntMaxReduce(gather(kSecondOperandOffset, builder_.getInt32Ty(), active_))) : nullptr;
  return reduce(function.operation, values, cluster);
}

void OperationBuilder::build(const UpsFunction &function) {
  Value *present = builder_.CreateICmpULT(lane_numbers(), splat(function_.getArg(1)));
  Value *states = gather(0, builder_.getInt32Ty(), present);
  active_ = builder_.CreateAnd(present, builder_.CreateICmpEQ(states, splat(function_.getArg(3))));
  if (function.is_of_sub_group()) builder_.CreateMaskedScatter(operate(function), places(kOperandOffset), Align(1), active_);
  builder_.CreateMaskedScatter(splat(builder_.getInt32(kReady)), places(0), Align(1), active_);
  builder_.CreateRetVoid();
}

}  // namespace

Function *make_lane_operation(Module &module, const UpsFunction &intrinsic, unsigned sub_group_size) {
  std::string name = (intrinsic.name + ".lanes" + Twine(sub_group_size)).str();
  if (Function *known = module.getFunction(name)) return known;
  LLVMContext &context = module.getContext();
  Type *number = Type::getInt32Ty(context);
  auto *type = FunctionType::get(Type::getVoidTy(context),
                                 {PointerType::get(context, 0), number, Type::getInt64Ty(context), number}, false);
  Function *function = Function::Create(type, GlobalValue::InternalLinkage, name, module);
  function->setDoesNotThrow();
  OperationBuilder(*function, sub_group_size).build(intrinsic);
  return function;
}

}  // namespace upsweep::passes
