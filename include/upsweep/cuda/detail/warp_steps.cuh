// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The scan and the reduction of one warp's registers, the base of all larger algorithms.
#pragma once

#include <upsweep/cuda/detail/shuffle.cuh>
#include <upsweep/cuda/operators.cuh>
#include <upsweep/cuda/segment.cuh>

namespace upsweep::cuda::detail {

// Hillis and Steele's scan: after the step of distance d a lane holds the total of the 2d lanes that end at it. Later lanes
// never affect earlier lanes, so lanes without a value need no check.
template <int kWidth, class T, class Op>
__device__ __forceinline__ T warp_inclusive(T value, Op op) {
  const int lane = lane_of<kWidth>();
#pragma unroll
  for (int distance = 1; distance < kWidth; distance *= 2) {
    const T lower = shuffle_up<kWidth>(value, distance);
    if (lane >= distance) {
      value = op(lower, value);
    }
  }
  return value;
}

// Bit i is lane i's flag, for this lane's logical warp.
template <int kWidth>
__device__ __forceinline__ unsigned ballot(bool flag) {
  const unsigned lanes = __ballot_sync(kAllLanes, flag);
  return kWidth == kWarpSize ? lanes : lanes >> (lane_id() & ~(kWidth - 1));
}

// The same with segments: one ballot gives each lane the first lane of its segment, and no step reaches below it.
template <int kWidth, class T, class Op>
__device__ __forceinline__ flagged<T> warp_inclusive(flagged<T> element, segmented<Op> op) {
  const int lane = lane_of<kWidth>();
  const unsigned up_to_lane = (2u << lane) - 1u;
  const unsigned heads = ballot<kWidth>(element.head) & up_to_lane;
  const int first = 31 - __clz(static_cast<int>(heads | 1u));
#pragma unroll
  for (int distance = 1; distance < kWidth; distance *= 2) {
    const T lower = shuffle_up<kWidth>(element.value, distance);
    if (lane - distance >= first) {
      element.value = op.op(lower, element.value);
    }
  }
  element.head = heads != 0;
  return element;
}

// Whether one instruction of sm_80 reduces the warp: 32-bit integers, and smaller integers converted to them.
template <class T, class Op>
inline constexpr bool is_redux = std::is_integral_v<T> && sizeof(T) <= 4 &&
                                 (std::is_same_v<Op, plus> || std::is_same_v<Op, minimum> || std::is_same_v<Op, maximum> ||
                                  std::is_same_v<Op, bit_and> || std::is_same_v<Op, bit_or> || std::is_same_v<Op, bit_xor>);

#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
// Uses assembly, since Clang 19 swaps the operands of its intrinsics.
template <class T, class Op>
__device__ __forceinline__ T redux(T value, Op) {
  using Ordered = std::conditional_t<std::is_signed_v<T>, int, unsigned>;
  const auto word = static_cast<unsigned>(static_cast<Ordered>(value));
  unsigned result;
  if constexpr (std::is_same_v<Op, plus>) {
    asm volatile("redux.sync.add.u32 %0, %1, %2;" : "=r"(result) : "r"(word), "r"(kAllLanes));
  } else if constexpr (std::is_same_v<Op, minimum> && std::is_signed_v<T>) {
    asm volatile("redux.sync.min.s32 %0, %1, %2;" : "=r"(result) : "r"(word), "r"(kAllLanes));
  } else if constexpr (std::is_same_v<Op, minimum>) {
    asm volatile("redux.sync.min.u32 %0, %1, %2;" : "=r"(result) : "r"(word), "r"(kAllLanes));
  } else if constexpr (std::is_same_v<Op, maximum> && std::is_signed_v<T>) {
    asm volatile("redux.sync.max.s32 %0, %1, %2;" : "=r"(result) : "r"(word), "r"(kAllLanes));
  } else if constexpr (std::is_same_v<Op, maximum>) {
    asm volatile("redux.sync.max.u32 %0, %1, %2;" : "=r"(result) : "r"(word), "r"(kAllLanes));
  } else if constexpr (std::is_same_v<Op, bit_and>) {
    asm volatile("redux.sync.and.b32 %0, %1, %2;" : "=r"(result) : "r"(word), "r"(kAllLanes));
  } else if constexpr (std::is_same_v<Op, bit_or>) {
    asm volatile("redux.sync.or.b32 %0, %1, %2;" : "=r"(result) : "r"(word), "r"(kAllLanes));
  } else {
    asm volatile("redux.sync.xor.b32 %0, %1, %2;" : "=r"(result) : "r"(word), "r"(kAllLanes));
  }
  return static_cast<T>(result);
}
#endif

// A butterfly in which the lower of two neighbouring groups is always the left operand, so that operators need not commute.
// Groups without values drop out. If a group has values, its first lane exists and has the group's total. Its lanes without
// values may be missing from the warp.
template <int kWidth, class T, class Op>
__device__ __forceinline__ T butterfly(T value, Op op, int count) {
  const int lane = lane_of<kWidth>();
#pragma unroll
  for (int distance = 1; distance < kWidth; distance *= 2) {
    const int opposite = lane ^ distance;
    const T other = shuffle_from<kWidth>(value, count == kWidth || opposite < count ? opposite : opposite & -distance);
    const bool is_upper = (lane & distance) != 0;
    const int upper_group = (lane | distance) & -distance;
    if (count == kWidth || upper_group < count) {
      T left = value;
      T right = other;
      if (is_upper && !is_commutative<Op, T>) {
        left = other;
        right = value;
      }
      value = op(left, right);
    } else if (is_upper) {
      value = other;
    }
  }
  return value;
}

// The total of the first `count` (at least 1) lanes, in every lane.
template <int kWidth, class T, class Op>
__device__ __forceinline__ T warp_total(const T &value, Op op, int count) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
  if constexpr (is_redux<T, Op> && kWidth == kWarpSize) {
    // Lanes that a partial warp lacks take no part. Lanes without a value must not affect results.
    return redux(count == kWidth || lane_id() < count ? value : identity<Op, T>::value(), op);
  } else {
    return butterfly<kWidth>(value, op, count);
  }
#else
  return butterfly<kWidth>(value, op, count);
#endif
}

}  // namespace upsweep::cuda::detail
