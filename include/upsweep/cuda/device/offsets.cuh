// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Where the segments of an array begin: segment k from element (k) on, up to before element (k + 1).
#pragma once

#include <upsweep/cuda/version.cuh>

#include <cstdint>

namespace upsweep::cuda::detail {

template <class Offset>
struct OffsetsAt {
  const Offset *offsets;
  __device__ __forceinline__ std::uint64_t operator()(std::uint64_t k) const { return static_cast<std::uint64_t>(offsets[k]); }
};
struct OffsetsOfRows {
  std::uint64_t length;
  __device__ __forceinline__ std::uint64_t operator()(std::uint64_t k) const { return k * length; }
};

}  // namespace upsweep::cuda::detail
