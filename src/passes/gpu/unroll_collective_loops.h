// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Unrolls short loops around barriers, votes and shuffles. LLVM leaves them as they are where the number of rounds is not
// known, since some lanes could get to the rounds that remain, and some not. If it is a number of all lanes, they cannot.
#ifndef UPSWEEP_PASSES_GPU_UNROLL_COLLECTIVE_LOOPS_H
#define UPSWEEP_PASSES_GPU_UNROLL_COLLECTIVE_LOOPS_H

#include <llvm/IR/PassManager.h>

namespace upsweep::passes {

/// Of the kernels of a GPU. Before LLVM's own unrolling.
class UnrollCollectiveLoops : public llvm::PassInfoMixin<UnrollCollectiveLoops> {
public:
  static llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &analyses);
};

}  // namespace upsweep::passes
#endif
