// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The work-group functions of bench_collectives in CUDA C++: block_scan and block_reduce of this library, and CUB's. The
// kernel and the form of results are the same, so that bench/table.py gpu_collectives.json THIS adds columns.
#include "timing.h"

#include <cub/block/block_reduce.cuh>
#include <cub/block/block_scan.cuh>
#include <upsweep/cuda/block.cuh>

#include <type_traits>
#include <utility>

namespace {

using namespace upsweep::bench;

constexpr int kItems = 1 << 21;  // as bench/collectives.cpp
constexpr int kRounds = 256;
constexpr int kSamples = 5;
constexpr int kLaunches = 10;  // a sample

struct InclusiveAdd {
  static constexpr const char *kName = "work_group_scan_inclusive_add";
  template <class T, int kThreads>
  struct Ours {
    using Block = upsweep::cuda::block_scan<T, kThreads>;
    __device__ static T call(Block &block, T x) { return block.inclusive(x); }
  };
  template <class T, int kThreads>
  struct Cub {
    using Block = cub::BlockScan<T, kThreads, cub::BLOCK_SCAN_WARP_SCANS>;
    __device__ static T call(typename Block::TempStorage &storage, T x) {
      Block(storage).InclusiveSum(x, x);
      return x;
    }
  };
};

struct ExclusiveAdd {
  static constexpr const char *kName = "work_group_scan_exclusive_add";
  template <class T, int kThreads>
  struct Ours {
    using Block = upsweep::cuda::block_scan<T, kThreads>;
    __device__ static T call(Block &block, T x) { return block.exclusive(x); }
  };
  template <class T, int kThreads>
  struct Cub {
    using Block = cub::BlockScan<T, kThreads, cub::BLOCK_SCAN_WARP_SCANS>;
    __device__ static T call(typename Block::TempStorage &storage, T x) {
      Block(storage).ExclusiveSum(x, x);
      return x;
    }
  };
};

struct InclusiveMax {
  static constexpr const char *kName = "work_group_scan_inclusive_max";
  template <class T, int kThreads>
  struct Ours {
    using Block = upsweep::cuda::block_scan<T, kThreads>;
    __device__ static T call(Block &block, T x) { return block.inclusive(x, upsweep::cuda::maximum{}); }
  };
  template <class T, int kThreads>
  struct Cub {
    using Block = cub::BlockScan<T, kThreads, cub::BLOCK_SCAN_WARP_SCANS>;
    __device__ static T call(typename Block::TempStorage &storage, T x) {
      Block(storage).InclusiveScan(x, x, [](T a, T b) { return a < b ? b : a; });
      return x;
    }
  };
};

struct ReduceAdd {
  static constexpr const char *kName = "work_group_reduce_add";
  template <class T, int kThreads>
  struct Ours {
    using Block = upsweep::cuda::block_reduce<T, kThreads>;
    __device__ static T call(Block &block, T x) { return block.reduce(x); }
  };
  // Only thread 0 has CUB's result; it is passed to the others, as programs do.
  template <class T, int kThreads>
  struct Cub {
    using Block = cub::BlockReduce<T, kThreads>;
    __device__ static T call(typename Block::TempStorage &storage, T x) {
      __shared__ T result;
      x = Block(storage).Sum(x);
      if (threadIdx.x == 0) result = x;
      __syncthreads();
      return result;
    }
  };
};

// Returns 1 - x. The compiler cannot see that a second call returns x.
template <class T>
__device__ T other(T x, int count) {
  if constexpr (std::is_integral_v<T>)
    return (x * T(count | 1) + 1) & 1;
  else
    return 1 - x;
}

// As in bench/opencl/collectives.cl.
template <class T>
__device__ T keep(T kept, T result) {
  if constexpr (std::is_integral_v<T>)
    return kept + result;
  else
    return result > kept ? result : kept;
}

template <class Function, class T, int kThreads>
__global__ void __launch_bounds__(kThreads) rounds_ours(const T *in, T *out, int count) {
  using Way = typename Function::template Ours<T, kThreads>;
  __shared__ typename Way::Block::storage storage;
  const std::size_t i = std::size_t(blockIdx.x) * kThreads + threadIdx.x;
  typename Way::Block block(storage);
  T x = in[i], kept = 0;
  for (int round = 0; round < count; ++round) {
    const T result = Way::call(block, x);
    kept = keep(kept, result);
    x = other(x, count);
  }
  out[i] = kept;
}

template <class Function, class T, int kThreads>
__global__ void __launch_bounds__(kThreads) rounds_cub(const T *in, T *out, int count) {
  using Way = typename Function::template Cub<T, kThreads>;
  __shared__ typename Way::Block::TempStorage storage;
  const std::size_t i = std::size_t(blockIdx.x) * kThreads + threadIdx.x;
  T x = in[i], kept = 0;
  for (int round = 0; round < count; ++round) {
    const T result = Way::call(storage, x);
    kept = keep(kept, result);
    x = other(x, count);
    __syncthreads();  // the storage is reused
  }
  out[i] = kept;
}

bool first = true;

template <class Function, class T, int kThreads>
void measure(const char *type) {
  std::vector<T> values(kItems);
  unsigned state = 1;
  for (T &value : values) {
    state = state * 1664525u + 1013904223u;  // Numerical Recipes' generator
    value = static_cast<T>(state >> 31);
  }
  DeviceBuffer in(kItems * sizeof(T)), out(kItems * sizeof(T));
  require(cudaMemcpy(in.data(), values.data(), in.bytes(), cudaMemcpyHostToDevice));
  const auto seconds = [&](auto kernel) {
    const double us = median_us(
        [&] {
          for (int i = 0; i < kLaunches; ++i)
            kernel<<<kItems / kThreads, kThreads>>>(static_cast<const T *>(in.data()), static_cast<T *>(out.data()), kRounds);
          return cudaGetLastError();
        },
        kSamples);
    return us * 1e-6 / kLaunches;
  };
  const double ours = seconds(rounds_ours<Function, T, kThreads>), cub = seconds(rounds_cub<Function, T, kThreads>);
  std::printf("%s  {\"name\": \"%s\", \"variant\": \"%s, work-group %d\", \"results\": {", first ? "" : ",\n", Function::kName,
              type, kThreads);
  const double elements = static_cast<double>(kItems) * kRounds;
  const char *separator = "";
  for (const auto &[name, time] : {std::pair("CUDA block_scan", ours), std::pair("CUB", cub)}) {
    std::printf("%s\"%s\": {\"median_seconds\": %.9g, \"elements_per_second\": %.9g}", separator, name, time, elements / time);
    separator = ", ";
  }
  std::printf("}}");
  first = false;
}

template <class Function, class T>
void measure_sizes(const char *type) {
  measure<Function, T, 32>(type);
  measure<Function, T, 64>(type);
  measure<Function, T, 128>(type);
  measure<Function, T, 256>(type);
  measure<Function, T, 512>(type);
  measure<Function, T, 1024>(type);
}

template <class T>
void measure_functions(const char *type) {
  measure_sizes<InclusiveAdd, T>(type);
  measure_sizes<ExclusiveAdd, T>(type);
  measure_sizes<InclusiveMax, T>(type);
  measure_sizes<ReduceAdd, T>(type);
}

}  // namespace

int main() {
  cudaDeviceProp device;
  require(cudaGetDeviceProperties(&device, 0));
  std::printf("{\"context\": {\"platforms\": [");
  std::printf("{\"name\": \"CUDA block_scan\", \"version\": \"nvcc %d.%d\", \"device\": \"%s\"}, ", __CUDACC_VER_MAJOR__,
              __CUDACC_VER_MINOR__, device.name);
  std::printf("{\"name\": \"CUB\", \"version\": \"%d\", \"device\": \"%s\"}]},\n \"rows\": [\n", CUB_VERSION, device.name);
  measure_functions<int>("int");
  measure_functions<long long>("long");
  measure_functions<float>("float");
  measure_functions<double>("double");
  std::printf("\n]}\n");
  return 0;
}
