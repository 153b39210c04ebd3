// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Launches: turn an index space into CUDA grids.
#ifndef UPSWEEP_TARGETS_CUDA_LAUNCH_H
#define UPSWEEP_TARGETS_CUDA_LAUNCH_H

#include "runtime/commands/command_body.h"
#include "targets/cuda/cuda_images.h"
#include "targets/cuda/gpu.h"
#include "targets/cuda/printf_buffer.h"
#include <functional>

namespace upsweep {

/// Values of UpsweepGrid::tree and UpsweepGrid::command for a launch whose kernel enqueues others.
struct TreeOfLaunch {
  uint64_t address = 0;
  uint64_t command = 0;
};

/// Passes the kernel's grids to the stream. `printf_buffer` is 0 if no kernel prints.
Result<void> start_grids(const Gpu &gpu, CudaImages &images, const Launch &launch, CUdeviceptr printf_buffer, TreeOfLaunch tree,
                         CUstream stream);

/// Whether the kernel reads images through textures, which depend on the images' contents at the launch.
bool reads_textures(const KernelCall &call);

/// Calls `use` with each grid of a launch that neither prints, enqueues nor reads textures, until it fails. The parameters are
/// valid during the call.
Result<void> for_each_grid(const Launch &launch, const std::function<Result<void>(const CudaKernel &)> &use);

/// Passes a kernel, whose memory is current on the GPU, to the stream. The GPU's context must be the calling thread's.
/// `printf_buffers` must outlive the launch.
Result<AfterStream> issue_launch(const Gpu &gpu, CudaImages &images, PrintfBuffers &printf_buffers, const Launch &launch,
                                 CUstream stream);

}  // namespace upsweep
#endif
