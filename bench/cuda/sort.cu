// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The table of sorts, as JSON, with CUB and a copy in the same run.
//
//     bench_cuda_sort quick > sort.json     # 2^16, 2^20, 2^24 and 2^28 elements.
//     bench_cuda_sort 28 pairs              # 2^28 elements, the cases with "pairs" in their names.
//     bench_cuda_sort lengths > lengths.json  # random u32 and u64 keys and u32 pairs of each 2^10 to 2^28 elements.
//
// Times are medians of the GPU's time; copy, Upsweep and CUB take turns. The bound is the time in which a copy moves the bytes
// that a sort by 8 bits in each pass reads and writes. Both results are compared first. For another CUB, compile with its
// headers before the toolkit's.
#include "turns.h"

#include <upsweep/cuda/sort.cuh>

#include <cub/device/device_radix_sort.cuh>
#include <cub/version.cuh>

#include <cstdint>
#include <numeric>
#include <string>

namespace upsweep::bench {

namespace {

constexpr std::size_t kMostBytes = std::size_t(1) << 31;  // of an array

// Random words of which only some bits vary: the bitwise and of several words is 1 with a probability of 2^-and_of.
__global__ void fill_kernel(std::uint32_t *words, std::size_t n, int ands, bool is_equal, bool is_rising, bool is_positive) {
  for (std::size_t i = blockIdx.x * std::size_t(blockDim.x) + threadIdx.x; i < n; i += std::size_t(gridDim.x) * blockDim.x) {
    std::uint32_t word = ~0u;
    for (int k = 0; k < ands; ++k) {
      std::uint64_t x = (i * 8 + k + 1) * 0x9e3779b97f4a7c15u;
      x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
      x = (x ^ x >> 27) * 0x94d049bb133111ebu;
      word &= static_cast<std::uint32_t>((x ^ x >> 31) >> 16);
    }
    words[i] = is_equal ? 0x42c80000u : is_rising ? static_cast<std::uint32_t>(i) : is_positive ? word >> 1 : word;
  }
}

__global__ void differ_kernel(const std::uint32_t *a, const std::uint32_t *b, std::size_t n, unsigned long long *count) {
  for (std::size_t i = blockIdx.x * std::size_t(blockDim.x) + threadIdx.x; i < n; i += std::size_t(gridDim.x) * blockDim.x) {
    if (a[i] != b[i]) {
      atomicAdd(count, 1ull);
    }
  }
}

struct Spread {
  const char *name;
  int ands;
  bool is_equal, is_rising, is_positive;
};
constexpr Spread kRandom{"random", 1, false, false, false};
constexpr Spread kOthers[] = {
    {"few bits set", 4, false, false, false}, {"equal", 0, true, false, false}, {"sorted", 0, false, true, false}};

class Bench {
public:
  Bench(std::vector<int> log2_sizes, std::string part) : log2_sizes_(std::move(log2_sizes)), part_(std::move(part)) {}

  template <class Key, class Value>
  void run(const char *operation, const char *type, const Spread &spread) {
    constexpr bool kHasValues = !std::is_void_v<Value>;
    using V = std::conditional_t<kHasValues, Value, char>;
    for (const int log2_n : log2_sizes_) {
      const std::size_t n = std::size_t(1) << log2_n;
      if (n * std::max(sizeof(Key), kHasValues ? sizeof(V) : 0) > kMostBytes ||
          (std::string(operation) + " " + type + " " + spread.name).find(part_) == std::string::npos) {
        continue;
      }
      fill_kernel<<<4096, 256>>>(static_cast<std::uint32_t *>(keys_.data()), n * sizeof(Key) / 4, spread.ands, spread.is_equal,
                                 spread.is_rising, spread.is_positive);
      fill_kernel<<<4096, 256>>>(static_cast<std::uint32_t *>(values_.data()), kHasValues ? n * sizeof(V) / 4 : 0, 1, false,
                                 false, false);
      require(cudaDeviceSynchronize());
      const auto *const keys = static_cast<const Key *>(keys_.data());
      const auto *const values = static_cast<const V *>(values_.data());
      const auto upsweep = [&] {
        const cuda::workspace space{space_.data(), space_.bytes()};
        if constexpr (kHasValues) {
          return cuda::sort_pairs(space, keys, static_cast<Key *>(keys_out_.data()), values,
                                  static_cast<V *>(values_out_.data()), n, timer_.stream);
        } else {
          return cuda::sort_keys(space, keys, static_cast<Key *>(keys_out_.data()), n, timer_.stream);
        }
      };
      const auto cub = [&] {
        std::size_t bytes = space_.bytes();
        const auto count = static_cast<std::int64_t>(n);
        if constexpr (kHasValues) {
          return cub::DeviceRadixSort::SortPairs(space_.data(), bytes, keys, static_cast<Key *>(keys_cub_.data()), values,
                                                 static_cast<V *>(values_cub_.data()), count, 0, 8 * sizeof(Key),
                                                 timer_.stream);
        } else {
          return cub::DeviceRadixSort::SortKeys(space_.data(), bytes, keys, static_cast<Key *>(keys_cub_.data()), count, 0,
                                                8 * sizeof(Key), timer_.stream);
        }
      };
      const std::size_t half = n * sizeof(Key) / 2;
      const auto copy = [&] {
        return cudaMemcpyAsync(keys_out_.data(), keys_.data(), half, cudaMemcpyDeviceToDevice, timer_.stream);
      };
      const std::vector<double> us = medians_us(timer_, {copy, upsweep, cub}, log2_n >= 26 ? 7 : 15);
      require(upsweep());
      require(cub());
      const bool is_equal = are_equal(keys_out_, keys_cub_, n * sizeof(Key)) &&
                            (!kHasValues || are_equal(values_out_, values_cub_, n * sizeof(V)));
      // The copy moves the bytes of one read of the keys.
      const double passes = sizeof(Key) * 2.0 * (1 + (kHasValues ? double(sizeof(V)) / sizeof(Key) : 0)) + 1;
      print(operation, type, spread.name, n, us, us[0] * passes / us[1], is_equal);
    }
  }

private:
  bool are_equal(DeviceBuffer &a, DeviceBuffer &b, std::size_t bytes) {
    auto *const count = static_cast<unsigned long long *>(count_.data());
    require(cudaMemsetAsync(count, 0, sizeof *count, timer_.stream));
    differ_kernel<<<4096, 256, 0, timer_.stream>>>(static_cast<const std::uint32_t *>(a.data()),
                                                   static_cast<const std::uint32_t *>(b.data()), bytes / 4, count);
    unsigned long long different;
    require(cudaMemcpyAsync(&different, count, sizeof different, cudaMemcpyDeviceToHost, timer_.stream));
    require(cudaStreamSynchronize(timer_.stream));
    return different == 0;
  }

  void print(const char *operation, const char *type, const char *spread, std::size_t n, const std::vector<double> &us,
             double share, bool is_equal) {
    std::printf("%s  {\"operation\": \"%s\", \"type\": \"%s\", \"keys\": \"%s\", \"n\": %zu, \"copy_us\": %.2f, "
                "\"upsweep_us\": %.2f, \"cub_us\": %.2f, \"times_cub\": %.2f, \"keys_per_second\": %.4g, "
                "\"cub_keys_per_second\": %.4g, \"share_of_bound\": %.3f, \"is_equal\": %s}",
                is_first_ ? "" : ",\n", operation, type, spread, n, us[0], us[1], us[2], us[2] / us[1],
                static_cast<double>(n) / us[1] * 1e6, static_cast<double>(n) / us[2] * 1e6, share, is_equal ? "true" : "false");
    std::fflush(stdout);
    is_first_ = false;
  }

  std::vector<int> log2_sizes_;
  std::string part_;
  DeviceBuffer keys_{kMostBytes}, keys_out_{kMostBytes}, keys_cub_{kMostBytes};
  DeviceBuffer values_{kMostBytes}, values_out_{kMostBytes}, values_cub_{kMostBytes};
  DeviceBuffer space_{std::size_t(5) << 30}, count_{256};
  Timer timer_;
  bool is_first_ = true;
};

void run_lengths(Bench &bench) {
  bench.run<std::uint32_t, void>("keys", "u32", kRandom);
  bench.run<std::uint64_t, void>("keys", "u64", kRandom);
  bench.run<std::uint32_t, std::uint32_t>("pairs", "u32, u32", kRandom);
}

void run_all(Bench &bench) {
  bench.run<std::uint32_t, void>("keys", "u32", kRandom);
  for (const Spread &spread : kOthers) {
    bench.run<std::uint32_t, void>("keys", "u32", spread);
  }
  bench.run<float, void>("keys", "f32", {"positive", 1, false, false, true});  // CUB treats -0 as 0
  bench.run<std::uint64_t, void>("keys", "u64", kRandom);
  bench.run<std::uint16_t, void>("keys", "u16", kRandom);
  bench.run<std::uint8_t, void>("keys", "u8", kRandom);
  bench.run<std::uint32_t, std::uint32_t>("pairs", "u32, u32", kRandom);
  bench.run<std::uint64_t, std::uint32_t>("pairs", "u64, u32", kRandom);
}

}  // namespace

}  // namespace upsweep::bench

int main(int argc, char **argv) {
  if (argc < 2) {
    std::fprintf(stderr, "usage: bench_cuda_sort quick|lengths|LOG2_N [PART OF A NAME]\n");
    return 2;
  }
  using namespace upsweep::bench;
  const std::string mode = argv[1];
  std::vector<int> log2_sizes = {12, 16, 20, 24, 28};
  if (mode == "lengths") {
    log2_sizes.resize(19);
    std::iota(log2_sizes.begin(), log2_sizes.end(), 10);
  } else if (mode != "quick") {
    log2_sizes = {std::atoi(argv[1])};
  }
  print_origin("sorts", argc, argv);
  std::printf(", \"cub\": \"%d.%d.%d\", \"rows\": [\n", CUB_MAJOR_VERSION, CUB_MINOR_VERSION, CUB_SUBMINOR_VERSION);
  Bench bench(log2_sizes, argc > 2 ? argv[2] : "");
  mode == "lengths" ? run_lengths(bench) : run_all(bench);
  std::printf("\n]}\n");
  return 0;
}
