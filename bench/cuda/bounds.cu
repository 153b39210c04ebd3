// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lower bounds of a short scan of floats, as JSON: the parts of the scan as separate kernels take turns with the scan.
//
//     bench_cuda_bounds [REPEATS=51] > bounds.json     # 51 repeats by default.
//
// empty_us   an empty kernel with a block for each 512 vectors.
// copy_us    cudaMemcpy from device to device.
// move_us    each block loads a tile of 512 vectors into registers (2048 vectors beyond 2^18 floats) and stores it.
// tiles_us   the same with a scan of the tile, without the total before it.
// scan_us    the library's scan in one launch.
//
// Times are medians of the GPU's time between the same events.
#include "turns.h"

#include <upsweep/cuda/scan.cuh>
#include <upsweep/cuda/warp.cuh>

namespace {

using upsweep::bench::DeviceBuffer;
using upsweep::bench::require;

constexpr int kThreads = 512;
constexpr int kWarps = kThreads / 32;

__device__ void scan_vector(float4 &v) {
  v.y += v.x;
  v.z += v.y;
  v.w += v.z;
}
__device__ void add_to_vector(float4 &v, float before) { v = {v.x + before, v.y + before, v.z + before, v.w + before}; }

// Scans the rows of a warp, 32 vectors each, and adds the totals of the block's warps before it.
template <int kRows>
__device__ void scan_tile(float4 (&rows)[kRows]) {
  using upsweep::cuda::plus;
  __shared__ float warp_totals[kWarps];
  const int lane = static_cast<int>(threadIdx.x) % 32, warp = static_cast<int>(threadIdx.x) / 32;
  const upsweep::cuda::warp_scan<float> scan;
  float before[kRows], total = 0;
#pragma unroll
  for (int r = 0; r < kRows; ++r) {
    scan_vector(rows[r]);
    float of_row;
    before[r] = scan.exclusive(rows[r].w, plus{}, 0.0f, of_row) + total;
    total += of_row;
  }
  if (lane == 0) {
    warp_totals[warp] = total;
  }
  __syncthreads();
  const float sums = scan.exclusive(lane < kWarps ? warp_totals[lane] : 0.0f);
  const float before_warp = __shfl_sync(0xffffffff, sums, warp);
#pragma unroll
  for (int r = 0; r < kRows; ++r) {
    add_to_vector(rows[r], before_warp + before[r]);
  }
}

template <int kRows, bool kScans>
__global__ void __launch_bounds__(kThreads) tile_kernel(const float4 *in, float4 *out, std::size_t vectors) {
  const std::size_t first = (blockIdx.x * std::size_t(kThreads) + threadIdx.x / 32 * 32) * kRows + threadIdx.x % 32;
  float4 rows[kRows];
#pragma unroll
  for (int r = 0; r < kRows; ++r) {
    rows[r] = first + r * 32 < vectors ? in[first + r * 32] : float4{};
  }
  if constexpr (kScans) {
    scan_tile(rows);
  }
#pragma unroll
  for (int r = 0; r < kRows; ++r) {
    if (first + r * 32 < vectors) {
      out[first + r * 32] = rows[r];
    }
  }
}

struct Arrays {
  const float *in;
  float *out;
  upsweep::cuda::workspace space;
  cudaStream_t stream;
};

template <int kRows, bool kScans>
cudaError_t launch_tiles(const Arrays &a, std::size_t n) {
  constexpr std::size_t kTile = std::size_t(kThreads) * kRows;
  const std::size_t vectors = n / 4;
  tile_kernel<kRows, kScans><<<static_cast<unsigned>((vectors + kTile - 1) / kTile), kThreads, 0, a.stream>>>(
      reinterpret_cast<const float4 *>(a.in), reinterpret_cast<float4 *>(a.out), vectors);
  return cudaPeekAtLastError();
}
// A thread has one row of vectors while each multiprocessor has at most one block, then as many rows as in the library.
template <bool kScans>
cudaError_t launch_tiles(const Arrays &a, std::size_t n) {
  return n <= std::size_t(1) << 18 ? launch_tiles<1, kScans>(a, n) : launch_tiles<4, kScans>(a, n);
}

void print_row(const upsweep::bench::Timer &timer, const Arrays &a, std::size_t n, int repeats, bool is_first) {
  const auto blocks = static_cast<unsigned>((n + 4 * kThreads - 1) / (4 * kThreads));
  const std::vector<double> us = upsweep::bench::medians_us(
      timer,
      {[&] {
         upsweep::bench::empty_kernel<<<blocks, kThreads, 0, a.stream>>>();
         return cudaPeekAtLastError();
       },
       [&] { return cudaMemcpyAsync(a.out, a.in, n * sizeof(float), cudaMemcpyDeviceToDevice, a.stream); },
       [&] { return launch_tiles<false>(a, n); }, [&] { return launch_tiles<true>(a, n); },
       [&] { return upsweep::cuda::exclusive_sum(a.space, a.in, a.out, n, a.stream); }},
      repeats);
  std::printf("%s  {\"n\": %zu, \"empty_us\": %.2f, \"copy_us\": %.2f, \"move_us\": %.2f, \"tiles_us\": %.2f, "
              "\"scan_us\": %.2f}",
              is_first ? "" : ",\n", n, us[0], us[1], us[2], us[3], us[4]);
}

}  // namespace

int main(int argc, char **argv) {
  const int repeats = argc > 1 ? std::atoi(argv[1]) : 51;
  if (argc > 2 || repeats < 1) {
    std::fprintf(stderr, "usage: bench_cuda_bounds [REPEATS, at least 1]\n");
    return 2;
  }
  constexpr int kLeast = 8, kMost = 24;
  const std::size_t most = std::size_t(1) << kMost;
  DeviceBuffer in(most * sizeof(float)), out(most * sizeof(float));
  DeviceBuffer space(upsweep::cuda::scan_workspace_bytes<float>(most));
  const upsweep::cuda::workspace workspace = {space.data(), space.bytes()};
  const upsweep::bench::Timer timer;
  require(cudaMemset(in.data(), 0, in.bytes()));
  require(upsweep::cuda::initialise(workspace));
  require(cudaDeviceSynchronize());
  const Arrays arrays = {static_cast<const float *>(in.data()), static_cast<float *>(out.data()), workspace, timer.stream};

  upsweep::bench::print_origin("parts of a scan of floats", argc, argv);
  std::printf(", \"samples\": %d, \"rows\": [\n", repeats);
  for (int log2_n = kLeast; log2_n <= kMost; log2_n += 2) {
    print_row(timer, arrays, std::size_t(1) << log2_n, repeats, log2_n == kLeast);
  }
  std::printf("\n]}\n");
  return 0;
}
