// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// From the portable module (LLVM IR for spir64) to optimised IR for this CPU that exports one UpsweepCodeObject and is ready
// for code generation. ARCHITECTURE.md lists the steps.
#ifndef UPSWEEP_PASSES_CPU_CPU_PIPELINE_H
#define UPSWEEP_PASSES_CPU_CPU_PIPELINE_H

#include "passes/common/library.h"

#include <llvm/IR/Module.h>
#include <llvm/Support/Error.h>
#include <llvm/Target/TargetMachine.h>

namespace upsweep::passes {

/// What one call of the generated inner function runs.
enum class Lanes {
  kVector,  ///< a sub-group, its work-items the lanes of vectors; kernels that cannot be vectorised become scalar
  kScalar,  ///< a work-item
};

struct CpuPipelineOptions {
  Lanes lanes = Lanes::kVector;
  unsigned sub_group_size = 0;  ///< 4, 8, 16 or 32; 0: 16 with AVX-512, else 8. Kernels may require another one.
  bool optimise = true;         ///< false: only what correctness and the lanes need (-cl-opt-disable)
  bool verify = false;          ///< check each step's work (verification.h) and what accesses claim (claimed_alignment.h)
  Library *library = nullptr;   ///< of the same context; none: the module must be complete without it
};

/// Rewrites `module` in place. An error is the user's (an unresolved function, recursion) and its text belongs in the build
/// log; the module is then in no state to be used.
[[nodiscard]] llvm::Error run_cpu_pipeline(llvm::Module &module, llvm::TargetMachine &machine,
                                           const CpuPipelineOptions &options);

}  // namespace upsweep::passes
#endif
