// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Makes consecutive collectives share a barrier. Each collective has a place in shared memory to which the warps write their
// values, and a meeting after which all are written (nvptx/work_group.cl). If a collective's values do not depend on the
// results of earlier collectives, they are written before the earlier meeting, in an adjacent place.
#ifndef UPSWEEP_PASSES_GPU_SHARE_BARRIERS_H
#define UPSWEEP_PASSES_GPU_SHARE_BARRIERS_H

#include <llvm/IR/PassManager.h>

namespace upsweep::passes {

/// Runs on GPU kernels after loops are unrolled. Turns all calls for places and meetings into memory and barriers.
class ShareBarriers : public llvm::PassInfoMixin<ShareBarriers> {
public:
  static llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &analyses);
  static bool isRequired() { return true; }
};

}  // namespace upsweep::passes
#endif
