// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The table of linear recurrences, as JSON, with a copy of as many bytes and a kernel with a thread for each column.
//
//     bench_cuda_recurrence > recurrence.json     # All cases.
//
// Times are medians of the GPU's time; copy, Upsweep and the naive kernel take turns. Results are first compared with the
// naive kernel's. The bound is the traffic: two reads and one write of each element.
#include "turns.h"

#include <upsweep/cuda/recurrence.cuh>

#include <cmath>
#include <cstring>

namespace upsweep::bench {

namespace {

constexpr std::size_t kMostBytes = std::size_t(1) << 30;  // of each array

template <class T>
__device__ T made(float re, float im) {
  if constexpr (std::is_same_v<T, float2>) {
    return {re, im};
  } else {
    return static_cast<T>(re);
  }
}

// |a| < 1
template <class T>
__global__ void fill_kernel(T *to, std::size_t n, unsigned seed) {
  for (std::size_t i = blockIdx.x * std::size_t(blockDim.x) + threadIdx.x; i < n; i += std::size_t(gridDim.x) * blockDim.x) {
    std::uint64_t x = (i + 1) * 0x9e3779b97f4a7c15u + seed;
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
    to[i] = made<T>(static_cast<float>(x >> 48) / 95000.0f, static_cast<float>(x >> 32 & 0xffff) / 95000.0f);
  }
}

template <class T, class State>
__global__ void naive_kernel(const T *a, const T *b, T *x, cuda::axis of) {
  const std::size_t column = blockIdx.x * std::size_t(blockDim.x) + threadIdx.x;
  if (column >= of.batches * of.inner) {
    return;
  }
  std::size_t at = column / of.inner * of.length * of.inner + column % of.inner;
  State state{};
  for (std::size_t l = 0; l < of.length; ++l, at += of.inner) {
    state = cuda::recurrence_arithmetic<State>::multiply_add(cuda::detail::number_of<State>(a[at]), state,
                                                             cuda::detail::number_of<State>(b[at]));
    x[at] = cuda::detail::element_of<T>(state);
  }
}

__device__ float distance(float2 a, float2 b) { return fabsf(a.x - b.x) + fabsf(a.y - b.y); }
template <class T>
__device__ float distance(T a, T b) {
  return fabsf(static_cast<float>(a) - static_cast<float>(b));
}
// The largest difference, as the bits of a non-negative float.
template <class T>
__global__ void difference_kernel(const T *a, const T *b, std::size_t n, unsigned *worst) {
  float most = 0;
  for (std::size_t i = blockIdx.x * std::size_t(blockDim.x) + threadIdx.x; i < n; i += std::size_t(gridDim.x) * blockDim.x) {
    const float wrong = distance(a[i], b[i]);
    most = wrong <= most ? most : wrong;  // a NaN stays
  }
  atomicMax(worst, __float_as_uint(fabsf(most)));
}

class Bench {
public:
  template <class T, class State>
  void run(const char *type, const cuda::axis &of, bool is_whole) {
    const std::size_t n = of.batches * of.length * of.inner;
    T *const a = static_cast<T *>(a_.data()), *const b = static_cast<T *>(b_.data());
    T *const x = static_cast<T *>(x_.data()), *const y = static_cast<T *>(y_.data());
    fill_kernel<<<2048, 256>>>(a, n, 1);
    fill_kernel<<<2048, 256>>>(b, n, 2);
    require(cudaMemset(worst_.data(), 0, 4));
    cuda::workspace space;
    space.data = space_.data();
    space.bytes = space_.bytes();
    require(cudaDeviceSynchronize());
    const auto upsweep = [&] {
      return is_whole ? cuda::linear_recurrence(space, a, b, x, n, timer_.stream)
                      : cuda::linear_recurrence_of_axis(space, a, b, x, of, timer_.stream);
    };
    const std::size_t columns = of.batches * of.inner;
    const auto naive = [&] {
      naive_kernel<T, State><<<static_cast<unsigned>((columns + 127) / 128), 128, 0, timer_.stream>>>(a, b, y, of);
      return cudaGetLastError();
    };
    const bool has_naive = columns >= 64;
    require(upsweep());
    if (has_naive) {
      require(naive());
      difference_kernel<<<2048, 256, 0, timer_.stream>>>(x, y, n, static_cast<unsigned *>(worst_.data()));
    }
    float worst = 0;
    require(cudaStreamSynchronize(timer_.stream));
    require(cudaMemcpy(&worst, worst_.data(), 4, cudaMemcpyDeviceToHost));
    const std::size_t half = n * sizeof(T) * 3 / 2;
    const auto copy = [&] {
      // Two copies of the bytes together, since no single array is large enough.
      const cudaError_t error = cudaMemcpyAsync(x, a, std::min(half, n * sizeof(T)), cudaMemcpyDeviceToDevice, timer_.stream);
      return error != cudaSuccess || half <= n * sizeof(T)
                 ? error
                 : cudaMemcpyAsync(y, b, half - n * sizeof(T), cudaMemcpyDeviceToDevice, timer_.stream);
    };
    const int repeats = n * sizeof(T) > std::size_t(1) << 28 ? 9 : 25;
    const std::vector<double> us = medians_us(timer_, {copy, upsweep}, repeats);
    const double naive_us = has_naive ? medians_us(timer_, {naive}, 1).front() : 0;
    std::printf("%s  {\"shape\": \"%s%zu x %zu x %zu\", \"type\": \"%s\", \"copy_us\": %.2f, \"upsweep_us\": %.2f, "
                "\"share_of_copy\": %.3f, \"naive_us\": %.2f, \"largest_difference\": %.2g}",
                is_first_ ? "" : ",\n", is_whole ? "whole, " : "", static_cast<std::size_t>(of.batches),
                static_cast<std::size_t>(of.length), static_cast<std::size_t>(of.inner), type, us[0], us[1], us[0] / us[1],
                naive_us, static_cast<double>(worst));
    std::fflush(stdout);
    is_first_ = false;
  }

private:
  DeviceBuffer a_{kMostBytes}, b_{kMostBytes}, x_{kMostBytes}, y_{kMostBytes}, worst_{64};
  DeviceBuffer space_{std::size_t(64) << 20};
  Timer timer_;
  bool is_first_ = true;

public:
  Bench() {
    cuda::workspace space;
    space.data = space_.data();
    space.bytes = space_.bytes();
    require(cuda::initialise(space));
  }
};

}  // namespace

}  // namespace upsweep::bench

int main(int argc, char **argv) {
  using namespace upsweep::bench;
  print_origin("linear recurrences", argc, argv);
  std::printf(", \"rows\": [\n");
  Bench bench;
  const std::size_t n = std::size_t(1) << 28;
  bench.run<float, float>("f32", {1, n, 1}, true);
  bench.run<float, float>("f32", {64 * 4096, 1024, 1}, false);
  bench.run<float, float>("f32", {64, 4096, 1024}, false);
  bench.run<float, float>("f32", {1, 64, 4096 * 1024}, false);
  bench.run<float, float>("f32", {1, n / 256, 256}, false);
  bench.run<__half, float>("f16", {64 * 4096, 1024, 1}, false);
  bench.run<__half, float>("f16", {64, 4096, 1024}, false);
  bench.run<__half, float>("f16", {1, 64, 4096 * 1024}, false);
  bench.run<double, double>("f64", {64 * 4096 / 2, 1024, 1}, false);
  bench.run<double, double>("f64", {64, 2048, 1024}, false);
  bench.run<float2, float2>("complex f32", {64 * 4096 / 2, 1024, 1}, false);
  bench.run<float2, float2>("complex f32", {64, 2048, 1024}, false);
  for (const int log2_n : {16, 20, 24}) {
    bench.run<float, float>("f32", {1, std::size_t(1) << log2_n, 1}, true);
    bench.run<float, float>("f32", {std::size_t(1) << (log2_n - 10), 1024, 1}, false);
    bench.run<float, float>("f32", {std::size_t(1) << (log2_n - 16), 256, 256}, false);
  }
  std::printf("\n]}\n");
  return 0;
}
