// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Forward data flow of one bit, "an earlier collective may still use scratch memory", to find unnecessary barriers.
#include "passes/cpu/unit_order.h"

#include "passes/common/intrinsics.h"
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

// Visits a block; `visit` sees each scratch barrier and whether it is needed. Returns the bit at the end.
template <typename Visit>
bool walk(BasicBlock &block, bool in_use, Visit visit) {
  for (Instruction &instruction : make_early_inc_range(block)) {
    const Ups callee = intrinsic_of(instruction);
    if (callee == Ups::kWorkGroupBarrier) in_use = false;
    if (callee != Ups::kScratchBarrier) continue;
    visit(cast<CallInst>(instruction), in_use);
    in_use = true;
  }
  return in_use;
}

void resolve_order(Function &item, bool in_order, Program &program) {
  for (Instruction &instruction : make_early_inc_range(instructions(item))) {
    if (intrinsic_of(instruction) != Ups::kInOrder) continue;
    instruction.replaceAllUsesWith(ConstantInt::getBool(instruction.getType(), in_order));
    instruction.eraseFromParent();
  }
  FunctionPassManager passes = clean_up_passes();
  run_on(item, passes, *program.functions);
}

}  // namespace

void resolve_unit_order(Kernel &kernel, Program &program) {
  if (!calls(*kernel.item, Ups::kInOrder)) return;
  ValueToValueMapTy values;
  Function *ordered = CloneFunction(kernel.item, values);
  ordered->takeName(kernel.item);
  ordered->removeFromParent();
  kernel.item->getParent()->getFunctionList().insert(kernel.item->getIterator(), ordered);
  kernel.scalar_item = std::exchange(kernel.item, ordered);
  // The race check takes collectives for barriers, which they are in any order.
  const bool in_order = !kernel.units.yield && !program.options.checks.has(Check::kRace);
  resolve_order(*kernel.item, in_order, program);
}

void resolve_scalar_order(Kernel &kernel, Program &program) {
  if (kernel.item && calls(*kernel.item, Ups::kInOrder)) resolve_order(*kernel.item, false, program);
}

bool resolve_scratch_barriers(Function &item) {
  if (!calls(item, Ups::kScratchBarrier)) return false;
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
  FunctionCallee barrier =
      item.getParent()->getOrInsertFunction(name_of(Ups::kWorkGroupBarrier), Type::getVoidTy(context), number);
  for (BasicBlock *block : order)
    walk(*block, in_use_at_start(block), [&](CallInst &call, bool needed) {
      if (needed) CallInst::Create(barrier, ConstantInt::get(number, 1), "", call.getIterator())->setConvergent();
      call.eraseFromParent();
    });
  return true;
}

}  // namespace upsweep::passes
