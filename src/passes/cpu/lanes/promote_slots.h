// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Turns stack slots into SSA values, in time that grows with the length of the slots' lives. LLVM's mem2reg keeps an array of
// all slots for every pending branch and walks all blocks below a store: with a slot for every block's mask, that is the square
// of the number of blocks (a switch of 2000 cases spent two thirds of its compile time there).
//
// Assumes: slots have loads and stores of their own type alone, and a store in the entry block, if there is one before all
// other accesses, that stores a constant: the slot's first value (else it is undef). No value passes from one round of a loop
// to the next in a slot that is used nowhere but in that loop and not in its header.
#ifndef UPSWEEP_PASSES_CPU_LANES_PROMOTE_SLOTS_H
#define UPSWEEP_PASSES_CPU_LANES_PROMOTE_SLOTS_H

#include <llvm/ADT/ArrayRef.h>
#include <llvm/IR/Instructions.h>

namespace upsweep::passes {

void promote_slots(llvm::Function &function, llvm::ArrayRef<llvm::AllocaInst *> slots);

/// All variables of the entry block, for tests.
void promote_variables(llvm::Function &function);

}  // namespace upsweep::passes

#endif
