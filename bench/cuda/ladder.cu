// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The ladder's table in the form of "GPU prefix sums": every rung on floats, with a device-to-device copy and CUB's scan in
// the same run. Rungs for one block scan the array in separate chunks, one block for each.
//
//     bench_cuda_ladder [LOG2_N=26] [REPEATS=15] > ladder.json     # 2^26 floats by default.
//
// Times are medians of event pairs around each call, and include all launches of a rung. Bytes count one read and one write of
// each element, even if the rung moves more.
#include "timing.h"

#include <ladder/ladder.cuh>
#include <upsweep/cuda/block.cuh>

#include <cub/device/device_scan.cuh>

#include <cstdlib>
#include <functional>
#include <random>

namespace ladder = upsweep::cuda::ladder;
using upsweep::bench::DeviceBuffer;
using upsweep::bench::Row;

namespace {

// A single thread needs a second where other rungs need a millisecond.
constexpr std::size_t kSequentialMost = std::size_t(1) << 20;

struct Arrays {
  const float *in;
  float *out;
  std::size_t n;
};

struct Rung {
  const char *name;
  std::size_t chunk;  // 0: the whole array
  std::function<cudaError_t()> scan;
};

// The library's own block scan in place of a rung: chunks of 1024, four elements for each thread.
__global__ void __launch_bounds__(256) block_scan_kernel(const float4 *in, float4 *out) {
  using scan = upsweep::cuda::block_scan<float, 256>;
  __shared__ scan::storage storage;
  const std::size_t i = static_cast<std::size_t>(blockIdx.x) * 256 + threadIdx.x;
  const float4 loaded = in[i];
  float items[4] = {loaded.x, loaded.y, loaded.z, loaded.w};
  scan(storage).exclusive(items, items);
  out[i] = {items[0], items[1], items[2], items[3]};
}
cudaError_t block_scan_chunks(const Arrays &a) {
  const auto blocks = static_cast<unsigned>(a.n / 1024);
  block_scan_kernel<<<blocks, 256>>>(reinterpret_cast<const float4 *>(a.in), reinterpret_cast<float4 *>(a.out));
  return cudaPeekAtLastError();
}

std::vector<Rung> block_rungs(const Arrays &a) {
  const auto most_shuffle = ladder::kWarpShuffleMost;
  return {
      {"hillis_steele", 1024, [=] { return ladder::hillis_steele_chunks(a.in, a.out, a.n, 1024, nullptr); }},
      {"hillis_steele_double_buffered", 1024,
       [=] { return ladder::hillis_steele_double_buffered_chunks(a.in, a.out, a.n, 1024, nullptr); }},
      {"blelloch", 1024, [=] { return ladder::blelloch_chunks(a.in, a.out, a.n, 1024, nullptr); }},
      {"blelloch_padded", 1024, [=] { return ladder::blelloch_padded_chunks(a.in, a.out, a.n, 1024, nullptr); }},
      {"hybrid_1_reduce_step", 1024, [=] { return ladder::hybrid_chunks(a.in, a.out, a.n, 1024, nullptr, {}, 1); }},
      {"hybrid_3_reduce_steps", 1024, [=] { return ladder::hybrid_chunks(a.in, a.out, a.n, 1024, nullptr, {}, 3); }},
      {"hybrid_5_reduce_steps", 1024, [=] { return ladder::hybrid_chunks(a.in, a.out, a.n, 1024, nullptr, {}, 5); }},
      {"warp_shuffle", most_shuffle, [=] { return ladder::warp_shuffle_chunks(a.in, a.out, a.n, most_shuffle, nullptr); }},
      {"block_from_warps", 1024, [=] { return ladder::block_from_warps_chunks(a.in, a.out, a.n, 1024, nullptr); }},
      {"upsweep_block_scan", 1024, [=] { return block_scan_chunks(a); }},
  };
}

std::vector<Rung> device_rungs(const Arrays &a, void *workspace, std::size_t bytes) {
  return {
      {"block_sums", 0, [=] { return ladder::block_sums(a.in, a.out, a.n, nullptr, workspace, bytes); }},
      {"three_pass", 0, [=] { return ladder::three_pass(a.in, a.out, a.n, nullptr, workspace, bytes); }},
      {"decoupled_look_back", 0, [=] { return ladder::decoupled_look_back(a.in, a.out, a.n, nullptr, workspace, bytes); }},
      {"cub_device_scan", 0,
       [=] {
         std::size_t given = bytes;
         return cub::DeviceScan::ExclusiveSum(workspace, given, a.in, a.out, a.n);
       }},
  };
}

std::size_t workspace_bytes(const Arrays &a) {
  std::size_t cub = 0;
  upsweep::bench::require(cub::DeviceScan::ExclusiveSum(nullptr, cub, a.in, a.out, a.n));
  return std::max({cub, ladder::block_sums_workspace<float>(a.n), ladder::three_pass_workspace<float>(a.n),
                   ladder::decoupled_look_back_workspace<float>(a.n)});
}

std::vector<float> random_floats(std::size_t n) {
  std::mt19937 engine(1);
  std::vector<float> values(n);
  for (float &value : values) {
    value = static_cast<float>(engine() >> 8) * 0x1p-24f;
  }
  return values;
}

}  // namespace

int main(int argc, char **argv) {
  const int log2_n = argc > 1 ? std::atoi(argv[1]) : 26;
  const int repeats = argc > 2 ? std::atoi(argv[2]) : 15;
  if (log2_n < 10 || log2_n > 32 || repeats < 1) {
    std::fprintf(stderr, "usage: bench_cuda_ladder [LOG2_N, 10 to 32] [REPEATS, at least 1]\n");
    return 2;
  }
  const std::size_t n = std::size_t(1) << log2_n;
  DeviceBuffer in(n * sizeof(float)), out(n * sizeof(float));
  upsweep::bench::require(cudaMemcpy(in.data(), random_floats(n).data(), n * sizeof(float), cudaMemcpyHostToDevice));
  const Arrays arrays = {static_cast<const float *>(in.data()), static_cast<float *>(out.data()), n};
  DeviceBuffer workspace(workspace_bytes(arrays));

  std::vector<Row> rows;
  const auto measure = [&](const char *name, std::size_t count, std::size_t chunk, const std::function<cudaError_t()> &scan) {
    rows.push_back({name, count, chunk, upsweep::bench::median_us(scan, repeats), 2.0 * sizeof(float) * count});
  };
  measure("cudaMemcpy", n, 0,
          [&] { return cudaMemcpyAsync(out.data(), in.data(), n * sizeof(float), cudaMemcpyDeviceToDevice, nullptr); });
  const std::size_t few = std::min(n, kSequentialMost);
  measure("sequential", few, 0, [&] { return ladder::sequential(arrays.in, arrays.out, few, nullptr); });
  for (const Rung &rung : block_rungs(arrays)) {
    measure(rung.name, n, rung.chunk, rung.scan);
  }
  for (const Rung &rung : device_rungs(arrays, workspace.data(), workspace.bytes())) {
    measure(rung.name, n, 0, rung.scan);
  }
  upsweep::bench::print_origin("ladder, float, exclusive sum", argc, argv);
  std::printf(", \"cub\": \"%d.%d.%d\", \"samples\": %d", CUB_VERSION / 100000, CUB_VERSION / 100 % 1000, CUB_VERSION % 100,
              repeats);
  upsweep::bench::print_rows(rows);
  return 0;
}
