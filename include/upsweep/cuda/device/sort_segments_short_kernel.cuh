// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Short segments: a warp, or a part of one, sorts a segment in registers.
#pragma once

#include <upsweep/cuda/device/sort_network.cuh>
#include <upsweep/cuda/device/sort_segments_problem.cuh>

namespace upsweep::cuda::detail {

inline constexpr int kShortThreads = 128;

template <class Problem, int kLanes_, int kItems_>
struct ShortGeometry {
  static constexpr int kLanes = kLanes_, kItems = kItems_;
  static constexpr int kAtOnce = 32 / kLanes;  // segments of a warp
  static constexpr int kWarps = kShortThreads / 32;
  using Items = NetworkItems<typename Problem::Bits, Problem::kIsPlaced>;
  using Item = typename Items::Item;
  static constexpr int kSlots = 32 * kItems + kItems;

  // Lanes with contiguous items exchange items with other lanes here. One place in 33 stays unused, so that banks differ.
  struct Shared {
    Item items[kWarps][kSlots];
  };
  __device__ __forceinline__ static int slot(int item) { return item + item / 32; }
};

template <class Problem, class Geometry>
class ShortSegment {
  using Bits = typename Problem::Bits;
  using Items = typename Geometry::Items;
  using Item = typename Geometry::Item;
  static constexpr int kLanes = Geometry::kLanes, kItems = Geometry::kItems;

public:
  __device__ __forceinline__ ShortSegment(const Problem &problem, Item *shared, std::uint64_t begin, std::uint32_t length)
      : problem_(problem), shared_(shared), begin_(begin), length_(length) {}

  __device__ __forceinline__ void sort() {
    Item items[kItems];
    load(items);
    sort_by_network<kLanes>(items);
    // Rearranges the contiguous items of each lane, so that neighbouring lanes store neighbours.
#pragma unroll
    for (int i = 0; i < kItems; ++i) {
      shared_[Geometry::slot(lane_id() * kItems + i)] = items[i];
    }
    __syncwarp();
    const int first = lane_id() / kLanes * kLanes * kItems;
#pragma unroll
    for (int i = 0; i < kItems; ++i) {
      items[i] = shared_[Geometry::slot(first + static_cast<int>(place(i)))];
    }
    __syncwarp();
    store(items);
  }

private:
  __device__ __forceinline__ std::uint32_t place(int i) const {
    return static_cast<std::uint32_t>(i * kLanes + lane_id() % kLanes);
  }

  // Places behind the last key hold the largest key.
  __device__ __forceinline__ void load(Item (&items)[kItems]) const {
    const Bits *const keys = problem_.keys_in + begin_;
    Bits mask = static_cast<Bits>(~Bits(0));
    int shift = 0;
    if constexpr (Problem::kIsPartial) {
      const int bits = problem_.bits.end - problem_.bits.begin;
      shift = bits == 0 ? 0 : problem_.bits.begin;
      mask = bits == static_cast<int>(8 * sizeof(Bits)) ? mask : static_cast<Bits>((Bits(1) << bits) - 1);
    }
#pragma unroll
    for (int i = 0; i < kItems; ++i) {
      Bits key = static_cast<Bits>(~Bits(0));
      if (place(i) < length_) {
        key = Problem::Order::encode(keys[place(i)]);
        key = Problem::kIsPartial ? static_cast<Bits>(key >> shift & mask) : key;
      }
      items[i] = Items::of(key, place(i));
    }
  }

  __device__ __forceinline__ void store(const Item (&items)[kItems]) const {
    const StoredPart part = StoredPart::of(problem_, begin_, length_);
    std::uint32_t to[kItems], from[kItems];
#pragma unroll
    for (int i = 0; i < kItems; ++i) {
      to[i] = place(i) - part.first;  // a large number for places before `first`
      from[i] = Problem::kIsPlaced ? Items::place(items[i]) : 0;
    }
    const auto synchronise = [] { __syncwarp(); };
    if constexpr (Problem::kHasValues) {
      move_values<kItems>(problem_.values_in != nullptr ? problem_.values_in + begin_ : nullptr,
                          problem_.values_out + part.begin, from, to, part.number, synchronise);
    }
    if (Problem::kIsSelection && problem_.keys_out == nullptr) {
      return;
    }
    if constexpr (Problem::kIsPartial) {
      move_values<kItems>(problem_.keys_in + begin_, problem_.keys_out + part.begin, from, to, part.number, synchronise);
    } else {
      Bits *const keys = problem_.keys_out + part.begin;
#pragma unroll
      for (int i = 0; i < kItems; ++i) {
        if (to[i] < part.number) {
          keys[to[i]] = Problem::Order::decode(Items::key(items[i]));
        }
      }
    }
  }

  const Problem &problem_;
  Item *const shared_;
  const std::uint64_t begin_;
  const std::uint32_t length_;
};

template <class Problem, class Geometry>
__global__ void __launch_bounds__(kShortThreads)
    sort_short_segments_kernel(const __grid_constant__ Problem problem, const SegmentsOfClass segments) {
  __shared__ typename Geometry::Shared shared;
  wait_for_kernel_before();
  let_next_kernel_begin();
  const std::uint64_t number = segments.number(problem);
  const int warp = static_cast<int>(threadIdx.x) / 32;
  const std::uint64_t step = std::uint64_t(gridDim.x) * Geometry::kWarps * Geometry::kAtOnce;
  for (std::uint64_t first = (std::uint64_t(blockIdx.x) * Geometry::kWarps + warp) * Geometry::kAtOnce; first < number;
       first += step) {
    const std::uint64_t own = first + lane_id() / Geometry::kLanes;
    std::uint64_t begin = 0, end = 0;
    if (own < number) {
      const std::uint64_t segment = segments(own);
      begin = problem.offsets(segment);
      end = problem.offsets(segment + 1);
    }
    ShortSegment<Problem, Geometry>(problem, shared.items[warp], begin, static_cast<std::uint32_t>(end - begin)).sort();
    __syncwarp();
  }
}

}  // namespace upsweep::cuda::detail
