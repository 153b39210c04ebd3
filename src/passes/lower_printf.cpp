// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// printf: the promoted arguments are packed at multiples of 8 bytes and handed to UpsweepHooks::print.
#include "passes/group_layout.h"
#include "passes/lower_context.h"

#include <llvm/IR/Instructions.h>

using namespace llvm;

namespace upsweep::passes {

void lower_printf(CallInst &call, Value *group) {
  const DataLayout &layout = call.getDataLayout();
  SmallVector<uint64_t, 8> offsets;
  uint64_t bytes = 0;
  for (unsigned i = 1; i < call.arg_size(); ++i) {
    offsets.push_back(bytes);
    bytes += alignTo(layout.getTypeAllocSize(call.getArgOperand(i)->getType()), 8);
  }
  BasicBlock &entry = call.getFunction()->getEntryBlock();
  IRBuilder<> builder(&entry, entry.begin());
  AllocaInst *packed =
      builder.CreateAlloca(ArrayType::get(builder.getInt64Ty(), std::max<uint64_t>(bytes / 8, 1)), nullptr, "printf");
  builder.SetInsertPoint(&call);
  builder.CreateLifetimeStart(packed, builder.getInt64(std::max<uint64_t>(bytes, 8)));
  for (unsigned i = 1; i < call.arg_size(); ++i) {
    Value *place = builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), packed, offsets[i - 1]);
    builder.CreateAlignedStore(call.getArgOperand(i), place, Align(8));
  }
  Value *hooks = load_group_pointer(builder, group, offsetof(UpsweepGroup, hooks));
  Value *print = builder.CreateLoad(
      builder.getPtrTy(), builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), hooks, offsetof(UpsweepHooks, print)));
  Type *pointer = builder.getPtrTy();
  auto *type = FunctionType::get(builder.getInt32Ty(), {pointer, pointer, pointer}, false);
  CallInst *result = builder.CreateCall(type, print, {group, call.getArgOperand(0), packed});
  result->setDoesNotThrow();
  builder.CreateLifetimeEnd(packed, builder.getInt64(std::max<uint64_t>(bytes, 8)));
  call.replaceAllUsesWith(result);
  call.eraseFromParent();
}

}  // namespace upsweep::passes
