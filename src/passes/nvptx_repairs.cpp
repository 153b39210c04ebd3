// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Each repair leaves the rest of the code as it is.
#include "passes/nvptx_repairs.h"

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>

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

void extend_elements(FPExtInst &extend) {
  auto *type = dyn_cast<FixedVectorType>(extend.getType());
  if (!type || type->getNumElements() < 8) return;
  IRBuilder<> builder(&extend);
  Value *result = PoisonValue::get(type);
  for (unsigned i = 0; i < type->getNumElements(); ++i) {
    Value *element = builder.CreateExtractElement(extend.getOperand(0), i);
    result = builder.CreateInsertElement(result, builder.CreateFPExt(element, type->getElementType()), i);
  }
  extend.replaceAllUsesWith(result);
  extend.eraseFromParent();
}

void compare_elements(CmpInst &compare) {
  auto *type = dyn_cast<FixedVectorType>(compare.getType());
  if (!type || compare.getOperand(0)->getType()->getScalarSizeInBits() != 16) return;
  IRBuilder<> builder(&compare);
  if (isa<FPMathOperator>(compare)) builder.setFastMathFlags(compare.getFastMathFlags());
  Value *result = PoisonValue::get(type);
  for (unsigned i = 0; i < type->getNumElements(); ++i) {
    Value *left = builder.CreateExtractElement(compare.getOperand(0), i);
    Value *right = builder.CreateExtractElement(compare.getOperand(1), i);
    result = builder.CreateInsertElement(result, builder.CreateCmp(compare.getPredicate(), left, right), i);
  }
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

}  // namespace

void repair_for_nvptx(Module &module) {
  SmallVector<Instruction *, 128> all;  // a repair may erase instructions behind the one that it is about
  for (Function &function : module)
    for (Instruction &instruction : instructions(function))
      if (isa<IntrinsicInst, FPExtInst, CmpInst, LoadInst>(instruction)) all.push_back(&instruction);
  for (Instruction *instruction : all) {
    if (auto *call = dyn_cast<IntrinsicInst>(instruction); call && call->getIntrinsicID() == Intrinsic::fabs)
      clear_nan_sign(*call);
    else if (auto *extend = dyn_cast<FPExtInst>(instruction))
      extend_elements(*extend);
    else if (auto *compare = dyn_cast<CmpInst>(instruction))
      compare_elements(*compare);
    else if (auto *load = dyn_cast<LoadInst>(instruction))
      split_unaligned(*load);
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
