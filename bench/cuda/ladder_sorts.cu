// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The ladder's sorts and compactions against the library's, as JSON: sorts of random 32-bit keys, and compactions that keep
// half.
//
//     bench_cuda_ladder_sorts [LOG2_N=24] [REPEATS=7] > ladder_sorts.json     # 2^24 keys by default.
//
// Times are medians of event pairs around each call; the calls take turns.
#include "turns.h"

#include <ladder/ladder.cuh>
#include <upsweep/cuda/select.cuh>
#include <upsweep/cuda/sort.cuh>

#include <cstdint>
#include <random>

namespace {

using namespace upsweep::bench;
namespace cuda = upsweep::cuda;
namespace ladder = upsweep::cuda::ladder;

struct IsOdd {
  __host__ __device__ bool operator()(std::uint32_t x) const { return x % 2 != 0; }
};

struct Arrays {
  std::size_t n;
  DeviceBuffer in{n * 4}, out{n * 4}, count{256};
  DeviceBuffer space;

  explicit Arrays(std::size_t number)
      : n(number), space(std::max({ladder::split_sort_workspace(n), ladder::merge_sort_workspace(n),
                                   cuda::sort_workspace_bytes<std::uint32_t>(n), ladder::compact_workspace(n)})) {
    std::mt19937 engine(1);
    std::vector<std::uint32_t> keys(n);
    for (std::uint32_t &key : keys) {
      key = static_cast<std::uint32_t>(engine());
    }
    require(cudaMemcpy(in.data(), keys.data(), n * 4, cudaMemcpyHostToDevice));
  }
};

void measure(const char *part, std::size_t n, const std::vector<const char *> &names,
             const std::vector<std::function<cudaError_t()>> &calls, const Timer &timer, int repeats, bool &is_first) {
  const std::vector<double> us = medians_us(timer, calls, repeats);
  for (std::size_t i = 0; i < names.size(); ++i) {
    std::printf("%s  {\"part\": \"%s\", \"name\": \"%s\", \"n\": %zu, \"median_us\": %.2f, \"elements_per_second\": %.4g, "
                "\"times_of_last\": %.2f}",
                is_first ? "" : ",\n", part, names[i], n, us[i], static_cast<double>(n) / us[i] * 1e6, us[i] / us.back());
    is_first = false;
  }
}

void run(std::size_t n, int repeats, bool &is_first) {
  Arrays arrays(n);
  const Timer timer;
  const auto *const in = static_cast<const std::uint32_t *>(arrays.in.data());
  auto *const out = static_cast<std::uint32_t *>(arrays.out.data());
  auto *const count = static_cast<std::uint32_t *>(arrays.count.data());
  void *const space = arrays.space.data();
  const std::size_t bytes = arrays.space.bytes();
  measure("sort", n, {"split_sort", "merge_sort", "sort_keys"},
          {[&] { return ladder::split_sort(in, out, n, timer.stream, space, bytes); },
           [&] { return ladder::merge_sort(in, out, n, timer.stream, space, bytes); },
           [&] { return cuda::sort_keys(cuda::workspace{space, bytes}, in, out, n, timer.stream); }},
          timer, repeats, is_first);
  DeviceBuffer kept(cuda::select_workspace_bytes<std::uint32_t>(n));
  const cuda::workspace own{kept.data(), kept.bytes()};
  require(cuda::initialise(own));
  measure("compaction", n, {"compact_by_scatter", "compact_by_gather", "select_if"},
          {[&] { return ladder::compact_by_scatter(in, out, count, n, IsOdd{}, timer.stream, space, bytes); },
           [&] { return ladder::compact_by_gather(in, out, count, n, IsOdd{}, timer.stream, space, bytes); },
           [&] { return cuda::select_if(own, in, out, count, n, IsOdd{}, timer.stream); }},
          timer, repeats, is_first);
}

}  // namespace

int main(int argc, char **argv) {
  const int log2_n = argc > 1 ? std::atoi(argv[1]) : 24;
  const int repeats = argc > 2 ? std::atoi(argv[2]) : 7;
  if (log2_n < 10 || log2_n > 28 || repeats < 1) {
    std::fprintf(stderr, "usage: bench_cuda_ladder_sorts [LOG2_N, 10 to 28] [REPEATS, at least 1]\n");
    return 2;
  }
  print_origin("ladder, sorts and compactions", argc, argv);
  std::printf(", \"samples\": %d, \"rows\": [\n", repeats);
  bool is_first = true;
  for (const int log2 : {16, 20, log2_n}) {
    run(std::size_t(1) << log2, repeats, is_first);
  }
  std::printf("\n]}\n");
  return 0;
}
