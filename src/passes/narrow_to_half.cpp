// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Replaces fptrunc from double to half, scalar or vector.
#include "passes/narrow_to_half.h"

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>

using namespace llvm;

namespace upsweep::passes {
namespace {

bool is_double_to_half(const FPTruncInst &narrowing) {
  return narrowing.getSrcTy()->getScalarType()->isDoubleTy() && narrowing.getDestTy()->getScalarType()->isHalfTy();
}

/// `value` as float, rounded to odd: when it is not exact, the neighbour whose last bit is set.
Value *round_to_odd(IRBuilder<> &builder, Value *value) {
  Type *wide = value->getType();
  Type *narrow = wide->getWithNewType(builder.getFloatTy());
  Type *bits_type = wide->getWithNewType(builder.getInt32Ty());
  Value *nearest = builder.CreateFPTrunc(value, narrow);
  Value *back = builder.CreateFPExt(nearest, wide);
  Value *bits = builder.CreateBitCast(nearest, bits_type);
  // Ordered: a NaN stays as it is. Floats of one sign are ordered like their bits, so the neighbours are one apart.
  Value *is_inexact = builder.CreateFCmpONE(back, value);
  Value *is_even =
      builder.CreateICmpEQ(builder.CreateAnd(bits, ConstantInt::get(bits_type, 1)), ConstantInt::get(bits_type, 0));
  Value *is_too_large = builder.CreateFCmpOGT(builder.CreateUnaryIntrinsic(Intrinsic::fabs, back),
                                              builder.CreateUnaryIntrinsic(Intrinsic::fabs, value));
  Value *step = builder.CreateSelect(is_too_large, Constant::getAllOnesValue(bits_type), ConstantInt::get(bits_type, 1));
  Value *odd = builder.CreateAdd(bits, step);
  return builder.CreateBitCast(builder.CreateSelect(builder.CreateAnd(is_inexact, is_even), odd, bits), narrow);
}

}  // namespace

void narrow_to_half(Function &function) {
  for (Instruction &instruction : make_early_inc_range(instructions(function))) {
    auto *narrowing = dyn_cast<FPTruncInst>(&instruction);
    if (!narrowing || !is_double_to_half(*narrowing)) continue;
    IRBuilder<> builder(narrowing);
    narrowing->replaceAllUsesWith(builder.CreateFPTrunc(round_to_odd(builder, narrowing->getOperand(0)), narrowing->getType()));
    narrowing->eraseFromParent();
  }
}

}  // namespace upsweep::passes
