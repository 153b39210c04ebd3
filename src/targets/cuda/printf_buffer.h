// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The printf output of a GPU's kernels: buffers that they write records to, and the text that the records stand for.
#ifndef UPSWEEP_TARGETS_CUDA_PRINTF_BUFFER_H
#define UPSWEEP_TARGETS_CUDA_PRINTF_BUFFER_H

#include "targets/cuda/cuda_driver.h"
#include <mutex>
#include <span>
#include <vector>

namespace upsweep {

/// Of one GPU: a launch that prints has a buffer of its own, which the next one takes over. All functions are for threads whose
/// context is the GPU's.
class PrintfBuffers {
public:
  explicit PrintfBuffers(const CudaDriver &driver) : driver_(driver) {}

  /// Before a launch on `stream`, which also empties the buffer: the value for UpsweepGrid::printf_buffer.
  Result<CUdeviceptr> take(CUstream stream);
  /// After the launch has ended: prints and takes the buffer back.
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
