// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Shadows of arithmetic.
#include "passes/cpu/check/shadow_rules.h"

#include <llvm/IR/IntrinsicInst.h>

using namespace llvm;

namespace upsweep::passes {
namespace {

bool is_zero(const Value *value) {
  const auto *constant = dyn_cast<Constant>(value);
  return constant && constant->isNullValue();
}

Constant *zero(Type *type) { return Constant::getNullValue(type); }

unsigned elements_of(const Type *type) {
  const auto *vector = dyn_cast<FixedVectorType>(type);
  return vector ? vector->getNumElements() : 1;
}

}  // namespace

Type *shadow_type(Type *type, const DataLayout &layout) {
  LLVMContext &context = type->getContext();
  if (auto *vector = dyn_cast<FixedVectorType>(type)) {
    Type *element = shadow_type(vector->getElementType(), layout);
    return element ? FixedVectorType::get(element, vector->getNumElements()) : nullptr;
  }
  if (type->isIntegerTy()) return type;
  if (type->isFloatingPointTy() || type->isPointerTy())
    return IntegerType::get(context, static_cast<unsigned>(layout.getTypeSizeInBits(type)));
  if (auto *array = dyn_cast<ArrayType>(type)) {
    Type *element = shadow_type(array->getElementType(), layout);
    return element ? ArrayType::get(element, array->getNumElements()) : nullptr;
  }
  auto *record = dyn_cast<StructType>(type);
  if (!record || record->isOpaque()) return nullptr;
  SmallVector<Type *, 4> members;
  for (Type *member : record->elements()) {
    members.push_back(shadow_type(member, layout));
    if (!members.back()) return nullptr;
  }
  return StructType::get(context, members, record->isPacked());
}

Value *ShadowRules::either(Value *a, Value *b) {
  if (is_zero(a) || a == b) return b;
  return is_zero(b) ? a : builder_.CreateOr(a, b);
}

Value *ShadowRules::both(Value *a, Value *b) {
  if (is_zero(a) || a == b) return a;
  return is_zero(b) ? b : builder_.CreateAnd(a, b);
}

/// The value as its shadow's type.
Value *ShadowRules::bits(Value *value) {
  Type *type = shadow_type(value->getType(), layout_);
  return value->getType()->isPtrOrPtrVectorTy() ? builder_.CreatePtrToInt(value, type) : builder_.CreateBitCast(value, type);
}

Value *ShadowRules::any(Value *shadow) {
  Type *type = shadow->getType();
  if (is_zero(shadow)) return builder_.getFalse();
  if (isa<FixedVectorType>(type)) {
    const auto width = static_cast<unsigned>(type->getPrimitiveSizeInBits().getFixedValue());
    return builder_.CreateIsNotNull(builder_.CreateBitCast(shadow, builder_.getIntNTy(width)));
  }
  if (type->isIntegerTy(1)) return shadow;
  if (type->isIntegerTy()) return builder_.CreateIsNotNull(shadow);
  Value *found = builder_.getFalse();
  const auto count = static_cast<unsigned>(isa<ArrayType>(type) ? type->getArrayNumElements() : type->getStructNumElements());
  for (unsigned i = 0; i < count; ++i) found = either(found, any(builder_.CreateExtractValue(shadow, i)));
  return found;
}

Value *ShadowRules::spread(Value *shadow, Type *type) {
  if (is_zero(shadow)) return zero(type);
  if (type->isAggregateType()) {
    Value *found = any(shadow), *all = PoisonValue::get(type);
    const auto count = static_cast<unsigned>(isa<ArrayType>(type) ? type->getArrayNumElements() : type->getStructNumElements());
    for (unsigned i = 0; i < count; ++i)
      all = builder_.CreateInsertValue(all, spread(found, ExtractValueInst::getIndexedType(type, i)), i);
    return all;
  }
  Type *from = shadow->getType();
  if (from->isAggregateType() || (from->isVectorTy() && elements_of(from) != elements_of(type))) {
    shadow = any(shadow);
    from = shadow->getType();
  }
  Value *found = from->getScalarType()->isIntegerTy(1) ? shadow : builder_.CreateICmpNE(shadow, zero(from));
  if (elements_of(type) != elements_of(from) || type->isVectorTy() != from->isVectorTy()) {
    if (from->isVectorTy()) found = any(found);
    if (type->isVectorTy()) found = builder_.CreateVectorSplat(elements_of(type), found);
  }
  return type->getScalarType()->isIntegerTy(1) ? found : builder_.CreateSExt(found, type);
}

Value *ShadowRules::mixed(ArrayRef<Value *> operands, Type *type) {
  Value *all = zero(type);
  for (Value *operand : operands) {
    Value *shadow = shadow_of_(operand);
    if (!shadow || is_zero(shadow)) continue;
    if (type->isAggregateType()) return spread(shadow, type);
    all = either(all, spread(shadow, type));
  }
  return all;
}

/// A product with a multiple of a power of 2 has that many low bits without the other operand.
Value *ShadowRules::of_product(BinaryOperator &product, Value *shadow) {
  const auto *factor = dyn_cast<ConstantInt>(product.getOperand(1));
  const unsigned zeros = factor && !factor->isZero() ? factor->getValue().countr_zero() : 0;
  return zeros ? builder_.CreateShl(shadow, zeros) : shadow;
}

Value *ShadowRules::of_shift(BinaryOperator &shift) {
  Value *value = shadow_of_(shift.getOperand(0)), *amount = shadow_of_(shift.getOperand(1));
  Value *moved = is_zero(value) ? value : builder_.CreateBinOp(shift.getOpcode(), value, shift.getOperand(1));
  return either(moved, spread(amount, moved->getType()));
}

Value *ShadowRules::of_binary(BinaryOperator &binary) {
  Value *a = binary.getOperand(0), *b = binary.getOperand(1);
  Value *of_a = shadow_of_(a), *of_b = shadow_of_(b);
  switch (binary.getOpcode()) {
  case Instruction::And: return either(both(of_a, of_b), either(both(of_b, a), both(of_a, b)));
  case Instruction::Or: {
    const auto hidden = [&](Value *shadow, Value *other) {
      return is_zero(shadow) ? shadow : builder_.CreateAnd(shadow, builder_.CreateNot(other));
    };
    return either(both(of_a, of_b), either(hidden(of_b, a), hidden(of_a, b)));
  }
  case Instruction::Shl:
  case Instruction::LShr:
  case Instruction::AShr: return of_shift(binary);
  case Instruction::Mul: return of_product(binary, either(of_a, of_b));
  case Instruction::UDiv:
  case Instruction::SDiv:
  case Instruction::URem:
  case Instruction::SRem: return spread(either(of_a, of_b), of_a->getType());
  default: return either(of_a, of_b);
  }
}

/// Defined if a bit that both values define differs.
Value *ShadowRules::of_equality(Value *a, Value *b, Value *shadow_a, Value *shadow_b) {
  Value *shadow = either(shadow_a, shadow_b);
  Value *difference = builder_.CreateAnd(builder_.CreateXor(bits(a), bits(b)), builder_.CreateNot(shadow));
  Constant *none = zero(shadow->getType());
  return builder_.CreateAnd(builder_.CreateICmpNE(shadow, none), builder_.CreateICmpEQ(difference, none));
}

/// Defined if the smallest and the largest value that each operand may have compare alike.
Value *ShadowRules::of_order(ICmpInst &compare) {
  Value *of_a = shadow_of_(compare.getOperand(0)), *of_b = shadow_of_(compare.getOperand(1));
  Value *a = bits(compare.getOperand(0)), *b = bits(compare.getOperand(1));
  Type *type = a->getType();
  Constant *sign = ConstantInt::get(type, APInt::getSignMask(type->getScalarSizeInBits()));
  const bool is_signed = compare.isSigned();
  const auto least = [&](Value *value, Value *shadow) -> Value * {
    if (is_zero(shadow)) return value;
    // The sign bit of a negative number makes it less.
    Value *less = builder_.CreateAnd(value, builder_.CreateNot(shadow));
    return is_signed ? builder_.CreateOr(less, builder_.CreateAnd(shadow, sign)) : less;
  };
  const auto most = [&](Value *value, Value *shadow) -> Value * {
    if (is_zero(shadow)) return value;
    Value *more = builder_.CreateOr(value, shadow);
    return is_signed ? builder_.CreateAnd(more, builder_.CreateNot(builder_.CreateAnd(shadow, sign))) : more;
  };
  const CmpInst::Predicate predicate = compare.getPredicate();
  return builder_.CreateXor(builder_.CreateICmp(predicate, least(a, of_a), most(b, of_b)),
                            builder_.CreateICmp(predicate, most(a, of_a), least(b, of_b)));
}

Value *ShadowRules::of_compare(CmpInst &compare) {
  Value *a = compare.getOperand(0), *b = compare.getOperand(1);
  Value *of_a = shadow_of_(a), *of_b = shadow_of_(b);
  if (auto *order = dyn_cast<ICmpInst>(&compare)) {
    if (is_zero(of_a) && is_zero(of_b)) return zero(compare.getType());
    return order->isEquality() ? of_equality(a, b, of_a, of_b) : of_order(*order);
  }
  if (compare.getPredicate() == CmpInst::FCMP_FALSE || compare.getPredicate() == CmpInst::FCMP_TRUE)
    return zero(compare.getType());
  return spread(either(of_a, of_b), compare.getType());
}

Value *ShadowRules::of_select(SelectInst &select) {
  Value *condition = select.getCondition(), *yes = select.getTrueValue(), *no = select.getFalseValue();
  Value *of_condition = shadow_of_(condition), *of_yes = shadow_of_(yes), *of_no = shadow_of_(no);
  Value *chosen = of_yes == of_no ? of_yes : builder_.CreateSelect(condition, of_yes, of_no);
  if (is_zero(of_condition)) return chosen;
  Value *unknown = nullptr;
  if (select.getType()->isAggregateType())
    unknown = Constant::getAllOnesValue(of_yes->getType());
  else
    unknown = either(either(of_yes, of_no), builder_.CreateXor(bits(yes), bits(no)));
  return builder_.CreateSelect(of_condition, unknown, chosen);
}

Value *ShadowRules::of_cast(CastInst &cast) {
  Value *shadow = shadow_of_(cast.getOperand(0));
  Type *type = shadow_type(cast.getType(), layout_);
  switch (cast.getOpcode()) {
  case Instruction::Trunc:
  case Instruction::ZExt:
  case Instruction::SExt: return is_zero(shadow) ? zero(type) : builder_.CreateCast(cast.getOpcode(), shadow, type);
  case Instruction::PtrToInt:
  case Instruction::IntToPtr:
  case Instruction::AddrSpaceCast: return builder_.CreateZExtOrTrunc(shadow, type);
  case Instruction::BitCast: return is_zero(shadow) ? zero(type) : builder_.CreateBitCast(shadow, type);
  default: return spread(shadow, type);
  }
}

Value *ShadowRules::of_elements(Instruction &instruction) {
  if (auto *extract = dyn_cast<ExtractElementInst>(&instruction)) {
    Value *shadow = shadow_of_(extract->getVectorOperand());
    Value *element = is_zero(shadow) ? zero(shadow->getType()->getScalarType())
                                     : builder_.CreateExtractElement(shadow, extract->getIndexOperand());
    return either(element, spread(shadow_of_(extract->getIndexOperand()), element->getType()));
  }
  if (auto *insert = dyn_cast<InsertElementInst>(&instruction)) {
    Value *changed = builder_.CreateInsertElement(shadow_of_(insert->getOperand(0)), shadow_of_(insert->getOperand(1)),
                                                  insert->getOperand(2));
    return either(changed, spread(shadow_of_(insert->getOperand(2)), changed->getType()));
  }
  if (auto *shuffle = dyn_cast<ShuffleVectorInst>(&instruction)) {
    // An element without a source is never used. Its shadow must be a number all the same.
    SmallVector<int, 16> mask(shuffle->getShuffleMask());
    for (int &source : mask) source = std::max(source, 0);
    return builder_.CreateShuffleVector(shadow_of_(shuffle->getOperand(0)), shadow_of_(shuffle->getOperand(1)), mask);
  }
  if (auto *extract = dyn_cast<ExtractValueInst>(&instruction))
    return builder_.CreateExtractValue(shadow_of_(extract->getAggregateOperand()), extract->getIndices());
  auto &insert = cast<InsertValueInst>(instruction);
  return builder_.CreateInsertValue(shadow_of_(insert.getAggregateOperand()), shadow_of_(insert.getInsertedValueOperand()),
                                    insert.getIndices());
}

Value *ShadowRules::of_intrinsic(CallInst &call) {
  Type *type = shadow_type(call.getType(), layout_);
  const Intrinsic::ID id = call.getIntrinsicID();
  const auto shadow = [&](unsigned i) { return shadow_of_(call.getArgOperand(i)); };
  switch (id) {
  case Intrinsic::bswap:
  case Intrinsic::bitreverse: return builder_.CreateUnaryIntrinsic(id, shadow(0));
  case Intrinsic::fshl:
  case Intrinsic::fshr:
    return either(builder_.CreateIntrinsic(id, {type}, {shadow(0), shadow(1), call.getArgOperand(2)}), spread(shadow(2), type));
  case Intrinsic::fabs:
  case Intrinsic::canonicalize: return shadow(0);
  case Intrinsic::minnum:
  case Intrinsic::maxnum:
  case Intrinsic::smin:
  case Intrinsic::smax:
  case Intrinsic::umin:
  case Intrinsic::umax:
  case Intrinsic::uadd_sat:
  case Intrinsic::sadd_sat:
  case Intrinsic::usub_sat:
  case Intrinsic::ssub_sat: return either(shadow(0), shadow(1));
  case Intrinsic::fma:
  case Intrinsic::fmuladd: return either(either(shadow(0), shadow(1)), shadow(2));
  default: return mixed(SmallVector<Value *, 4>(call.args()), type);
  }
}

Value *ShadowRules::of(Instruction &instruction) {
  if (auto *binary = dyn_cast<BinaryOperator>(&instruction)) return of_binary(*binary);
  if (auto *compare = dyn_cast<CmpInst>(&instruction)) return of_compare(*compare);
  if (auto *select = dyn_cast<SelectInst>(&instruction)) return of_select(*select);
  if (auto *cast = dyn_cast<CastInst>(&instruction)) return of_cast(*cast);
  if (auto *call = dyn_cast<CallInst>(&instruction)) return of_intrinsic(*call);
  if (isa<FreezeInst, UnaryOperator>(instruction)) return shadow_of_(instruction.getOperand(0));
  if (isa<ExtractElementInst, InsertElementInst, ShuffleVectorInst, ExtractValueInst, InsertValueInst>(instruction))
    return of_elements(instruction);
  return mixed(SmallVector<Value *, 4>(instruction.operands()), shadow_type(instruction.getType(), layout_));
}

}  // namespace upsweep::passes
