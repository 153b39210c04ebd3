// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Replaces uses of functions other than calls.
#include "passes/common/block_kernels.h"

#include "base/enqueue_abi.h"
#include "passes/common/intrinsics.h"

#include <llvm/IR/Constants.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>

using namespace llvm;

namespace upsweep::passes {
namespace {

// Attribute of the function that a block's kernel calls and that the literal refers to.
constexpr StringLiteral kFunctionAttribute = "upsweep-block-function";

void replace_address(Function &function, Constant *other) {
  function.replaceUsesWithIf(other, [](const Use &use) {
    const auto *call = dyn_cast<CallBase>(use.getUser());
    return !call || !call->isCallee(&use);
  });
}

// "If the -g compile option is specified … the following errors may be returned instead of CLK_ENQUEUE_FAILURE".
void ask_for_reasons(Module &module) {
  constexpr unsigned kFlags = 11;  // operand of __ups_enqueue
  Function *enqueue = module.getFunction(name_of(Ups::kEnqueue));
  if (!enqueue || none_of(module, [](const Function &f) { return f.hasFnAttribute(kDebugAttribute); })) return;
  for (User *user : enqueue->users()) {
    Use &flags = cast<CallBase>(user)->getArgOperandUse(kFlags);
    IRBuilder<> builder(cast<Instruction>(user));
    flags.set(builder.CreateOr(flags.get(), UPSWEEP_SAY_WHY));
  }
}

}  // namespace

SmallVector<Function *, 8> block_kernels(Module &module) {
  SmallVector<Function *, 8> kernels;
  for (Function &function : module)
    if (function.hasFnAttribute(kBlockAttribute)) kernels.push_back(&function);
  return kernels;
}

void number_block_kernels(Module &module) {
  ask_for_reasons(module);
  uint64_t number = 0;
  for (Function *kernel : block_kernels(module)) {
    Constant *value = ConstantInt::get(Type::getInt64Ty(module.getContext()), ++number);
    replace_address(*kernel, ConstantExpr::getIntToPtr(value, kernel->getType()));
    for (Instruction &instruction : instructions(*kernel))
      if (auto *call = dyn_cast<CallBase>(&instruction); call && call->getCalledFunction())
        call->getCalledFunction()->addFnAttr(kFunctionAttribute);
  }
}

void forget_block_functions(Module &module) {
  for (Function &function : module)
    if (function.hasFnAttribute(kFunctionAttribute)) replace_address(function, ConstantPointerNull::get(function.getType()));
}

}  // namespace upsweep::passes
