// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Forward data flow of one bit, "scratch memory may still be in use by an earlier collective", to find barriers that are not
// needed.
#include "passes/cpu/unit_order.h"

#include "passes/common/optimise.h"

#include <llvm/ADT/PostOrderIterator.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>
#include <llvm/Transforms/Utils/Cloning.h>

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

void resolve_order(Function &item, bool in_order, Program &program) {
  for (Instruction &instruction : make_early_inc_range(instructions(item))) {
    if (called_intrinsic(instruction) != "__ups_in_order") continue;
    instruction.replaceAllUsesWith(ConstantInt::getBool(instruction.getType(), in_order));
    instruction.eraseFromParent();
  }
  FunctionPassManager passes = clean_up_passes();
  run_on(item, passes, *program.functions);
}

bool calls(const Function &item, StringRef intrinsic) {
  return any_of(instructions(item), [&](const Instruction &each) { return called_intrinsic(each) == intrinsic; });
}

}  // namespace

void resolve_unit_order(Kernel &kernel, Program &program) {
  if (!calls(*kernel.item, "__ups_in_order")) return;
  ValueToValueMapTy values;
  Function *ordered = CloneFunction(kernel.item, values);
  ordered->takeName(kernel.item);
  ordered->removeFromParent();
  kernel.item->getParent()->getFunctionList().insert(kernel.item->getIterator(), ordered);
  kernel.scalar_item = std::exchange(kernel.item, ordered);
  resolve_order(*kernel.item, !kernel.units.yield, program);
}

void resolve_scalar_order(Kernel &kernel, Program &program) {
  if (kernel.item && calls(*kernel.item, "__ups_in_order")) resolve_order(*kernel.item, false, program);
}

bool resolve_scratch_barriers(Function &item) {
  if (!calls(item, "__ups_scratch_barrier")) return false;
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
  return true;
}

}  // namespace upsweep::passes
