// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The request of a sort of segments: the classes of segments by their lengths, and the lists of the segments of each class.
#pragma once

#include <upsweep/cuda/device/call_state.cuh>
#include <upsweep/cuda/device/move_values.cuh>
#include <upsweep/cuda/device/offsets.cuh>
#include <upsweep/cuda/device/sort_tile.cuh>
#include <upsweep/cuda/device/values.cuh>

namespace upsweep::cuda::detail {

// kIsPartial: only some bits of a key decide, so keys that compare equal may differ.
template <class Order_, class Value_, class Offsets_, bool kIsPartial_>
struct SortSegmentsProblem {
  using Order = Order_;
  using Bits = typename Order::Bits;
  using Value = Value_;
  using Offsets = Offsets_;
  static constexpr bool kHasValues = !std::is_same_v<Value, NoValue>;
  static constexpr bool kIsPartial = kIsPartial_;
  static constexpr bool kIsPlaced = kHasValues || kIsPartial;  // without values, equal keys are identical
  static constexpr bool kIsSelection = false;

  const Bits *keys_in;
  Bits *keys_out;
  const Value *values_in;
  Value *values_out;
  Offsets offsets;
  Later<std::uint64_t> segments;
  SortBits bits;
};

// Stores the elements of ranks first_rank to first_rank + number - 1 of each sorted row, row after row.
template <class Order, class Value, class Offsets, bool kIsPartial>
struct ShortRowsProblem : SortSegmentsProblem<Order, Value, Offsets, kIsPartial> {
  static constexpr bool kIsSelection = true;
  std::uint32_t first_rank, number;
};

// The stored part of a sorted segment: elements from `first` on, from `begin` of the output on.
struct StoredPart {
  std::uint64_t begin;
  std::uint32_t first, number;

  template <class Problem>
  __device__ __forceinline__ static StoredPart of(const Problem &problem, std::uint64_t begin, std::uint32_t length) {
    if constexpr (Problem::kIsSelection) {
      return {length == 0 ? 0 : begin / length * problem.number, problem.first_rank, length == 0 ? 0 : problem.number};
    } else {
      return {begin, 0, length};
    }
  }
};

// The longest segments of each class. A part of a warp, or a warp, sorts segments of the first classes in its registers. A
// block sorts segments of the next two classes in its shared memory. Longer segments are sorted by passes.
inline constexpr int kNetworkClasses = 7;
inline constexpr int kSegmentClasses = kNetworkClasses + 3;
constexpr int block_items(std::size_t key_bytes) { return key_bytes <= 4 ? 14 : key_bytes <= 8 ? 9 : 5; }
template <class Bits, bool kIsPlaced>
struct SegmentClasses {
  static constexpr int kSmallThreads = 256, kSmallItems = sizeof(Bits) <= 8 ? 8 : 5;
  static constexpr int kLargeThreads = 512, kLargeItems = block_items(sizeof(Bits));  // in the 64 KiB that every GPU has
  static constexpr std::uint64_t kMostByNetwork = sizeof(Bits) > 8                ? 256
                                                  : sizeof(Bits) > 4 || kIsPlaced ? 512
                                                                                  : 1024;  // measured on an H100

  __host__ __device__ static constexpr int lanes(int of_class) {
    return of_class == 0 ? 4 : of_class <= 2 ? 8 : of_class == 3 ? 16 : 32;
  }
  __host__ __device__ static constexpr int items(int of_class) {
    return of_class <= 1 ? 4 : of_class <= 4 ? 8 : of_class == 5 ? 16 : 32;
  }
  // A class whose segments would exceed the registers has the bound of the class before it, and stays empty.
  __host__ __device__ static constexpr std::uint64_t most(int of_class) {
    return of_class < kNetworkClasses        ? min_of(std::uint64_t(lanes(of_class)) * items(of_class), kMostByNetwork)
           : of_class == kNetworkClasses     ? kSmallThreads * kSmallItems
           : of_class == kNetworkClasses + 1 ? kLargeThreads * kLargeItems
                                             : ~std::uint64_t(0);
  }
  __host__ __device__ static constexpr int of(std::uint64_t length) {
    int result = 0;
    while (length > most(result)) {
      ++result;
    }
    return result;
  }

private:
  __host__ __device__ static constexpr std::uint64_t min_of(std::uint64_t a, std::uint64_t b) { return a < b ? a : b; }
};

// A segment that is sorted by passes.
struct LongSegment {
  std::uint64_t begin, count;
  std::uint32_t first_tile;  // its first tile among the tiles of all long segments
};

// The device writes all members. The counters start as 0.
struct SegmentLists {
  std::uint32_t *counts;               // kSegmentClasses - 1
  unsigned long long *long_and_tiles;  // upper half: the number of long segments; lower half: of their tiles
  std::uint32_t *lists[kSegmentClasses - 1];
  LongSegment *long_segments;
  ScanState *state;
};

// The segments of one class: a list, or all segments.
struct SegmentsOfClass {
  const std::uint32_t *list;
  const std::uint32_t *count;

  template <class Problem>
  __device__ __forceinline__ std::uint64_t number(const Problem &problem) const {
    return list != nullptr ? *count : problem.segments.get();
  }
  __device__ __forceinline__ std::uint64_t operator()(std::uint64_t i) const { return list != nullptr ? list[i] : i; }
};

}  // namespace upsweep::cuda::detail
