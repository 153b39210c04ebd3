// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The pipelines' check of their own work, for tests: UPSWEEP_VERIFY=1 or upsweepc --verify. A failure is a defect of this
// compiler, or a program that reads a variable of its own as a type of larger alignment.
#ifndef UPSWEEP_PASSES_COMMON_VERIFICATION_H
#define UPSWEEP_PASSES_COMMON_VERIFICATION_H

#include <llvm/IR/Module.h>
#include <llvm/Passes/PassBuilder.h>
#include <llvm/Passes/StandardInstrumentations.h>
#include <llvm/Support/Error.h>

namespace upsweep::passes {

/// LLVM's verifier after each LLVM pass; it ends the process on invalid IR. Lives as long as the passes.
class PassVerifier {
public:
  explicit PassVerifier(bool enabled) : enabled_(enabled), verify_(/*DebugLogging=*/false) {}
  /// For the constructor of a PassBuilder.
  llvm::PassInstrumentationCallbacks *callbacks() { return &callbacks_; }
  void watch(llvm::ModuleAnalysisManager &analyses) {
    if (enabled_) verify_.registerCallbacks(callbacks_, &analyses);
  }

private:
  bool enabled_;
  llvm::PassInstrumentationCallbacks callbacks_;
  llvm::VerifyInstrumentation verify_;
};

/// An error where the module is invalid after `step`.
[[nodiscard]] llvm::Error verify_after(const char *step, const llvm::Module &module);

}  // namespace upsweep::passes
#endif
