// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Forward data flow of one bit, "scratch memory may still be in use by an earlier collective", to find barriers that are not
// needed.
#include "passes/cpu/unit_order.h"

#include <llvm/ADT/PostOrderIterator.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>

using namespace llvm;

namespace upsweep::passes {
namespace {

StringRef called_intrinsic(const Instruction &instruction) {
  auto *call = dyn_cast<CallInst>(&instruction);
  const Function *callee = call ? call->getCalledFunction() : nullptr;
  return callee && callee->isDeclaration() ? callee->getName() : StringRef();
}

// Walks a block; `visit` sees each scratch barrier and whether it is needed. Returns the bit at the end.
template <typename Visit>
bool walk(BasicBlock &block, bool in_use, Visit visit) {
  for (Instruction &instruction : make_early_inc_range(block)) {
    StringRef name = called_intrinsic(instruction);
    if (name == "__ups_work_group_barrier") in_use = false;
    if (name != "__ups_scratch_barrier") continue;
    visit(cast<CallInst>(instruction), in_use);
    in_use = true;
  }
  return in_use;
}

}  // namespace

bool asks_for_order(const Function &item) {
  return any_of(instructions(item), [](const Instruction &each) { return called_intrinsic(each) == "__ups_in_order"; });
}

void resolve_order(Function &item, bool in_order) {
  for (Instruction &instruction : make_early_inc_range(instructions(item))) {
    if (called_intrinsic(instruction) != "__ups_in_order") continue;
    instruction.replaceAllUsesWith(ConstantInt::getBool(instruction.getType(), in_order));
    instruction.eraseFromParent();
  }
}

void resolve_scratch_barriers(Function &item) {
  ReversePostOrderTraversal<Function *> order(&item);
  DenseMap<BasicBlock *, bool> in_use_at_end;
  auto in_use_at_start = [&](BasicBlock *block) {
    return any_of(predecessors(block), [&](BasicBlock *before) { return in_use_at_end.lookup(before); });
  };
  for (bool changed = true; changed;) {
    changed = false;
    for (BasicBlock *block : order) {
      bool end = walk(*block, in_use_at_start(block), [](CallInst &, bool) {});
      changed |= end != in_use_at_end.lookup(block);
      in_use_at_end[block] = end;
    }
  }
  LLVMContext &context = item.getContext();
  Type *number = Type::getInt32Ty(context);
  FunctionCallee barrier = item.getParent()->getOrInsertFunction("__ups_work_group_barrier", Type::getVoidTy(context), number);
  for (BasicBlock *block : order)
    walk(*block, in_use_at_start(block), [&](CallInst &call, bool needed) {
      if (needed) CallInst::Create(barrier, ConstantInt::get(number, 1), "", call.getIterator())->setConvergent();
      call.eraseFromParent();
    });
}

}  // namespace upsweep::passes
