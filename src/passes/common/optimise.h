// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The lean optimisation pipelines around the lowering passes: chosen for kernels that are small and must compile in
// milliseconds.
#ifndef UPSWEEP_PASSES_COMMON_OPTIMISE_H
#define UPSWEEP_PASSES_COMMON_OPTIMISE_H

#include <llvm/IR/PassManager.h>

namespace upsweep::passes {

/// On scalar code of a work-group of one work-item (cpu/required_size.h): the final passes vectorise its loops.
inline constexpr const char *kOneItemAttribute = "upsweep-one-item";

/// Before inlining: makes what will be copied small.
[[nodiscard]] llvm::FunctionPassManager simplify_passes();

/// Step 4: what the vectoriser and the lowering expect. Private variables are in registers, control flow is simple.
[[nodiscard]] llvm::FunctionPassManager clean_up_passes();

/// Once more for loops, where they are found to be apart (cpu/apart_arguments.h): what stays the same leaves them.
[[nodiscard]] llvm::FunctionPassManager invariant_passes();

/// After lowering: the whole module, ready for code generation.
[[nodiscard]] llvm::ModulePassManager final_passes(bool optimise);

/// Passes on one function, of which no analysis is kept.
void run_on(llvm::Function &function, llvm::FunctionPassManager &passes, llvm::FunctionAnalysisManager &analyses);

}  // namespace upsweep::passes
#endif
