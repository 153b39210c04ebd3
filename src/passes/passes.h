// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The passes of passes.def as classes for LLVM's pass managers, and a class that runs them.
#ifndef UPSWEEP_PASSES_PASSES_H
#define UPSWEEP_PASSES_PASSES_H

#include "passes/program.h"

#include <llvm/Passes/PassBuilder.h>
#include <llvm/Passes/StandardInstrumentations.h>

namespace upsweep::passes {

inline constexpr bool kRequired = true, kOptional = false;

#define UPSWEEP_PASS(Class, Level, name, need, function)                                                                       \
  struct Class : llvm::PassInfoMixin<Class> {                                                                                  \
    static llvm::PreservedAnalyses run(llvm::Level &unit, llvm::AnalysisManager<llvm::Level> &analyses);                       \
    static bool isRequired() { return need; }                                                                                  \
  };
#include "passes/passes.def"

/// Runs function passes only on the kernels' items.
class ForItems : public llvm::PassInfoMixin<ForItems> {
public:
  explicit ForItems(llvm::FunctionPassManager passes) : passes_(std::move(passes)) {}
  llvm::PreservedAnalyses run(llvm::Module &module, llvm::ModuleAnalysisManager &analyses);
  static bool isRequired() { return true; }

private:
  llvm::FunctionPassManager passes_;
};

/// Registers the names of passes.def for options such as -print-after, and for opt's -passes.
void register_passes(llvm::PassBuilder &builder);

/// Runs a pipeline with one set of analyses and LLVM's instrumentation options (-print-after, -time-passes, -opt-bisect-limit,
/// -verify-each …).
class PassRunner {
public:
  /// `names`: the functions that LLVM may treat as the C library's.
  PassRunner(llvm::LLVMContext &context, const PassOptions &options, const llvm::TargetLibraryInfoImpl &names);

  /// Returns Program's error, if there is one. Call it once.
  [[nodiscard]] llvm::Expected<Program> run(llvm::Module &module, llvm::ModulePassManager passes);

  llvm::PassInstrumentationCallbacks &callbacks() { return callbacks_; }

private:
  llvm::PassInstrumentationCallbacks callbacks_;
  llvm::StandardInstrumentations instruments_;
  llvm::PassBuilder builder_;
  llvm::LoopAnalysisManager loops_;
  llvm::FunctionAnalysisManager functions_;
  llvm::CGSCCAnalysisManager components_;
  llvm::ModuleAnalysisManager modules_;
};

}  // namespace upsweep::passes
#endif
