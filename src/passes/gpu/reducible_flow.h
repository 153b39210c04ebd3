// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// NVIDIA's assembler miscompiles cycles with several entries, which gotos into loops create: kernels of flow_fuzz gave wrong
// results, did not end, or wrote outside their arrays, and two of 8,000 crashed the assembler. The functions that have such
// cycles get structured control flow, and their module has level 1 of the assembler's optimisation. 1 of 5,350 structured
// kernels was still wrong at level 2, and none of 6,424 at level 1 (H200, driver 580).
#ifndef UPSWEEP_PASSES_GPU_REDUCIBLE_FLOW_H
#define UPSWEEP_PASSES_GPU_REDUCIBLE_FLOW_H

#include <llvm/IR/PassManager.h>

namespace upsweep::passes {

/// The attribute of functions that had a cycle with several entries.
inline constexpr const char *kHadIrreducibleFlow = "upsweep-had-irreducible-flow";

/// Makes ifs and loops with one entry and one exit of the control flow, at the cost of more branches.
void structure_flow(llvm::Function &function, llvm::FunctionAnalysisManager &analyses);

/// Structures the control flow if a cycle has several entries. Must run after the optimiser, which also creates such cycles.
/// True if the function changed.
bool make_flow_reducible(llvm::Function &function, llvm::FunctionAnalysisManager &analyses);

}  // namespace upsweep::passes
#endif
