// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loops whose end depends on their counter before its step ask about the counter after it. LLVM makes the former of the latter,
// and code generation then counts from one step below the start, which wraps around: NVIDIA's assembler peels a step off such a
// loop, and unrolls none of the remaining three of four steps. Nor does it unroll a loop whose last branch leads out where
// its condition is true, as LLVM writes loops that it has unrolled itself; so those branches go back where the opposite is.
#ifndef UPSWEEP_PASSES_GPU_LOOP_EXITS_H
#define UPSWEEP_PASSES_GPU_LOOP_EXITS_H

#include <llvm/IR/Function.h>

namespace upsweep::passes {

/// After all optimisation, which would undo it.
void write_loop_exits(llvm::Function &function);

}  // namespace upsweep::passes
#endif
