// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The printf output of a GPU's kernels: buffers of records, and their conversion to text.
#ifndef UPSWEEP_TARGETS_CUDA_PRINTF_BUFFER_H
#define UPSWEEP_TARGETS_CUDA_PRINTF_BUFFER_H

#include "targets/cuda/cuda_driver.h"
#include <mutex>
#include <span>
#include <vector>

namespace upsweep {

/// Buffers of one GPU. Each launch that prints has its own buffer, which later launches reuse. The GPU's context must be the
/// calling thread's for all functions.
class PrintfBuffers {
public:
  explicit PrintfBuffers(const CudaDriver &driver) : driver_(driver) {}

  /// Call it before a launch on `stream`: returns an empty buffer for UpsweepGrid::printf_buffer.
  Result<CUdeviceptr> take(CUstream stream);
  /// Call it after the launch has ended: prints the records and returns the buffer to the pool.
  Result<void> print(CUdeviceptr buffer);

private:
  Result<std::vector<std::byte>> fetch(CUdeviceptr buffer) const;
  std::string text_of(std::span<const std::byte> records) const;
  std::string string_at(CUdeviceptr address) const;
  CUresult copy_now(void *to, CUdeviceptr from, size_t bytes) const;

  const CudaDriver &driver_;
  std::mutex mutex_;  ///< guards free_
  std::vector<CUdeviceptr> free_;
};

}  // namespace upsweep
#endif
