// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Collectives in a row share a barrier. Each has a place in shared memory that warps give their values to, and a meeting behind
// which all have (nvptx/work_group.cl). Where what a collective gives does not depend on what those before it got, it is given
// before their meeting, in a place beside theirs.
#ifndef UPSWEEP_PASSES_GPU_SHARE_BARRIERS_H
#define UPSWEEP_PASSES_GPU_SHARE_BARRIERS_H

#include <llvm/IR/PassManager.h>

namespace upsweep::passes {

/// Of the kernels of a GPU, once loops are unrolled. Makes places and barriers of all calls for them.
class ShareBarriers : public llvm::PassInfoMixin<ShareBarriers> {
public:
  static llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &analyses);
  static bool isRequired() { return true; }
};

}  // namespace upsweep::passes
#endif
