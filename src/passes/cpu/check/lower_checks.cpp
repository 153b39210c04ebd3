// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A test before an access, and a phi behind it.
#include "passes/cpu/check/lower_checks.h"

#include "passes/cpu/check/access.h"

#include <llvm/IR/InstIterator.h>
#include <llvm/IR/MDBuilder.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>

using namespace llvm;

namespace upsweep::passes {
namespace {

struct Guarded {
  SmallVector<CallInst *, 2> checks;
  Instruction *access = nullptr;  ///< null for checks that only report
};

/// The checks and their accesses, in order. Checks stand directly before their access.
SmallVector<Guarded, 32> find_guarded(Function &item) {
  SmallVector<Guarded, 32> found;
  SmallVector<CallInst *, 2> open;
  for (Instruction &instruction : instructions(item)) {
    const Ups intrinsic = intrinsic_of(instruction);
    if (intrinsic == Ups::kCheck) {
      open.push_back(cast<CallInst>(&instruction));
    } else if (intrinsic == Ups::kCheckIndex) {
      found.push_back({{cast<CallInst>(&instruction)}, nullptr});
    } else if (!open.empty()) {
      found.push_back({std::exchange(open, {}), &instruction});
    }
  }
  return found;
}

void report_failures(Instruction *before, ArrayRef<CallInst *> checks, ArrayRef<Value *> fails, Value *value) {
  for (auto [check, failed] : zip(checks, fails)) {
    const SmallVector<Value *, 6> operands(check->args());
    if (isa<ConstantPointerNull>(operands[kSite])) continue;
    Instruction *at = checks.size() == 1 ? before : SplitBlockAndInsertIfThen(failed, before, false);
    IRBuilder<> builder(at);
    builder.SetCurrentDebugLocation(check->getDebugLoc());
    add_report(builder, operands, value_bits(builder, value), builder.getInt32(0));
  }
}

/// A failed check goes around the access, whose value is then 0.
void lower(const Guarded &guarded) {
  CallInst *last = guarded.checks.back();
  IRBuilder<> builder(last);
  Value *any = builder.getFalse();
  SmallVector<Value *, 2> fails;
  for (CallInst *check : guarded.checks) {
    fails.push_back(builder.CreateNot(passes_check(builder, SmallVector<Value *, 6>(check->args()))));
    any = builder.CreateOr(any, fails.back());
  }
  MDNode *rare = MDBuilder(last->getContext()).createUnlikelyBranchWeights();
  Instruction *access = guarded.access, *then = nullptr, *otherwise = nullptr;
  Value *value = access && isa<StoreInst>(access) ? access->getOperand(0) : nullptr;
  if (access)
    SplitBlockAndInsertIfThenElse(any, last, &then, &otherwise, rare);
  else
    then = SplitBlockAndInsertIfThen(any, last, false, rare);
  report_failures(then, guarded.checks, fails, value);
  if (access) {
    BasicBlock *after = last->getParent(), *skipped = then->getParent();
    access->moveBefore(otherwise);
    if (!access->getType()->isVoidTy()) {
      builder.SetInsertPoint(after, after->begin());
      PHINode *result = builder.CreatePHI(access->getType(), 2, access->getName());
      access->replaceAllUsesWith(result);
      result->addIncoming(skipped_value(*access, access->getType()), skipped);
      result->addIncoming(access, otherwise->getParent());
    }
  }
  for (CallInst *check : guarded.checks) check->eraseFromParent();
}

}  // namespace

void lower_checks(Kernel &kernel, Program &program) {
  if (!kernel.item || program.options.checks.is_empty()) return;
  lower_meetings_of_one(*kernel.item);
  settle_checks(*kernel.item);
  const SmallVector<Guarded, 32> all = find_guarded(*kernel.item);
  for (const Guarded &guarded : all) lower(guarded);
  if (program.options.checks.has(Check::kRace)) lower_item_races(*kernel.item);
  if (!all.empty() || kernel.meets || program.options.checks.has(Check::kRace))
    program.functions->clear(*kernel.item, kernel.item->getName());
}

}  // namespace upsweep::passes
