// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Asks LLVM to unroll loops with few iterations completely, beyond its own limit: a GPU has many registers, and an array that a
// loop indexes is only in registers if the loop is unrolled. Unrolls longer loops partially. Runs directly before LLVM's
// unrolling, on one loop after another, inner loops first.
#ifndef UPSWEEP_PASSES_GPU_UNROLL_SHORT_LOOPS_H
#define UPSWEEP_PASSES_GPU_UNROLL_SHORT_LOOPS_H

#include <llvm/Analysis/LoopAnalysisManager.h>
#include <llvm/IR/PassManager.h>

namespace llvm {
class LPMUpdater;
class Loop;
}  // namespace llvm

namespace upsweep::passes {

class UnrollShortLoops : public llvm::PassInfoMixin<UnrollShortLoops> {
public:
  static llvm::PreservedAnalyses run(llvm::Loop &loop, llvm::LoopAnalysisManager &, llvm::LoopStandardAnalysisResults &results,
                                     llvm::LPMUpdater &);
};

}  // namespace upsweep::passes
#endif
