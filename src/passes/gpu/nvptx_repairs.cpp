// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Each repair only changes the code concerned.
#include "passes/gpu/nvptx_repairs.h"

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/PatternMatch.h>
#include <llvm/Transforms/Utils/LoopUtils.h>

using namespace llvm;

namespace upsweep::passes {
namespace {

/// Values keep using `abs`, which is free; only values that are read as integers are masked.
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

/// Applies `make` to each element of a vector, or to the scalar.
Value *by_element(IRBuilder<> &builder, Type *type, function_ref<Value *(function_ref<Value *(Value *)>)> make) {
  auto *vector = dyn_cast<FixedVectorType>(type);
  if (!vector) return make([](Value *value) { return value; });
  Value *result = PoisonValue::get(vector);
  for (unsigned i = 0; i < vector->getNumElements(); ++i)
    result = builder.CreateInsertElement(result, make([&](Value *value) { return builder.CreateExtractElement(value, i); }), i);
  return result;
}

void extend_elements(FPExtInst &extend) {
  auto *type = dyn_cast<FixedVectorType>(extend.getType());
  if (!type || type->getNumElements() < 8) return;
  IRBuilder<> builder(&extend);
  Value *result = by_element(
      builder, type, [&](auto element) { return builder.CreateFPExt(element(extend.getOperand(0)), type->getElementType()); });
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

/// Whether it is a sum, with or without saturation, a minimum or a maximum.
bool has_packed_form(const Instruction &instruction) {
  if (const auto *call = dyn_cast<IntrinsicInst>(&instruction))
    return is_contained({Intrinsic::sadd_sat, Intrinsic::uadd_sat, Intrinsic::ssub_sat, Intrinsic::usub_sat, Intrinsic::smin,
                         Intrinsic::smax, Intrinsic::umin, Intrinsic::umax},
                        call->getIntrinsicID());
  return instruction.getOpcode() == Instruction::Add;
}

void unpack(Instruction &packed) {
  // the back end widens bytes to shorts
  if (!packed.getType()->isVectorTy() || packed.getType()->getScalarSizeInBits() > 16) return;
  IRBuilder<> builder(&packed);
  Value *result = by_element(builder, packed.getType(), [&](auto element) {
    Value *left = element(packed.getOperand(0)), *right = element(packed.getOperand(1));
    if (auto *call = dyn_cast<IntrinsicInst>(&packed))
      return builder.CreateBinaryIntrinsic(call->getIntrinsicID(), left, right);
    return builder.CreateAdd(left, right);
  });
  packed.replaceAllUsesWith(result);
  packed.eraseFromParent();
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

void convert_truth(SIToFPInst &convert) {
  if (!convert.getSrcTy()->getScalarType()->isIntegerTy(1)) return;
  IRBuilder<> builder(&convert);
  Type *type = convert.getType();
  convert.replaceAllUsesWith(builder.CreateSelect(convert.getOperand(0), ConstantFP::get(type, -1), ConstantFP::get(type, 0)));
  convert.eraseFromParent();
}

/// Whether the value, the phi or its next value, decreases in each iteration.
bool decreases(const Value &value, const Loop &loop) {
  using namespace PatternMatch;
  const Value *phi = &value;
  const APInt *step = nullptr;
  if (match(&value, m_Add(m_Value(), m_APInt(step)))) phi = cast<User>(value).getOperand(0);
  const auto *variable = dyn_cast<PHINode>(phi);
  if (!variable || variable->getParent() != loop.getHeader()) return false;
  return any_of(variable->incoming_values(), [&](const Use &next) {
    return match(next.get(), m_Add(m_Specific(variable), m_APInt(step))) && step->isNegative();
  });
}

bool stays_while_less(const Loop &loop, const BranchInst &branch) {
  const auto *compare = dyn_cast<ICmpInst>(branch.getCondition());
  if (!compare) return false;
  const bool stays_if_true = loop.contains(branch.getSuccessor(0));
  const CmpInst::Predicate stays = stays_if_true ? compare->getPredicate() : compare->getInversePredicate();
  const bool is_less = ICmpInst::isLT(stays) || ICmpInst::isLE(stays),
             is_greater = ICmpInst::isGT(stays) || ICmpInst::isGE(stays);
  return (is_less && decreases(*compare->getOperand(0), loop)) || (is_greater && decreases(*compare->getOperand(1), loop));
}

void keep_rolled(Function &function) {
  if (function.isDeclaration()) return;
  DominatorTree tree(function);
  LoopInfo loops(tree);
  for (Loop *loop : loops.getLoopsInPreorder()) {
    SmallVector<BasicBlock *, 4> exiting;
    loop->getExitingBlocks(exiting);
    if (any_of(exiting, [&](const BasicBlock *block) {
          const auto *branch = dyn_cast<BranchInst>(block->getTerminator());
          return branch && stays_while_less(*loop, *branch);
        }))
      addStringMetadataToLoop(loop, "llvm.loop.unroll.disable");
  }
}

}  // namespace

void repair_for_nvptx(Module &module) {
  SmallVector<Instruction *, 128> all;  // a repair may erase later instructions
  for (Function &function : module) {
    keep_rolled(function);
    for (Instruction &instruction : instructions(function))
      if (isa<IntrinsicInst, FPExtInst, SIToFPInst, CmpInst, LoadInst, BinaryOperator>(instruction))
        all.push_back(&instruction);
  }
  for (Instruction *instruction : all) {
    if (auto *call = dyn_cast<IntrinsicInst>(instruction); call && call->getIntrinsicID() == Intrinsic::fabs)
      clear_nan_sign(*call);
    else if (auto *extend = dyn_cast<FPExtInst>(instruction))
      extend_elements(*extend);
    else if (auto *convert = dyn_cast<SIToFPInst>(instruction))
      convert_truth(*convert);
    else if (auto *compare = dyn_cast<CmpInst>(instruction))
      compare_elements(*compare);
    else if (has_packed_form(*instruction))
      unpack(*instruction);
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
