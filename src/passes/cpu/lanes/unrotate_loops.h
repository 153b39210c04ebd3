// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Pass `unrotate-loops`: a test in front of a loop and the same test at the loop's end become one test in the loop's header.
//
//     if (i < n) do { …; i += step; } while (i < n);     becomes     for (; i < n; i += step) { … }
//
// LLVM's optimiser rotates loops, so modules of SPIR-V and the library's functions have the first form. In vector code its end
// is a join of two masks, and the body runs under a mask that differs from the header's.
//
// Assumes      nothing.
// Establishes  nothing: loops whose tests it does not recognise as equal stay as they are.
#ifndef UPSWEEP_PASSES_CPU_LANES_UNROTATE_LOOPS_H
#define UPSWEEP_PASSES_CPU_LANES_UNROTATE_LOOPS_H

#include <llvm/IR/PassManager.h>

namespace upsweep::passes {

/// True if a loop changed.
bool unrotate_loops(llvm::Function &function, llvm::FunctionAnalysisManager &analyses);

}  // namespace upsweep::passes

#endif
