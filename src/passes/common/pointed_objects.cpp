// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Uses LLVM's underlying objects; an argument is a load from the argument block.
#include "passes/common/pointed_objects.h"

#include "passes/common/intrinsics.h"

#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>

using namespace llvm;

namespace upsweep::passes {

PointedObjects::PointedObjects(const Value &pointer) {
  SmallVector<const Value *, 4> objects;
  getUnderlyingObjects(&pointer, objects, /*LI=*/nullptr, /*MaxLookup=*/0);
  for (const Value *object : objects) add(*object);
}

void PointedObjects::add(const Value &object) {
  const auto *variable = dyn_cast<GlobalVariable>(&object);
  if (isa<ConstantPointerNull, UndefValue>(object)) return;
  shared_ |= !isa<AllocaInst>(object) && !(variable && variable->isConstant());
  const auto *instruction = dyn_cast<Instruction>(&object);
  if (!instruction || isa<AllocaInst>(object)) {
    unknown_ |= !instruction && !variable && !isa<Argument>(object);
    objects_.insert({&object, 0});
    return;
  }
  const auto *load = dyn_cast<LoadInst>(instruction);
  const Value *place = load ? load->getPointerOperand() : instruction;
  APInt offset(64, 0);
  const auto *block = dyn_cast<CallBase>(
      place->stripAndAccumulateConstantOffsets(instruction->getModule()->getDataLayout(), offset, /*AllowNonInbounds=*/true));
  const Ups intrinsic = block ? intrinsic_of(*block) : Ups::kNone;
  if (load && intrinsic == Ups::kArguments) {
    objects_.insert({block->getCalledFunction(), offset.getSExtValue()});
  } else if (!load && intrinsic == Ups::kLocal) {
    objects_.insert({block->getCalledFunction(), 0});
  } else {
    objects_.insert({&object, 0});
    unknown_ = true;
  }
}

bool PointedObjects::have_common(const PointedObjects &others) const {
  if (are_own() || others.are_own()) return false;
  return unknown_ || others.unknown_ || name_same(others);
}

bool PointedObjects::name_same(const PointedObjects &others) const {
  for (const auto &object : objects_)
    if (others.objects_.contains(object)) return true;
  return false;
}

}  // namespace upsweep::passes
