// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The table of merges, merge sorts and selections by rank, as JSON, with CUB and a copy in the same run.
//
//     bench_cuda_merge_and_rank > merge_and_rank.json     # All cases.
//     bench_cuda_merge_and_rank 24 merge               # 2^24 elements, the cases with "merge" in their names.
//
// Times are medians of the GPU's time; copy, Upsweep and CUB take turns. Merges are of two halves of the elements. CUB 3.0 has
// no selection by rank and sorts all elements. With the headers of a newer CUB before the toolkit's, its selection is measured
// too; its first k are unordered. Whole merges and sorts are compared, and so are the first k.
#include "turns.h"

#include <upsweep/cuda/merge.cuh>
#include <upsweep/cuda/top_k.cuh>

#include <cub/device/device_merge.cuh>
#include <cub/device/device_merge_sort.cuh>
#include <cub/device/device_radix_sort.cuh>
#if __has_include(<cub/device/device_topk.cuh>)
#include <cub/device/device_topk.cuh>
#define UPSWEEP_CUB_TOP_K
#endif
#include <cub/version.cuh>

#include <cstdint>
#include <string>

namespace upsweep::bench {

namespace {

// Positive floats, which are in the order of their bits; or all words equal; or two increasing halves.
enum class Fill { kRandom, kEqual, kTwoRanges };
__global__ void fill_kernel(std::uint32_t *words, std::size_t n, Fill fill) {
  for (std::size_t i = blockIdx.x * std::size_t(blockDim.x) + threadIdx.x; i < n; i += std::size_t(gridDim.x) * blockDim.x) {
    std::uint64_t x = (i + 1) * 0x9e3779b97f4a7c15u;
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
    x = (x ^ x >> 27) * 0x94d049bb133111ebu;
    const auto random = static_cast<std::uint32_t>((x ^ x >> 31) >> 16);
    // Each half increases by 0 to 15 from element to element.
    const auto rising = static_cast<std::uint32_t>(i % (n / 2) * 8 + random % 8);
    words[i] = fill == Fill::kRandom ? random >> 1 : fill == Fill::kEqual ? 0x42c80000u : rising;
  }
}
__global__ void differ_kernel(const std::uint32_t *a, const std::uint32_t *b, std::size_t n, unsigned long long *count) {
  for (std::size_t i = blockIdx.x * std::size_t(blockDim.x) + threadIdx.x; i < n; i += std::size_t(gridDim.x) * blockDim.x) {
    if (a[i] != b[i]) {
      atomicAdd(count, 1ull);
    }
  }
}
struct Less {
  template <class T>
  __host__ __device__ bool operator()(const T &a, const T &b) const {
    return a < b;
  }
};

class Bench {
public:
  Bench(int log2_n, std::string part) : n_(std::size_t(1) << log2_n), part_(std::move(part)) {}

  template <class Key>
  void merge(const char *type) {
    if (begin("merge", type, Fill::kTwoRanges)) {
      const std::size_t half = n_ / 2;
      const Key *const a = keys<Key>(), *const b = a + half;
      report("merge", type, "",
             {copy_of(sizeof(Key)), [&] { return cuda::merge(a, b, out<Key>(), half, half, timer_.stream); },
              [&] {
                std::size_t bytes = space_.bytes();
                return cub::DeviceMerge::MergeKeys(space_.data(), bytes, a, static_cast<std::int64_t>(half), b,
                                                   static_cast<std::int64_t>(half), out_cub<Key>(), Less{}, timer_.stream);
              }},
             n_ * sizeof(Key));
    }
  }
  template <class Key>
  void merge_sort(const char *type) {
    if (begin("merge sort", type, Fill::kRandom)) {
      report("merge sort", type, "",
             {copy_of(sizeof(Key)),
              [&] { return cuda::merge_sort(space(), keys<Key>(), out<Key>(), n_, Less{}, timer_.stream); },
              [&] {
                std::size_t bytes = space_.bytes();
                return cub::DeviceMergeSort::StableSortKeysCopy(space_.data(), bytes, keys<Key>(), out_cub<Key>(),
                                                                static_cast<std::int64_t>(n_), Less{}, timer_.stream);
              }},
             n_ * sizeof(Key));
    }
  }
  void top_k(std::size_t k, Fill fill, const char *name) {
    if (k <= n_ && begin("top k", name, fill)) {
      report("top k", name, std::to_string(k),
             {read(), [&] { return cuda::top_k_keys(space(), keys<float>(), out<float>(), n_, k, timer_.stream); }, cub_sort(),
              cub_top_k(k)},
             k * sizeof(float));
    }
  }
  void median(Fill fill, const char *name) {
    if (begin("nth element", name, fill)) {
      report("nth element", name, "n / 2",
             {read(), [&] { return cuda::nth_element(space(), keys<float>(), out<float>(), n_, n_ / 2, timer_.stream); },
              cub_sort()},
             0);
    }
  }

private:
  template <class T>
  const T *keys() {
    return static_cast<const T *>(keys_.data());
  }
  template <class T>
  T *out() {
    return static_cast<T *>(out_.data());
  }
  template <class T>
  T *out_cub() {
    return static_cast<T *>(out_cub_.data());
  }
  cuda::workspace space() { return {space_.data(), space_.bytes()}; }
  std::function<cudaError_t()> copy_of(std::size_t bytes) {
    return [this, bytes] {
      return cudaMemcpyAsync(out_.data(), keys_.data(), n_ * bytes, cudaMemcpyDeviceToDevice, timer_.stream);
    };
  }
  // Copies half of the elements: as many bytes as a read of all.
  std::function<cudaError_t()> read() { return copy_of(sizeof(float) / 2); }
  cudaError_t sort_by_cub(const float *from, std::size_t n) {
    std::size_t bytes = space_.bytes();
    return cub::DeviceRadixSort::SortKeys(space_.data(), bytes, from, out_cub<float>(), static_cast<std::int64_t>(n), 0, 32,
                                          timer_.stream);
  }
  std::function<cudaError_t()> cub_sort() {
    return [this] { return sort_by_cub(keys<float>(), n_); };
  }
  // The first k, behind the place of n results. Empty if CUB has no such call.
  std::function<cudaError_t()> cub_top_k([[maybe_unused]] std::size_t k) {
#ifdef UPSWEEP_CUB_TOP_K
    return [this, k] {
      namespace execution = ::cuda::execution;
      const auto in_any_order =
          execution::require(execution::determinism::not_guaranteed, execution::output_ordering::unsorted);
      const auto on_stream = ::cuda::std::execution::env{::cuda::stream_ref{timer_.stream}, in_any_order};
      std::size_t bytes = space_.bytes();
      return cub::DeviceTopK::MinKeys(space_.data(), bytes, keys<float>(), out_cub<float>() + n_,
                                      static_cast<std::uint32_t>(n_), static_cast<std::uint32_t>(k), on_stream);
    };
#else
    return {};
#endif
  }

  bool begin(const char *operation, const char *type, Fill fill) {
    if ((std::string(operation) + " " + type).find(part_) == std::string::npos) {
      return false;
    }
    fill_kernel<<<4096, 256>>>(static_cast<std::uint32_t *>(keys_.data()), fill == Fill::kTwoRanges ? n_ : keys_.bytes() / 4,
                               fill);
    require(cudaDeviceSynchronize());
    return true;
  }
  bool are_equal(const std::uint32_t *expected, std::size_t words) {
    auto *const count = static_cast<unsigned long long *>(count_.data());
    unsigned long long different;
    require(cudaMemsetAsync(count, 0, sizeof *count, timer_.stream));
    differ_kernel<<<4096, 256, 0, timer_.stream>>>(out<std::uint32_t>(), expected, words, count);
    require(cudaMemcpyAsync(&different, count, sizeof different, cudaMemcpyDeviceToHost, timer_.stream));
    require(cudaStreamSynchronize(timer_.stream));
    return different == 0;
  }
  void report(const char *operation, const char *type, const std::string &k,
              const std::vector<std::function<cudaError_t()>> &calls, std::size_t bytes) {
    const std::vector<double> us = medians_us(timer_, calls, 7);
    const bool is_one = bytes == 0;  // the element in the middle
    require(calls[1]());
    require(calls[2]());
    bool is_equal = are_equal(out_cub<std::uint32_t>() + (is_one ? n_ / 2 : 0), is_one ? 1 : bytes / 4);
    const bool has_top_k = calls.size() > 3 && calls[3];
    if (has_top_k) {
      require(calls[3]());
      require(sort_by_cub(out_cub<float>() + n_, bytes / sizeof(float)));
      is_equal = is_equal && are_equal(out_cub<std::uint32_t>(), bytes / 4);
    }
    std::printf(
        "%s  {\"operation\": \"%s\", \"type\": \"%s\", \"k\": \"%s\", \"n\": %zu, \"copy_us\": %.2f, \"upsweep_us\": %.2f, "
        "\"cub_us\": %.2f, \"times_cub\": %.2f, \"keys_per_second\": %.4g, \"share_of_copy\": %.3f, \"is_equal\": %s",
        is_first_ ? "" : ",\n", operation, type, k.c_str(), n_, us[0], us[1], us[2], us[2] / us[1],
        static_cast<double>(n_) / us[1] * 1e6, us[0] / us[1], is_equal ? "true" : "false");
    if (has_top_k) {
      std::printf(", \"cub_top_k_us\": %.2f, \"times_cub_top_k\": %.2f", us[3], us[3] / us[1]);
    }
    std::printf("}");
    std::fflush(stdout);
    is_first_ = false;
  }

  const std::size_t n_;
  const std::string part_;
  DeviceBuffer keys_{n_ * 8}, out_{n_ * 8}, out_cub_{n_ * 8}, space_{n_ * 24 + (1 << 26)}, count_{256};
  Timer timer_;
  bool is_first_ = true;
};

void run(int log2_n, const std::string &part, int argc, char **argv) {
  print_origin("merges and selections by rank", argc, argv);
  std::printf(", \"cub\": \"%d.%d.%d\", \"rows\": [\n", CUB_MAJOR_VERSION, CUB_MINOR_VERSION, CUB_SUBMINOR_VERSION);
  Bench bench(log2_n, part);
  bench.merge<std::uint32_t>("u32");
  bench.merge_sort<std::uint32_t>("u32");
  bench.merge_sort<std::uint64_t>("u64");
  for (const std::size_t k : {10, 1000, 100000, 10000000}) {
    bench.top_k(k, Fill::kRandom, "f32 random");
  }
  bench.top_k(1000, Fill::kEqual, "f32 equal");
  bench.median(Fill::kRandom, "f32 random");
  bench.median(Fill::kEqual, "f32 equal");
  std::printf("\n]}\n");
}

}  // namespace

}  // namespace upsweep::bench

int main(int argc, char **argv) {
  upsweep::bench::run(argc > 1 ? std::atoi(argv[1]) : 27, argc > 2 ? argv[2] : "", argc, argv);
  return 0;
}
