// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The kernels that the CUDA driver in software knows by name (described in fake_cuda.cpp), and their inputs.
#ifndef UPSWEEP_TESTS_TARGETS_CUDA_FAKE_KERNELS_H
#define UPSWEEP_TESTS_TARGETS_CUDA_FAKE_KERNELS_H

#include "fake_stream.h"
#include "targets/cuda/cuda_driver.h"
#include "targets/cuda/texture_abi.h"
#include <array>
#include <cstring>
#include <string>
#include <vector>

namespace upsweep::tests {

inline constexpr uint64_t kDeviceBit = uint64_t{1} << 62;  ///< no host address has this bit
inline char *real(CUdeviceptr address) { return reinterpret_cast<char *>(address & ~kDeviceBit); }

template <typename T>
T parameter(const std::vector<uint64_t> &values, size_t i) {
  T value;
  std::memcpy(&value, &values[i], sizeof value);
  return value;
}

inline void run_kernel(Stream &stream, const std::string &name, const std::vector<uint64_t> &values, uint64_t first,
                       uint64_t count) {
  if (name == "trap") return stream.fault();
  auto *a = reinterpret_cast<int *>(real(parameter<uint64_t>(values, 0)));
  if (name == "add") {
    for (uint64_t i = first; i < first + count; ++i) a[i] += parameter<int>(values, 1);
  } else if (name == "copy") {
    auto *b = reinterpret_cast<int *>(real(parameter<uint64_t>(values, 1)));
    for (uint64_t i = first; i < first + count; ++i) b[i] = a[i];
  }
}

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

inline void run_sample(const std::string &name, const UpsweepTexture &texture, uint64_t to) {
  std::array<int, 5> out{};
  if (name != "sample") {
    const auto &its = *reinterpret_cast<const Texture *>(texture.handle);
    out = {its.is_of_array ? 1 : 2, 0, static_cast<int>(its.sampler.flags), static_cast<int>(its.sampler.is_linear),
           static_cast<int>(its.sampler.address[0])};
    if (name == "sample$orders") out[0] += 2;
    std::memcpy(&out[1], its.texels, sizeof out[1]);
  }
  std::memcpy(real(to), out.data(), sizeof out);
}

}  // namespace upsweep::tests
#endif
