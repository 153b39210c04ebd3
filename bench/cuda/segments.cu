// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The table of reductions of segments, of rows and along an axis, and of selections of rows, as JSON, with CUB and a copy of
// as many bytes.
//
//     bench_cuda_segments > segments.json     # All cases.
//
// Times are medians of the GPU's time; copy, Upsweep and CUB take turns. Sums of words are compared bit by bit.
#include "turns.h"

#include <upsweep/cuda/segmented_reduce.cuh>
#include <upsweep/cuda/select_of_rows.cuh>

#include <cub/device/device_segmented_reduce.cuh>

#include <algorithm>
#include <random>

namespace upsweep::bench {

namespace {

constexpr std::size_t kMostBytes = std::size_t(1) << 30;

__global__ void fill_kernel(std::uint64_t *words, std::size_t n) {
  for (std::size_t i = blockIdx.x * std::size_t(blockDim.x) + threadIdx.x; i < n; i += std::size_t(gridDim.x) * blockDim.x) {
    const std::uint64_t x = (i + 1) * 0x9e3779b97f4a7c15u;
    words[i] = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u & 0x3fffffff3fffffffu;  // as floats, finite and not negative
  }
}

// Segments of `length` elements, or of every magnitude up to 2^20 if `length` is 0.
std::vector<std::int64_t> offsets_of(std::size_t n, std::size_t length) {
  std::mt19937 random(5);
  std::vector<std::int64_t> offsets = {0};
  while (static_cast<std::size_t>(offsets.back()) < n) {
    const std::size_t next = length > 0 ? length : 1 + random() % (std::size_t(1) << random() % 21);
    offsets.push_back(static_cast<std::int64_t>(std::min(n, offsets.back() + next)));
  }
  return offsets;
}

struct IsInLowerHalf {
  __host__ __device__ bool operator()(std::uint32_t x) const { return x < 0x20000000u; }
};

class Bench {
public:
  Bench() {
    space_.data = memory_.data();
    space_.bytes = memory_.bytes();
    require(cuda::initialise(space_));
    fill_kernel<<<2048, 256>>>(static_cast<std::uint64_t *>(in_.data()), kMostBytes / 8);
  }

  template <class T>
  void segments(const char *type, std::size_t n, std::size_t length) {
    const std::vector<std::int64_t> host = offsets_of(n, length);
    const std::size_t segments = host.size() - 1;
    DeviceBuffer offsets(host.size() * 8);
    require(cudaMemcpy(offsets.data(), host.data(), host.size() * 8, cudaMemcpyHostToDevice));
    const auto *at = static_cast<const std::int64_t *>(offsets.data());
    const auto upsweep = [&] { return cuda::sum_of_segments(space_, in<T>(), out<T>(0), at, segments, timer_.stream); };
    std::size_t bytes = cub_.bytes();
    const auto cub = [&] {
      return cub::DeviceSegmentedReduce::Sum(cub_.data(), bytes, in<T>(), out<T>(1), static_cast<std::int64_t>(segments), at,
                                             at + 1, timer_.stream);
    };
    measure<T>("segments of " + (length > 0 ? std::to_string(length) : std::string("1 to 2^20")), type, n, segments, upsweep,
               cub);
  }

  template <class T>
  void rows(const char *type, std::size_t n, std::size_t length) {
    const std::vector<std::int64_t> host = offsets_of(n, length);
    DeviceBuffer offsets(host.size() * 8);
    require(cudaMemcpy(offsets.data(), host.data(), host.size() * 8, cudaMemcpyHostToDevice));
    const auto *at = static_cast<const std::int64_t *>(offsets.data());
    const auto upsweep = [&] { return cuda::sum_of_rows(space_, in<T>(), out<T>(0), n / length, length, timer_.stream); };
    std::size_t bytes = cub_.bytes();
    const auto cub = [&] {
      return cub::DeviceSegmentedReduce::Sum(cub_.data(), bytes, in<T>(), out<T>(1), static_cast<std::int64_t>(n / length), at,
                                             at + 1, timer_.stream);
    };
    measure<T>("rows of " + std::to_string(length), type, n, n / length, upsweep, cub);
  }

  template <class T>
  void axis(const char *type, const cuda::axis &of) {
    const std::size_t n = of.batches * of.length * of.inner;
    const auto upsweep = [&] { return cuda::sum_of_axis(space_, in<T>(), out<T>(0), of, timer_.stream); };
    measure<T>("axis of " + std::to_string(of.batches) + " x " + std::to_string(of.length) + " x " + std::to_string(of.inner),
               type, n, of.batches * of.inner, upsweep, nullptr);
  }

  void extremes(std::size_t n) {
    const std::vector<std::int64_t> host = offsets_of(n, 0);
    const std::size_t segments = host.size() - 1;
    DeviceBuffer offsets(host.size() * 8);
    require(cudaMemcpy(offsets.data(), host.data(), host.size() * 8, cudaMemcpyHostToDevice));
    const auto *at = static_cast<const std::int64_t *>(offsets.data());
    const auto upsweep = [&] {
      return cuda::arg_min_of_segments(space_, in<std::uint32_t>(), out<cuda::indexed<std::uint32_t>>(0), at, segments,
                                       timer_.stream);
    };
    measure<std::uint32_t>("least of segments of 1 to 2^20", "u32", n, 0, upsweep, nullptr);
  }

  void least_along_axis(const cuda::axis &of) {
    const auto upsweep = [&] {
      return cuda::arg_min_of_axis(space_, in<std::uint32_t>(), out<cuda::indexed<std::uint32_t>>(0), of, timer_.stream);
    };
    measure<std::uint32_t>("least of axis of " + std::to_string(of.batches) + " x " + std::to_string(of.length) + " x " +
                               std::to_string(of.inner),
                           "u32", of.batches * of.length * of.inner, 0, upsweep, nullptr);
  }

  void select(std::size_t n, std::size_t length) {
    const auto upsweep = [&] {
      return cuda::select_if_of_rows(space_, in<std::uint32_t>(), out<std::uint32_t>(0), out<std::uint32_t>(1), n / length,
                                     length, IsInLowerHalf{}, timer_.stream);
    };
    measure<std::uint32_t>("select 50 % of rows of " + std::to_string(length), "u32", n, 0, upsweep, nullptr, 1.5);
  }

private:
  template <class T>
  const T *in() {
    return static_cast<const T *>(in_.data());
  }
  template <class T>
  T *out(int which) {
    return static_cast<T *>(which == 0 ? out_.data() : other_.data());
  }

  // `moved` is the number of bytes read and written for each byte of the input
  template <class T>
  void measure(const std::string &operation, const char *type, std::size_t n, std::size_t results,
               const std::function<cudaError_t()> &upsweep, const std::function<cudaError_t()> &cub, double moved = 1) {
    require(upsweep());
    bool is_equal = true;
    if (cub) {
      require(cub());
      require(cudaStreamSynchronize(timer_.stream));
      std::vector<T> ours(results), theirs(results);
      require(cudaMemcpy(ours.data(), out<T>(0), results * sizeof(T), cudaMemcpyDeviceToHost));
      require(cudaMemcpy(theirs.data(), out<T>(1), results * sizeof(T), cudaMemcpyDeviceToHost));
      is_equal = ours == theirs;
    }
    const auto copy = [&] {
      const auto bytes = static_cast<std::size_t>(moved * static_cast<double>(n * sizeof(T) / 2));
      return cudaMemcpyAsync(copied_.data(), in_.data(), bytes, cudaMemcpyDeviceToDevice, timer_.stream);
    };
    const std::vector<double> us = medians_us(timer_, {copy, upsweep, cub}, n > std::size_t(1) << 26 ? 9 : 25);
    std::printf("%s  {\"operation\": \"%s\", \"type\": \"%s\", \"n\": %zu, \"copy_us\": %.2f, \"upsweep_us\": %.2f, "
                "\"share_of_copy\": %.3f",
                is_first_ ? "" : ",\n", operation.c_str(), type, n, us[0], us[1], us[0] / us[1]);
    if (cub) {
      std::printf(", \"cub_us\": %.2f, \"times_cub\": %.2f, \"is_equal\": %s", us[2], us[2] / us[1],
                  is_equal ? "true" : "false");
    }
    std::printf("}");
    std::fflush(stdout);
    is_first_ = false;
  }

  DeviceBuffer in_{kMostBytes}, copied_{kMostBytes}, out_{kMostBytes}, other_{kMostBytes}, memory_{std::size_t(64) << 20};
  DeviceBuffer cub_{std::size_t(64) << 20};
  cuda::workspace space_;
  Timer timer_;
  bool is_first_ = true;
};

}  // namespace

}  // namespace upsweep::bench

int main(int argc, char **argv) {
  using namespace upsweep::bench;
  print_origin("reductions of segments", argc, argv);
  std::printf(", \"rows\": [\n");
  Bench bench;
  for (const std::size_t n : {std::size_t(1) << 28, std::size_t(1) << 20}) {
    bench.segments<std::uint32_t>("u32", n, 0);
    for (const std::size_t length : {16, 256, 4096}) {
      bench.segments<std::uint32_t>("u32", n, length);
    }
    bench.segments<float>("f32", n, 0);
    bench.segments<double>("f64", n / 2, 0);
    bench.rows<float>("f32", n, 32);
    bench.rows<float>("f32", n, 256);
    bench.rows<float>("f32", n, 1024);
    bench.rows<float>("f32", n, 16384);
    bench.extremes(n);
    for (const std::size_t length : {8, 16, 32, 100, 1000, 5000, 100000}) {
      bench.select(n, length);
    }
  }
  bench.axis<float>("f32", {64, 4096, 1024});
  bench.axis<float>("f32", {1, 64, 4096 * 1024});
  bench.axis<float>("f32", {1, std::size_t(1) << 20, 256});
  bench.select(std::size_t(1) << 28, std::size_t(1) << 24);
  bench.least_along_axis({64, 4096, 1024});
  std::printf("\n]}\n");
  return 0;
}
