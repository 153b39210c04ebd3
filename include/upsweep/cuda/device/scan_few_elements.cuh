// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The elements of short arrays in threads' registers: loads of elements and stores of results, for arrays at any address.
#pragma once

#include <upsweep/cuda/device/look_back.cuh>
#include <upsweep/cuda/device/slice.cuh>
#include <upsweep/cuda/device/values.cuh>
#include <upsweep/cuda/workspace.cuh>

#include <algorithm>

namespace upsweep::cuda::detail {

// The way elements are read and written: one at a time, or as 16-byte vectors. The first and last vectors may be incomplete.
// For pointers to elements of the same size, vectors may have other offsets in the output than in the input.
enum class FewAccess { kElements, kVectors };

// kRows        vectors of a thread; a warp reads 32 neighbouring ones at a time
// kMostBefore  vectors of a thread before the tile, one for each earlier block; 0 if blocks exchange totals
template <class Problem, int kThreads_, int kRows_, FewAccess kAccess, int kMostBefore_ = 0>
struct FewGeometry {
  static constexpr int kThreads = kThreads_;
  static constexpr int kRows = kRows_;
  static constexpr bool kVectors = kAccess == FewAccess::kVectors;
  static constexpr bool kMayShift = kVectors && sizeof(typename Problem::In) < 16;
  static constexpr int kWarps = kThreads / 32;
  static constexpr int kMostBefore = kMostBefore_;
  static constexpr bool kReadsBefore = kMostBefore > 0;
  static_assert(!kReadsBefore || (kVectors && kRows == 1 && kWarps <= 16));
  static constexpr int kItems = sizeof(typename Problem::In) >= 16 ? 1 : 16 / static_cast<int>(sizeof(typename Problem::In));
  static constexpr int kTileItems = kThreads * kRows * kItems;

  // Each sector of 32 bytes has one word, if blocks are so large that the workspace has four times as many words as blocks. The
  // words of few blocks, too, are spread over a group.
  static constexpr int kSectorWords = 32 / static_cast<int>(sizeof(TileWord<typename Problem::T>));
  static constexpr int kBlockWords = kTileItems / static_cast<int>(2 * fewest_warp_items(Problem::kLargest));
  using Words = TileWords<kRows == 1 ? 1 : std::clamp(kSectorWords, 1, std::max(kBlockWords / 4, 1))>;
};

// The elements of a thread: in the order of the scan, row by row. Arrays that do not begin at a vector (backward: end there)
// are led by `lead_` places without elements.
template <class Problem, class Geometry>
class FewElements {
  using T = typename Problem::T;
  using In = typename Problem::In;
  using Out = typename Problem::Out;
  static constexpr int kItems = Geometry::kItems;
  static constexpr int kRows = Geometry::kRows;

public:
  __device__ __forceinline__ FewElements(const Problem &problem, unsigned count)
      : problem_(problem), lead_(lead_of(problem, count)), end_(lead_ + count),
        first_(blockIdx.x * Geometry::kTileItems + (threadIdx.x / 32 * kRows * 32 + lane_id()) * kItems) {}

  // Places without an element get another element of the array, so that the operator sees only elements.
  __device__ __forceinline__ void load(T (&elements)[kRows][kItems]) const {
    if (end_ == lead_) {
      return;
    }
    if constexpr (Geometry::kVectors) {
      Slice<In, kItems> vectors[kRows];
      load_vectors(vectors);
#pragma unroll
      for (int r = 0; r < kRows; ++r) {
#pragma unroll
        for (int i = 0; i < kItems; ++i) {
          elements[r][i] = problem_.transform_in(vectors[r].get(place_in_vector(i)));
        }
      }
    } else {
#pragma unroll
      for (int r = 0; r < kRows; ++r) {
        load_each(rank_of_row(r),
                  [&](int i, unsigned place) { elements[r][i] = problem_.transform_in(problem_.input[place]); });
      }
    }
  }

  // `ends` are 16 bytes of shared memory for the warp, if vectors may be shifted.
  __device__ __forceinline__ void store(const T (&results)[kRows][kItems], unsigned char *ends) const {
    if constexpr (Geometry::kVectors) {
      Slice<Out, kItems> vectors[kRows];
#pragma unroll
      for (int r = 0; r < kRows; ++r) {
#pragma unroll
        for (int i = 0; i < kItems; ++i) {
          vectors[r].put(place_in_vector(i), problem_.transform_out(results[r][i]));
        }
      }
      unsigned later = 0;
      if constexpr (Geometry::kMayShift) {
        if (bytes_to_output_vector() > 0) {
          later = shift(vectors, ends);
        }
      }
      store_vectors(vectors, later);
      if (later > 0) {
        store_ends(ends, later);
      }
    } else {
#pragma unroll
      for (int r = 0; r < kRows; ++r) {
        store_each(rank_of_row(r), [&](int i) { return problem_.transform_out(results[r][i]); });
      }
    }
  }

  // True if element i of row r is the last of the array.
  __device__ __forceinline__ bool is_last(int r, int i) const { return rank_of_row(r) + i == end_ - 1; }
  // True if element i of row r is the first of the array, or a place before it.
  __device__ __forceinline__ bool is_first(int r, int i) const { return Geometry::kVectors && r == 0 && first_ + i <= lead_; }

private:
  __device__ __forceinline__ static unsigned lead_of(const Problem &problem, unsigned count) {
    if constexpr (Geometry::kVectors) {
      const auto begin = reinterpret_cast<std::uintptr_t>(problem.input);
      const std::uintptr_t past = Problem::kBackward ? -(begin + count * sizeof(In)) % 16 : begin % 16;
      return static_cast<unsigned>(past / sizeof(In));
    } else {
      return 0;
    }
  }
  __device__ __forceinline__ unsigned rank_of_row(int row) const { return first_ + row * 32 * kItems; }
  __device__ __forceinline__ bool is_element(unsigned rank) const { return rank >= lead_ && rank < end_; }
  __device__ __forceinline__ bool is_whole(unsigned rank) const { return rank >= lead_ && rank + kItems <= end_; }

  // The place in the array of the elements [rank, rank + n) of the scan's order.
  __device__ __forceinline__ unsigned place(unsigned rank, unsigned n) const {
    return Problem::kBackward ? end_ - rank - n : rank - lead_;
  }
  // The same within a vector.
  __device__ __forceinline__ static int place_in_vector(int i) { return Problem::kBackward ? kItems - 1 - i : i; }

  template <class Take>
  __device__ __forceinline__ void load_each(unsigned rank, Take take) const {
#pragma unroll
    for (int i = 0; i < kItems; ++i) {
      take(i, place(is_element(rank + i) ? rank + i : lead_, 1));
    }
  }

  // No branch separates the loads of whole vectors, so all are in flight together. The same is true of incomplete vectors.
  __device__ __forceinline__ void load_vectors(Slice<In, kItems> (&vectors)[kRows]) const {
    // One of the first two places holds a whole vector, unless there are few elements.
    constexpr unsigned kWholePlace = kItems;
    const bool is_tiny = end_ - lead_ < 2 * kItems;
    if (!is_tiny) {
#pragma unroll
      for (int r = 0; r < kRows; ++r) {
        const unsigned rank = rank_of_row(r);
        vectors[r].load(&problem_.input[place(is_whole(rank) ? rank : kWholePlace, kItems)]);
      }
    }
    // The array begins in a first row, so at most one of a lane's other rows is incomplete.
    if (is_tiny || is_part(first_)) {
      vectors[0] = load_part(first_);
    }
    unsigned part_rank = end_;
#pragma unroll
    for (int r = 1; r < kRows; ++r) {
      part_rank = is_part(rank_of_row(r)) ? rank_of_row(r) : part_rank;
    }
    if (kRows > 1 && part_rank < end_) {
      const auto part = load_part(part_rank);
#pragma unroll
      for (int r = 1; r < kRows; ++r) {
        vectors[r] = chosen(rank_of_row(r) == part_rank, part, vectors[r]);
      }
    }
    if (is_tiny) {
#pragma unroll
      for (int r = 1; r < kRows; ++r) {
        vectors[r] = vectors[0];
      }
    }
  }
  __device__ __forceinline__ bool is_part(unsigned rank) const { return rank < end_ && !is_whole(rank); }
  __device__ __forceinline__ Slice<In, kItems> load_part(unsigned rank) const {
    Slice<In, kItems> part;
    load_each(rank, [&](int i, unsigned place) {
      const In element = problem_.input[place];
      part.put(place_in_vector(i), element);
    });
    return part;
  }

  template <class Result>
  __device__ __forceinline__ void store_each(unsigned rank, Result result) const {
#pragma unroll
    for (int i = 0; i < kItems; ++i) {
      if (is_element(rank + i)) {
        problem_.output[place(rank + i, 1)] = result(i);
      }
    }
  }

  // Stores vectors that begin `later` ranks behind the loaded vectors. If `later` is not 0, the warp's last vector is not
  // stored.
  __device__ __forceinline__ void store_vectors(const Slice<Out, kItems> (&vectors)[kRows], unsigned later) const {
    Slice<Out, kItems> part = vectors[0];
    unsigned part_rank = end_;
#pragma unroll
    for (int r = 0; r < kRows; ++r) {
      unsigned rank = rank_of_row(r) + later;
      if (Geometry::kMayShift && r == kRows - 1) {
        rank = lane_id() < 31 || later == 0 ? rank : end_;
        asm volatile("" : "+r"(rank));  // or the compiler would have the last lane store all its rows separately
      }
      if (is_whole(rank)) {
        vectors[r].store(&problem_.output[place(rank, kItems)]);
      } else if (r == 0 && rank < end_) {
        store_part(vectors[r], rank);
      } else if (rank < end_) {
        part = vectors[r];
        part_rank = rank;
      }
    }
    if (kRows > 1 && part_rank < end_) {
      store_part(part, part_rank);
    }
  }
  __device__ __forceinline__ void store_part(const Slice<Out, kItems> &part, unsigned rank) const {
    store_each(rank, [&](int i) { return part.get(place_in_vector(i)); });
  }

  // Shifts the vectors of results to the output's vectors that begin in them, and returns the shift in ranks. The rest of each
  // vector comes from the next lane, and for a row's last lane from the first lane of the next row. The last row is followed by
  // the first, so that the last lane gets both ends of the warp's results, and leaves them in `ends`.
  __device__ __forceinline__ unsigned shift(Slice<Out, kItems> (&vectors)[kRows], unsigned char *ends) const {
    const unsigned bytes = sizeof(Out) == 8 ? 8 : bytes_to_output_vector();
#pragma unroll
    for (int r = 0; r < kRows; ++r) {
      vectors[r] = vectors[r].turned(bytes);
    }
    const Slice<Out, kItems> first = vectors[0];
#pragma unroll
    for (int r = 0; r < kRows; ++r) {
      const auto sent = chosen(lane_id() == 0, r + 1 < kRows ? vectors[(r + 1) % kRows] : first, vectors[r]);
      vectors[r] = vectors[r].template joined_with_next<Problem::kBackward>(sent, bytes);
    }
    if (lane_id() == 31) {
      vectors[kRows - 1].store(ends);
    }
    __syncwarp();
    return (Problem::kBackward ? 16 - bytes : bytes) / static_cast<unsigned>(sizeof(Out));
  }
  // The distance in memory from the begin of an input's vector to the begin of an output's vector.
  __device__ __forceinline__ unsigned bytes_to_output_vector() const {
    const auto input = reinterpret_cast<std::uintptr_t>(problem_.input);
    return static_cast<unsigned>(input - reinterpret_cast<std::uintptr_t>(problem_.output)) % 16;
  }

  // Stores an element a lane: first the elements behind the warp's last whole vector, then the elements before its first whole
  // vector.
  __device__ __forceinline__ void store_ends(const unsigned char *ends, unsigned later) const {
    const unsigned lane = static_cast<unsigned>(lane_id());
    if (lane < kItems) {
      const unsigned warp_first = first_ - lane * kItems;
      const bool is_behind = lane + later < kItems;
      const unsigned rank = warp_first + lane + later + (is_behind ? (kRows * 32 - 1) * kItems : -kItems);
      if (is_element(rank)) {
        problem_.output[place(rank, 1)] = reinterpret_cast<const Out *>(ends)[place_in_vector(static_cast<int>(lane))];
      }
    }
  }

  const Problem &problem_;
  unsigned lead_, end_;  // the ranks of the elements
  unsigned first_;
};

}  // namespace upsweep::cuda::detail
