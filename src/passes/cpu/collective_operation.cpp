// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One instruction per operation and type.
#include "passes/cpu/collective_operation.h"

#include <llvm/ADT/StringSwitch.h>
#include <llvm/IR/Constants.h>

using namespace llvm;

namespace upsweep::passes {

Value *combine(IRBuilder<> &builder, StringRef operation, Value *a, Value *b) {
  if (operation == "fadd") return builder.CreateFAdd(a, b);
  if (operation == "fmul") return builder.CreateFMul(a, b);
  if (operation == "add") return builder.CreateAdd(a, b);
  if (operation == "mul") return builder.CreateMul(a, b);
  if (operation == "and") return builder.CreateAnd(a, b);
  if (operation == "or") return builder.CreateOr(a, b);
  if (operation == "xor") return builder.CreateXor(a, b);
  // minnum of half would become calls of fminf.
  if (a->getType()->getScalarType()->isHalfTy())
    return builder.CreateSelect(operation == "fmin" ? builder.CreateFCmpOLT(a, b) : builder.CreateFCmpOGT(a, b), a, b);
  auto id = StringSwitch<Intrinsic::ID>(operation)
                .Case("smin", Intrinsic::smin)
                .Case("smax", Intrinsic::smax)
                .Case("umin", Intrinsic::umin)
                .Case("umax", Intrinsic::umax)
                .Case("fmin", Intrinsic::minnum)
                .Case("fmax", Intrinsic::maxnum)
                .Default(Intrinsic::not_intrinsic);
  assert(id != Intrinsic::not_intrinsic && "unknown operation of a collective");
  return builder.CreateBinaryIntrinsic(id, a, b);
}

Constant *identity(StringRef operation, Type *type) {
  if (type->isFPOrFPVectorTy()) {
    if (operation == "fadd") return ConstantFP::getNegativeZero(type);
    if (operation == "fmul") return ConstantFP::get(type, 1.0);
    return ConstantFP::getInfinity(type, /*Negative=*/operation == "fmax");
  }
  unsigned bits = type->getScalarSizeInBits();
  if (operation == "mul") return ConstantInt::get(type, 1);
  if (operation == "and" || operation == "umin") return Constant::getAllOnesValue(type);
  if (operation == "smin") return ConstantInt::get(type, APInt::getSignedMaxValue(bits));
  if (operation == "smax") return ConstantInt::get(type, APInt::getSignedMinValue(bits));
  return Constant::getNullValue(type);
}

Constant *scan_start(StringRef operation, Type *type) {
  return operation == "fadd" ? ConstantFP::getZero(type) : identity(operation, type);
}

}  // namespace upsweep::passes
