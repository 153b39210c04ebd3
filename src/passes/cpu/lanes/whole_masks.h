// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Pass `whole-masks`: if a block accesses memory under a mask, adds a version of it for a mask that is all true.
//
// A guard such as `if (i < n)` keeps nearly every sub-group whole, but masked accesses are slower. Measured on a Zen 5, streams
// of masked AVX-512 loads reach 60 % of the bandwidth of plain loads, and kernels a quarter, since the prefetcher does not
// follow them. The test costs one predicted branch per block.
//
// Assumes      optimised vector code; runs last, so that nothing merges the versions again.
// Establishes  nothing that later steps need.
#ifndef UPSWEEP_PASSES_CPU_LANES_WHOLE_MASKS_H
#define UPSWEEP_PASSES_CPU_LANES_WHOLE_MASKS_H

#include <llvm/IR/Function.h>

namespace upsweep::passes {

/// Declares that the masks in the function are never whole, although the function will be inlined.
void mark_odd_masks(llvm::Function &function);

/// True if the function changed.
bool version_whole_masks(llvm::Function &function);

}  // namespace upsweep::passes

#endif
