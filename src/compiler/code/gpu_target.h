// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Compiles the portable module to PTX for NVIDIA GPUs.
#ifndef UPSWEEP_COMPILER_CODE_GPU_TARGET_H
#define UPSWEEP_COMPILER_CODE_GPU_TARGET_H

#include "compiler/code/cpu_target.h"

namespace upsweep::compiler {

/// The least compute capability, sm_70: the first with a memory model and independent threads.
inline constexpr unsigned kLeastCapability = 70;

/// "sm_90" as 90; 0 if LLVM knows no GPU of that name, or it is older than sm_70.
[[nodiscard]] unsigned capability_of(llvm::StringRef name);

struct GpuTarget {
  unsigned capability = 75;  ///< 90 is sm_90
  bool verify = false;       ///< check the compiler's work (passes/program.h)
};

/// Consumes `module`, whose context is the session's. `output` is kLlvm (the text after the pipeline) or kAssembly (PTX).
[[nodiscard]] llvm::Expected<llvm::SmallVector<char, 0>> make_gpu_output(llvm::Module &module, const GpuTarget &target,
                                                                         Output output, Session &session);

/// The bytes of a GpuImage (client/gpu_image.h). Consumes `module`.
[[nodiscard]] llvm::Expected<llvm::SmallVector<char, 0>> make_gpu_image(llvm::Module &module, const GpuTarget &target,
                                                                        Session &session);

}  // namespace upsweep::compiler
#endif
