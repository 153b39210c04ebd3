// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Each call is a conversion that neither OpenCL C nor SPIR's types can express.
#include "passes/common/image_handles.h"
#include "passes/common/intrinsics.h"

#include <llvm/IR/IRBuilder.h>

using namespace llvm;

namespace upsweep::passes {
namespace {

constexpr Ups kHandles[] = {Ups::kImage,     Ups::kSampler,   Ups::kMakeSampler, Ups::kReserveBits, Ups::kMakeReserveId,
                            Ups::kQueueBits, Ups::kMakeQueue, Ups::kEventBits,   Ups::kMakeEvent};

}  // namespace

void open_image_handles(Module &module) {
  for (Function &function : make_early_inc_range(module)) {
    if (!is_contained(kHandles, intrinsic_of(function))) continue;
    for (User *user : make_early_inc_range(function.users())) {
      auto *call = cast<CallInst>(user);
      IRBuilder<> builder(call);
      Value *handle = call->getArgOperand(0);
      const bool to_pointer = handle->getType()->isPointerTy() && call->getType()->isPointerTy();
      call->replaceAllUsesWith(to_pointer ? builder.CreateAddrSpaceCast(handle, call->getType())
                                          : builder.CreateBitOrPointerCast(handle, call->getType()));
      call->eraseFromParent();
    }
    function.eraseFromParent();
  }
}

}  // namespace upsweep::passes
