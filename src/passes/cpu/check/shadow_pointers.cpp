// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Copies address arithmetic for shadows.
#include "passes/cpu/check/shadow_pointers.h"

#include "base/check_abi.h"
#include "passes/cpu/check/access.h"

#include <llvm/Analysis/CaptureTracking.h>
#include <llvm/IR/Operator.h>

using namespace llvm;

namespace upsweep::passes {
namespace {

/// More uses of a variable take too long to look at.
constexpr unsigned kMostUses = 10000;

}  // namespace

/// Shadows have no line of their own.
void ShadowPointers::go_to(IRBuilder<> &builder, Value *pointer) {
  go_behind(builder, item_, pointer);
  builder.SetCurrentDebugLocation(DebugLoc());
}

Value *ShadowPointers::of_root(Value *pointer) {
  IRBuilder<> builder(item_.getContext());
  go_to(builder, pointer);
  Value *address = builder.CreatePtrToInt(pointer, builder.getInt64Ty());
  Value *is_low = builder.CreateICmpULT(address, builder.getInt64(UPSWEEP_SHADOW_SPLIT));
  Value *distance = builder.CreateSelect(is_low, builder.getInt64(UPSWEEP_SHADOW_LOW),
                                         builder.getInt64(static_cast<uint64_t>(UPSWEEP_SHADOW_HIGH)));
  // LLVM may assume that no address derived from a variable is far from it.
  if (isa<AllocaInst, Constant>(pointer))
    return builder.CreateIntToPtr(builder.CreateAdd(address, distance), pointer->getType());
  return builder.CreateGEP(builder.getInt8Ty(), pointer, distance);
}

Value *ShadowPointers::of_variable(AllocaInst &variable) {
  if (PointerMayBeCaptured(&variable, /*ReturnCaptures=*/true, /*StoreCaptures=*/true, kMostUses)) {
    Value *shadow = of_root(&variable);
    variables_.insert({&variable, shadow});
    return shadow;
  }
  IRBuilder<> builder(variable.getNextNode());
  AllocaInst *shadow = builder.CreateAlloca(variable.getAllocatedType(), variable.getArraySize());
  shadow->setAlignment(variable.getAlign());
  if (variable.hasName()) shadow->setName(variable.getName() + ".shadow");
  variables_.insert({&variable, shadow});
  return shadow;
}

Value *ShadowPointers::of_phi(PHINode &phi) {
  IRBuilder<> builder(&phi);
  builder.SetCurrentDebugLocation(DebugLoc());
  PHINode *shadow = builder.CreatePHI(phi.getType(), phi.getNumIncomingValues());
  known_[&phi] = shadow;
  for (unsigned i = 0; i < phi.getNumIncomingValues(); ++i)
    shadow->addIncoming(of(phi.getIncomingValue(i)), phi.getIncomingBlock(i));
  return shadow;
}

Value *ShadowPointers::of_address(GEPOperator &address) {
  Value *base = of(address.getPointerOperand());
  IRBuilder<> builder(item_.getContext());
  go_to(builder, &address);
  if (isa<Constant>(address)) builder.SetInsertPoint(cast<Instruction>(base)->getNextNode());
  return builder.CreateGEP(address.getSourceElementType(), base, SmallVector<Value *, 4>(address.indices()));
}

Value *ShadowPointers::of(Value *pointer) {
  if (Value *known = known_.lookup(pointer)) return known;
  Value *shadow = nullptr;
  if (auto *variable = dyn_cast<AllocaInst>(pointer)) {
    shadow = of_variable(*variable);
  } else if (auto *address = dyn_cast<GEPOperator>(pointer); address && !address->getType()->isVectorTy()) {
    shadow = of_address(*address);
  } else if (auto *phi = dyn_cast<PHINode>(pointer)) {
    return of_phi(*phi);
  } else if (auto *select = dyn_cast<SelectInst>(pointer)) {
    Value *yes = of(select->getTrueValue()), *no = of(select->getFalseValue());
    IRBuilder<> builder(item_.getContext());
    go_to(builder, pointer);
    shadow = builder.CreateSelect(select->getCondition(), yes, no);
  } else if (auto *freeze = dyn_cast<FreezeInst>(pointer)) {
    shadow = of(freeze->getOperand(0));
  } else {
    shadow = of_root(pointer);
  }
  return known_[pointer] = shadow;
}

}  // namespace upsweep::passes
