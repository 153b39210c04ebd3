// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Pass `likely-rows`: gathers and scatters that are marked (kLikelyRow) become plain accesses where all lanes lie side by side.
//
// Stencils and filters that wrap round or clamp at edges have such lanes in all sub-groups but those at an edge. The test takes
// two comparisons of vectors, shared by the accesses that differ by what is the same for all lanes; a gather takes as long as
// its lanes one after the other, and of bytes and words there is none.
//
// Assumes      optimised code, whose blocks are final.
// Establishes  nothing that later steps need.
#ifndef UPSWEEP_PASSES_CPU_LIKELY_ROWS_H
#define UPSWEEP_PASSES_CPU_LIKELY_ROWS_H

#include <llvm/IR/Function.h>

namespace upsweep::passes {

/// True when the function changed.
bool version_likely_rows(llvm::Function &function);

}  // namespace upsweep::passes

#endif
