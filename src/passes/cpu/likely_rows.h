// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Pass `likely-rows`: turns marked gathers and scatters (kLikelyRow) into plain accesses when all lanes are contiguous.
//
// Stencils and filters that wrap around or clamp at edges have contiguous lanes in all sub-groups except at the edges. The test
// takes two vector comparisons, which accesses with the same varying part share. A gather takes as long as separate accesses of
// its lanes, and does not exist for bytes and words.
//
// Assumes      optimised code with final blocks.
// Establishes  nothing that later steps need.
#ifndef UPSWEEP_PASSES_CPU_LIKELY_ROWS_H
#define UPSWEEP_PASSES_CPU_LIKELY_ROWS_H

#include <llvm/IR/Function.h>

namespace upsweep::passes {

/// True if the function changed.
bool version_likely_rows(llvm::Function &function);

}  // namespace upsweep::passes

#endif
