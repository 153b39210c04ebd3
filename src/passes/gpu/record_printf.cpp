// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A call becomes: reserve space; if there is enough, store the record and return 0; otherwise return -1.
#include "passes/gpu/record_printf.h"

#include "passes/common/flat_memory.h"
#include "passes/common/printf_arguments.h"
#include "targets/cuda/kernel_abi.h"

#include <llvm/Transforms/Utils/BasicBlockUtils.h>

using namespace llvm;

namespace upsweep::passes {
namespace {

FunctionCallee declare_room(Module &module) {
  LLVMContext &context = module.getContext();
  Type *wide = Type::getInt64Ty(context);
  FunctionCallee room = module.getOrInsertFunction("__ups_printf_room", PointerType::get(context, kGlobalSpace), wide, wide);
  cast<Function>(room.getCallee())->setDoesNotThrow();
  return room;
}

void record(CallInst &call, FunctionCallee find_room) {
  const uint64_t bytes = sizeof(UpsweepPrintfRecord) + packed_bytes(call);
  IRBuilder<> builder(&call);
  Value *room = builder.CreateCall(find_room, {builder.getInt64(bytes), builder.getInt64(UPSWEEP_CUDA_PRINTF_BYTES)});
  Value *is_there = builder.CreateIsNotNull(room);
  call.replaceAllUsesWith(builder.CreateSelect(is_there, builder.getInt32(0), builder.getInt32(-1)));
  builder.SetInsertPoint(SplitBlockAndInsertIfThen(is_there, &call, /*Unreachable=*/false));
  auto field = [&](uint64_t offset) { return builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), room, offset); };
  builder.CreateAlignedStore(builder.getInt64(bytes), field(offsetof(UpsweepPrintfRecord, bytes)), Align(8));
  builder.CreateAlignedStore(call.getArgOperand(0), field(offsetof(UpsweepPrintfRecord, format)), Align(8));
  store_packed(builder, call, field(sizeof(UpsweepPrintfRecord)));
  call.eraseFromParent();
}

}  // namespace

void record_printf(Module &module) {
  Function *printf = module.getFunction("printf");
  if (!printf || !printf->isDeclaration()) return;
  const FunctionCallee room = declare_room(module);
  for (User *user : make_early_inc_range(printf->users()))
    if (auto *call = dyn_cast<CallInst>(user)) record(*call, room);
}

}  // namespace upsweep::passes
