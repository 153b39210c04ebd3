// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the kernels of a sort of segments share: the problem, the classes of segments by their lengths, and the list of the
// segments of each class.
#pragma once

#include <upsweep/cuda/device/offsets.cuh>
#include <upsweep/cuda/device/sort_tile.cuh>

namespace upsweep::cuda::detail {

// kIsPartial: some bits of the keys alone count, so that keys that are alike may be told apart.
template <class Order_, class Value_, class Offsets_, bool kIsPartial_>
struct SortSegments {
  using Order = Order_;
  using Bits = typename Order::Bits;
  using Value = Value_;
  using Offsets = Offsets_;
  static constexpr bool kHasValues = !std::is_same_v<Value, NoValue>;
  static constexpr bool kIsPartial = kIsPartial_;
  static constexpr bool kIsPlaced = kHasValues || kIsPartial;  // keys alone that are equal are the same
  static constexpr bool kIsSelection = false;

  const Bits *keys_in;
  Bits *keys_out;
  const Value *values_in;
  Value *values_out;
  Offsets offsets;
  Later<std::uint64_t> segments;
  SortBits bits;
};

// Of each sorted row the elements of ranks first_rank to first_rank + number - 1 are stored, one row behind the other.
template <class Order, class Value, class Offsets, bool kIsPartial>
struct RanksOfShortRows : SortSegments<Order, Value, Offsets, kIsPartial> {
  static constexpr bool kIsSelection = true;
  std::uint32_t first_rank, number;
};

// What is stored of a sorted segment: elements from `first` on, from `begin` of the output on.
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

// The longest segments of each class. A part of a warp, or a warp, sorts those of the first classes in its registers, a block
// those of the next two in its shared memory; longer ones are sorted by passes.
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
  // Classes that there are no registers for have none.
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
  std::uint32_t first_tile;  // of its own among those of all long segments
};

// All of it is written on the device. The counters are 0 before.
struct SegmentLists {
  std::uint32_t *counts;               // kSegmentClasses - 1
  unsigned long long *long_and_tiles;  // the number of long segments in the upper half, and of their tiles in the lower one
  std::uint32_t *lists[kSegmentClasses - 1];
  LongSegment *long_segments;
  ScanState *state;
};

// The segments of one class: those of a list, or all.
struct SegmentsOfClass {
  const std::uint32_t *list;
  const std::uint32_t *count;

  template <class Problem>
  __device__ __forceinline__ std::uint64_t number(const Problem &problem) const {
    return list != nullptr ? *count : problem.segments.get();
  }
  __device__ __forceinline__ std::uint64_t operator()(std::uint64_t i) const { return list != nullptr ? list[i] : i; }
};

inline constexpr int kListingThreads = 256;
inline constexpr int kListingItems = 4;

// A block reserves room for its segments of each class, which keeps neighbours together.
template <class Problem>
__global__ void __launch_bounds__(kListingThreads)
    list_segments_kernel(const __grid_constant__ Problem problem, const SegmentLists lists, std::uint64_t tile_items) {
  using Classes = SegmentClasses<typename Problem::Bits, Problem::kIsPlaced>;
  __shared__ std::uint32_t counts[kSegmentClasses - 1], begins[kSegmentClasses - 1];
  spoil_workspace(lists.state);
  let_next_kernel_begin();
  constexpr std::uint64_t kAtOnce = kListingThreads * kListingItems;
  const std::uint64_t segments = problem.segments.get();
  for (std::uint64_t first = blockIdx.x * kAtOnce; first < segments; first += gridDim.x * kAtOnce) {
    if (threadIdx.x < kSegmentClasses - 1) {
      counts[threadIdx.x] = 0;
    }
    __syncthreads();
    int classes[kListingItems];
    std::uint32_t places[kListingItems];
#pragma unroll
    for (int i = 0; i < kListingItems; ++i) {
      const std::uint64_t segment = first + i * kListingThreads + threadIdx.x;
      classes[i] = kSegmentClasses;
      if (segment < segments) {
        const std::uint64_t begin = problem.offsets(segment), end = problem.offsets(segment + 1);
        if (end > begin) {
          classes[i] = Classes::of(end - begin);
        }
        if (classes[i] == kSegmentClasses - 1) {
          const std::uint64_t tiles = (end - begin + tile_items - 1) / tile_items;
          const unsigned long long before = atomicAdd(lists.long_and_tiles, 1ull << 32 | tiles);
          lists.long_segments[before >> 32] = {begin, end - begin, static_cast<std::uint32_t>(before)};
        }
      }
      // One addition for the lanes of a warp with segments of one class.
      const unsigned same = __match_any_sync(kAllLanes, classes[i]);
      const int first_lane = __ffs(static_cast<int>(same)) - 1;
      std::uint32_t begin = 0;
      if (classes[i] < kSegmentClasses - 1 && lane_id() == first_lane) {
        begin = atomicAdd(&counts[classes[i]], static_cast<std::uint32_t>(__popc(same)));
      }
      places[i] = shuffle_from(begin, first_lane) + __popc(same & ((1u << lane_id()) - 1));
    }
    __syncthreads();
    if (threadIdx.x < kSegmentClasses - 1 && counts[threadIdx.x] > 0) {
      begins[threadIdx.x] = atomicAdd(&lists.counts[threadIdx.x], counts[threadIdx.x]);
    }
    __syncthreads();
#pragma unroll
    for (int i = 0; i < kListingItems; ++i) {
      if (classes[i] < kSegmentClasses - 1) {
        lists.lists[classes[i]][begins[classes[i]] + places[i]] =
            static_cast<std::uint32_t>(first + i * kListingThreads + threadIdx.x);
      }
    }
  }
}

// Values are moved in words.
template <class Value, class = void>
struct WordsOf {
  using Word = Value;
};
template <class Value>
struct WordsOf<Value, std::void_t<typename Value::Word>> {
  using Word = typename Value::Word;
};

// Values of a segment go from their places to the threads' own ones, a word of each at a time, so that they may be sorted in
// place. synchronise() waits for all threads that have values of the segment.
template <int kItems, class Value, class Synchronise>
__device__ __forceinline__ void move_values(const Value *values_in, Value *values_out, const std::uint32_t (&from)[kItems],
                                            const std::uint32_t (&to)[kItems], std::uint32_t length, Synchronise synchronise) {
  if constexpr (std::is_integral_v<Value>) {
    if (values_in == nullptr) {  // the places themselves
#pragma unroll
      for (int i = 0; i < kItems; ++i) {
        if (to[i] < length) {
          values_out[to[i]] = static_cast<Value>(from[i]);
        }
      }
      return;
    }
  }
  using Word = typename WordsOf<Value>::Word;
  constexpr int kWords = sizeof(Value) / sizeof(Word);
  const auto *const words_in = reinterpret_cast<const Word *>(values_in);
  auto *const words_out = reinterpret_cast<Word *>(values_out);
#pragma unroll 1
  for (int w = 0; w < kWords; ++w) {
    Word words[kItems];
#pragma unroll
    for (int i = 0; i < kItems; ++i) {
      if (to[i] < length) {
        words[i] = words_in[std::uint64_t(from[i]) * kWords + w];
      }
    }
    synchronise();
#pragma unroll
    for (int i = 0; i < kItems; ++i) {
      if (to[i] < length) {
        words_out[std::uint64_t(to[i]) * kWords + w] = words[i];
      }
    }
  }
}

}  // namespace upsweep::cuda::detail
