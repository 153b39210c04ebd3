// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Launches: an index space becomes grids of CUDA.
#ifndef UPSWEEP_TARGETS_CUDA_LAUNCH_H
#define UPSWEEP_TARGETS_CUDA_LAUNCH_H

#include "runtime/commands/command_body.h"
#include "targets/cuda/cuda_images.h"
#include "targets/cuda/gpu.h"
#include "targets/cuda/printf_buffer.h"

namespace upsweep {

/// Of a launch whose kernel enqueues others: UpsweepGrid::tree and UpsweepGrid::command.
struct TreeOfLaunch {
  uint64_t address = 0;
  uint64_t command = 0;
};

/// Gives the kernel's grids to the stream. `printf_buffer` is 0 where nothing prints.
Result<void> start_grids(const Gpu &gpu, CudaImages &images, const Launch &launch, CUdeviceptr printf_buffer, TreeOfLaunch tree,
                         CUstream stream);

/// Gives a kernel, whose memory is current on the GPU, to the stream. The GPU's context is the calling thread's.
/// `printf_buffers` outlives the launch.
Result<AfterStream> issue_launch(const Gpu &gpu, CudaImages &images, PrintfBuffers &printf_buffers, const Launch &launch,
                                 CUstream stream);

}  // namespace upsweep
#endif
