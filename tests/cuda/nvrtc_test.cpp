// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Warp and block algorithms must compile by NVRTC, for the oldest and newer GPUs, as C++17 and C++20. No GPU is needed.
// nvrtc_test INCLUDE TOOLKIT_INCLUDE
#include <nvrtc.h>

#include <cstdio>
#include <string>
#include <vector>

namespace {

const char *const kSource = R"(
#include <upsweep/cuda/block.cuh>
#include <upsweep/cuda/warp.cuh>

struct Larger {
  template <class T>
  __device__ T operator()(const T &a, const T &b) const { return a < b ? b : a; }
};

extern "C" __global__ void sums(const float *in, float *out, float *totals) {
  using scan = upsweep::cuda::block_scan<float, 256>;
  __shared__ scan::storage storage;
  float values[4];
  for (int i = 0; i < 4; ++i) {
    values[i] = in[threadIdx.x * 4 + i];
  }
  float results[4];
  scan(storage).inclusive(values, results);
  for (int i = 0; i < 4; ++i) {
    out[threadIdx.x * 4 + i] = results[i];
  }
  using reduce = upsweep::cuda::block_reduce<float, 256>;
  __shared__ reduce::storage of_reduce;
  const float largest = reduce(of_reduce).reduce(values[0], Larger{});
  const int lanes = upsweep::cuda::warp_scan<int>().exclusive(static_cast<int>(threadIdx.x), upsweep::cuda::maximum{}, 0);
  if (threadIdx.x == 0) {
    *totals = largest + lanes;
  }
}
)";

bool compiles(const std::vector<std::string> &options) {
  nvrtcProgram program = nullptr;
  if (nvrtcCreateProgram(&program, kSource, "sums.cu", 0, nullptr, nullptr) != NVRTC_SUCCESS) {
    return false;
  }
  std::vector<const char *> texts;
  for (const std::string &option : options) {
    texts.push_back(option.c_str());
  }
  const nvrtcResult result = nvrtcCompileProgram(program, static_cast<int>(texts.size()), texts.data());
  std::printf("%s %s: %s\n", texts[0], texts[1], nvrtcGetErrorString(result));
  if (result != NVRTC_SUCCESS) {
    std::size_t bytes = 0;
    nvrtcGetProgramLogSize(program, &bytes);
    std::string log(bytes, '\0');
    nvrtcGetProgramLog(program, log.data());
    std::printf("%s\n", log.c_str());
  }
  nvrtcDestroyProgram(&program);
  return result == NVRTC_SUCCESS;
}

}  // namespace

int main(int argc, char **argv) {
  if (argc < 3) {
    return 2;
  }
  const std::string toolkit = argv[2];
  bool all = true;
  for (const char *standard : {"-std=c++17", "-std=c++20"}) {
    for (const char *architecture : {"-arch=sm_75", "-arch=sm_90"}) {
      all = compiles({standard, architecture, std::string("-I") + argv[1], "-I" + toolkit, "-I" + toolkit + "/cccl"}) && all;
    }
  }
  return all ? 0 : 1;
}
