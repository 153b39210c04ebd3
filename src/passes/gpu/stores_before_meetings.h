// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// NVIDIA's assembler may move a store behind the point where the threads of a warp meet for a barrier or a vote. In a kernel
// that also polls, that store may free a lock for which another thread of the warp polls, and the two threads deadlock. Each
// atomic or volatile store of such a kernel is therefore followed by a fence, which the assembler does not cross.
#ifndef UPSWEEP_PASSES_GPU_STORES_BEFORE_MEETINGS_H
#define UPSWEEP_PASSES_GPU_STORES_BEFORE_MEETINGS_H

#include <llvm/IR/Function.h>

namespace upsweep::passes {

/// After all inlining.
void fence_stores_before_meetings(llvm::Function &function);

}  // namespace upsweep::passes
#endif
