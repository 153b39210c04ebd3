// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Uses LLVM's lowering for single-threaded targets.
#include "passes/cpu/local_atomics.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/Transforms/Utils/LowerAtomic.h>

using namespace llvm;

namespace upsweep::passes {

bool lower_local_atomics(Function &function) {
  bool changed = false;
  for (Instruction &instruction : make_early_inc_range(instructions(function))) {
    if (auto *update = dyn_cast<AtomicRMWInst>(&instruction)) {
      if (update->getSyncScopeID() == SyncScope::SingleThread) changed |= lowerAtomicRMWInst(update);
    } else if (auto *exchange = dyn_cast<AtomicCmpXchgInst>(&instruction)) {
      if (exchange->getSyncScopeID() == SyncScope::SingleThread) changed |= lowerAtomicCmpXchgInst(exchange);
    }
  }
  return changed;
}

}  // namespace upsweep::passes
