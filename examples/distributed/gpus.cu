// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// An array on all GPUs of this machine: its running totals, and its sorted order. Each GPU is a rank, of one thread.
#include <upsweep/distributed/cuda/peers.cuh>
#include <upsweep/distributed/cuda/scan.cuh>
#include <upsweep/distributed/cuda/sort.cuh>

#include <cstdio>
#include <vector>

namespace up = upsweep::distributed;

int main() {
  int gpus = 0;
  if (cudaGetDeviceCount(&gpus) != cudaSuccess || gpus == 0) {
    std::printf("no CUDA-capable device\n");
    return 0;
  }
  constexpr std::uint64_t kElements = 1 << 20;  // of each GPU
  std::vector<long long> ends(static_cast<std::size_t>(gpus));
  try {
    up::run_gpus(static_cast<unsigned>(gpus), [&](up::peer_communicator &ranks) {
      std::vector<long long> part(kElements);
      for (std::uint64_t i = 0; i < kElements; ++i) {
        part[i] = static_cast<long long>((ranks.rank() * kElements + i) * 7919 % 1000);
      }
      long long *in = nullptr, *out = nullptr;
      cudaMalloc(&in, kElements * sizeof(long long));
      cudaMalloc(&out, kElements * sizeof(long long));
      // On the rank's stream, which does not wait for copies on the default stream.
      cudaMemcpyAsync(in, part.data(), kElements * sizeof(long long), cudaMemcpyHostToDevice, ranks.stream());
      up::inclusive_sum(ranks, in, out, kElements);
      ranks.wait();  // or an exception, on all ranks
      cudaMemcpy(&ends[ranks.rank()], out + kElements - 1, sizeof(long long), cudaMemcpyDeviceToHost);
      up::sort_keys(ranks, in, out, kElements);
      ranks.wait();
      cudaMemcpy(part.data(), out, kElements * sizeof(long long), cudaMemcpyDeviceToHost);
      std::printf("GPU %u has the keys from %lld to %lld\n", ranks.rank(), part.front(), part.back());
      cudaFree(in);
      cudaFree(out);
    });
  } catch (const std::exception &error) {
    std::printf("%s\n", error.what());
    return 1;
  }
  long long wanted = 0;
  for (std::uint64_t i = 0; i < kElements * static_cast<std::uint64_t>(gpus); ++i) {
    wanted += static_cast<long long>(i * 7919 % 1000);
  }
  std::printf("the total is %lld, and should be %lld\n", ends.back(), wanted);
  return ends.back() == wanted ? 0 : 1;
}
