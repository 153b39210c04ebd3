// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// From the portable module (LLVM IR for spir64) to optimised IR for NVPTX, ready for code generation.
#ifndef UPSWEEP_PASSES_GPU_GPU_PIPELINE_H
#define UPSWEEP_PASSES_GPU_GPU_PIPELINE_H

#include "passes/common/kernel_info.h"
#include "passes/common/library.h"

#include <llvm/Support/Error.h>
#include <llvm/Target/TargetMachine.h>

namespace upsweep::passes {

struct GpuPipelineOptions {
  bool optimise = true;                       ///< false: only what correctness needs (-cl-opt-disable)
  unsigned capability = 75;                   ///< of the device: 90 is sm_90
  bool verify = false;                        ///< check each step's work (verification.h)
  llvm::SmallVector<Library *, 2> libraries;  ///< of the same context: the target's own before what all targets share
};

struct GpuProgram {
  llvm::SmallVector<Kernel, 8> kernels;  ///< in source order
  uint64_t program_scope_bytes;          ///< of all variables, also those that optimisation removes
};

/// Rewrites `module` in place. An error is the user's and belongs in the build log; the
/// module is then in no state to be used.
[[nodiscard]] llvm::Expected<GpuProgram> run_gpu_pipeline(llvm::Module &module, llvm::TargetMachine &machine,
                                                          const GpuPipelineOptions &options);

}  // namespace upsweep::passes
#endif
