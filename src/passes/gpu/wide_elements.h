// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Computes products of vectors of 8-bit and 16-bit integers, and sums and phis around them, with one 32-bit number per element.
// A GPU multiplies 32 bits. NVIDIA's assembler adds an extension, and often a move, after every narrower operation, and LLVM 19
// keeps four bytes in one register between iterations.
#ifndef UPSWEEP_PASSES_GPU_WIDE_ELEMENTS_H
#define UPSWEEP_PASSES_GPU_WIDE_ELEMENTS_H

#include <llvm/IR/Function.h>

namespace upsweep::passes {

/// Must run after the optimiser, which would undo it.
void widen_elements(llvm::Function &function);

}  // namespace upsweep::passes
#endif
