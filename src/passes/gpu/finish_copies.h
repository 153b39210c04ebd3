// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Handles copies for which no work-item waits: a GPU's copy engine would continue after the work-group's end, in local memory
// that then belongs to another work-group.
#ifndef UPSWEEP_PASSES_GPU_FINISH_COPIES_H
#define UPSWEEP_PASSES_GPU_FINISH_COPIES_H

#include <llvm/IR/Module.h>

namespace upsweep::passes {

/// Makes kernels that start async copies, directly or through calls, wait for the copy engine before they return
/// (nvptx/async_copy.cl). For a portable module, before the library is linked.
void finish_copies(llvm::Module &module);

}  // namespace upsweep::passes
#endif
