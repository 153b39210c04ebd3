// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The table of selections by rank in rows, as JSON, beside a copy and a sort of the rows in the same run.
//
//     bench_cuda_top_k_of_rows > top_k_of_rows.json     # All cases.
//
// Times are GPU times, medians of calls that take turns. The copy moves as many bytes as one reading of the keys.
#include "turns.h"

#include <upsweep/cuda/segmented_sort.cuh>
#include <upsweep/cuda/top_k_of_rows.cuh>

#include <cstdio>

namespace upsweep::bench {

namespace {

constexpr std::size_t kMost = std::size_t(1) << 28;

__global__ void fill_kernel(float *numbers, std::size_t n) {
  for (std::size_t i = blockIdx.x * std::size_t(blockDim.x) + threadIdx.x; i < n; i += std::size_t(gridDim.x) * blockDim.x) {
    std::uint64_t x = (i + 1) * 0x9e3779b97f4a7c15u;
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
    x = (x ^ x >> 27) * 0x94d049bb133111ebu;
    numbers[i] = static_cast<float>((x ^ x >> 31) >> 40) * 0x1p-24f;
  }
}

struct Bench {
  DeviceBuffer in{4 * kMost}, out{4 * kMost}, indices{4 * kMost}, space{std::size_t(6) << 30};
  Timer timer;
  bool is_first = true;

  void report(const std::string &shape, std::uint64_t k, std::uint64_t n, const std::vector<double> &us) {
    std::printf("%s  {\"call\": \"top k of rows\", \"type\": \"f32, u32\", \"shape\": \"%s\", \"k\": %llu, \"n\": %llu, "
                "\"copy_us\": %.2f, "
                "\"upsweep_us\": %.2f, \"sort_us\": %.2f, \"share_of_copy\": %.3f, \"times_sort\": %.2f}",
                is_first ? "" : ",\n", shape.c_str(), static_cast<unsigned long long>(k), static_cast<unsigned long long>(n),
                us[0], us[1], us[2], us[0] / us[1], us[2] / us[1]);
    std::fflush(stdout);
    is_first = false;
  }

  void run_rows(std::uint64_t rows, std::uint64_t length, std::uint64_t k) {
    const auto *const from = static_cast<const float *>(in.data());
    auto *const to = static_cast<float *>(out.data());
    auto *const places = static_cast<std::uint32_t *>(indices.data());
    const cuda::workspace memory{space.data(), space.bytes()};
    const auto copy = [&] {
      return cudaMemcpyAsync(out.data(), from, rows * length * 2, cudaMemcpyDeviceToDevice, timer.stream);
    };
    const auto select = [&] {
      return cuda::arg_top_k_of_rows(memory, from, to, places, rows, length, k, cuda::descending, timer.stream);
    };
    const auto sort = [&] {
      return cuda::arg_sort_of_rows(memory, from, to, places, rows, length, cuda::descending, timer.stream);
    };
    report(std::to_string(rows) + " x " + std::to_string(length), k, rows * length, medians_us(timer, {copy, select, sort}, 7));
  }
};

void run(int argc, char **argv) {
  Bench bench;
  fill_kernel<<<4096, 256>>>(static_cast<float *>(bench.in.data()), kMost);
  print_origin("ranks of rows", argc, argv);
  std::printf(", \"rows\": [\n");
  bench.run_rows(1 << 20, 100, 8);
  bench.run_rows(1 << 18, 1000, 10);
  bench.run_rows(1 << 16, 4096, 40);
  bench.run_rows(1 << 13, 32768, 50);
  bench.run_rows(1000, 128256, 50);
  bench.run_rows(100, 1 << 20, 100);
  bench.run_rows(16, 1 << 20, 100);
  bench.run_rows(4, 1 << 26, 1000);
  std::printf("\n]}\n");
}

}  // namespace

}  // namespace upsweep::bench

int main(int argc, char **argv) {
  upsweep::bench::run(argc, argv);
  return 0;
}
