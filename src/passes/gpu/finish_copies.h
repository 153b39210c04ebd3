// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Copies that no work-item waits for: a GPU's copy engine continues after the work-group's end, in local memory that then
// belongs to another one.
#ifndef UPSWEEP_PASSES_GPU_FINISH_COPIES_H
#define UPSWEEP_PASSES_GPU_FINISH_COPIES_H

#include <llvm/IR/Module.h>

namespace upsweep::passes {

/// Kernels that begin async copies, by themselves or by functions that they call, wait for the engine before they return
/// (nvptx/async_copy.cl). For a portable module, before the library is linked.
void finish_copies(llvm::Module &module);

}  // namespace upsweep::passes
#endif
