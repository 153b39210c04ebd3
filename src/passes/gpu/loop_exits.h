// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Makes loops whose exit tests the counter before its increment test it after. LLVM does the opposite, and code generation then
// counts from one step below the start, which wraps around: NVIDIA's assembler peels one iteration and does not unroll the
// rest. Nor does it unroll a loop whose last branch leaves on a true condition, as in loops that LLVM has unrolled; so these
// branches are inverted.
#ifndef UPSWEEP_PASSES_GPU_LOOP_EXITS_H
#define UPSWEEP_PASSES_GPU_LOOP_EXITS_H

#include <llvm/IR/Function.h>

namespace upsweep::passes {

/// Must run after the optimiser, which would undo it.
void write_loop_exits(llvm::Function &function);

}  // namespace upsweep::passes
#endif
