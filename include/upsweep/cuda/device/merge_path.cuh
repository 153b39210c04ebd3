// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Merges of two sorted ranges in equal shares: the places in both ranges at which a share begins, and the merge of one thread's
// share.
//
// Source: Green, McColl and Bader 2012, "GPU Merge Path".
#pragma once

#include <upsweep/cuda/detail/shuffle.cuh>

#include <cstdint>

namespace upsweep::cuda::detail {

// Room for an element whose type may have no default constructor.
template <class T>
union Room {
  T value;
  __host__ __device__ Room() {}
};

// The first place in [first, end) for which holds(place) is false. It holds for all earlier places and for no later place.
// Called by a warp.
template <class Holds>
__device__ __forceinline__ std::uint64_t first_failing_of_warp(std::uint64_t first, std::uint64_t end, const Holds &holds) {
  while (first < end) {
    // Each lane looks at the last place of its share.
    const std::uint64_t step = (end - first + 31) / 32;
    const std::uint64_t last = first + (lane_id() + 1) * step - 1;
    const int holding = __popc(__ballot_sync(kAllLanes, last < end && holds(last)));
    end = min(end, first + (holding + 1) * step - 1);
    first += holding * step;
  }
  return first;
}

// The number of elements of `a` among the first `diagonal` merged elements. Among equal elements, those in `a` precede those in
// `b`.
template <class T, class Less>
__device__ __forceinline__ std::uint64_t merge_path_of_warp(const T *a, std::uint64_t a_count, const T *b,
                                                            std::uint64_t b_count, std::uint64_t diagonal, Less less) {
  const std::uint64_t first = diagonal > b_count ? diagonal - b_count : 0;
  return first_failing_of_warp(first, min(diagonal, a_count),
                               [&](std::uint64_t i) { return !less(b[diagonal - 1 - i], a[i]); });
}
template <class T>
__device__ __forceinline__ const T &element_in(const T &element) {
  return element;
}
template <class T>
__device__ __forceinline__ const T &element_in(const Room<T> &room) {
  return room.value;
}
// The same by one thread.
template <class Place, class T, class Less>
__device__ __forceinline__ Place merge_path(const T *a, Place a_count, const T *b, Place b_count, Place diagonal, Less less) {
  Place first = diagonal > b_count ? diagonal - b_count : 0, end = min(diagonal, a_count);
  while (first < end) {
    const Place middle = (first + end) / 2;
    if (!less(element_in(b[diagonal - 1 - middle]), element_in(a[middle]))) {
      first = middle + 1;
    } else {
      end = middle;
    }
  }
  return first;
}

// The next kItems merged elements from a[i] and b[j] on, and the place of each in `elements`. Results behind the ends of both
// ranges are unspecified. The element behind either range is read, and must be in memory.
template <int kItems, class T, class Less>
__device__ __forceinline__ void merge_in_thread(const Room<T> *elements, unsigned i, unsigned a_end, unsigned j, unsigned b_end,
                                                Room<T> (&merged)[kItems], std::uint16_t (&places)[kItems], Less less) {
  Room<T> from_a = elements[i], from_b = elements[j];
#pragma unroll
  for (int k = 0; k < kItems; ++k) {
    const bool is_b = j < b_end && (i >= a_end || less(from_b.value, from_a.value));
    merged[k] = is_b ? from_b : from_a;
    places[k] = static_cast<std::uint16_t>(is_b ? j : i);
    if (k + 1 < kItems) {
      if (is_b) {
        ++j;
        from_b = elements[min(j, b_end)];
      } else {
        ++i;
        from_a = elements[min(i, b_end)];
      }
    }
  }
}

}  // namespace upsweep::cuda::detail
