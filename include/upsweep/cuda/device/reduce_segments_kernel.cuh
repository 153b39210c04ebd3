// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The kernel of reductions of segments: warps have equal shares of the elements, for any segments, and process them in tiles. A
// tile inside one segment is added up. In other tiles each lane adds up its neighbouring elements from one segment's end to the
// next. The last block joins the totals that are open between shares.
#pragma once

#include <upsweep/cuda/device/offsets.cuh>
#include <upsweep/cuda/device/reduce_kernel.cuh>
#include <upsweep/cuda/device/tuning_segmented_reduce.cuh>

#include <cstdint>

namespace upsweep::cuda::detail {

inline constexpr int kSegmentWarps = TunedSegmentedReduce::kThreads / 32;
inline constexpr int kShares = TunedSegmentedReduce::kBlocks * kSegmentWarps;

// The total of some elements, since the last end of a segment among them. Flags of one word travel in a register.
template <class T>
struct OpenTotal {
  T value;
  unsigned flags;

  __device__ __forceinline__ static OpenTotal of(const T &value, bool has_value, bool has_end) {
    return {value, (has_value ? 1u : 0u) | (has_end ? 2u : 0u)};
  }
  __device__ __forceinline__ bool has_value() const { return (flags & 1) != 0; }
  __device__ __forceinline__ bool has_end() const { return (flags & 2) != 0; }
};
template <class T, class Op>
__device__ __forceinline__ OpenTotal<T> joined(const OpenTotal<T> &left, const OpenTotal<T> &right, Op op) {
  OpenTotal<T> both = right;
  if (!right.has_end() && left.has_value()) {
    both.value = left.value;
    if (right.has_value()) {
      both.value = op(left.value, right.value);
    }
    both.flags |= 1;
  }
  both.flags |= left.flags & 2;
  return both;
}

// The total of the first segment that ends in a share, without the elements before the share.
template <class T>
struct FirstTotal {
  T value;
  unsigned is_any;
  std::uint64_t segment;
};

// T          the operands of the operator
// Transform  makes a T of an element, or of an element and its index
// Finish     finish(total, is_empty, begin) makes the result of a segment that begins at element `begin`
template <class T_, class Input_, class Output_, class Op_, class Transform_, class Offsets_, class Finish_>
struct ReduceSegmentsProblem {
  using Transform = Transform_;
  using T = T_;
  using Input = Input_;
  using Op = Op_;
  using In = std::remove_cv_t<typename std::iterator_traits<Input>::value_type>;
  static constexpr bool kIsPlain = std::is_same_v<Transform, Unchanged>;

  Input input;
  Output_ output;
  Offsets_ offsets;
  Later<std::uint64_t> segments;
  Op op;
  Transform_ transform;
  Finish_ finish;
  ScanState *state;
  TileWord<OpenTotal<T>> *opens;    // one for each share
  TileWord<FirstTotal<T>> *firsts;  // the same

  __device__ __forceinline__ T operand(const In &element, std::uint64_t index) const {
    if constexpr (std::is_invocable_v<Transform_, In, std::uint64_t>) {
      return transform(element, index);
    } else {
      return transform(element);
    }
  }
  __device__ __forceinline__ void store(std::uint64_t segment, const T &total) const {
    output[segment] = finish(total, false, offsets(segment));
  }
  __device__ __forceinline__ void store_empty(std::uint64_t segment) const {
    output[segment] = finish(T{}, true, offsets(segment));
  }
};

// kVectors  lanes load whole vectors
template <class Problem, bool kVectors_>
struct SegmentsGeometry {
  using In = typename Problem::In;
  static constexpr bool kVectors = kVectors_;
  static constexpr int kItems = TunedSegmentedReduce::kItems / (sizeof(In) <= 4    ? 1
                                                                : sizeof(In) <= 8  ? 2
                                                                : sizeof(In) <= 16 ? 4
                                                                                   : 8);
  static constexpr int kTileItems = 32 * kItems;
  // The ends of a lane's elements are whole vectors. The distance to the next lane's vectors keeps eight lanes in different
  // banks.
  static constexpr int kEndsOfLane = kItems >= 4 ? kItems + 4 : kItems;
  using Ends = std::uint32_t[32 * kEndsOfLane];
};

// All elements, and their tiles, which begin with the vector that contains the first element.
template <class Problem, class Geometry>
struct SegmentTiles {
  std::uint64_t segments, begin, end;  // elements
  std::uint64_t origin;                // element 0 of tile 0; may be "below 0"
  std::uint64_t each;                  // tiles of a share
  std::uint64_t tiles;

  __device__ __forceinline__ explicit SegmentTiles(const Problem &problem)
      : segments(problem.segments.get()), begin(0), end(0) {
    if (segments > 0) {
      begin = problem.offsets(0);
      end = problem.offsets(segments);
    }
    origin = begin;
    if constexpr (Geometry::kVectors) {
      origin -= reinterpret_cast<std::uintptr_t>(problem.input + begin) % 16 / sizeof(typename Problem::In);
    }
    tiles = (end - origin + Geometry::kTileItems - 1) / Geometry::kTileItems;
    each = (tiles + kShares - 1) / kShares;
  }
  // The number of shares with tiles; the first share also has the segments without elements.
  __device__ __forceinline__ std::uint64_t shares() const {
    return tiles == 0 ? (segments > 0 ? 1 : 0) : (tiles + each - 1) / each;
  }
};

template <class Problem, class Geometry>
class ShareOfSegments {
  using T = typename Problem::T;
  using In = typename Problem::In;
  static constexpr int kItems = Geometry::kItems;
  static constexpr std::uint64_t kNever = ~std::uint64_t(0);

public:
  __device__ __forceinline__ ShareOfSegments(const Problem &problem, const SegmentTiles<Problem, Geometry> &all,
                                             std::uint64_t share, std::uint32_t *ends)
      : problem_(problem), all_(all), ends_(ends), tile_(share * all.each), last_tile_(min(tile_ + all.each, all.tiles)) {
    if (share > 0) {
      // Positions are counted from the origin. So they are never below 0, although the origin may be.
      window_ = first_end_after(tile_ * Geometry::kTileItems);
    }
    end_before_ = window_ < all_.segments ? problem_.offsets(window_) - all_.origin : 0;
    lane_end_ = end_of(window_ + lane_id());
    lane_end_after_ = end_of(window_ + 32 + lane_id());
    clear_ends();
  }

  __device__ __forceinline__ void run() {
    Slice<In, kItems> now, next;
    load(now, tile_);
    if (tile_ >= last_tile_) {
      mark_ends(0);  // only segments without elements
    }
    for (; tile_ < last_tile_; ++tile_) {
      load(next, tile_ + 1);
      const std::uint64_t tile_end = (tile_ + 1) * Geometry::kTileItems;
      const std::uint64_t first_end = shuffle_from(lane_end_, cursor_);
      if (first_end > tile_end && (tile_ > 0 || all_.origin == all_.begin)) {
        add_inside(now);
      } else {
        const std::uint64_t first_segment = window_ + cursor_;
        mark_ends(tile_end);
        add_with_ends(now, first_segment);
      }
      now = next;
    }
  }

  __device__ __forceinline__ const OpenTotal<T> &open() const { return open_; }
  // The first total is in one lane, or in none.
  __device__ __forceinline__ const FirstTotal<T> &first() const { return first_; }

private:
  __device__ __forceinline__ std::uint64_t end_of(std::uint64_t segment) const {
    return segment < all_.segments ? problem_.offsets(segment + 1) - all_.origin : kNever;
  }
  // The first segment that ends behind a position: a step looks at 32 of them.
  __device__ __forceinline__ std::uint64_t first_end_after(std::uint64_t position) const {
    std::uint64_t low = 0, high = all_.segments;  // it is at least `low` and at most `high`
    while (low < high) {
      const std::uint64_t step = (high - low + 31) / 32;
      const std::uint64_t at = low + static_cast<std::uint64_t>(lane_id()) * step;
      const bool is_before = at < high && end_of(at) <= position;
      const int before = __popc(__ballot_sync(kAllLanes, is_before));
      if (before == 0) {
        return low;
      }
      high = min(high, low + before * step);
      low += (before - 1) * step + 1;
    }
    return low;
  }

  __device__ __forceinline__ void clear_ends() {
#pragma unroll
    for (int i = 0; i < Geometry::kEndsOfLane; ++i) {
      ends_[i * 32 + lane_id()] = 0;
    }
    __syncwarp();
  }

  // Marks the elements that end segments, in the tile that ends at a position: 1 + the segment's number from the first on. The
  // results of segments without elements are known here.
  __device__ __forceinline__ void mark_ends(std::uint64_t tile_end) {
    const std::uint64_t first_segment = window_ + cursor_;
    for (;;) {
      const bool is_here = lane_id() >= cursor_ && lane_end_ <= tile_end;
      const std::uint64_t lower_end = shuffle_up(lane_end_, 1);
      if (is_here) {
        const std::uint64_t segment = window_ + lane_id();
        if (lane_end_ == (lane_id() == 0 ? end_before_ : lower_end)) {
          problem_.store_empty(segment);
        } else {
          const int place = static_cast<int>(lane_end_ - 1 - (tile_end - Geometry::kTileItems));
          ends_[place / kItems * Geometry::kEndsOfLane + place % kItems] =
              static_cast<std::uint32_t>(segment - first_segment + 1);
        }
      }
      cursor_ += __popc(__ballot_sync(kAllLanes, is_here));
      if (cursor_ < 32) {
        break;
      }
      // The ends of the next 32 segments were loaded ahead; further loads follow.
      cursor_ = 0;
      window_ += 32;
      end_before_ = shuffle_from(lane_end_, 31);
      lane_end_ = lane_end_after_;
      lane_end_after_ = end_of(window_ + 32 + lane_id());
    }
    __syncwarp();
  }

  __device__ __forceinline__ std::uint64_t index_of(std::uint64_t tile) const {
    return all_.origin + tile * Geometry::kTileItems + lane_id() * kItems;
  }

  // Loads no element outside the array.
  __device__ __forceinline__ void load(Slice<In, kItems> &slice, std::uint64_t tile) const {
    if (tile >= last_tile_) {
      return;
    }
    const std::uint64_t first = index_of(tile);
    const bool is_whole =
        (tile > 0 || all_.origin == all_.begin) && all_.origin + (tile + 1) * Geometry::kTileItems <= all_.end;
    if constexpr (Geometry::kVectors) {
      if (is_whole) {
        slice.load(problem_.input + first);
        return;
      }
    }
    const int low = items_before(all_.begin, first), high = items_before(all_.end, first);
#pragma unroll
    for (int i = 0; i < kItems; ++i) {
      if (i >= low && i < high) {
        slice.put(i, problem_.input[first + i]);
      }
    }
  }
  // The number of places from index `first` on before the first element, or before the end. `first` may be below 0.
  __device__ __forceinline__ int items_before(std::uint64_t place, std::uint64_t first) const {
    const auto items = static_cast<std::int64_t>(place - first);
    return static_cast<int>(max(std::int64_t(0), min(items, std::int64_t(kItems))));
  }

  __device__ __forceinline__ void add_inside(const Slice<In, kItems> &slice) {
    const T total = warp_total<32>(total_of_slice(problem_, slice, index_of(tile_)), problem_.op, 32);
    open_.value = combined(open_.has_value(), open_.value, total, problem_.op);
    open_.flags |= 1;
  }

  // The ends of segments among the lane's elements, which are cleared for the next tile.
  __device__ __forceinline__ void take_ends(std::uint32_t (&ends)[kItems]) {
    std::uint32_t *const own = ends_ + lane_id() * Geometry::kEndsOfLane;
    if constexpr (kItems >= 4) {
#pragma unroll
      for (int v = 0; v < kItems / 4; ++v) {
        auto *const vector = reinterpret_cast<uint4 *>(own) + v;
        const uint4 four = *vector;
        *vector = make_uint4(0, 0, 0, 0);
        ends[4 * v] = four.x;
        ends[4 * v + 1] = four.y;
        ends[4 * v + 2] = four.z;
        ends[4 * v + 3] = four.w;
      }
    } else {
#pragma unroll
      for (int i = 0; i < kItems; ++i) {
        ends[i] = own[i];
        own[i] = 0;
      }
    }
  }

  __device__ __forceinline__ void add_with_ends(const Slice<In, kItems> &slice, std::uint64_t first_segment) {
    std::uint32_t ends[kItems];
    take_ends(ends);
    __syncwarp();
    const std::uint64_t first = index_of(tile_);
    const int low = items_before(all_.begin, first), high = items_before(all_.end, first);
    T total{}, until_end{};  // `until` is the first end of the lane
    std::uint32_t until = 0;
    bool has_total = false;
#pragma unroll
    for (int i = 0; i < kItems; ++i) {
      if (i >= low && i < high) {
        total = combined(has_total, total, problem_.operand(slice.get(i), first + i), problem_.op);
        has_total = true;
      }
      if (ends[i] != 0) {
        if (until == 0) {
          until = ends[i];
          until_end = total;
        } else {
          problem_.store(first_segment + ends[i] - 1, total);
        }
        has_total = false;
      }
    }
    // The total before the lane: the open total before the tile, then the earlier lanes' totals. Lanes whose last element ends
    // a segment have nothing open, and lanes without elements are before or behind all others.
    const int lane = lane_id();
    const unsigned with_total = __ballot_sync(kAllLanes, has_total), with_end = __ballot_sync(kAllLanes, until != 0);
    const unsigned up_to_lane = (2u << lane) - 1;
    const unsigned breaks = (with_end & with_total) | ~with_total << 1;  // the first lanes of open totals
    const int first_lane = 31 - __clz(static_cast<int>((breaks & up_to_lane) | 1u));
    T open = total;
#pragma unroll
    for (int distance = 1; distance < 32; distance *= 2) {
      const T lower = shuffle_up(open, distance);
      if (lane - distance >= first_lane) {
        open = problem_.op(lower, open);
      }
    }
    const auto open_until = [&](const T &value, int last_lane) {
      return OpenTotal<T>::of(value, (with_total >> last_lane & 1) != 0, (with_end & ((2u << last_lane) - 1)) != 0);
    };
    const T lower = shuffle_up(open, 1);
    const OpenTotal<T> before = lane == 0 ? open_ : joined(open_, open_until(lower, lane - 1), problem_.op);
    if (until != 0) {
      const T whole = combined(before.has_value(), before.value, until_end, problem_.op);
      if (before.has_end()) {
        problem_.store(first_segment + until - 1, whole);
      } else {
        first_ = {whole, 1, first_segment + until - 1};
      }
    }
    open_ = joined(open_, open_until(shuffle_from(open, 31), 31), problem_.op);
  }

  const Problem &problem_;
  const SegmentTiles<Problem, Geometry> &all_;
  std::uint32_t *ends_;
  std::uint64_t tile_, last_tile_;
  // The first of the 32 segments whose ends the lanes hold; `cursor_` of them have ended already.
  std::uint64_t window_ = 0;
  int cursor_ = 0;
  std::uint64_t lane_end_ = 0;        // from the origin on
  std::uint64_t lane_end_after_ = 0;  // of the next 32
  std::uint64_t end_before_ = 0;      // of the segment before the window
  OpenTotal<T> open_{};
  FirstTotal<T> first_{};
};

// Called by the last block: adds the total that is open at the end of each share to the segment that ends first in a later
// share.
template <class Problem>
__device__ __forceinline__ void join_shares(const Problem &problem, int shares, OpenTotal<typename Problem::T> *of_warps) {
  using T = typename Problem::T;
  constexpr int kJoinedAtOnce = sizeof(T) <= 16 ? 4 : 1;  // shares whose words are in flight
  const int each = (shares + TunedSegmentedReduce::kThreads - 1) / TunedSegmentedReduce::kThreads;
  const int first = static_cast<int>(threadIdx.x) * each, end = min(first + each, shares);
  OpenTotal<T> open{};
  for (int i = first; i < end; i += kJoinedAtOnce) {
    TileWord<OpenTotal<T>> opens[kJoinedAtOnce];
#pragma unroll
    for (int j = 0; j < kJoinedAtOnce; ++j) {
      opens[j] = problem.opens[min(i + j, end - 1)].load();
    }
#pragma unroll
    for (int j = 0; j < kJoinedAtOnce; ++j) {
      if (i + j < end) {
        open = joined(open, opens[j].value(), problem.op);
      }
    }
  }
  const int lane = lane_id(), warp = static_cast<int>(threadIdx.x) / 32;
#pragma unroll
  for (int distance = 1; distance < 32; distance *= 2) {
    const OpenTotal<T> lower = shuffle_up(open, distance);
    if (lane >= distance) {
      open = joined(lower, open, problem.op);
    }
  }
  if (lane == 31) {
    of_warps[warp] = open;
  }
  __syncthreads();
  OpenTotal<T> before{};
  for (int w = 0; w < warp; ++w) {
    before = joined(before, of_warps[w], problem.op);
  }
  const OpenTotal<T> of_lanes = shuffle_up(open, 1);
  if (lane > 0) {
    before = joined(before, of_lanes, problem.op);
  }
  for (int i = first; i < end; i += kJoinedAtOnce) {
    TileWord<OpenTotal<T>> opens[kJoinedAtOnce];
    TileWord<FirstTotal<T>> firsts[kJoinedAtOnce];
#pragma unroll
    for (int j = 0; j < kJoinedAtOnce; ++j) {
      opens[j] = problem.opens[min(i + j, end - 1)].load();
      firsts[j] = problem.firsts[min(i + j, end - 1)].load();
    }
#pragma unroll
    for (int j = 0; j < kJoinedAtOnce; ++j) {
      if (i + j < end) {
        const FirstTotal<T> total = firsts[j].value();
        if (total.is_any != 0) {
          problem.store(total.segment, combined(before.has_value(), before.value, total.value, problem.op));
        }
        before = joined(before, opens[j].value(), problem.op);
      }
    }
  }
}

template <class Problem, class Geometry>
__global__ void __launch_bounds__(TunedSegmentedReduce::kThreads, sizeof(typename Problem::T) <= 16 ? 3 : 1)
    reduce_segments_kernel(const __grid_constant__ Problem problem) {
  using T = typename Problem::T;
  constexpr std::uint32_t kNoTag = 0x80000000u;  // of no call
  __shared__ __align__(16) typename Geometry::Ends ends[kSegmentWarps];
  __shared__ __align__(16) unsigned char of_warps[kSegmentWarps * sizeof(OpenTotal<T>)];
  __shared__ bool is_last;
  const int warp = static_cast<int>(threadIdx.x) / 32;
  const int share = static_cast<int>(blockIdx.x) * kSegmentWarps + warp;
  const SegmentTiles<Problem, Geometry> all(problem);
  const auto shares = static_cast<int>(all.shares());
  if (share < shares) {
    ShareOfSegments<Problem, Geometry> own(problem, all, share, ends[warp]);
    own.run();
    // At most one lane has the first total.
    const unsigned holders = __ballot_sync(kAllLanes, own.first().is_any != 0);
    const FirstTotal<T> first = shuffle_from(own.first(), holders == 0 ? 0 : __ffs(static_cast<int>(holders)) - 1);
    if (lane_id() == 0) {
      problem.firsts[share].publish(first, kNoTag);
      problem.opens[share].publish(own.open(), kNoTag);
    }
  }
  __syncthreads();
  if (threadIdx.x == 0) {
    const volatile unsigned long long &state = problem.state->call_and_ticket;
    check_workspace(problem.state, static_cast<std::uint32_t>(state >> 32));
    __threadfence();
    is_last = atomicInc(&problem.state->blocks_finished, gridDim.x - 1) == gridDim.x - 1;
    __threadfence();
  }
  __syncthreads();
  if (is_last && shares > 0) {
    join_shares(problem, shares, reinterpret_cast<OpenTotal<T> *>(of_warps));
  }
}

}  // namespace upsweep::cuda::detail
