// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Follows calls from the library's functions up to the kernels.
#include "passes/gpu/tell_ends.h"

#include "passes/common/block_kernels.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/SetVector.h>
#include <llvm/IR/Instructions.h>

using namespace llvm;

namespace upsweep::passes {
namespace {

/// Parts of the names of all functions that need an UpsweepTree (src/builtins/enqueue.cl).
constexpr StringLiteral kNames[] = {"__enqueue_kernel_",  "enqueue_marker", "user_event",
                                    "retain_event",       "release_event",  "is_valid_event",
                                    "capture_event_prof", "__get_kernel_",  "get_default_queue"};

constexpr StringLiteral kEndGroup = "__ups_end_group";

}  // namespace

void tell_ends(Module &module) {
  SetVector<Function *> enqueuing;
  for (Function &function : module) {
    const bool is_library = any_of(kNames, [&](StringRef name) { return function.getName().contains(name); });
    if ((function.isDeclaration() && is_library) || function.hasFnAttribute(kBlockAttribute)) enqueuing.insert(&function);
  }
  if (enqueuing.empty()) return;
  for (size_t i = 0; i < enqueuing.size(); ++i)
    for (User *user : enqueuing[i]->users())
      if (auto *call = dyn_cast<CallBase>(user); call && call->getCalledFunction() == enqueuing[i])
        enqueuing.insert(call->getFunction());
  module.getOrInsertFunction(kEndGroup, Type::getVoidTy(module.getContext()));
  for (Function *function : enqueuing)
    if (function->getCallingConv() == CallingConv::SPIR_KERNEL) function->addFnAttr(kTellsEnd);
}

void add_end(Function &kernel) {
  if (!kernel.hasFnAttribute(kTellsEnd)) return;
  Function *end = kernel.getParent()->getFunction(kEndGroup);
  for (BasicBlock &block : kernel)
    if (auto *last = dyn_cast<ReturnInst>(block.getTerminator())) CallInst::Create(end, "", last->getIterator());
}

}  // namespace upsweep::passes
