// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Pass `narrow-phis`: gives a phi of a wide integer, of which only the low half is used, the narrow type.
//
// InstCombine makes the wide form of `for (uint i = get_global_id(0); …; i += get_global_size(0))`, where both values come from
// 64 bits. Modulo 2^32 the index differs from lane to lane by one, modulo 2^64 it does not, and only the former makes
// contiguous accesses.
//
// Assumes      nothing.
// Establishes  nothing that later steps need; InstCombine would undo it.
#ifndef UPSWEEP_PASSES_CPU_LANES_NARROW_PHIS_H
#define UPSWEEP_PASSES_CPU_LANES_NARROW_PHIS_H

#include <llvm/IR/Function.h>

namespace upsweep::passes {

/// True when the function changed.
bool narrow_phis(llvm::Function &function);

}  // namespace upsweep::passes

#endif
