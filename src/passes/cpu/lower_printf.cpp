// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lowers printf: passes the packed arguments to UpsweepHooks::print.
#include "passes/common/printf_arguments.h"
#include "passes/cpu/group_layout.h"
#include "passes/cpu/lower_context.h"

#include <llvm/IR/Instructions.h>

using namespace llvm;

namespace upsweep::passes {
namespace {

/// All calls of a size share a variable: separate variables would have addresses that stay live through the whole function.
AllocaInst *packed_place(CallInst &call, uint64_t bytes) {
  constexpr StringLiteral kName = "printf";
  BasicBlock &entry = call.getFunction()->getEntryBlock();
  IRBuilder<> builder(&entry, entry.begin());
  Type *type = ArrayType::get(builder.getInt64Ty(), bytes / 8);
  for (Instruction &instruction : entry) {
    auto *variable = dyn_cast<AllocaInst>(&instruction);
    if (!variable) break;
    if (variable->getName().starts_with(kName) && variable->getAllocatedType() == type) return variable;
  }
  return builder.CreateAlloca(type, nullptr, kName);
}

}  // namespace

void lower_printf(CallInst &call, Value *group) {
  const uint64_t bytes = std::max<uint64_t>(packed_bytes(call), 8);
  AllocaInst *packed = packed_place(call, bytes);
  IRBuilder<> builder(&call);
  builder.CreateLifetimeStart(packed, builder.getInt64(bytes));
  store_packed(builder, call, packed);
  Value *hooks = load_group_pointer(builder, group, offsetof(UpsweepGroup, hooks));
  Value *print = builder.CreateLoad(
      builder.getPtrTy(), builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), hooks, offsetof(UpsweepHooks, print)));
  Type *pointer = builder.getPtrTy();
  auto *type = FunctionType::get(builder.getInt32Ty(), {pointer, pointer, pointer}, false);
  CallInst *result = builder.CreateCall(type, print, {group, call.getArgOperand(0), packed});
  result->setDoesNotThrow();
  builder.CreateLifetimeEnd(packed, builder.getInt64(bytes));
  call.replaceAllUsesWith(result);
  call.eraseFromParent();
}

}  // namespace upsweep::passes
