// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Turns the portable module (LLVM IR for spir64) into optimised IR for NVPTX, ready for code generation.
#ifndef UPSWEEP_PASSES_GPU_GPU_PIPELINE_H
#define UPSWEEP_PASSES_GPU_GPU_PIPELINE_H

#include "passes/program.h"

namespace upsweep::passes {

/// `callbacks`: of the managers that will run the passes.
[[nodiscard]] llvm::ModulePassManager gpu_passes(const PassOptions &options, llvm::PassInstrumentationCallbacks *callbacks);

/// Rewrites `module` in place. An error is in the user's program; its text belongs in the build log, and the module is then
/// unusable.
[[nodiscard]] llvm::Expected<Program> run_gpu_pipeline(llvm::Module &module, const PassOptions &options);

}  // namespace upsweep::passes
#endif
