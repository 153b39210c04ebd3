// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The short optimisation pipelines around the lowering passes, for kernels that are small and must compile in milliseconds.
#ifndef UPSWEEP_PASSES_COMMON_OPTIMISE_H
#define UPSWEEP_PASSES_COMMON_OPTIMISE_H

#include <llvm/IR/PassManager.h>

namespace upsweep::passes {

/// Attribute of scalar code for a work-group of one work-item (cpu/required_size.h): the final passes vectorise its loops.
inline constexpr const char *kOneItemAttribute = "upsweep-one-item";

/// Before inlining: shrinks the code to be copied.
[[nodiscard]] llvm::FunctionPassManager simplify_passes();

/// Step 4: establishes the form that the vectoriser and the lowering expect: private variables in registers, simple control
/// flow.
[[nodiscard]] llvm::FunctionPassManager clean_up_passes();

/// Moves invariants out of loops again, once arguments are known not to overlap (cpu/apart_arguments.h).
[[nodiscard]] llvm::FunctionPassManager invariant_passes();

/// After lowering: prepares the whole module for code generation.
[[nodiscard]] llvm::ModulePassManager final_passes(bool optimise);

/// Registers all of LLVM's analyses of functions, for passes that run apart from the pipeline. The header that does it,
/// PassBuilder.h, takes two seconds to compile.
void register_analyses(llvm::FunctionAnalysisManager &analyses);

/// Runs passes on one function and drops its analyses.
void run_on(llvm::Function &function, llvm::FunctionPassManager &passes, llvm::FunctionAnalysisManager &analyses);

}  // namespace upsweep::passes
#endif
