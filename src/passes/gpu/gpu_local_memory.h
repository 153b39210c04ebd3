// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Local memory of a kernel for a GPU. PTX declares at most 48 KiB of variables; beyond that memory is dynamic: the launch says
// how much, and a symbol where it starts.
#ifndef UPSWEEP_PASSES_GPU_GPU_LOCAL_MEMORY_H
#define UPSWEEP_PASSES_GPU_GPU_LOCAL_MEMORY_H

#include "passes/program.h"

namespace upsweep::passes {

/// Bytes of a place where the warps' values meet (nvptx/work_group.cl), and the most that all of a kernel's take
/// (share_barriers.cpp).
inline constexpr uint64_t kGpuPlaceBytes = 256;
inline constexpr uint64_t kGpuScratchBytes = 8 * kGpuPlaceBytes;

/// And of those reductions that leave values there for one warp.
inline constexpr uint64_t kGpuValuesBytes = 257 * 8;

/// Of the barrier that the copy engine reports to (nvptx/async_copy.cl).
inline constexpr uint64_t kGpuBulkBarrierBytes = 8;

/// For one kernel.
llvm::GlobalVariable *gpu_scratch(llvm::Module &module, uint64_t bytes);
llvm::GlobalVariable *gpu_values(llvm::Module &module);
llvm::GlobalVariable *gpu_bulk_barrier(llvm::Module &module);
/// Its alignment is the largest that was asked for.
llvm::GlobalVariable *gpu_dynamic_local(llvm::Module &module, llvm::Align align);

/// Null pointers to local memory are address 0 there, which is not the null of generic pointers: casts between the two ask,
/// unless the pointer is that of a variable. For GPUs that have no variable there: sm_80 and newer keep the first KiB.
void keep_null_pointers(llvm::Function &function);

/// Lets local variables begin where pieces of 16 bytes do, so that copies go by those.
void align_locals(llvm::Module &module);

/// Moves the kernel's local variables into dynamic memory if there is too much of them: local arguments come behind. Everything
/// that uses local variables is inlined.
void move_kernel_locals(Kernel &kernel, Program &program);

}  // namespace upsweep::passes
#endif
