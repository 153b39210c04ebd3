// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Products of vectors of 8- and 16-bit integers, and sums and phis around them, in 32-bit numbers, an element each. A GPU
// multiplies 32 bits: NVIDIA's assembler puts an extension, and often a move, after every narrower operation, and LLVM 19 keeps
// four bytes in one register from step to step of a loop.
#ifndef UPSWEEP_PASSES_GPU_WIDE_ELEMENTS_H
#define UPSWEEP_PASSES_GPU_WIDE_ELEMENTS_H

#include <llvm/IR/Function.h>

namespace upsweep::passes {

/// After all optimisation, which would undo it.
void widen_elements(llvm::Function &function);

}  // namespace upsweep::passes
#endif
