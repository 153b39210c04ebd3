// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Launches the kernel in fill.ptx.
#include "targets/cuda/fill_kernel.h"
#include "targets/cuda/fill.h"
#include <algorithm>
#include <array>
#include <cstring>

namespace upsweep {
namespace {

constexpr unsigned kThreads = 256;
constexpr unsigned kBlocksPerMultiprocessor = 8;
constexpr size_t kWord = 8;

}  // namespace

Result<void> FillKernel::call(CUdeviceptr to, size_t bytes, const char *pattern, size_t pattern_bytes, const Use &use) {
  std::call_once(loaded_, [this] {
    CUmodule module = nullptr;
    state_ = gpu_.driver.load_module(&module, kFillSource.data(), 0, nullptr, nullptr);
    if (state_ == 0) state_ = gpu_.driver.get_function(&function_, module, "fill");
  });
  if (state_ != 0) return gpu_.driver.check(state_, CL_OUT_OF_RESOURCES, "the kernel for fills could not be loaded");
  uint64_t words = bytes / kWord;
  auto last = static_cast<uint32_t>(pattern_bytes / kWord - 1);
  std::array<char, kMaxFillPattern> block{};
  std::memcpy(block.data(), pattern, pattern_bytes);
  std::array<void *, 4> parameters{&to, &words, &last, block.data()};
  const uint64_t most = uint64_t{kBlocksPerMultiprocessor} * static_cast<unsigned>(gpu_.attribute(kMultiprocessors));
  const auto blocks = static_cast<unsigned>(std::min(most, (words + kThreads - 1) / kThreads));
  return use({.function = function_, .blocks = {blocks, 1, 1}, .threads = {kThreads, 1, 1}, .parameters = parameters.data()});
}

Result<void> FillKernel::issue(CUdeviceptr to, size_t bytes, const char *pattern, size_t pattern_bytes, CUstream stream) {
  return call(to, bytes, pattern, pattern_bytes, [&](const CudaKernel &kernel) {
    const CUresult result =
        gpu_.driver.launch(kernel.function, kernel.blocks[0], 1, 1, kThreads, 1, 1, 0, stream, kernel.parameters, nullptr);
    return gpu_.driver.check(result, CL_OUT_OF_RESOURCES, "a fill could not be started");
  });
}

}  // namespace upsweep
