// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Shuffles of any trivially copyable type: a 32-bit shuffle for each word.
#pragma once

#include <upsweep/cuda/detail/standard.cuh>
#include <upsweep/cuda/version.cuh>

namespace upsweep::cuda::detail {

inline constexpr int kWarpSize = 32;
// The size of the largest element: a warp's elements still fit the storage that blocks keep per warp.
inline constexpr std::size_t kMaxElementBytes = 64;
// A mask may name lanes that have exited or that the block's last warp lacks: only live lanes must agree (CUDA C++ Programming
// Guide, "Warp Shuffle Functions"). A mask known to the compiler costs no instruction.
inline constexpr unsigned kAllLanes = 0xffffffffu;

template <class T>
inline constexpr bool is_element = std::is_trivially_copyable_v<T> && sizeof(T) <= kMaxElementBytes;

__device__ __forceinline__ int lane_id() {
  int lane;
  asm("mov.u32 %0, %%laneid;" : "=r"(lane));
  return lane;
}

// The lanes of each logical warp are numbered from 0.
template <int kWidth>
__device__ __forceinline__ int lane_of() {
  static_assert(kWidth >= 1 && kWidth <= kWarpSize && (kWidth & (kWidth - 1)) == 0,
                "a logical warp has 1, 2, 4, 8, 16 or 32 lanes");
  return lane_id() & (kWidth - 1);
}

template <class T, class Shuffle>
__device__ __forceinline__ T shuffle_words(const T &value, Shuffle shuffle) {
  static_assert(std::is_trivially_copyable_v<T>, "only trivially copyable types travel through registers");
  constexpr int kWords = (sizeof(T) + 3) / 4;
  unsigned words[kWords] = {};
  std::memcpy(words, &value, sizeof(T));
#pragma unroll
  for (int w = 0; w < kWords; ++w) {
    words[w] = shuffle(words[w]);
  }
  // A copy first, since the type may have no default constructor.
  T result = value;
  std::memcpy(&result, words, sizeof(T));
  return result;
}

// The instructions are volatile assembly. The compiler moves an intrinsic with a result that only some lanes use into the
// branch of these lanes. The lanes then run serially (seen with nvcc 13.0).
template <int kWidth>
inline constexpr unsigned kSegmentMask = static_cast<unsigned>(kWarpSize - kWidth) << 8;

// The value of the lane `distance` below, or the lane's own value outside the logical warp.
template <int kWidth = kWarpSize, class T>
__device__ __forceinline__ T shuffle_up(const T &value, int distance) {
  return shuffle_words(value, [=](unsigned word) {
    unsigned result;
    asm volatile("shfl.sync.up.b32 %0, %1, %2, %3, %4;"
                 : "=r"(result)
                 : "r"(word), "r"(distance), "n"(kSegmentMask<kWidth>), "r"(kAllLanes));
    return result;
  });
}

// The value of the lane `distance` above, or the lane's own value outside the warp.
template <class T>
__device__ __forceinline__ T shuffle_down(const T &value, int distance) {
  return shuffle_words(value, [=](unsigned word) {
    unsigned result;
    asm volatile("shfl.sync.down.b32 %0, %1, %2, 31, %3;" : "=r"(result) : "r"(word), "r"(distance), "r"(kAllLanes));
    return result;
  });
}

// The value of lane `lane` of the logical warp.
template <int kWidth = kWarpSize, class T>
__device__ __forceinline__ T shuffle_from(const T &value, int lane) {
  return shuffle_words(value, [=](unsigned word) {
    unsigned result;
    asm volatile("shfl.sync.idx.b32 %0, %1, %2, %3, %4;"
                 : "=r"(result)
                 : "r"(word), "r"(lane), "n"(kSegmentMask<kWidth> | 31), "r"(kAllLanes));
    return result;
  });
}

}  // namespace upsweep::cuda::detail
