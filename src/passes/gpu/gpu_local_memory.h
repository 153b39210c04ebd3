// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Local memory of a GPU kernel. PTX can declare at most 48 KiB of variables. Larger memory is dynamic: the launch gives its
// size, and a symbol its start.
#ifndef UPSWEEP_PASSES_GPU_GPU_LOCAL_MEMORY_H
#define UPSWEEP_PASSES_GPU_GPU_LOCAL_MEMORY_H

#include "passes/program.h"

namespace upsweep::passes {

/// Bytes of a place where a work-group's warps exchange values (nvptx/work_group.cl), and the limit for all places of a kernel
/// (share_barriers.cpp).
inline constexpr uint64_t kGpuPlaceBytes = 256;
inline constexpr uint64_t kGpuScratchBytes = 8 * kGpuPlaceBytes;

/// Bytes for reductions in which one warp combines the others' values.
inline constexpr uint64_t kGpuValuesBytes = 257 * 8;

/// Bytes of the barrier to which the copy engine reports (nvptx/async_copy.cl).
inline constexpr uint64_t kGpuBulkBarrierBytes = 8;

/// The scratch variable of a kernel.
llvm::GlobalVariable *gpu_scratch(llvm::Module &module, uint64_t bytes);
llvm::GlobalVariable *gpu_values(llvm::Module &module);
llvm::GlobalVariable *gpu_bulk_barrier(llvm::Module &module);
/// The symbol of dynamic memory; its alignment is the largest requested.
llvm::GlobalVariable *gpu_dynamic_local(llvm::Module &module, llvm::Align align);

/// A null pointer to local memory is address 0 there, which is not the generic null pointer. So casts between the two compare,
/// unless the pointer is a variable's. Only for GPUs that place no variable there: sm_80 and newer reserve the first KiB.
void keep_null_pointers(llvm::Function &function);

/// Aligns local variables to 16 bytes, so that copies can use pieces of that size.
void align_locals(llvm::Module &module);

/// Moves the kernel's local variables into dynamic memory if they are too large; local arguments follow them. All functions
/// that use local variables must be inlined.
void move_kernel_locals(Kernel &kernel, Program &program);

}  // namespace upsweep::passes
#endif
