// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Values stay with `abs`, which costs nothing; only what is read as an integer goes by way of a mask.
#include "passes/clear_nan_signs.h"

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>

using namespace llvm;

namespace upsweep::passes {
namespace {

void clear_sign(IntrinsicInst &fabs) {
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

}  // namespace

void clear_nan_signs(Module &module) {
  for (Function &function : module)
    for (Instruction &instruction : instructions(function))
      if (auto *call = dyn_cast<IntrinsicInst>(&instruction); call && call->getIntrinsicID() == Intrinsic::fabs) clear_sign(*call);
}

}  // namespace upsweep::passes
