// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Turns the portable module (LLVM IR for spir64) into optimised IR for this CPU. The IR exports one UpsweepCodeObject and is
// ready for code generation. ARCHITECTURE.md lists the steps.
#ifndef UPSWEEP_PASSES_CPU_CPU_PIPELINE_H
#define UPSWEEP_PASSES_CPU_CPU_PIPELINE_H

#include "passes/program.h"

namespace upsweep::passes {

[[nodiscard]] llvm::ModulePassManager cpu_passes(const PassOptions &options);

/// The passes that vectorise_lanes runs on a copy of each item: simple loops with one exit block for the function, and no
/// switch. The item becomes scalar code.
[[nodiscard]] llvm::FunctionPassManager lane_form_passes();

/// Rewrites `module` in place. An error is in the user's program (an unresolved function, recursion); its text belongs in the
/// build log, and the module is then unusable.
[[nodiscard]] llvm::Error run_cpu_pipeline(llvm::Module &module, const PassOptions &options);

}  // namespace upsweep::passes
#endif
