// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Compactions and reductions of more than 2^32 elements, if the GPU has the memory.
#include "scan_device_check.h"

#include <upsweep/cuda/partition.cuh>
#include <upsweep/cuda/reduce.cuh>
#include <upsweep/cuda/run_length.cuh>

using namespace upsweep::test;

namespace {

constexpr std::size_t kCount = (std::size_t(1) << 32) + 77;
constexpr std::uint64_t kKept = (kCount + 3) / 4;

// Every fourth element is 1 + i / 4 % 200, the others are 0.
__global__ void fill_kernel(std::uint8_t *to, std::size_t n) {
  for (std::size_t i = blockIdx.x * std::size_t(blockDim.x) + threadIdx.x; i < n; i += std::size_t(gridDim.x) * blockDim.x) {
    to[i] = i % 4 == 0 ? static_cast<std::uint8_t>(1 + i / 4 % 200) : 0;
  }
}
// The kept elements, without gaps, and zeros behind them.
__global__ void check_kernel(const std::uint8_t *from, std::size_t kept, std::size_t n, unsigned long long *wrong) {
  for (std::size_t i = blockIdx.x * std::size_t(blockDim.x) + threadIdx.x; i < n; i += std::size_t(gridDim.x) * blockDim.x) {
    if (from[i] != (i < kept ? 1 + i % 200 : 0)) {
      atomicAdd(wrong, 1ull);
    }
  }
}

struct IsNotNought {
  __host__ __device__ bool operator()(std::uint8_t x) const { return x != 0; }
};

}  // namespace

UPSWEEP_TEST(GivenMoreThan32BitsCount_WhenCompacted_ThenAllAreRight) {
  std::size_t free_bytes = 0, all_bytes = 0;
  UPSWEEP_CUDA(cudaMemGetInfo(&free_bytes, &all_bytes));
  if (kCount > most_elements() || free_bytes < 3 * kCount) {
    std::printf("not run: %zu bytes are free\n", free_bytes);
    return;
  }
  DeviceArray<std::uint8_t> in(kCount), out(kCount);
  DeviceArray<unsigned long long> wrong(std::vector<unsigned long long>{0});
  DeviceArray<std::uint64_t> kept(1), total(1);
  Space space(cuda::select_workspace_bytes<std::uint8_t>(kCount));
  fill_kernel<<<4096, 256>>>(in.data(), kCount);
  const auto expect = [&](const char *what, std::uint64_t number, std::size_t checked) {
    UPSWEEP_CUDA(cudaGetLastError());
    check_kernel<<<4096, 256>>>(out.data(), kKept, checked, wrong.data());
    if (kept.download().front() != number || wrong.download().front() != 0) {
      report(__FILE__, __LINE__, what);
    }
    UPSWEEP_CHECK(out.end_is_intact());
    out.poison();
    UPSWEEP_CUDA(cudaDeviceSynchronize());
  };
  UPSWEEP_CUDA(cuda::select_if(space, in.data(), out.data(), kept.data(), kCount, IsNotNought{}));
  expect("selection", kKept, kKept);
  UPSWEEP_CUDA(cuda::partition_if(space, in.data(), out.data(), kept.data(), kCount, IsNotNought{}));
  expect("partition", kKept, kCount);
  UPSWEEP_CUDA(cuda::transform_reduce(space, in.data(), total.data(), kCount, cuda::plus{}, IsNotNought{}, std::uint64_t(0)));
  UPSWEEP_CHECK(total.download().front() == kKept);
  // A single run of zeros, longer than 2^32.
  UPSWEEP_CUDA(cudaMemset(in.data(), 0, kCount));
  UPSWEEP_CUDA(cuda::run_length_encode(space, in.data(), out.data(), total.data(), kept.data(), kCount));
  UPSWEEP_CHECK(kept.download().front() == 1 && total.download().front() == kCount);
}
