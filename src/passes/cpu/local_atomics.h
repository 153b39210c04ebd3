// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Pass `local-atomics`: atomic updates of local memory become a load and a store.
//
// One thread runs all work-items of a work-group, one unit after another, and other threads do not access the work-group's
// local memory. So an update needs no locked instruction, which takes 8 cycles on a Zen 4.
//
// Assumes      such updates have the scope of a single thread (flat_memory). Units have been made: before that, an update
//              must stay one instruction, which the lanes of a sub-group run one by one.
// Establishes  nothing that later steps need.
#ifndef UPSWEEP_PASSES_CPU_LOCAL_ATOMICS_H
#define UPSWEEP_PASSES_CPU_LOCAL_ATOMICS_H

#include <llvm/IR/Function.h>

namespace upsweep::passes {

/// True if the function changed.
bool lower_local_atomics(llvm::Function &function);

}  // namespace upsweep::passes

#endif
