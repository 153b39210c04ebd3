// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Each repair leaves the rest of the code as it is.
#include "passes/nvptx_repairs.h"

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InlineAsm.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/PatternMatch.h>

using namespace llvm;

namespace upsweep::passes {
namespace {

/// Values stay with `abs`, which costs nothing; only what is read as an integer goes by way of a mask.
void clear_nan_sign(IntrinsicInst &fabs) {
  Type *type = fabs.getType();
  const unsigned bits = type->getScalarSizeInBits();
  Type *integer = type->getWithNewType(Type::getIntNTy(type->getContext(), bits));
  for (User *user : make_early_inc_range(fabs.users())) {
    auto *cast = dyn_cast<BitCastInst>(user);
    if (!cast) continue;
    IRBuilder<> builder(cast);
    Value *masked = builder.CreateAnd(builder.CreateBitCast(fabs.getArgOperand(0), integer),
                                      ConstantInt::get(integer, APInt::getSignedMaxValue(bits)));
    cast->replaceAllUsesWith(builder.CreateBitCast(masked, cast->getType()));
    cast->eraseFromParent();
  }
}

/// For each element of a vector, or the scalar.
Value *by_element(IRBuilder<> &builder, Type *type, function_ref<Value *(function_ref<Value *(Value *)>)> make) {
  auto *vector = dyn_cast<FixedVectorType>(type);
  if (!vector) return make([](Value *value) { return value; });
  Value *result = PoisonValue::get(vector);
  for (unsigned i = 0; i < vector->getNumElements(); ++i)
    result = builder.CreateInsertElement(
        result, make([&](Value *value) { return builder.CreateExtractElement(value, i); }), i);
  return result;
}

void extend_elements(FPExtInst &extend) {
  auto *type = dyn_cast<FixedVectorType>(extend.getType());
  if (!type || type->getNumElements() < 8) return;
  IRBuilder<> builder(&extend);
  Value *result = by_element(builder, type, [&](auto element) {
    return builder.CreateFPExt(element(extend.getOperand(0)), type->getElementType());
  });
  extend.replaceAllUsesWith(result);
  extend.eraseFromParent();
}

void compare_elements(CmpInst &compare) {
  if (!compare.getType()->isVectorTy() || compare.getOperand(0)->getType()->getScalarSizeInBits() != 16) return;
  IRBuilder<> builder(&compare);
  if (isa<FPMathOperator>(compare)) builder.setFastMathFlags(compare.getFastMathFlags());
  Value *result = by_element(builder, compare.getType(), [&](auto element) {
    return builder.CreateCmp(compare.getPredicate(), element(compare.getOperand(0)), element(compare.getOperand(1)));
  });
  compare.replaceAllUsesWith(result);
  compare.eraseFromParent();
}

void split_unaligned(LoadInst &load) {
  auto *type = dyn_cast<FixedVectorType>(load.getType());
  if (!type || type->getNumElements() != 16 || !type->getElementType()->isIntegerTy(8) || load.getAlign() >= Align(16)) return;
  constexpr unsigned kPart = 4;
  IRBuilder<> builder(&load);
  auto *part_type = FixedVectorType::get(type->getElementType(), kPart);
  Value *result = PoisonValue::get(type);
  for (unsigned first = 0; first < type->getNumElements(); first += kPart) {
    Value *place = builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), load.getPointerOperand(), first);
    LoadInst *part = builder.CreateAlignedLoad(part_type, place, commonAlignment(load.getAlign(), first), load.isVolatile());
    part->copyMetadata(load, {LLVMContext::MD_invariant_load, LLVMContext::MD_alias_scope, LLVMContext::MD_noalias});
    for (unsigned i = 0; i < kPart; ++i)
      result = builder.CreateInsertElement(result, builder.CreateExtractElement(part, i), first + i);
  }
  load.replaceAllUsesWith(result);
  load.eraseFromParent();
}

/// What a 16-bit number is to be multiplied by, if that would become `neg`: -1 or another negative power of two, else 0.
int16_t negating_factor(const Instruction &instruction) {
  using namespace PatternMatch;
  const APInt *factor;
  if (match(&instruction, m_Neg(m_Value()))) return -1;
  if (match(&instruction, m_Mul(m_Value(), m_APInt(factor))) && factor->isNegatedPowerOf2())
    return static_cast<int16_t>(factor->getSExtValue());
  return 0;
}

Value *multiplied(IRBuilder<> &builder, Value *value, int16_t factor) {
  auto *type = FunctionType::get(builder.getInt16Ty(), {builder.getInt16Ty()}, false);
  auto *multiplication = InlineAsm::get(type, "mul.lo.s16 $0, $1, " + std::to_string(factor) + ";", "=h,h", false);
  return by_element(builder, value->getType(),
                    [&](auto element) { return builder.CreateCall(multiplication, {element(value)}); });
}

void negate_by_multiplication(Instruction &instruction) {
  if (!instruction.getType()->getScalarType()->isIntegerTy(16)) return;
  IRBuilder<> builder(&instruction);
  Value *result = nullptr;
  if (auto *call = dyn_cast<IntrinsicInst>(&instruction)) {
    Value *value = call->getArgOperand(0);
    if (call->getIntrinsicID() == Intrinsic::abs)
      result = builder.CreateSelect(builder.CreateIsNeg(value), multiplied(builder, value, -1), value);
  } else if (const int16_t factor = negating_factor(instruction)) {
    const bool is_difference = instruction.getOpcode() == Instruction::Sub;
    result = multiplied(builder, instruction.getOperand(is_difference ? 1 : 0), factor);
  }
  if (!result) return;
  instruction.replaceAllUsesWith(result);
  instruction.eraseFromParent();
}

void widen_extreme(MinMaxIntrinsic &extreme) {
  Type *type = extreme.getType();
  if (!type->getScalarType()->isIntegerTy(16)) return;
  IRBuilder<> builder(&extreme);
  Type *wide = builder.getInt32Ty();
  Value *result = by_element(builder, type, [&](auto element) {
    auto widened = [&](Value *value) { return builder.CreateIntCast(element(value), wide, extreme.isSigned()); };
    Value *of_two = builder.CreateBinaryIntrinsic(extreme.getIntrinsicID(), widened(extreme.getLHS()), widened(extreme.getRHS()));
    return builder.CreateTrunc(of_two, builder.getInt16Ty());
  });
  extreme.replaceAllUsesWith(result);
  extreme.eraseFromParent();
}

void convert_truth(SIToFPInst &convert) {
  if (!convert.getSrcTy()->getScalarType()->isIntegerTy(1)) return;
  IRBuilder<> builder(&convert);
  Type *type = convert.getType();
  convert.replaceAllUsesWith(builder.CreateSelect(convert.getOperand(0), ConstantFP::get(type, -1), ConstantFP::get(type, 0)));
  convert.eraseFromParent();
}

}  // namespace

void repair_for_nvptx(Module &module) {
  SmallVector<Instruction *, 128> all;  // a repair may erase instructions behind the one that it is about
  for (Function &function : module)
    for (Instruction &instruction : instructions(function))
      if (isa<IntrinsicInst, FPExtInst, SIToFPInst, CmpInst, LoadInst, BinaryOperator>(instruction)) all.push_back(&instruction);
  for (Instruction *instruction : all) {
    if (auto *call = dyn_cast<IntrinsicInst>(instruction); call && call->getIntrinsicID() == Intrinsic::fabs)
      clear_nan_sign(*call);
    else if (auto *extreme = dyn_cast<MinMaxIntrinsic>(instruction))
      widen_extreme(*extreme);
    else if (auto *extend = dyn_cast<FPExtInst>(instruction))
      extend_elements(*extend);
    else if (auto *convert = dyn_cast<SIToFPInst>(instruction))
      convert_truth(*convert);
    else if (auto *compare = dyn_cast<CmpInst>(instruction))
      compare_elements(*compare);
    else if (auto *load = dyn_cast<LoadInst>(instruction))
      split_unaligned(*load);
    else
      negate_by_multiplication(*instruction);
  }
}

bool is_pair_of_bytes(Type *type) {
  auto *vector = dyn_cast<FixedVectorType>(type);
  return vector && vector->getNumElements() == 2 && vector->getElementType()->isIntegerTy(8);
}

void inline_pairs_of_bytes(Module &module) {
  for (Function &function : module) {
    auto is_pair = [](const Argument &argument) { return is_pair_of_bytes(argument.getType()); };
    if (function.isDeclaration() || (!is_pair_of_bytes(function.getReturnType()) && none_of(function.args(), is_pair)))
      continue;
    function.removeFnAttr(Attribute::NoInline);
    function.removeFnAttr(Attribute::OptimizeNone);
    function.addFnAttr(Attribute::AlwaysInline);
  }
}

}  // namespace upsweep::passes
