// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The inputs of the kernels that the CUDA driver in software knows.
#ifndef UPSWEEP_TESTS_TARGETS_CUDA_FAKE_KERNELS_H
#define UPSWEEP_TESTS_TARGETS_CUDA_FAKE_KERNELS_H

#include "targets/cuda/cuda_driver.h"
#include <vector>

namespace upsweep::tests {

inline constexpr uint64_t kDeviceBit = uint64_t{1} << 62;  ///< no host address has this bit
inline char *real(CUdeviceptr address) { return reinterpret_cast<char *>(address & ~kDeviceBit); }

/// A texture object, with the place of its texels.
struct Texture {
  bool is_of_array;
  const char *texels;
  CudaSampler sampler;
};

struct Array {
  std::vector<char> texels;
  size_t row_bytes;
};

}  // namespace upsweep::tests
#endif
