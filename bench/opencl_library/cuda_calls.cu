// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The calls of the CUDA library on the first GPU, without workspaces: like the library for OpenCL queues, each call allocates
// memory, from a pool that keeps it.
#include <upsweep/cuda/axis.cuh>
#include <upsweep/cuda/histogram.cuh>
#include <upsweep/cuda/merge.cuh>
#include <upsweep/cuda/partition.cuh>
#include <upsweep/cuda/recurrence.cuh>
#include <upsweep/cuda/reduce.cuh>
#include <upsweep/cuda/reduce_by_key.cuh>
#include <upsweep/cuda/run_length.cuh>
#include <upsweep/cuda/scan.cuh>
#include <upsweep/cuda/segmented_reduce.cuh>
#include <upsweep/cuda/segmented_sort.cuh>
#include <upsweep/cuda/select.cuh>
#include <upsweep/cuda/sort.cuh>
#include <upsweep/cuda/summed_area.cuh>
#include <upsweep/cuda/top_k.cuh>
#include <upsweep/cuda/top_k_of_rows.cuh>

#include <stdexcept>

namespace up = upsweep::cuda;

namespace upsweep::bench {
namespace {

struct Memory {
  void *data;
  template <class T>
  T *as(std::size_t first = 0) const {
    return static_cast<T *>(data) + first;
  }
};

struct IsOdd {
  __host__ __device__ bool operator()(int x) const { return (x & 1) != 0; }
};

void require(cudaError_t error) {
  if (error != cudaSuccess) {
    cudaGetLastError();  // so that the next call does not report the error again
    throw std::runtime_error(std::string(cudaGetErrorName(error)) + ": " + cudaGetErrorString(error));
  }
}

}  // namespace
}  // namespace upsweep::bench

#include "row_calls.h"

namespace upsweep::bench {
namespace {

// It lives as long as the process.
Memory memory_of(std::size_t bytes, const void *from) {
  Memory memory{};
  require(cudaMalloc(&memory.data, bytes));
  if (from != nullptr) require(cudaMemcpy(memory.data, from, bytes, cudaMemcpyHostToDevice));
  return memory;
}

void keep_memory_of_pool() {
  cudaMemPool_t pool = nullptr;
  std::uint64_t most = ~std::uint64_t(0);
  require(cudaDeviceGetDefaultMemPool(&pool, 0));
  require(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &most));
}

}  // namespace

std::vector<Call> cuda_calls(const Contents &contents) {
  int devices = 0;
  if (cudaGetDeviceCount(&devices) != cudaSuccess || devices == 0) return {};
  keep_memory_of_pool();
  const Arrays a = arrays_of(contents, memory_of);
  require(cudaDeviceSynchronize());  // the stream does not wait for copies
  cudaStream_t stream = nullptr;
  require(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  Calls calls{"CUDA library", [stream] { require(cudaStreamSynchronize(stream)); }, {}};
  add_scans(calls, a, stream);
  add_compactions(calls, a, stream);
  add_reductions(calls, a, stream);
  add_sorts(calls, a, stream);
  add_top_k_of_rows(calls, a, stream);
  add_images(calls, a, stream);
  return calls.all;
}

}  // namespace upsweep::bench
