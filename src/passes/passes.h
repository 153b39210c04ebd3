// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The passes of passes.def as classes for LLVM's pass managers, and the managers that run them.
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

/// Runs passes of functions on the kernels' items alone.
class ForItems : public llvm::PassInfoMixin<ForItems> {
public:
  explicit ForItems(llvm::FunctionPassManager passes) : passes_(std::move(passes)) {}
  llvm::PreservedAnalyses run(llvm::Module &module, llvm::ModuleAnalysisManager &analyses);
  static bool isRequired() { return true; }

private:
  llvm::FunctionPassManager passes_;
};

/// Makes the names of passes.def those that options such as -print-after take, and -passes of opt.
void register_passes(llvm::PassBuilder &builder);

/// One set of analyses for all passes of a pipeline, with the instruments of LLVM's options (-print-after, -time-passes,
/// -opt-bisect-limit, -verify-each …).
class PassRunner {
public:
  /// `names`: of C's functions that LLVM may take calls for.
  PassRunner(llvm::LLVMContext &context, const PassOptions &options, const llvm::TargetLibraryInfoImpl &names);

  /// Program's error, if there is one. Once.
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
