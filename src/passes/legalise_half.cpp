// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Conversions of double, which the CPU has in two steps only, and intrinsics.
//
// Rounding twice is right when the first rounding is to odd: a float that is not exact keeps that in its last bit, and a float
// has more than two bits more than a half (Boldo and Melquiond, "Emulation of a FMA and correctly-rounded sums", 2008).
#include "passes/legalise_half.h"

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>

using namespace llvm;

namespace upsweep::passes {
namespace {

bool is_half(const Type *type) { return type->getScalarType()->isHalfTy(); }

Type *like(const Type *shape, Type *element) {
  auto *vector = dyn_cast<VectorType>(shape);
  return vector ? VectorType::get(element, vector->getElementCount()) : element;
}

Value *double_to_half(IRBuilder<> &builder, Value *wide) {
  Type *bits_type = like(wide->getType(), builder.getInt32Ty()), *float_type = like(wide->getType(), builder.getFloatTy());
  Value *nearest = builder.CreateFPTrunc(wide, float_type);
  Value *back = builder.CreateFPExt(nearest, wide->getType());
  Value *inexact = builder.CreateFCmpONE(back, wide);
  Value *beyond = builder.CreateFCmpOGT(builder.CreateUnaryIntrinsic(Intrinsic::fabs, back),
                                        builder.CreateUnaryIntrinsic(Intrinsic::fabs, wide));
  Value *bits = builder.CreateBitCast(nearest, bits_type);
  Value *truncated = builder.CreateSub(bits, builder.CreateZExt(beyond, bits_type));
  Value *odd = builder.CreateSelect(inexact, builder.CreateOr(truncated, ConstantInt::get(bits_type, 1)), bits);
  return builder.CreateFPTrunc(builder.CreateBitCast(odd, float_type), like(wide->getType(), builder.getHalfTy()));
}

// Exact in float, or rounded to more than twice the bits of a half.
bool may_use_float(Intrinsic::ID id) {
  switch (id) {
  case Intrinsic::minnum:
  case Intrinsic::maxnum:
  case Intrinsic::sqrt:
  case Intrinsic::floor:
  case Intrinsic::ceil:
  case Intrinsic::trunc:
  case Intrinsic::rint:
  case Intrinsic::nearbyint:
  case Intrinsic::round:
  case Intrinsic::roundeven: return true;
  default: return false;
  }
}

Value *in_float(IRBuilder<> &builder, IntrinsicInst &call) {
  Type *type = like(call.getType(), builder.getFloatTy());
  SmallVector<Value *, 2> operands;
  for (Value *operand : call.args()) operands.push_back(builder.CreateFPExt(operand, type));
  Value *result = builder.CreateIntrinsic(call.getIntrinsicID(), {type}, operands);
  return builder.CreateFPTrunc(result, call.getType());
}

// The product is exact in double.
Value *fma_in_double(IRBuilder<> &builder, IntrinsicInst &call) {
  Type *type = like(call.getType(), builder.getDoubleTy());
  auto wide = [&](unsigned index) { return builder.CreateFPExt(call.getArgOperand(index), type); };
  return double_to_half(builder, builder.CreateFAdd(builder.CreateFMul(wide(0), wide(1)), wide(2)));
}

Value *legalised(Instruction &instruction) {
  IRBuilder<> builder(&instruction);
  if (auto *conversion = dyn_cast<FPTruncInst>(&instruction))
    return conversion->getSrcTy()->getScalarType()->isDoubleTy() ? double_to_half(builder, conversion->getOperand(0)) : nullptr;
  auto *call = dyn_cast<IntrinsicInst>(&instruction);
  if (!call) return nullptr;
  if (call->getIntrinsicID() == Intrinsic::fma) return fma_in_double(builder, *call);
  return may_use_float(call->getIntrinsicID()) ? in_float(builder, *call) : nullptr;
}

}  // namespace

void legalise_half(Function &function) {
  for (Instruction &instruction : make_early_inc_range(instructions(function))) {
    if (!is_half(instruction.getType())) continue;
    Value *replacement = legalised(instruction);
    if (!replacement) continue;
    instruction.replaceAllUsesWith(replacement);
    instruction.eraseFromParent();
  }
}

}  // namespace upsweep::passes
