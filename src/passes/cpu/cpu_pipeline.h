// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// From the portable module (LLVM IR for spir64) to optimised IR for this CPU that exports one UpsweepCodeObject and is ready
// for code generation. ARCHITECTURE.md lists the steps.
#ifndef UPSWEEP_PASSES_CPU_CPU_PIPELINE_H
#define UPSWEEP_PASSES_CPU_CPU_PIPELINE_H

#include "passes/program.h"

namespace upsweep::passes {

[[nodiscard]] llvm::ModulePassManager cpu_passes(const PassOptions &options);

/// Rewrites `module` in place. An error is the user's (an unresolved function, recursion) and its text belongs in the build
/// log; the module is then in no state to be used.
[[nodiscard]] llvm::Error run_cpu_pipeline(llvm::Module &module, const PassOptions &options);

}  // namespace upsweep::passes
#endif
