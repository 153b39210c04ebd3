// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels for NVIDIA GPUs: functions of the kernel calling convention with the UpsweepGrid as their last parameter, and what
// asks for the launch's figures made loads from it.
#ifndef UPSWEEP_PASSES_GPU_GPU_KERNELS_H
#define UPSWEEP_PASSES_GPU_GPU_KERNELS_H

#include "passes/program.h"

#include <llvm/IR/Module.h>

namespace upsweep::passes {

/// The address spaces of NVPTX. Constant memory is global memory that loads may cache; private memory is generic.
enum NvptxSpace : unsigned { kNvptxGeneric = 0, kNvptxGlobal = 1, kNvptxShared = 3, kNvptxLocal = 5 };

/// The first compute capability with `redux` and `cp.async`, and with a copy engine.
inline constexpr unsigned kAmpereCapability = 80, kHopperCapability = 90;

/// From spir64's address spaces to NVPTX's. Loads from constant memory, which the former tells by the space, become invariant.
void change_gpu_spaces(llvm::Module &module);

/// Makes each OpenCL kernel one of CUDA and begins Program::kernels with them. Another kernel that calls it calls a copy, an
/// ordinary function. A sub-group size that is not a warp's is an error.
[[nodiscard]] llvm::Error make_gpu_kernels(llvm::Module &module, Program &program);

/// Says that a kernel's work-groups have no more than the required size.
void limit_threads(llvm::Function &kernel, const KernelDescription &info);

/// Replaces the `__ups_*` that are left in a kernel, after everything that uses them has been inlined into it. A kernel whose
/// work-group size is required, but may be smaller at the edges of a launch, is made once for whole groups, where the size is a
/// constant, and if that matters once more for the others, as Kernel::edges.
[[nodiscard]] llvm::Error lower_grid(Kernel &kernel, Program &program);

}  // namespace upsweep::passes
#endif
