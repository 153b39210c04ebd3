// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The lean optimisation pipelines around the lowering steps: chosen for kernels that are small and must compile in
// milliseconds.
#ifndef UPSWEEP_PASSES_COMMON_OPTIMISE_H
#define UPSWEEP_PASSES_COMMON_OPTIMISE_H

#include "passes/common/verification.h"

#include <llvm/Passes/PassBuilder.h>
#include <llvm/Target/TargetMachine.h>

namespace upsweep::passes {

class Optimiser {
public:
  /// `verify`: with LLVM's verifier between the passes.
  explicit Optimiser(llvm::TargetMachine &machine, bool verify = false);

  /// Before inlining: makes what will be copied small.
  void simplify(llvm::Function &function);
  /// Step 4: what the vectoriser and the lowering expect. Private variables are in registers, control flow is simple.
  void clean_up(llvm::Function &function);
  /// After lowering: the whole module, ready for code generation.
  void finish(llvm::Module &module, bool optimise);

  llvm::FunctionAnalysisManager &function_analyses() { return functions_; }
  llvm::ModuleAnalysisManager &module_analyses() { return modules_; }

private:
  PassVerifier verifier_;
  llvm::PassBuilder builder_;
  llvm::LoopAnalysisManager loops_;
  llvm::FunctionAnalysisManager functions_;
  llvm::CGSCCAnalysisManager components_;
  llvm::ModuleAnalysisManager modules_;
  llvm::FunctionPassManager simplify_, clean_up_;
};

}  // namespace upsweep::passes
#endif
