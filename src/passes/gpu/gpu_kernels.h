// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels for NVIDIA GPUs: functions with the kernel calling convention and an UpsweepGrid as their last parameter. Queries of
// the launch become loads from it.
#ifndef UPSWEEP_PASSES_GPU_GPU_KERNELS_H
#define UPSWEEP_PASSES_GPU_GPU_KERNELS_H

#include "passes/program.h"

#include <llvm/IR/Module.h>

namespace upsweep::passes {

/// NVPTX's address spaces. Constant memory is global memory whose loads may be cached; private memory is generic.
enum NvptxSpace : unsigned { kNvptxGeneric = 0, kNvptxGlobal = 1, kNvptxShared = 3, kNvptxLocal = 5 };

/// The first compute capabilities with `redux` and `cp.async`, and with a copy engine.
inline constexpr unsigned kAmpereCapability = 80, kHopperCapability = 90;

/// Maps spir64's address spaces to NVPTX's. Loads from constant memory, which only spir64 distinguishes by its space, become
/// invariant.
void change_gpu_spaces(llvm::Module &module);

/// Turns each OpenCL kernel into a CUDA kernel and initialises Program::kernels. Kernels that call it call a copy, an ordinary
/// function. A required size of sub-groups that warps do not have is an error.
[[nodiscard]] llvm::Error make_gpu_kernels(llvm::Module &module, Program &program);

/// Declares that a kernel's work-groups do not exceed the required size.
void limit_threads(llvm::Function &kernel, const KernelDescription &info);

/// Replaces the remaining `__ups_*` in a kernel into which all functions that use them have been inlined. A kernel with a
/// required work-group size may have smaller groups at a launch's edges. It is compiled for whole groups with a constant size
/// and, if that makes a difference, a second time for smaller groups, as Kernel::edges.
[[nodiscard]] llvm::Error lower_grid(Kernel &kernel, Program &program);

}  // namespace upsweep::passes
#endif
