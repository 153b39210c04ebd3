// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels for NVIDIA GPUs: functions of the kernel calling convention with the UpsweepGrid as their last parameter, and what
// asks for the launch's figures made loads from it.
#ifndef UPSWEEP_PASSES_GPU_GPU_KERNELS_H
#define UPSWEEP_PASSES_GPU_GPU_KERNELS_H

#include "passes/common/kernel_info.h"

#include <llvm/IR/Module.h>

namespace upsweep::passes {

/// The address spaces of NVPTX. Constant memory is global memory that loads may cache; private memory is generic.
enum NvptxSpace : unsigned { kNvptxGeneric = 0, kNvptxGlobal = 1, kNvptxShared = 3, kNvptxLocal = 5 };

/// The first compute capability with `redux` and `cp.async`, and with a copy engine.
inline constexpr unsigned kAmpereCapability = 80, kHopperCapability = 90;

/// Loads from constant memory, which spir64 tells by the address space, become invariant ones. Before that space vanishes.
void mark_constant_loads(llvm::Module &module);

/// Makes each OpenCL kernel one of CUDA, in source order. Another kernel that calls it calls a copy, an ordinary function.
[[nodiscard]] llvm::SmallVector<Kernel, 8> make_gpu_kernels(llvm::Module &module);

/// A kernel whose work-group size is required, but may be smaller at the edges of a launch: made once for whole groups, where
/// the size is a constant, and if that matters once more for the others, as Kernel::edges.
void split_edges(Kernel &kernel);

/// Replaces the `__ups_*` that are left in a kernel, after everything that uses them has been inlined into it.
void lower_grid(Kernel &kernel, unsigned capability);

}  // namespace upsweep::passes
#endif
