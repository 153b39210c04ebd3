// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The table of histograms, as JSON, with CUB and a sum of the same bytes in the same run.
//
//     bench_cuda_histogram quick > histogram.json     # 2^16, 2^20, 2^24 and 2^28 samples.
//     bench_cuda_histogram 28 u8                      # 2^28 samples, the cases with "u8" in their names.
//
// Times are medians of the GPU's time; the sum, Upsweep and CUB take turns. The bound is the time to read the samples,
// measured by the sum (cuda::sum of their words). The counts of Upsweep and CUB are compared.
#include "turns.h"

#include <upsweep/cuda/histogram.cuh>
#include <upsweep/cuda/reduce.cuh>

#include <cub/device/device_histogram.cuh>
#include <cub/version.cuh>

#include <cstdint>
#include <cstring>
#include <string>

namespace upsweep::bench {

namespace {

constexpr std::size_t kMostBytes = std::size_t(1) << 31;
constexpr std::size_t kMostBins = std::size_t(1) << 24;

enum class Spread { kRandom, kEqual, kSorted, kHot, kFewValues };
constexpr const char *kNames[] = {"random", "equal", "sorted", "90 % in one bin", "16 values"};
constexpr Spread kAll[] = {Spread::kRandom, Spread::kEqual, Spread::kSorted, Spread::kHot, Spread::kFewValues};

__device__ std::uint64_t random_bits(std::uint64_t i) {
  std::uint64_t x = (i + 1) * 0x9e3779b97f4a7c15u;
  x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
  x = (x ^ x >> 27) * 0x94d049bb133111ebu;
  return x ^ x >> 31;
}
// kHot: nine samples of ten are equal. kFewValues: the highest four bits vary. Floats are from 0 to 1.
template <class T>
__global__ void fill_kernel(T *samples, std::size_t n, Spread spread) {
  constexpr int kBits = 8 * sizeof(T);
  for (std::size_t i = blockIdx.x * std::size_t(blockDim.x) + threadIdx.x; i < n; i += std::size_t(gridDim.x) * blockDim.x) {
    std::uint64_t bits = random_bits(2 * i) >> (64 - kBits);
    if (spread == Spread::kEqual || (spread == Spread::kHot && random_bits(2 * i + 1) % 10 != 0)) {
      bits = 0x4242424242424242u >> (64 - kBits);
    } else if (spread == Spread::kSorted) {
      bits = static_cast<std::uint64_t>(static_cast<double>(i) / static_cast<double>(n) * 0x1p63) * 2 >> (64 - kBits);
    } else if (spread == Spread::kFewValues) {
      bits &= std::uint64_t(15) << (kBits - 4);
    }
    if constexpr (std::is_floating_point_v<T>) {
      samples[i] = static_cast<T>(static_cast<float>(bits >> (kBits - 24)) * 0x1p-24f);
    } else {
      samples[i] = static_cast<T>(bits);
    }
  }
}

struct TopBits {
  int shift;
  __device__ std::uint32_t operator()(std::uint32_t x) const { return x >> shift; }
};

class Bench {
public:
  Bench(std::vector<int> log2_sizes, std::string part) : log2_sizes_(std::move(log2_sizes)), part_(std::move(part)) {
    require(cuda::initialise({space_.data(), space_.bytes()}));
  }

  // ours(samples, counts, n) and cub(space, bytes, samples, counts, n), for n pixels. cub may be absent.
  template <class T, class Ours, class Cub>
  void run(const char *kind, const char *type, std::size_t bins, Spread spread, int channels, const Ours &ours,
           const Cub &cub) {
    const std::string name = std::string(kind) + " " + type + " " + kNames[static_cast<int>(spread)];
    for (const int log2_n : log2_sizes_) {
      const std::size_t n = std::size_t(1) << log2_n, bytes = n * sizeof(T);
      if (bytes > kMostBytes || name.find(part_) == std::string::npos) {
        continue;
      }
      auto *const samples = static_cast<T *>(samples_.data());
      fill_kernel<<<4096, 256>>>(samples, n, spread);
      require(cudaDeviceSynchronize());
      const std::size_t pixels = n / channels;
      auto *const own = static_cast<std::uint32_t *>(counts_.data());
      auto *const others = static_cast<std::uint32_t *>(counts_cub_.data());
      const auto upsweep = [&] { return ours(samples, own, pixels); };
      const auto read = [&] {
        return cuda::sum(cuda::workspace{space_.data(), space_.bytes()}, static_cast<const std::uint32_t *>(samples_.data()),
                         static_cast<std::uint32_t *>(sum_.data()), bytes / 4, timer_.stream);
      };
      constexpr bool kHasCub = !std::is_same_v<Cub, std::nullptr_t>;
      std::vector<std::function<cudaError_t()>> calls{read, upsweep};
      if constexpr (kHasCub) {
        calls.push_back([&] {
          std::size_t temporary = 0;
          require(cub(nullptr, temporary, samples, others, static_cast<std::int64_t>(pixels)));
          return temporary > cub_space_.bytes()
                     ? cudaErrorMemoryAllocation
                     : cub(cub_space_.data(), temporary, samples, others, static_cast<std::int64_t>(pixels));
        });
      }
      std::vector<double> us = medians_us(timer_, calls, 7);
      us.resize(3);
      bool is_equal = true;
      if constexpr (kHasCub) {
        std::vector<std::uint32_t> a(bins * channels), b(bins * channels);
        require(cudaMemcpy(a.data(), own, a.size() * 4, cudaMemcpyDeviceToHost));
        require(cudaMemcpy(b.data(), others, b.size() * 4, cudaMemcpyDeviceToHost));
        is_equal = std::equal(a.begin(), a.begin() + static_cast<std::ptrdiff_t>(bins), b.begin());
      }
      print(kind, type, kNames[static_cast<int>(spread)], bins, n, bytes, us, kHasCub, is_equal);
    }
  }

  cudaStream_t stream() const { return timer_.stream; }
  template <class T>
  T *levels() {
    return static_cast<T *>(levels_.data());
  }

private:
  void print(const char *kind, const char *type, const char *spread, std::size_t bins, std::size_t n, std::size_t bytes,
             const std::vector<double> &us, bool has_cub, bool is_equal) {
    std::printf("%s  {\"operation\": \"%s\", \"type\": \"%s\", \"samples\": \"%s\", \"bins\": %zu, \"n\": %zu, "
                "\"read_us\": %.2f, \"upsweep_us\": %.2f, \"gb_per_s\": %.0f, \"share_of_read\": %.3f",
                is_first_ ? "" : ",\n", kind, type, spread, bins, n, us[0], us[1], bytes / us[1] / 1000, us[0] / us[1]);
    if (has_cub) {
      std::printf(", \"cub_us\": %.2f, \"cub_share_of_read\": %.3f, \"times_cub\": %.2f, \"is_equal\": %s", us[2],
                  us[0] / us[2], us[2] / us[1], is_equal ? "true" : "false");
    }
    std::printf("}");
    std::fflush(stdout);
    is_first_ = false;
  }

  std::vector<int> log2_sizes_;
  std::string part_;
  DeviceBuffer samples_{kMostBytes}, counts_{kMostBins * 4}, counts_cub_{kMostBins * 4}, levels_{1 << 20};
  DeviceBuffer space_{1 << 20}, cub_space_{std::size_t(1) << 28}, sum_{256};
  Timer timer_;
  bool is_first_ = true;
};

template <class T>
void run_even(Bench &bench, const char *type, std::uint32_t bins, Spread spread, T lower, T upper) {
  using Bound = std::conditional_t<std::is_integral_v<T>, std::int64_t, double>;
  bench.run<T>(
      "even", type, bins, spread, 1,
      [&](const T *samples, std::uint32_t *counts, std::size_t n) {
        return cuda::histogram_even(samples, counts, n, bins, Bound(lower), Bound(upper), bench.stream());
      },
      [&](void *space, std::size_t &bytes, const T *samples, std::uint32_t *counts, std::int64_t n) {
        return cub::DeviceHistogram::HistogramEven(space, bytes, samples, counts, static_cast<int>(bins + 1), lower, upper, n,
                                                   bench.stream());
      });
}

// CUB refuses bins if their number times the range exceeds 2^64.
void run_long_words(Bench &bench, Spread spread) {
  bench.run<std::uint64_t>(
      "even", "u64", 256, spread, 1,
      [&](const std::uint64_t *samples, std::uint32_t *counts, std::size_t n) {
        return cuda::histogram_even(samples, counts, n, 256, std::int64_t(0), std::int64_t(1) << 62, bench.stream());
      },
      nullptr);
}

void run_bytes(Bench &bench, const char *type, Spread spread) {
  bench.run<std::uint8_t>(
      "even", type, 256, spread, 1,
      [&](const std::uint8_t *samples, std::uint32_t *counts, std::size_t n) {
        return cuda::histogram_even(samples, counts, n, 256, 0, 256, bench.stream());
      },
      [&](void *space, std::size_t &bytes, const std::uint8_t *samples, std::uint32_t *counts, std::int64_t n) {
        return cub::DeviceHistogram::HistogramEven(space, bytes, samples, counts, 257, 0, 256, n, bench.stream());
      });
}

void run_pixels(Bench &bench, Spread spread) {
  bench.run<std::uint8_t>(
      "even", "u8, 3 of 4 channels", 256, spread, 4,
      [&](const std::uint8_t *samples, std::uint32_t *counts, std::size_t n) {
        return cuda::histogram_even(samples, counts, n, 256, 0, 256, cuda::channels<4, 3>, bench.stream());
      },
      [&](void *space, std::size_t &bytes, const std::uint8_t *samples, std::uint32_t *counts, std::int64_t n) {
        return cub::DeviceHistogram::MultiHistogramEven<4, 3>(
            space, bytes, samples, ::cuda::std::array<std::uint32_t *, 3>{counts, counts + 256, counts + 512},
            ::cuda::std::array<int, 3>{257, 257, 257}, ::cuda::std::array<int, 3>{0, 0, 0},
            ::cuda::std::array<int, 3>{256, 256, 256}, n, bench.stream());
      });
}

// Levels that grow like squares.
void run_levels(Bench &bench, std::uint32_t bins, Spread spread) {
  std::vector<float> levels(bins + 1);
  for (std::uint32_t b = 0; b <= bins; ++b) {
    levels[b] = static_cast<float>(b) * static_cast<float>(b) / static_cast<float>(bins) / static_cast<float>(bins);
  }
  require(cudaMemcpy(bench.levels<float>(), levels.data(), levels.size() * 4, cudaMemcpyHostToDevice));
  bench.run<float>(
      "levels", "f32", bins, spread, 1,
      [&](const float *samples, std::uint32_t *counts, std::size_t n) {
        return cuda::histogram_of_levels(samples, counts, n, bins, bench.levels<float>(), bench.stream());
      },
      [&](void *space, std::size_t &bytes, const float *samples, std::uint32_t *counts, std::int64_t n) {
        return cub::DeviceHistogram::HistogramRange(space, bytes, samples, counts, static_cast<int>(bins + 1),
                                                    bench.levels<float>(), n, bench.stream());
      });
}

void run_by_function(Bench &bench, int log_bins, Spread spread) {
  bench.run<std::uint32_t>(
      "function", "u32", std::size_t(1) << log_bins, spread, 1,
      [&](const std::uint32_t *samples, std::uint32_t *counts, std::size_t n) {
        return cuda::histogram_by(samples, counts, n, std::size_t(1) << log_bins, TopBits{32 - log_bins}, bench.stream());
      },
      nullptr);
}

void run_weighted(Bench &bench, Spread spread) {
  bench.run<std::uint32_t>(
      "weighted", "u32, u32", 256, spread, 1,
      [&](const std::uint32_t *samples, std::uint32_t *counts, std::size_t n) {
        return cuda::histogram_by(samples, counts, n, 256, TopBits{24}, cuda::weights(samples), bench.stream());
      },
      nullptr);
  bench.run<std::uint32_t>(
      "weighted", "u32, f32", 256, spread, 1,
      [&](const std::uint32_t *samples, std::uint32_t *counts, std::size_t n) {
        return cuda::histogram_by(samples, reinterpret_cast<float *>(counts), n, 256, TopBits{24},
                                  cuda::weights(reinterpret_cast<const float *>(samples)), bench.stream());
      },
      nullptr);
}

void run(const std::vector<int> &log2_sizes, const std::string &part, int argc, char **argv) {
  print_origin("histograms", argc, argv);
  std::printf(", \"cub\": \"%d.%d.%d\", \"rows\": [\n", CUB_MAJOR_VERSION, CUB_MINOR_VERSION, CUB_SUBMINOR_VERSION);
  Bench bench(log2_sizes, part);
  for (const Spread spread : kAll) {
    run_bytes(bench, "u8", spread);
  }
  for (const Spread spread : kAll) {
    run_even<std::uint32_t>(bench, "u32", 256, spread, 0, 0xffffffffu);
  }
  run_pixels(bench, Spread::kRandom);
  run_even<std::uint16_t>(bench, "u16", 256, Spread::kRandom, 0, 65535);
  run_even<float>(bench, "f32", 256, Spread::kRandom, 0, 1);
  run_even<double>(bench, "f64", 256, Spread::kRandom, 0, 1);
  run_long_words(bench, Spread::kRandom);
  run_levels(bench, 256, Spread::kRandom);
  run_levels(bench, 4096, Spread::kRandom);
  for (const std::uint32_t bins : {2u, 4096u, 32768u}) {
    run_even<std::uint32_t>(bench, "u32", bins, Spread::kRandom, 0, 0xffffffffu);
  }
  for (const Spread spread : {Spread::kRandom, Spread::kHot, Spread::kFewValues}) {
    run_even<std::uint16_t>(bench, "u16", 65535, spread, 0, 65535);
    for (const int log_bins : {16, 18, 20, 24}) {
      run_by_function(bench, log_bins, spread);
    }
  }
  run_weighted(bench, Spread::kRandom);
  run_weighted(bench, Spread::kEqual);
  std::printf("\n]}\n");
}

}  // namespace

}  // namespace upsweep::bench

int main(int argc, char **argv) {
  if (argc < 2) {
    std::fprintf(stderr, "usage: bench_cuda_histogram quick|LOG2_N [PART OF A NAME]\n");
    return 2;
  }
  const bool is_quick = std::strcmp(argv[1], "quick") == 0;
  upsweep::bench::run(is_quick ? std::vector<int>{16, 20, 24, 28} : std::vector<int>{std::atoi(argv[1])},
                      argc > 2 ? argv[2] : "", argc, argv);
  return 0;
}
