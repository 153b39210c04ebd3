// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The table of sorts of segments, as JSON, with CUB's DeviceSegmentedSort and a copy in the same run.
//
//     bench_cuda_segmented_sort > segmented_sort.json     # All cases.
//     bench_cuda_segmented_sort pairs              # the cases with "pairs" in their names.
//
// Times are medians of the GPU's time; copy, Upsweep and CUB take turns. The copy moves the bytes that a sort in one sweep
// reads and writes. Both results are compared first.
#include "turns.h"

#include <upsweep/cuda/segmented_sort.cuh>

#include <cub/device/device_segmented_sort.cuh>
#include <cub/version.cuh>

#include <cstdint>
#include <string>

namespace upsweep::bench {

namespace {

constexpr std::size_t kMost = std::size_t(1) << 28;  // elements of 4 bytes

__host__ __device__ std::uint64_t mixed_bits(std::uint64_t x) {
  x = (x + 1) * 0x9e3779b97f4a7c15u;
  x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
  x = (x ^ x >> 27) * 0x94d049bb133111ebu;
  return x ^ x >> 31;
}
__global__ void fill_kernel(std::uint32_t *words, std::size_t n) {
  for (std::size_t i = blockIdx.x * std::size_t(blockDim.x) + threadIdx.x; i < n; i += std::size_t(gridDim.x) * blockDim.x) {
    words[i] = static_cast<std::uint32_t>(mixed_bits(i) >> 16);
  }
}
__global__ void differ_kernel(const std::uint32_t *a, const std::uint32_t *b, std::size_t n, unsigned long long *count) {
  for (std::size_t i = blockIdx.x * std::size_t(blockDim.x) + threadIdx.x; i < n; i += std::size_t(gridDim.x) * blockDim.x) {
    if (a[i] != b[i]) {
      atomicAdd(count, 1ull);
    }
  }
}

// Lengths of segments: all equal; random, up to twice as long; or mixed, with as many elements in each doubling of the length.
enum class Lengths { kSame, kRandom, kMixed };
struct Shape {
  const char *name;
  Lengths lengths;
  std::uint64_t length;  // or twice the average, or the largest
  std::uint64_t segments;
};
constexpr Shape kShapes[] = {{"10^6 of 256", Lengths::kSame, 256, 1000000},
                             {"10^7 of 16", Lengths::kSame, 16, 10000000},
                             {"10^6 of 100", Lengths::kSame, 100, 1000000},
                             {"10^6 of up to 400", Lengths::kRandom, 400, 1000000},
                             {"10^5 of 1000", Lengths::kSame, 1000, 100000},
                             {"40000 of 5000", Lengths::kSame, 5000, 40000},
                             {"2000 of 100000", Lengths::kSame, 100000, 2000},
                             {"1 of 2^27", Lengths::kSame, 1 << 27, 1},
                             {"mixed, up to 10^6", Lengths::kMixed, 1000000, 10000000}};

std::vector<std::uint32_t> offsets_of(const Shape &shape) {
  std::vector<std::uint32_t> offsets{0};
  for (std::uint64_t i = 0; i < shape.segments; ++i) {
    std::uint64_t length = shape.length;
    if (shape.lengths == Lengths::kRandom) {
      length = mixed_bits(i) % (shape.length + 1);
    } else if (shape.lengths == Lengths::kMixed) {
      // A length of at least x with a probability of 1 / x.
      length = std::min<std::uint64_t>(shape.length,
                                       static_cast<std::uint64_t>(0x1p32 / static_cast<double>((mixed_bits(i) >> 32) + 1)));
    }
    if (offsets.back() + length > kMost) {
      break;
    }
    offsets.push_back(static_cast<std::uint32_t>(offsets.back() + length));
  }
  return offsets;
}

class Bench {
public:
  explicit Bench(std::string part) : part_(std::move(part)) {
    fill_kernel<<<4096, 256>>>(static_cast<std::uint32_t *>(keys_.data()), kMost);
    fill_kernel<<<4096, 256>>>(static_cast<std::uint32_t *>(values_.data()), kMost);
  }

  template <bool kHasValues>
  void run(const char *operation, const char *type, const Shape &shape) {
    if ((std::string(operation) + " " + type + " " + shape.name).find(part_) == std::string::npos) {
      return;
    }
    const std::vector<std::uint32_t> host = offsets_of(shape);
    const std::size_t n = host.back(), segments = host.size() - 1;
    auto *const offsets = static_cast<std::uint32_t *>(offsets_.data());
    require(cudaMemcpy(offsets, host.data(), host.size() * sizeof(std::uint32_t), cudaMemcpyHostToDevice));
    const auto *const keys = static_cast<const std::uint32_t *>(keys_.data());
    const auto *const values = static_cast<const std::uint32_t *>(values_.data());
    auto *const keys_out = static_cast<std::uint32_t *>(keys_out_.data());
    auto *const values_out = static_cast<std::uint32_t *>(values_out_.data());
    auto *const keys_cub = static_cast<std::uint32_t *>(keys_cub_.data());
    auto *const values_cub = static_cast<std::uint32_t *>(values_cub_.data());
    const cuda::workspace space{space_.data(), space_.bytes()};
    const bool are_rows = shape.lengths == Lengths::kSame;
    const auto upsweep = [&] {
      if constexpr (kHasValues) {
        return cuda::sort_pairs_of_segments(space, keys, keys_out, values, values_out, n, offsets, segments, timer_.stream);
      } else {
        return cuda::sort_keys_of_segments(space, keys, keys_out, n, offsets, segments, timer_.stream);
      }
    };
    const auto rows = [&] {
      if constexpr (kHasValues) {
        return cuda::sort_pairs_of_rows(space, keys, keys_out, values, values_out, segments, shape.length, timer_.stream);
      } else {
        return cuda::sort_keys_of_rows(space, keys, keys_out, segments, shape.length, timer_.stream);
      }
    };
    const auto cub = [&] {
      std::size_t bytes = space_.bytes();
      const auto count = static_cast<std::int64_t>(n), number = static_cast<std::int64_t>(segments);
      if constexpr (kHasValues) {
        return cub::DeviceSegmentedSort::StableSortPairs(space_.data(), bytes, keys, keys_cub, values, values_cub, count,
                                                         number, offsets, offsets + 1, timer_.stream);
      } else {
        return cub::DeviceSegmentedSort::SortKeys(space_.data(), bytes, keys, keys_cub, count, number, offsets, offsets + 1,
                                                  timer_.stream);
      }
    };
    const auto copy = [&] {
      const cudaError_t error = cudaMemcpyAsync(keys_out, keys, n * 4, cudaMemcpyDeviceToDevice, timer_.stream);
      return error != cudaSuccess || !kHasValues
                 ? error
                 : cudaMemcpyAsync(values_out, values, n * 4, cudaMemcpyDeviceToDevice, timer_.stream);
    };
    std::vector<std::function<cudaError_t()>> calls{copy, upsweep, cub};
    if (are_rows) {
      calls.push_back(rows);
    }
    std::vector<double> us = medians_us(timer_, calls, 7);
    us.resize(4);
    require(cub());
    bool is_equal = true;
    for (const bool of_rows : {false, true}) {
      if (!of_rows || are_rows) {
        require(of_rows ? rows() : upsweep());
        is_equal = is_equal && are_equal(keys_out, keys_cub, n) && (!kHasValues || are_equal(values_out, values_cub, n));
      }
    }
    std::printf("%s  {\"operation\": \"%s\", \"type\": \"%s\", \"segments\": \"%s\", \"n\": %zu, \"number\": %zu, "
                "\"copy_us\": %.2f, \"upsweep_us\": %.2f, \"rows_us\": %.2f, \"cub_us\": %.2f, \"times_cub\": %.2f, "
                "\"rows_times_cub\": %.2f, \"keys_per_second\": %.4g, \"cub_keys_per_second\": %.4g, "
                "\"share_of_copy\": %.3f, \"is_equal\": %s}",
                is_first_ ? "" : ",\n", operation, type, shape.name, n, segments, us[0], us[1], us[3], us[2], us[2] / us[1],
                us[3] > 0 ? us[2] / us[3] : 0, static_cast<double>(n) / us[1] * 1e6, static_cast<double>(n) / us[2] * 1e6,
                us[0] / us[1], is_equal ? "true" : "false");
    std::fflush(stdout);
    is_first_ = false;
  }

private:
  bool are_equal(const std::uint32_t *a, const std::uint32_t *b, std::size_t n) {
    auto *const count = static_cast<unsigned long long *>(count_.data());
    require(cudaMemsetAsync(count, 0, sizeof *count, timer_.stream));
    differ_kernel<<<4096, 256, 0, timer_.stream>>>(a, b, n, count);
    unsigned long long different;
    require(cudaMemcpyAsync(&different, count, sizeof different, cudaMemcpyDeviceToHost, timer_.stream));
    require(cudaStreamSynchronize(timer_.stream));
    return different == 0;
  }

  std::string part_;
  DeviceBuffer keys_{4 * kMost}, keys_out_{4 * kMost}, keys_cub_{4 * kMost};
  DeviceBuffer values_{4 * kMost}, values_out_{4 * kMost}, values_cub_{4 * kMost};
  DeviceBuffer offsets_{std::size_t(1) << 26}, space_{std::size_t(6) << 30}, count_{256};
  Timer timer_;
  bool is_first_ = true;
};

void run(const std::string &part, int argc, char **argv) {
  print_origin("sorts of segments", argc, argv);
  std::printf(", \"cub\": \"%d.%d.%d\", \"rows\": [\n", CUB_MAJOR_VERSION, CUB_MINOR_VERSION, CUB_SUBMINOR_VERSION);
  Bench bench(part);
  for (const Shape &shape : kShapes) {
    bench.run<false>("keys", "u32", shape);
  }
  for (const Shape &shape : kShapes) {
    bench.run<true>("pairs", "u32, u32", shape);
  }
  std::printf("\n]}\n");
}

}  // namespace

}  // namespace upsweep::bench

int main(int argc, char **argv) {
  upsweep::bench::run(argc > 1 ? argv[1] : "", argc, argv);
  return 0;
}
