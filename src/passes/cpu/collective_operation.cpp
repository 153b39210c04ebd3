// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Emits one instruction per operation and type.
#include "passes/cpu/collective_operation.h"

#include <llvm/IR/Constants.h>

using namespace llvm;

namespace upsweep::passes {

Value *combine(IRBuilder<> &builder, Operation operation, Value *a, Value *b) {
  // minnum of half would become calls of fminf.
  const bool is_half = a->getType()->getScalarType()->isHalfTy();
  switch (operation) {
  case Operation::kFAdd: return builder.CreateFAdd(a, b);
  case Operation::kFMul: return builder.CreateFMul(a, b);
  case Operation::kAdd: return builder.CreateAdd(a, b);
  case Operation::kMul: return builder.CreateMul(a, b);
  case Operation::kAnd: return builder.CreateAnd(a, b);
  case Operation::kOr: return builder.CreateOr(a, b);
  case Operation::kXor: return builder.CreateXor(a, b);
  case Operation::kSMin: return builder.CreateBinaryIntrinsic(Intrinsic::smin, a, b);
  case Operation::kSMax: return builder.CreateBinaryIntrinsic(Intrinsic::smax, a, b);
  case Operation::kUMin: return builder.CreateBinaryIntrinsic(Intrinsic::umin, a, b);
  case Operation::kUMax: return builder.CreateBinaryIntrinsic(Intrinsic::umax, a, b);
  case Operation::kFMin:
    if (is_half) return builder.CreateSelect(builder.CreateFCmpOLT(a, b), a, b);
    return builder.CreateBinaryIntrinsic(Intrinsic::minnum, a, b);
  case Operation::kFMax:
    if (is_half) return builder.CreateSelect(builder.CreateFCmpOGT(a, b), a, b);
    return builder.CreateBinaryIntrinsic(Intrinsic::maxnum, a, b);
  case Operation::kNone: break;
  }
  llvm_unreachable("a combination has an operation");
}

Constant *identity(Operation operation, Type *type) {
  const unsigned bits = type->getScalarSizeInBits();
  switch (operation) {
  case Operation::kFAdd: return ConstantFP::getNegativeZero(type);
  case Operation::kFMul: return ConstantFP::get(type, 1.0);
  case Operation::kFMin: return ConstantFP::getInfinity(type, /*Negative=*/false);
  case Operation::kFMax: return ConstantFP::getInfinity(type, /*Negative=*/true);
  case Operation::kMul: return ConstantInt::get(type, 1);
  case Operation::kAnd:
  case Operation::kUMin: return Constant::getAllOnesValue(type);
  case Operation::kSMin: return ConstantInt::get(type, APInt::getSignedMaxValue(bits));
  case Operation::kSMax: return ConstantInt::get(type, APInt::getSignedMinValue(bits));
  default: return Constant::getNullValue(type);
  }
}

Constant *scan_start(Operation operation, Type *type) {
  return operation == Operation::kFAdd ? ConstantFP::getZero(type) : identity(operation, type);
}

}  // namespace upsweep::passes
