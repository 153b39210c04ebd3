// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Pass `narrow-phis`: gives a phi of a wide integer the narrow type if only its low half is used.
//
// InstCombine creates the wide form of `for (uint i = get_global_id(0); …; i += get_global_size(0))`, where both values come
// from 64 bits. The index has the step one between lanes modulo 2^32, but not modulo 2^64, and only a step gives contiguous
// accesses.
//
// Assumes      nothing.
// Establishes  nothing that later steps need; InstCombine would undo it.
#ifndef UPSWEEP_PASSES_CPU_LANES_NARROW_PHIS_H
#define UPSWEEP_PASSES_CPU_LANES_NARROW_PHIS_H

#include <llvm/IR/Function.h>

namespace upsweep::passes {

/// True if the function changed.
bool narrow_phis(llvm::Function &function);

}  // namespace upsweep::passes

#endif
