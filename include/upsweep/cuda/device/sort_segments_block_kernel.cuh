// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Segments of some thousand keys: a block sorts one digit by digit in its shared memory.
#pragma once

#include <upsweep/cuda/device/sort_segments_problem.cuh>

namespace upsweep::cuda::detail {

template <class Problem, int kThreads_, int kItems_>
struct BlockSegmentGeometry {
  static constexpr int kThreads = kThreads_, kItems = kItems_, kWarps = kThreads / 32;
  static_assert(kThreads >= kDigits && kThreads * kItems <= 1 << 16);

  struct Shared {
    alignas(16) std::uint32_t counts[kWarps][kDigits];
    typename Problem::Bits keys[kThreads * kItems];
    std::uint16_t places[Problem::kHasValues ? kThreads * kItems : 1];  // the original places of the keys
    std::uint32_t warp_totals[kDigits / 32];
  };
};

template <class Problem, class Geometry>
class BlockSegment {
  using Bits = typename Problem::Bits;
  using Shared = typename Geometry::Shared;
  static constexpr int kThreads = Geometry::kThreads, kItems = Geometry::kItems, kWarps = Geometry::kWarps;

public:
  __device__ __forceinline__ BlockSegment(const Problem &problem, Shared &shared, std::uint64_t begin, std::uint32_t length)
      : problem_(problem), shared_(shared), warp_(static_cast<int>(threadIdx.x) / 32), begin_(begin), length_(length),
        used_(static_cast<int>((length + kThreads - 1) / kThreads)) {}

  __device__ __forceinline__ void sort() {
    load();
    for (int i = 0; i < problem_.bits.places; ++i) {
      if (i > 0) {
        take();
      }
      const DigitPlace digits = problem_.bits.place(i);
      rank_in_warps<kItems>(keys_, ranks_, digits, shared_.counts[warp_], used_);
      __syncthreads();
      const bool is_digit = threadIdx.x < kDigits;
      const std::uint32_t total = is_digit ? total_of_warps<kWarps>(shared_.counts) : 0;
      const std::uint32_t begin = sum_of_digits_before(total, shared_.warp_totals);
      if (is_digit) {
        place_warps<kWarps>(shared_.counts, begin);
      }
      __syncthreads();
      scatter(digits);
      __syncthreads();
    }
    store();
  }

private:
  // Each warp has contiguous keys, in rows of one key for each lane, and only as many rows as its keys fill.
  __device__ __forceinline__ std::uint32_t place(int i) const {
    return static_cast<std::uint32_t>((warp_ * used_ + i) * 32 + lane_id());
  }

  // Places behind the last key hold the largest key, and so come last.
  __device__ __forceinline__ void load() {
    const Bits *const keys = problem_.keys_in + begin_;
#pragma unroll
    for (int i = 0; i < kItems; ++i) {
      const bool is_key = i < used_ && place(i) < length_;
      keys_[i] = is_key ? Problem::Order::encode(keys[place(i)]) : static_cast<Bits>(~Bits(0));
      places_[i] = static_cast<std::uint16_t>(place(i));
    }
  }
  __device__ __forceinline__ void take() {
#pragma unroll
    for (int i = 0; i < kItems; ++i) {
      if (i < used_) {
        keys_[i] = shared_.keys[place(i)];
        if constexpr (Problem::kHasValues) {
          places_[i] = shared_.places[place(i)];
        }
      }
    }
  }
  __device__ __forceinline__ void scatter(DigitPlace digits) {
#pragma unroll
    for (int i = 0; i < kItems; ++i) {
      if (i < used_) {
        const unsigned to = shared_.counts[warp_][digits.of(keys_[i])] + ranks_[i];
        shared_.keys[to] = keys_[i];
        if constexpr (Problem::kHasValues) {
          shared_.places[to] = places_[i];
        }
      }
    }
  }
  __device__ __forceinline__ void store() {
    const StoredPart part = StoredPart::of(problem_, begin_, length_);
    const bool has_keys = !Problem::kIsSelection || problem_.keys_out != nullptr;
    Bits *const keys = problem_.keys_out + part.begin;
    std::uint32_t to[kItems], from[kItems];
#pragma unroll
    for (int i = 0; i < kItems; ++i) {
      to[i] = i * kThreads + threadIdx.x;
      from[i] = 0;
      if (to[i] < part.number) {
        if (has_keys) {
          keys[to[i]] = Problem::Order::decode(shared_.keys[part.first + to[i]]);
        }
        from[i] = Problem::kHasValues ? shared_.places[part.first + to[i]] : 0;
      }
    }
    if constexpr (Problem::kHasValues) {
      move_values<kItems>(problem_.values_in != nullptr ? problem_.values_in + begin_ : nullptr,
                          problem_.values_out + part.begin, from, to, part.number, [] { __syncthreads(); });
    }
  }

  const Problem &problem_;
  Shared &shared_;
  const int warp_;
  const std::uint64_t begin_;
  const std::uint32_t length_;
  const int used_;
  Bits keys_[kItems];
  std::uint16_t places_[kItems];
  unsigned ranks_[kItems];
};

template <class Problem, class Geometry>
__global__ void __launch_bounds__(Geometry::kThreads)
    sort_block_segments_kernel(const __grid_constant__ Problem problem, const SegmentsOfClass segments) {
  extern __shared__ __align__(16) unsigned char sort_segment_bytes[];
  auto &shared = *reinterpret_cast<typename Geometry::Shared *>(sort_segment_bytes);
  wait_for_kernel_before();
  let_next_kernel_begin();
  const std::uint64_t number = segments.number(problem);
  for (std::uint64_t i = blockIdx.x; i < number; i += gridDim.x) {
    const std::uint64_t segment = segments(i);
    const std::uint64_t begin = problem.offsets(segment);
    BlockSegment<Problem, Geometry>(problem, shared, begin, static_cast<std::uint32_t>(problem.offsets(segment + 1) - begin))
        .sort();
    __syncthreads();
  }
}

}  // namespace upsweep::cuda::detail
