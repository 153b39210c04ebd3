// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The kernels that the CUDA driver in software knows by name (described in fake_cuda.cpp), and its copies.
#include "fake_kernels.h"
#include "fake_state.h"
#include "targets/cuda/kernel_abi.h"
#include "targets/cuda/texture_abi.h"
#include <array>
#include <cstring>
#include <string>
#include <vector>

namespace upsweep::tests {
namespace {

template <typename T>
T parameter(const std::vector<uint64_t> &values, size_t i) {
  T value;
  std::memcpy(&value, &values[i], sizeof value);
  return value;
}

void run_kernel(Stream &stream, const std::string &name, const std::vector<uint64_t> &values, uint64_t first, uint64_t count) {
  if (name == "trap") return stream.fault();
  auto *a = reinterpret_cast<int *>(real(parameter<uint64_t>(values, 0)));
  if (name == "add") {
    for (uint64_t i = first; i < first + count; ++i) a[i] += parameter<int>(values, 1);
  } else if (name == "copy") {
    auto *b = reinterpret_cast<int *>(real(parameter<uint64_t>(values, 1)));
    for (uint64_t i = first; i < first + count; ++i) b[i] = a[i];
  }
}

void run_sample(const std::string &name, const UpsweepTexture &texture, uint64_t to) {
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

/// The driver's own kernel (src/targets/cuda/fill_kernel.cpp).
StreamTask fill_task(void **parameters) {
  uint64_t to = 0, words = 0;
  uint32_t last = 0;
  std::memcpy(&to, parameters[0], 8);
  std::memcpy(&words, parameters[1], 8);
  std::memcpy(&last, parameters[2], 4);
  std::vector<char> pattern(size_t{8} * (last + 1));
  std::memcpy(pattern.data(), parameters[3], pattern.size());
  return [=](Stream &) {
    for (uint64_t i = 0; i < words; ++i) std::memcpy(real(to) + 8 * i, &pattern[8 * (i & last)], 8);
  };
}

}  // namespace

StreamTask kernel_task(const CudaKernel &kernel) {
  void **parameters = kernel.parameters;
  const std::string &name = *reinterpret_cast<std::string *>(kernel.function);
  if (name == "fill") return fill_task(parameters);
  if (name.starts_with("sample")) {
    uint64_t to = 0;
    std::memcpy(&to, parameters[2], 8);
    UpsweepTexture texture{};
    if (name != "sample") std::memcpy(&texture, static_cast<char *>(parameters[3]) + sizeof(UpsweepGrid), sizeof texture);
    return [=](Stream &) { run_sample(name, texture, to); };
  }
  const size_t num_values = name == "trap" ? 1 : 2;
  std::vector<uint64_t> values(num_values);
  std::memcpy(&values[0], parameters[0], 8);
  if (num_values > 1) std::memcpy(&values[1], parameters[1], name == "add" ? 4 : 8);
  const uint64_t first = static_cast<UpsweepGrid *>(parameters[num_values])->first_id[0];
  const uint64_t count = uint64_t{kernel.blocks[0]} * kernel.threads[0];
  return [=](Stream &stream) { run_kernel(stream, name, values, first, count); };
}

StreamTask copy_task(const CudaCopy3D &copy) {
  const auto base = [](const CudaCopy3D::End &end) {
    return end.memory_type == 1 ? reinterpret_cast<char *>(end.host) : real(end.device);
  };
  return [copy, base](Stream &) {
    for (size_t z = 0; z < copy.depth; ++z)
      for (size_t y = 0; y < copy.height; ++y)
        std::memcpy(base(copy.to) + (z * copy.to.height + y) * copy.to.pitch,
                    base(copy.from) + (z * copy.from.height + y) * copy.from.pitch, copy.width);
  };
}

}  // namespace upsweep::tests
