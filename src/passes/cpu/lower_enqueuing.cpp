// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Enqueuing kernels: calls of the driver's hooks, with the group before the other arguments.
#include "passes/cpu/group_layout.h"
#include "passes/cpu/lower_context.h"

#include <llvm/IR/Instructions.h>

using namespace llvm;

namespace upsweep::passes {
namespace {

size_t hook_of(Ups intrinsic) {
  switch (intrinsic) {
  case Ups::kEnqueue: return offsetof(UpsweepHooks, enqueue);
  case Ups::kEvent: return offsetof(UpsweepHooks, event);
  default: return offsetof(UpsweepHooks, query);
  }
}

}  // namespace

Value *lower_enqueuing(IRBuilder<> &builder, Ups intrinsic, CallInst &call, Value *group) {
  Value *hooks = load_group_pointer(builder, group, offsetof(UpsweepGroup, hooks));
  Value *hook = builder.CreateLoad(builder.getPtrTy(),
                                   builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), hooks, hook_of(intrinsic)));
  SmallVector<Value *, 12> arguments{group};
  SmallVector<Type *, 12> types{builder.getPtrTy()};
  for (Value *argument : call.args()) {
    arguments.push_back(argument);
    types.push_back(argument->getType());
  }
  CallInst *result = builder.CreateCall(FunctionType::get(call.getType(), types, false), hook, arguments);
  result->setDoesNotThrow();
  return result;
}

}  // namespace upsweep::passes
