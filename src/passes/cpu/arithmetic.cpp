// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Emits one call of an x86 intrinsic per register.
#include "passes/cpu/arithmetic.h"

#include <llvm/Analysis/VectorUtils.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>

using namespace llvm;

namespace upsweep::passes {
namespace {

// Control bytes of vgetmant: NaN for negative numbers; results in [0.75, 1.5) or [1, 2).
constexpr int kMantissaControl = 0b1011, kSignificandControl = 0b1000;
constexpr int kCurrentRounding = 4;

unsigned level_of(const Function &function) {
  return arithmetic_level(function.getFnAttribute("target-features").getValueAsString());
}

bool is_root(Ups operation) { return operation == Ups::kRootFloat || operation == Ups::kRootDouble; }

StringRef instruction(Ups operation) {
  switch (operation) {
  case Ups::kScaleFloat:
  case Ups::kScaleDouble: return "mask.scalef";
  case Ups::kExponentFloat:
  case Ups::kExponentDouble: return "mask.getexp";
  case Ups::kMantissaFloat:
  case Ups::kMantissaDouble:
  case Ups::kSignificandFloat:
  case Ups::kSignificandDouble: return "mask.getmant";
  default: return "rsqrt14";
  }
}

Value *call(IRBuilderBase &builder, const Twine &name, Type *type, ArrayRef<Value *> arguments) {
  SmallVector<Type *, 6> types;
  for (Value *argument : arguments) types.push_back(argument->getType());
  Module *module = builder.GetInsertBlock()->getModule();
  return builder.CreateCall(module->getOrInsertFunction(name.str(), FunctionType::get(type, types, false)), arguments);
}

/// Emits the operation on one register.
Value *write_register(IRBuilderBase &builder, Ups operation, ArrayRef<Value *> parts, unsigned level) {
  auto *type = cast<FixedVectorType>(parts[0]->getType());
  const unsigned lanes = type->getNumElements(), bits = lanes * type->getScalarSizeInBits();
  if (level < 4) return call(builder, bits == 256 ? "llvm.x86.avx.rsqrt.ps.256" : "llvm.x86.sse.rsqrt.ps", type, parts);
  SmallVector<Value *, 6> arguments(parts);
  if (operation == Ups::kMantissaFloat || operation == Ups::kMantissaDouble)
    arguments.push_back(builder.getInt32(kMantissaControl));
  if (operation == Ups::kSignificandFloat || operation == Ups::kSignificandDouble)
    arguments.push_back(builder.getInt32(kSignificandControl));
  arguments.push_back(Constant::getNullValue(type));
  arguments.push_back(Constant::getAllOnesValue(builder.getIntNTy(std::max(lanes, 8u))));
  if (bits == 512 && !is_root(operation)) arguments.push_back(builder.getInt32(kCurrentRounding));
  const StringRef suffix = type->getScalarType()->isFloatTy() ? ".ps." : ".pd.";
  return call(builder, Twine("llvm.x86.avx512.") + instruction(operation) + suffix + Twine(bits), type, arguments);
}

Value *elements(IRBuilderBase &builder, Value *vector, unsigned first, unsigned count) {
  SmallVector<int, 32> picked;
  for (unsigned i = first; i < first + count; ++i) picked.push_back(static_cast<int>(i));
  return builder.CreateShuffleVector(vector, picked);
}

Value *write_vector(IRBuilderBase &builder, Ups operation, ArrayRef<Value *> arguments, unsigned level) {
  auto *type = cast<FixedVectorType>(arguments[0]->getType());
  const unsigned count = type->getNumElements(), fits = (level < 4 ? 256 : 512) / type->getScalarSizeInBits();
  if (count <= fits) return write_register(builder, operation, arguments, level);
  Value *halves[2];
  for (unsigned i = 0; i < 2; ++i) {
    SmallVector<Value *, 2> parts;
    for (Value *argument : arguments) parts.push_back(elements(builder, argument, i * count / 2, count / 2));
    halves[i] = write_vector(builder, operation, parts, level);
  }
  SmallVector<int, 32> all;
  for (unsigned i = 0; i < count; ++i) all.push_back(static_cast<int>(i));
  return builder.CreateShuffleVector(halves[0], halves[1], all);
}

/// `count` elements of the table from `first`; the last element is repeated beyond the table's end.
Value *table_register(Constant &table, unsigned first, unsigned count) {
  const unsigned length = cast<ArrayType>(table.getType())->getNumElements();
  SmallVector<Constant *, 16> elements;
  for (unsigned i = first; i < first + count; ++i) elements.push_back(table.getAggregateElement(std::min(i, length - 1)));
  return ConstantVector::get(elements);
}

/// Looks up one register of elements; `index` has the elements' width.
Value *look_up(IRBuilderBase &builder, Constant &table, Value *index, unsigned level) {
  auto *array = cast<ArrayType>(table.getType());
  const bool is_float = array->getElementType()->isFloatTy();
  const unsigned lanes = cast<FixedVectorType>(index->getType())->getNumElements();
  auto *type = FixedVectorType::get(array->getElementType(), lanes);
  Value *low = table_register(table, 0, lanes);
  if (level == 4 && array->getNumElements() > lanes)
    return call(builder, is_float ? "llvm.x86.avx512.vpermi2var.ps.512" : "llvm.x86.avx512.vpermi2var.pd.512", type,
                {low, index, table_register(table, lanes, lanes)});
  if (level == 4)
    return call(builder, is_float ? "llvm.x86.avx512.permvar.sf.512" : "llvm.x86.avx512.permvar.df.512", type, {low, index});
  auto *words = FixedVectorType::get(builder.getInt32Ty(), 8), *floats = FixedVectorType::get(builder.getFloatTy(), 8);
  if (!is_float) {  // the two words of a double
    Value *first = builder.CreateShl(index, 1);
    index = builder.CreateAdd(builder.CreateOr(first, builder.CreateShl(first, 32)),
                              ConstantInt::get(index->getType(), uint64_t{1} << 32));
    index = builder.CreateBitCast(index, words);
  }
  return builder.CreateBitCast(call(builder, "llvm.x86.avx2.permps", floats, {builder.CreateBitCast(low, floats), index}),
                               type);
}

}  // namespace

Value *write_table(IRBuilderBase &builder, Constant &table, Value *index) {
  const unsigned level = level_of(*builder.GetInsertBlock()->getParent());
  auto *array = dyn_cast<ArrayType>(table.getType());
  if (level < 3 || !array || !(array->getElementType()->isFloatTy() || array->getElementType()->isDoubleTy())) return nullptr;
  const unsigned bits = array->getElementType()->getScalarSizeInBits(), lanes = (level == 4 ? 512 : 256) / bits;
  if (array->getNumElements() < 2 || array->getNumElements() > lanes * (level == 4 ? 2 : 1)) return nullptr;
  const unsigned count = cast<FixedVectorType>(index->getType())->getNumElements();
  index = builder.CreateZExtOrTrunc(index, FixedVectorType::get(builder.getIntNTy(bits), count));
  SmallVector<Value *, 4> parts;
  for (unsigned first = 0; first < count; first += lanes) {
    SmallVector<int, 16> picked;
    for (unsigned i = first; i < first + lanes; ++i) picked.push_back(i < count ? static_cast<int>(i) : -1);
    parts.push_back(look_up(builder, table, builder.CreateShuffleVector(index, picked), level));
  }
  Value *all = parts.size() == 1 ? parts[0] : concatenateVectors(builder, parts);
  return count < lanes ? elements(builder, all, 0, count) : all;
}

unsigned arithmetic_level(StringRef target_features) {
  const auto has = [&](StringRef feature) { return target_features.contains(feature); };
  if (has("+avx512vl") && has("+avx512dq")) return 4;
  return has("+avx2") && has("+fma") ? 3 : 0;
}

Value *write_arithmetic(IRBuilderBase &builder, Ups operation, ArrayRef<Value *> arguments) {
  Type *type = arguments[0]->getType();
  const unsigned level = level_of(*builder.GetInsertBlock()->getParent());
  if (level < 3 || (level < 4 && operation != Ups::kRootFloat)) return PoisonValue::get(type);
  if (type->isVectorTy()) return write_vector(builder, operation, arguments, level);
  auto *wide = FixedVectorType::get(type, 128 / type->getScalarSizeInBits());
  SmallVector<Value *, 2> vectors;
  for (Value *argument : arguments)
    vectors.push_back(builder.CreateInsertElement(Constant::getNullValue(wide), argument, uint64_t{0}));
  return builder.CreateExtractElement(write_vector(builder, operation, vectors, level), uint64_t{0});
}

void lower_arithmetic(Function &function) {
  for (Instruction &each : make_early_inc_range(instructions(function))) {
    const UpsFunction &called = ups_function(each);
    if (called.effect != Effect::kArithmetic) continue;
    auto &replaced = cast<CallInst>(each);
    IRBuilder<> builder(&replaced);
    SmallVector<Value *, 2> arguments(replaced.args());
    Value *value =
        called.id == Ups::kLevel ? builder.getInt32(level_of(function)) : write_arithmetic(builder, called.id, arguments);
    replaced.replaceAllUsesWith(value);
    replaced.eraseFromParent();
  }
}

}  // namespace upsweep::passes
