// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Runs of equal neighbours, against CUB: of one element, of 32 and of 10^5 on average.
#include "compact_cases.h"

#include <upsweep/cuda/adjacent.cuh>
#include <upsweep/cuda/reduce_by_key.cuh>
#include <upsweep/cuda/run_length.cuh>
#include <upsweep/cuda/run_length_decode.cuh>

#include <cub/device/device_adjacent_difference.cuh>
#include <cub/device/device_reduce.cuh>
#include <cub/device/device_run_length_encode.cuh>
#include <cub/device/device_select.cuh>
#include <cuda/std/functional>

namespace upsweep::bench {

namespace {

// A run begins at each element whose hash is a multiple of the average length; runs of 1 always.
__global__ void run_kernel(std::uint32_t *words, std::size_t n, std::uint32_t mean) {
  for (std::size_t i = blockIdx.x * std::size_t(blockDim.x) + threadIdx.x; i < n; i += std::size_t(gridDim.x) * blockDim.x) {
    // The length of a run varies between half and three halves of the average.
    const std::size_t block = i / mean;
    const std::size_t place = mean == 1 ? 0 : ((block * 0x9e3779b97f4a7c15u) >> 33) % mean;
    words[i] = static_cast<std::uint32_t>(i % mean >= place ? block + 1 : block);
  }
}

std::function<void(const CompactArrays &, std::size_t)> runs_of(std::uint32_t mean) {
  return [mean](const CompactArrays &a, std::size_t n) {
    run_kernel<<<4096, 256>>>(static_cast<std::uint32_t *>(a.more), n, mean);
    require(cudaDeviceSynchronize());
  };
}

CompactCase unique_case(const std::string &name, std::uint32_t mean) {
  return {"unique, " + name,
          "u32",
          4,
          4,
          4,
          0,
          [](const CompactArrays &a, std::size_t n, cudaStream_t stream) {
            return cuda::unique(a.space, static_cast<const std::uint32_t *>(a.more), static_cast<std::uint32_t *>(a.out),
                                a.kept, n, cuda::equal_to{}, stream);
          },
          [](const CompactArrays &a, std::size_t n, cudaStream_t stream) {
            std::size_t bytes = a.cub_bytes;
            return cub::DeviceSelect::Unique(a.cub_space, bytes, static_cast<const std::uint32_t *>(a.more),
                                             static_cast<std::uint32_t *>(a.out), a.kept, static_cast<std::int64_t>(n), stream);
          },
          runs_of(mean)};
}

CompactCase encode_case(const std::string &name, std::uint32_t mean) {
  return {"run lengths, " + name,
          "u32",
          8,
          4,
          8,
          0,
          [](const CompactArrays &a, std::size_t n, cudaStream_t stream) {
            auto *out = static_cast<std::uint32_t *>(a.out);
            return cuda::run_length_encode(a.space, static_cast<const std::uint32_t *>(a.more), out, out + n, a.kept, n,
                                           cuda::equal_to{}, stream);
          },
          [](const CompactArrays &a, std::size_t n, cudaStream_t stream) {
            std::size_t bytes = a.cub_bytes;
            auto *out = static_cast<std::uint32_t *>(a.out);
            return cub::DeviceRunLengthEncode::Encode(a.cub_space, bytes, static_cast<const std::uint32_t *>(a.more), out,
                                                      out + n, a.kept, static_cast<std::int64_t>(n), stream);
          },
          runs_of(mean)};
}

CompactCase by_key_case(const std::string &name, std::uint32_t mean) {
  return {"reduce by key, " + name,
          "u32",
          8,
          8,
          8,
          0,
          [](const CompactArrays &a, std::size_t n, cudaStream_t stream) {
            auto *out = static_cast<std::uint32_t *>(a.out);
            return cuda::reduce_by_key(a.space, static_cast<const std::uint32_t *>(a.more),
                                       static_cast<const std::uint32_t *>(a.in), out, out + n, a.kept, n, cuda::plus{},
                                       cuda::equal_to{}, stream);
          },
          [](const CompactArrays &a, std::size_t n, cudaStream_t stream) {
            std::size_t bytes = a.cub_bytes;
            auto *out = static_cast<std::uint32_t *>(a.out);
            return cub::DeviceReduce::ReduceByKey(a.cub_space, bytes, static_cast<const std::uint32_t *>(a.more), out,
                                                  static_cast<const std::uint32_t *>(a.in), out + n, a.kept,
                                                  ::cuda::std::plus<>{}, static_cast<std::int64_t>(n), stream);
          },
          runs_of(mean)};
}

CompactCase unique_by_key_case(const std::string &name, std::uint32_t mean) {
  return {"unique by key, " + name,
          "u32",
          8,
          8,
          8,
          0,
          [](const CompactArrays &a, std::size_t n, cudaStream_t stream) {
            auto *out = static_cast<std::uint32_t *>(a.out);
            return cuda::unique_by_key(a.space, static_cast<const std::uint32_t *>(a.more),
                                       static_cast<const std::uint32_t *>(a.in), out, out + n, a.kept, n, cuda::equal_to{},
                                       stream);
          },
          [](const CompactArrays &a, std::size_t n, cudaStream_t stream) {
            std::size_t bytes = a.cub_bytes;
            auto *out = static_cast<std::uint32_t *>(a.out);
            return cub::DeviceSelect::UniqueByKey(a.cub_space, bytes, static_cast<const std::uint32_t *>(a.more),
                                                  static_cast<const std::uint32_t *>(a.in), out, out + n, a.kept,
                                                  static_cast<std::int64_t>(n), stream);
          },
          runs_of(mean)};
}

__global__ void offset_kernel(std::uint64_t *offsets, std::size_t runs, std::size_t length) {
  for (std::size_t k = blockIdx.x * std::size_t(blockDim.x) + threadIdx.x; k <= runs;
       k += std::size_t(gridDim.x) * blockDim.x) {
    offsets[k] = k * length;
  }
}

// Repeats elements by runs' offsets; the runs nearly fill the output. CUB repeats only within blocks.
CompactCase repeat_case(const std::string &name, std::size_t length) {
  return {"repeat, " + name,
          "u32",
          4,
          12.0 / static_cast<double>(length),
          0,
          4,
          [=](const CompactArrays &a, std::size_t n, cudaStream_t stream) {
            return cuda::repeat(static_cast<const std::uint32_t *>(a.in), static_cast<const std::uint64_t *>(a.more),
                                n / length, static_cast<std::uint32_t *>(a.out), static_cast<std::uint64_t *>(nullptr), stream);
          },
          nullptr,
          [=](const CompactArrays &a, std::size_t n) {
            offset_kernel<<<4096, 256>>>(static_cast<std::uint64_t *>(a.more), n / length, length);
            require(cudaDeviceSynchronize());
          }};
}

// All n differences are compared.
CompactCase difference_case() {
  return {"adjacent difference",
          "u32",
          4,
          8,
          0,
          0,
          [](const CompactArrays &a, std::size_t n, cudaStream_t stream) {
            return cuda::adjacent_difference(static_cast<const std::uint32_t *>(a.in), static_cast<std::uint32_t *>(a.out), n,
                                             cuda::minus{}, stream);
          },
          [](const CompactArrays &a, std::size_t n, cudaStream_t stream) {
            std::size_t bytes = a.cub_bytes;
            return cub::DeviceAdjacentDifference::SubtractLeftCopy(
                a.cub_space, bytes, static_cast<const std::uint32_t *>(a.in), static_cast<std::uint32_t *>(a.out),
                static_cast<std::int64_t>(n), ::cuda::std::minus<>{}, stream);
          }};
}

}  // namespace

std::vector<CompactCase> run_cases() {
  return {unique_case("runs of 1", 1),          unique_case("runs of 32", 32),
          unique_case("runs of 10^5", 100000),  encode_case("runs of 1", 1),
          encode_case("runs of 32", 32),        encode_case("runs of 10^5", 100000),
          unique_by_key_case("runs of 32", 32), difference_case(),
          by_key_case("runs of 1", 1),          by_key_case("runs of 32", 32),
          by_key_case("runs of 10^5", 100000),  repeat_case("runs of 32", 32),
          repeat_case("runs of 10^5", 100000)};
}

}  // namespace upsweep::bench
