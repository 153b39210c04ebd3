// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Pass `whole-masks`: where a block reads or writes memory under a mask, adds a version of it for the mask that is all true.
//
// A guard such as `if (i < n)` leaves nearly every sub-group whole, and masked accesses are slower then: measured on a Zen 5,
// streams of masked AVX-512 loads reach 60 % of the bandwidth of plain ones, and kernels a quarter, since the prefetcher does
// not follow them. The test costs one predicted branch per block.
//
// Assumes      optimised vector code; runs last, so that nothing merges the versions again.
// Establishes  nothing that later steps need.
#ifndef UPSWEEP_PASSES_CPU_LANES_WHOLE_MASKS_H
#define UPSWEEP_PASSES_CPU_LANES_WHOLE_MASKS_H

#include <llvm/IR/Function.h>

namespace upsweep::passes {

/// Says of all accesses under masks that these are never whole, although the function is to be inlined.
void mark_odd_masks(llvm::Function &function);

/// True when the function changed.
bool version_whole_masks(llvm::Function &function);

}  // namespace upsweep::passes

#endif
