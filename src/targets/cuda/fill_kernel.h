// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A kernel for fills with patterns of 8 to 128 bytes, for which the CUDA driver has no function.
#ifndef UPSWEEP_TARGETS_CUDA_FILL_KERNEL_H
#define UPSWEEP_TARGETS_CUDA_FILL_KERNEL_H

#include "runtime/commands/bulk_copy.h"
#include "targets/cuda/gpu.h"
#include <functional>
#include <mutex>

namespace upsweep {

class FillKernel {
public:
  explicit FillKernel(const Gpu &gpu) : gpu_(gpu) {}

  /// Writes `pattern` (`pattern_bytes`: 8, 16, 32, 64 or 128) over `bytes` bytes at `to`, a multiple of 8, in the stream's
  /// order. The GPU's context must be the calling thread's.
  Result<void> issue(CUdeviceptr to, size_t bytes, const char *pattern, size_t pattern_bytes, CUstream stream);

  /// Calls `use` with the same kernel, whose parameters are valid during the call.
  using Use = std::function<Result<void>(const CudaKernel &)>;
  Result<void> call(CUdeviceptr to, size_t bytes, const char *pattern, size_t pattern_bytes, const Use &use);

private:
  const Gpu &gpu_;
  std::once_flag loaded_;
  CUresult state_ = 0;
  CUfunction function_ = nullptr;
};

}  // namespace upsweep
#endif
