// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The operands of all lanes become one vector, inactive lanes hold the identity; log2(lanes) steps of shuffles do the rest.
#include "passes/cpu/scalar/lane_operations.h"

#include "passes/cpu/collective_operation.h"
#include "passes/cpu/unit_state.h"

#include <llvm/IR/IRBuilder.h>

using namespace llvm;

namespace upsweep::passes {
namespace {

Type *element_type(LLVMContext &context, StringRef name) {
  if (name == "f16") return Type::getHalfTy(context);
  if (name == "f32") return Type::getFloatTy(context);
  if (name == "f64") return Type::getDoubleTy(context);
  unsigned bits = 32;
  if (name.consume_front("i")) name.getAsInteger(10, bits);
  return IntegerType::get(context, bits);
}

class OperationBuilder {
public:
  OperationBuilder(Function &function, unsigned lanes)
      : builder_(BasicBlock::Create(function.getContext(), "", &function)), function_(function), lanes_(lanes) {}
  void build(StringRef intrinsic);

private:
  Value *places(uint64_t offset);
  Value *lane_numbers();
  Value *gather(uint64_t offset, Type *element, Value *mask);
  Value *operate(StringRef operation);
  Value *reduce(StringRef operation, Value *values, Value *cluster);
  Value *scan(StringRef operation, Value *values, bool exclusive);
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

// Butterflies of growing distance; those of `cluster` and above are left out.
Value *OperationBuilder::reduce(StringRef operation, Value *values, Value *cluster) {
  for (unsigned distance = 1; distance < lanes_; distance *= 2) {
    SmallVector<int, 32> mask;
    for (unsigned i = 0; i < lanes_; ++i) mask.push_back(i ^ distance);
    Value *sum = combine(builder_, operation, values, builder_.CreateShuffleVector(values, mask));
    values =
        cluster ? builder_.CreateSelect(builder_.CreateICmpUGT(cluster, splat(builder_.getInt32(distance))), sum, values) : sum;
  }
  return values;
}

Value *OperationBuilder::scan(StringRef operation, Value *values, bool exclusive) {
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

Value *OperationBuilder::operate(StringRef operation) {
  if (operation == "ballot") {
    type_ = builder_.getInt64Ty();
    Value *predicate = gather(kOperandOffset, builder_.getInt32Ty(), active_);
    Value *bits = builder_.CreateAnd(active_, builder_.CreateIsNotNull(predicate));
    return splat(builder_.CreateZExt(builder_.CreateBitCast(bits, builder_.getIntNTy(lanes_)), type_));
  }
  auto [kind, suffix] = operation.rsplit('_');
  type_ = element_type(builder_.getContext(), suffix);
  Value *values = gather(kOperandOffset, type_, active_);
  if (kind == "shuffle" || kind == "broadcast") return shuffle(values);
  StringRef combination = kind.rsplit('_').second;
  values = builder_.CreateSelect(active_, values, splat(identity(combination, type_)));
  if (kind.starts_with("scan_")) return scan(combination, values, kind.starts_with("scan_exclusive"));
  Value *cluster = kind.starts_with("clustered") ? gather(kSecondOperandOffset, builder_.getInt32Ty(), active_) : nullptr;
  return reduce(combination, values, cluster);
}

void OperationBuilder::build(StringRef intrinsic) {
  Value *present = builder_.CreateICmpULT(lane_numbers(), splat(function_.getArg(1)));
  Value *states = gather(0, builder_.getInt32Ty(), present);
  active_ = builder_.CreateAnd(present, builder_.CreateICmpEQ(states, splat(function_.getArg(3))));
  if (intrinsic.consume_front("__ups_sg_")) {
    Value *result = operate(intrinsic);
    builder_.CreateMaskedScatter(result, places(kOperandOffset), Align(1), active_);
  }
  builder_.CreateMaskedScatter(splat(builder_.getInt32(kReady)), places(0), Align(1), active_);
  builder_.CreateRetVoid();
}

}  // namespace

Function *make_lane_operation(Module &module, StringRef intrinsic, unsigned sub_group_size) {
  std::string name = (intrinsic + ".lanes" + Twine(sub_group_size)).str();
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
