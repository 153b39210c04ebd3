// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// printf on a GPU: each call becomes a record in the launch's buffer (UPSWEEP_CUDA_PRINTF_BYTES in targets/cuda/kernel_abi.h).
#ifndef UPSWEEP_PASSES_GPU_RECORD_PRINTF_H
#define UPSWEEP_PASSES_GPU_RECORD_PRINTF_H

#include <llvm/IR/Module.h>

namespace upsweep::passes {

/// In the portable module, since the function that finds room for a record is the library's (nvptx/printf.cl).
void record_printf(llvm::Module &module);

}  // namespace upsweep::passes
#endif
