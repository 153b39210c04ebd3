// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The kernel polls if a loop reads shared memory atomically or as volatile; votes, shuffles and barriers are convergent calls.
// A call in a loop may read, and any call may meet.
#include "passes/gpu/stores_before_meetings.h"

#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InlineAsm.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>

using namespace llvm;

namespace upsweep::passes {
namespace {

/// The instruction of the assembly that a call stands for; empty for other calls.
StringRef assembly_of(const Instruction &instruction) {
  const auto *call = dyn_cast<CallBase>(&instruction);
  const auto *assembly = call ? dyn_cast<InlineAsm>(call->getCalledOperand()) : nullptr;
  return assembly ? assembly->getAsmString() : StringRef();
}

bool calls_function(const Instruction &instruction) {
  const auto *call = dyn_cast<CallBase>(&instruction);
  return call && !isa<IntrinsicInst>(call) && !call->isInlineAsm();
}

bool reads_shared_memory(const Instruction &instruction) {
  if (const auto *load = dyn_cast<LoadInst>(&instruction)) return !load->isSimple();
  if (isa<AtomicRMWInst, AtomicCmpXchgInst>(instruction)) return !instruction.use_empty();
  const StringRef assembly = assembly_of(instruction);
  return !instruction.use_empty() && (assembly.starts_with("atom.") || assembly.starts_with("ld."));
}

bool writes_shared_memory(const Instruction &instruction) {
  if (const auto *store = dyn_cast<StoreInst>(&instruction)) return !store->isSimple();
  if (isa<AtomicRMWInst>(instruction)) return instruction.use_empty();
  const StringRef assembly = assembly_of(instruction);
  return assembly.starts_with("st.") || (assembly.starts_with("atom.") && instruction.use_empty());
}

/// Whether the function or a function that it calls polls. `seen`: functions that need no second look.
bool polls(Function &function, SmallPtrSetImpl<Function *> &seen) {
  if (!seen.insert(&function).second) return false;
  const DominatorTree dominators(function);
  const LoopInfo loops(dominators);
  return any_of(instructions(function), [&](const Instruction &instruction) {
    const bool is_call = calls_function(instruction);
    if (loops.getLoopFor(instruction.getParent())) return is_call || reads_shared_memory(instruction);
    if (!is_call) return false;
    Function *callee = cast<CallBase>(instruction).getCalledFunction();
    return !callee || (!callee->isDeclaration() && polls(*callee, seen));
  });
}

bool has_meetings(Function &function) {
  return any_of(instructions(function), [](const Instruction &instruction) {
    const auto *call = dyn_cast<CallBase>(&instruction);
    return call && (calls_function(*call) || call->isConvergent());
  });
}

}  // namespace

void fence_stores_before_meetings(Function &function) {
  SmallPtrSet<Function *, 8> seen;
  if (!has_meetings(function) || !polls(function, seen)) return;
  SmallVector<Instruction *, 8> stores;
  for (Instruction &instruction : instructions(function))
    if (writes_shared_memory(instruction) && !assembly_of(*instruction.getNextNode()).starts_with("fence."))
      stores.push_back(&instruction);
  InlineAsm *fence = InlineAsm::get(FunctionType::get(Type::getVoidTy(function.getContext()), false), "fence.acq_rel.cta;",
                                    "~{memory}", /*hasSideEffects=*/true);
  for (Instruction *store : stores) IRBuilder<>(store->getNextNode()).CreateCall(fence);
}

}  // namespace upsweep::passes
