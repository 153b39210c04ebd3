// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lowers device-side enqueue and failed assertions: calls the driver's hooks with the group as first argument, and a range in
// memory.
#include "passes/cpu/group_layout.h"
#include "passes/cpu/lower_context.h"

#include <llvm/IR/Instructions.h>

using namespace llvm;

namespace upsweep::passes {
namespace {

constexpr unsigned kRangeMembers = 10;  // members of UPSWEEP_RANGE in builtins/intrinsics.def

size_t hook_of(Ups intrinsic) {
  switch (intrinsic) {
  case Ups::kEnqueue: return offsetof(UpsweepHooks, enqueue);
  case Ups::kBlockQuery: return offsetof(UpsweepHooks, query);
  case Ups::kAssertFail: return offsetof(UpsweepHooks, assert_failed);
  default: return offsetof(UpsweepHooks, event);
  }
}

/// All calls share a variable, as for printf.
AllocaInst *range_place(CallInst &call) {
  constexpr StringLiteral kName = "upsweep.range";
  BasicBlock &entry = call.getFunction()->getEntryBlock();
  for (Instruction &instruction : entry)
    if (auto *variable = dyn_cast<AllocaInst>(&instruction); variable && variable->getName() == kName) return variable;
  IRBuilder<> builder(&entry, entry.begin());
  static_assert(sizeof(UpsweepRange) == 8 * kRangeMembers, "the members are 8 bytes apart");
  return builder.CreateAlloca(ArrayType::get(builder.getInt64Ty(), kRangeMembers), nullptr, kName);
}

Value *store_range(IRBuilder<> &builder, CallInst &call) {
  AllocaInst *range = range_place(call);
  for (unsigned i = 0; i < kRangeMembers; ++i)
    builder.CreateStore(builder.CreateZExt(call.getArgOperand(i), builder.getInt64Ty()),
                        builder.CreateConstInBoundsGEP1_64(builder.getInt64Ty(), range, i));
  return range;
}

}  // namespace

Value *lower_enqueuing(IRBuilder<> &builder, Ups intrinsic, CallInst &call, Value *group) {
  Value *hooks = load_group_pointer(builder, group, offsetof(UpsweepGroup, hooks));
  Value *hook = builder.CreateLoad(builder.getPtrTy(),
                                   builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), hooks, hook_of(intrinsic)));
  const bool has_range = intrinsic == Ups::kEnqueue || intrinsic == Ups::kBlockQuery;
  SmallVector<Value *, 12> arguments{group};
  if (has_range) arguments.push_back(store_range(builder, call));
  append_range(arguments, drop_begin(call.args(), has_range ? kRangeMembers : 0));
  SmallVector<Type *, 12> types;
  for (const Value *argument : arguments) types.push_back(argument->getType());
  CallInst *result = builder.CreateCall(FunctionType::get(call.getType(), types, false), hook, arguments);
  result->setDoesNotThrow();
  return result;
}

}  // namespace upsweep::passes
