// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reductions, against CUB.
#include "compact_cases.h"

#include <upsweep/cuda/reduce.cuh>

#include <cub/device/device_reduce.cuh>
#include <cuda/std/functional>

namespace upsweep::bench {

namespace {

// The bound is a read of all elements, since the result is one element.
template <class In, class T>
CompactCase sum_case(const char *type) {
  return {"sum",
          type,
          sizeof(In),
          sizeof(In),
          0,
          0,
          [](const CompactArrays &a, std::size_t n, cudaStream_t stream) {
            return cuda::reduce(a.space, static_cast<const In *>(a.in), static_cast<T *>(a.out), n, cuda::plus{}, T(0), stream);
          },
          [](const CompactArrays &a, std::size_t n, cudaStream_t stream) {
            std::size_t bytes = a.cub_bytes;
            return cub::DeviceReduce::Reduce(a.cub_space, bytes, static_cast<const In *>(a.in), static_cast<T *>(a.out),
                                             static_cast<std::int64_t>(n), ::cuda::std::plus<>{}, T(0), stream);
          }};
}

CompactCase arg_min_case() {
  return {"arg-min",
          "u32",
          4,
          4,
          0,
          0,
          [](const CompactArrays &a, std::size_t n, cudaStream_t stream) {
            return cuda::arg_min(a.space, static_cast<const std::uint32_t *>(a.in),
                                 static_cast<cuda::indexed<std::uint32_t> *>(a.more), n, stream);
          },
          [](const CompactArrays &a, std::size_t n, cudaStream_t stream) {
            std::size_t bytes = a.cub_bytes;
            auto *index = static_cast<std::int64_t *>(a.more);
            return cub::DeviceReduce::ArgMin(a.cub_space, bytes, static_cast<const std::uint32_t *>(a.in),
                                             reinterpret_cast<std::uint32_t *>(index + 1), index, static_cast<std::int64_t>(n),
                                             stream);
          }};
}

}  // namespace

std::vector<CompactCase> reduce_cases() {
  return {sum_case<std::uint32_t, std::uint32_t>("u32"), sum_case<float, float>("f32"),
          sum_case<std::uint8_t, std::uint32_t>("u8 to u32"), sum_case<double, double>("f64"), arg_min_case()};
}

}  // namespace upsweep::bench
