// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Follows calls from the library's functions up to the kernels.
#include "passes/gpu/finish_copies.h"

#include <llvm/ADT/SetVector.h>
#include <llvm/IR/Instructions.h>

using namespace llvm;

namespace upsweep::passes {

void finish_copies(Module &module) {
  SetVector<Function *> copying;
  for (Function &function : module)
    if (function.isDeclaration() && function.getName().contains("async_work_group_copy")) copying.insert(&function);
  if (copying.empty()) return;
  for (size_t i = 0; i < copying.size(); ++i)
    for (User *user : copying[i]->users())
      if (auto *call = dyn_cast<Instruction>(user)) copying.insert(call->getFunction());
  const FunctionCallee finish = module.getOrInsertFunction("__ups_finish_copies", Type::getVoidTy(module.getContext()));
  for (Function *function : copying) {
    if (function->getCallingConv() != CallingConv::SPIR_KERNEL) continue;
    for (BasicBlock &block : *function)
      if (auto *end = dyn_cast<ReturnInst>(block.getTerminator())) CallInst::Create(finish, "", end->getIterator());
  }
}

}  // namespace upsweep::passes
