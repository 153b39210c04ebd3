// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Turns stack slots into SSA values, in time linear in the lengths of the slots' live ranges. LLVM's mem2reg keeps an array of
// all slots for every pending branch, and visits all blocks below a store. With a slot for every block's mask, this is
// quadratic in the number of blocks (a switch of 2000 cases spent two thirds of its compile time there).
//
// Assumes that slots only have loads and stores of their own type. A store in the entry block before all other accesses must
// store a constant, the slot's initial value (otherwise it is undef). No value passes between iterations of a loop in a slot
// that is only used in that loop, but not in its header.
#ifndef UPSWEEP_PASSES_CPU_LANES_PROMOTE_SLOTS_H
#define UPSWEEP_PASSES_CPU_LANES_PROMOTE_SLOTS_H

#include <llvm/ADT/ArrayRef.h>
#include <llvm/IR/Instructions.h>

namespace upsweep::passes {

void promote_slots(llvm::Function &function, llvm::ArrayRef<llvm::AllocaInst *> slots);

/// Promotes all variables of the entry block, for tests.
void promote_variables(llvm::Function &function);

}  // namespace upsweep::passes

#endif
