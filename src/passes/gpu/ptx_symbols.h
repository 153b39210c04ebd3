// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Renames functions and variables whose names PTX forbids. Must run last, since other passes find kernels' versions by name.
#ifndef UPSWEEP_PASSES_GPU_PTX_SYMBOLS_H
#define UPSWEEP_PASSES_GPU_PTX_SYMBOLS_H

#include <llvm/IR/Module.h>

namespace upsweep::passes {

/// OpenCL C permits "café", and SPIR-V permits any text. PTX has letters, digits, _ and $, and reserves WARP_SZ and the bare _.
/// Other characters become _, and LLVM adds a number to a name that exists. The host gets kernels' names from their functions.
void name_for_ptx(llvm::Module &module);

}  // namespace upsweep::passes
#endif
