// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Launches a checked sort of segments: lists the segments of each class of lengths, and then launches a kernel for each class.
// The host does not wait for the lists, so kernels of empty classes are launched, too.
#pragma once

#include <upsweep/cuda/device/launch.cuh>
#include <upsweep/cuda/device/sort_launch.cuh>
#include <upsweep/cuda/device/sort_segments_block_kernel.cuh>
#include <upsweep/cuda/device/sort_segments_list_kernel.cuh>
#include <upsweep/cuda/device/sort_segments_long_kernel.cuh>
#include <upsweep/cuda/device/sort_segments_short_kernel.cuh>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

namespace upsweep::cuda::detail {

// The layout of the workspace for a sort of up to `segments` segments with `n` elements in all.
template <class Bits, class Value>
class SegmentsSpace {
  using Classes = SegmentClasses<Bits, true>;  // the shorter ones, for both
  static constexpr int kPlaces = most_places<Bits>;

public:
  SegmentsSpace(std::uint64_t n, std::uint64_t segments) {
    for (int c = 0; c < kSegmentClasses - 1; ++c) {
      lists_[c] = take(most_of(c, n, segments) * sizeof(std::uint32_t));
    }
    const std::uint64_t number = most_of(kSegmentClasses - 1, n, segments);
    if (number > 0) {
      const std::uint64_t tiles = n / fewest_tile_items<Bits, Value> + number;
      long_segments_ = take(number * sizeof(LongSegment));
      segment_of_tile_ = take(tiles * sizeof(std::uint32_t));
      counts_ = take(number * kPlaces * kDigits * sizeof(unsigned long long));
      for (auto &of_pass : rows_) {
        of_pass.spans = take(rows_bytes<std::uint64_t>(tiles, number, DigitRows::kSpan));
        of_pass.groups = take(rows_bytes<std::uint32_t>(tiles, number, DigitRows::kWide));
        of_pass.tiles = take(tiles * kDigits * sizeof(std::uint32_t));
      }
      keys_ = take(n * sizeof(Bits));
      values_ = take(std::is_same_v<Value, NoValue> ? 0 : n * sizeof(Value));
    }
  }

  // First come the counters, which are 0 before the call's kernels: long segments, segments of each other class, and tickets.
  static constexpr std::size_t kCountersBytes = 256, kClassesAt = 8, kTicketsAt = 128;
  static_assert(kClassesAt + 4 * (kSegmentClasses - 1) <= kTicketsAt && kTicketsAt + 4 * kPlaces <= kCountersBytes);
  std::size_t bytes() const { return bytes_; }

  static unsigned char *counters(unsigned char *space) { return space + kOwnDataAt; }
  static unsigned *tickets(unsigned char *space) { return reinterpret_cast<unsigned *>(counters(space) + kTicketsAt); }
  SegmentLists lists(unsigned char *space) const {
    SegmentLists all{};
    all.counts = reinterpret_cast<std::uint32_t *>(counters(space) + kClassesAt);
    all.long_and_tiles = reinterpret_cast<unsigned long long *>(counters(space));
    all.state = reinterpret_cast<ScanState *>(space);
    for (int c = 0; c < kSegmentClasses - 1; ++c) {
      all.lists[c] = reinterpret_cast<std::uint32_t *>(space + lists_[c]);
    }
    all.long_segments = reinterpret_cast<LongSegment *>(space + long_segments_);
    return all;
  }
  LongSegments long_segments(unsigned char *space, int places) const {
    const auto rows = [&](const Rows &at) {
      return DigitRows{reinterpret_cast<std::uint64_t *>(space + at.spans), reinterpret_cast<std::uint32_t *>(space + at.tiles),
                       reinterpret_cast<std::uint32_t *>(space + at.groups)};
    };
    return {reinterpret_cast<const unsigned long long *>(counters(space)),
            reinterpret_cast<const LongSegment *>(space + long_segments_),
            reinterpret_cast<std::uint32_t *>(space + segment_of_tile_),
            reinterpret_cast<unsigned long long *>(space + counts_),
            places,
            {rows(rows_[0]), rows(rows_[1])}};
  }
  Bits *keys(unsigned char *space) const { return reinterpret_cast<Bits *>(space + keys_); }
  Value *values(unsigned char *space) const { return reinterpret_cast<Value *>(space + values_); }

  // The most segments of a class.
  static std::uint64_t most_of(int of_class, std::uint64_t n, std::uint64_t segments) {
    const std::uint64_t shortest = of_class == 0 ? 1 : Classes::most(of_class - 1) + 1;
    return std::min(segments, n / shortest);
  }

private:
  struct Rows {
    std::size_t spans, groups, tiles;
  };
  template <class Word>
  static std::size_t rows_bytes(std::uint64_t tiles, std::uint64_t number, int wide) {
    return LongSegments::rows_of(tiles, number, wide) * kDigits * sizeof(Word);
  }
  std::size_t take(std::size_t bytes) {
    const std::size_t at = bytes_;
    bytes_ += (bytes + 255) / 256 * 256;
    return at;
  }

  std::size_t bytes_ = kOwnDataAt + kCountersBytes;
  std::size_t lists_[kSegmentClasses - 1] = {};
  std::size_t long_segments_ = 0, segment_of_tile_ = 0, counts_ = 0, keys_ = 0, values_ = 0;
  Rows rows_[2] = {};
};

// The number of blocks: `needed`, within a limit for each multiprocessor.
inline unsigned blocks_of(std::uint64_t needed, std::uint64_t on_each, const DeviceLimits &limits) {
  return static_cast<unsigned>(std::clamp<std::uint64_t>(needed, 1, on_each * limits.multiprocessors));
}

// A launch that follows another launch of the same call, or of the caller.
template <class... Parameters, class... Arguments>
cudaError_t launch_behind(const DeviceLimits &limits, void (*kernel)(Parameters...), unsigned blocks, int threads,
                          std::size_t shared, cudaStream_t stream, const Arguments &...arguments) {
  return launch_with(limits.major >= 9 ? early() : cudaLaunchAttribute{}, kernel, blocks, threads, shared, stream,
                     arguments...);
}

template <class Problem, int kClass>
cudaError_t launch_short(const Problem &problem, const SegmentsOfClass &segments, std::uint64_t most,
                         const DeviceLimits &limits, cudaStream_t stream) {
  using Classes = SegmentClasses<typename Problem::Bits, Problem::kIsPlaced>;
  using Geometry = ShortGeometry<Problem, Classes::lanes(kClass), Classes::items(kClass)>;
  constexpr int kOfBlock = Geometry::kWarps * Geometry::kAtOnce;
  return launch_behind(limits, sort_short_segments_kernel<Problem, Geometry>,
                       blocks_of((most + kOfBlock - 1) / kOfBlock, 32, limits), kShortThreads, 0, stream, problem, segments);
}
template <class Problem, int kThreads, int kItems>
cudaError_t launch_blocks(const Problem &problem, const SegmentsOfClass &segments, std::uint64_t most,
                          const DeviceLimits &limits, cudaStream_t stream) {
  using Geometry = BlockSegmentGeometry<Problem, kThreads, kItems>;
  const auto kernel = sort_block_segments_kernel<Problem, Geometry>;
  const cudaError_t error = allow_shared_memory<std::pair<Problem, Geometry>>(kernel, limits);
  return error != cudaSuccess ? error
                              : launch_behind(limits, kernel, blocks_of(most, 2048 / kThreads, limits), kThreads,
                                              sizeof(typename Geometry::Shared), stream, problem, segments);
}

// The segments of one class but the last.
template <class Problem, int kClass = 0>
cudaError_t launch_class(int of_class, const Problem &problem, const SegmentsOfClass &segments, std::uint64_t most,
                         const DeviceLimits &limits, cudaStream_t stream) {
  using Classes = SegmentClasses<typename Problem::Bits, Problem::kIsPlaced>;
  if constexpr (kClass < kNetworkClasses) {
    if (of_class > kClass) {
      return launch_class<Problem, kClass + 1>(of_class, problem, segments, most, limits, stream);
    }
    if constexpr (kClass == 0 || Classes::most(kClass) > Classes::most(kClass > 0 ? kClass - 1 : 0)) {
      return launch_short<Problem, kClass>(problem, segments, most, limits, stream);
    }
    return cudaSuccess;  // the class has no segments
  } else if (of_class == kNetworkClasses) {
    return launch_blocks<Problem, Classes::kSmallThreads, Classes::kSmallItems>(problem, segments, most, limits, stream);
  } else {
    return launch_blocks<Problem, Classes::kLargeThreads, Classes::kLargeItems>(problem, segments, most, limits, stream);
  }
}

// The passes over long segments. `arrays` as for a sort of a whole array.
template <class Problem, class Pass, class Geometry>
cudaError_t launch_long(const Problem &problem, const LongSegments &all, unsigned *tickets,
                        const SortArrays<typename Problem::Bits, typename Problem::Value> &arrays, std::uint64_t most,
                        const DeviceLimits &limits, cudaStream_t stream) {
  constexpr unsigned kTile = Geometry::kTileItems;
  const int places = problem.bits.places;
  cudaError_t error =
      launch_behind(limits, prepare_long_segments_kernel<kDigits>, blocks_of(most, 8, limits), kDigits, 0, stream, all, kTile);
  if (error == cudaSuccess) {
    error = launch_behind(limits, count_long_segments_kernel<Problem, most_places<typename Problem::Bits>>,
                          blocks_of(~0u, 4, limits), kCountingLongThreads, 0, stream, problem, all, kTile);
  }
  const auto kernel = sort_long_segments_kernel<Pass, Geometry>;
  if (error == cudaSuccess) {
    error = allow_shared_memory<std::pair<LongSegments, std::pair<Pass, Geometry>>>(kernel, limits);
  }
  bool from_other = false;
  for (int i = 0; i < places && error == cudaSuccess; ++i) {
    const bool to_other = (places - 1 - i) % 2 == 1;
    Pass pass{};
    pass.keys_in = i == 0 ? arrays.keys_in : from_other ? arrays.keys_other : arrays.keys_out;
    pass.keys_out = to_other ? arrays.keys_other : arrays.keys_out;
    pass.values_in = i == 0 ? arrays.values_in : from_other ? arrays.values_other : arrays.values_out;
    pass.values_out = to_other ? arrays.values_other : arrays.values_out;
    pass.place = problem.bits.place(i);
    pass.is_first = i == 0;
    pass.is_last = i == places - 1;
    pass.ticket = tickets + i;
    error = launch_behind(limits, kernel, blocks_of(~0u, Geometry::kBlocks, limits), Geometry::kThreads,
                          sizeof(LongShared<Pass, Geometry>), stream, pass, all, i);
    from_other = to_other;
  }
  return error;
}

// All segments of `problem`, which have at most `n` elements. `bits` has an even number of places if the arrays are sorted in
// place. Offset: unsigned integer for the places in a segment.
template <class Offset, class Problem>
cudaError_t launch_segments(unsigned char *space, const Problem &problem, std::uint64_t n, std::uint64_t segments,
                            cudaStream_t stream) {
  using Bits = typename Problem::Bits;
  using Value = typename Problem::Value;
  using Space = SegmentsSpace<Bits, Value>;
  using Pass = SortPassProblem<typename Problem::Order, Value, Offset>;
  DeviceLimits limits;
  cudaError_t error = DeviceLimits::of_current(limits);
  if (error == cudaSuccess) {
    error = cudaMemsetAsync(Space::counters(space), 0, Space::kCountersBytes, stream);
  }
  if (error != cudaSuccess) {
    return error;
  }
  const Space layout(n, segments);
  const SegmentLists lists = layout.lists(space);
  return with_sort_geometry<Pass>(limits, [&](auto geometry) {
    using Geometry = decltype(geometry);
    constexpr std::uint64_t kTile = Geometry::kTileItems;
    constexpr std::uint64_t kListed = kListingThreads * kListingItems;
    cudaError_t launched = launch(list_segments_kernel<Problem>, blocks_of((segments + kListed - 1) / kListed, 8, limits),
                                  kListingThreads, 0, stream, problem, lists, kTile);
    for (int c = 0; c < kSegmentClasses - 1 && launched == cudaSuccess; ++c) {
      const std::uint64_t most = Space::most_of(c, n, segments);
      if (most > 0) {
        launched = launch_class(c, problem, {lists.lists[c], lists.counts + c}, most, limits, stream);
      }
    }
    const std::uint64_t most_long = Space::most_of(kSegmentClasses - 1, n, segments);
    if (launched == cudaSuccess && most_long > 0) {
      const SortArrays<Bits, Value> arrays{problem.keys_in,   problem.keys_out,   layout.keys(space),
                                           problem.values_in, problem.values_out, layout.values(space)};
      launched = launch_long<Problem, Pass, Geometry>(problem, layout.long_segments(space, problem.bits.places),
                                                      Space::tickets(space), arrays, most_long, limits, stream);
    }
    return launched;
  });
}

template <class Problem>
cudaError_t launch_segments(unsigned char *space, const Problem &problem, std::uint64_t n, std::uint64_t segments,
                            cudaStream_t stream) {
  return n >> 32 == 0 ? launch_segments<std::uint32_t>(space, problem, n, segments, stream)
                      : launch_segments<unsigned long long>(space, problem, n, segments, stream);
}

// Rows of a length that a warp or a block sorts need no lists.
template <class Problem>
cudaError_t launch_short_rows(const Problem &problem, std::uint64_t length, std::uint64_t rows, cudaStream_t stream) {
  DeviceLimits limits;
  const cudaError_t error = DeviceLimits::of_current(limits);
  return error != cudaSuccess ? error
                              : launch_class(SegmentClasses<typename Problem::Bits, Problem::kIsPlaced>::of(length), problem,
                                             {nullptr, nullptr}, rows, limits, stream);
}

}  // namespace upsweep::cuda::detail
