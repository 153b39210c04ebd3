// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// printf on a GPU: each call stores a record in the launch's buffer (UPSWEEP_CUDA_PRINTF_BYTES in targets/cuda/kernel_abi.h).
#ifndef UPSWEEP_PASSES_GPU_RECORD_PRINTF_H
#define UPSWEEP_PASSES_GPU_RECORD_PRINTF_H

#include <llvm/IR/Module.h>

namespace upsweep::passes {

/// Runs on the portable module, since the library has the function that reserves space for a record (nvptx/printf.cl).
void record_printf(llvm::Module &module);

}  // namespace upsweep::passes
#endif
