// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The begins of an array's segments: segment k has elements offsets(k) to offsets(k + 1) - 1.
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
