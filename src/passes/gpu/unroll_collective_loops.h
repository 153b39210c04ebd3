// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Unrolls short loops around barriers, votes and shuffles. LLVM does not if the number of iterations is unknown, since some
// lanes might reach the remainder loop and others not. If all lanes have the same number, they stay together.
#ifndef UPSWEEP_PASSES_GPU_UNROLL_COLLECTIVE_LOOPS_H
#define UPSWEEP_PASSES_GPU_UNROLL_COLLECTIVE_LOOPS_H

#include <llvm/IR/PassManager.h>

namespace upsweep::passes {

/// Runs on GPU kernels before LLVM's own unrolling.
class UnrollCollectiveLoops : public llvm::PassInfoMixin<UnrollCollectiveLoops> {
public:
  static llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &analyses);
};

}  // namespace upsweep::passes
#endif
