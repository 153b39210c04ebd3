// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reductions of segments in shares of equal work: a share's first and last segment may be open, and are joined afterwards.
// Decreasing offsets divide shares at arbitrary places, which are moved until the shares follow each other.
// Source: Merrill and Garland 2016, "Merge-based Parallel Sparse Matrix-Vector Multiplication".
#pragma once

#include <upsweep/cpu/detail/arguments.h>
#include <upsweep/cpu/detail/chunks.h>
#include <upsweep/cpu/detail/kernels.h>

#include <vector>

namespace upsweep::cpu::detail {

// A negative offset counts as 0.
template <class Offset>
std::uint64_t offset_of(const Offset &offset) {
  if constexpr (is_signed<Offset>) {
    return static_cast<std::uint64_t>(offset < 0 ? Offset(0) : offset);
  } else {
    return static_cast<std::uint64_t>(offset);
  }
}

// The begins of segments: offsets, or multiples of a length.
template <class Offset>
struct OffsetsAt {
  const Offset *offsets;
  std::uint64_t operator[](std::uint64_t segment) const { return offset_of(offsets[segment]); }
};
struct OffsetsOfRows {
  std::uint64_t length;
  std::uint64_t operator[](std::uint64_t row) const { return row * length; }
};

// A place on the path through all segments' ends and all elements.
struct SegmentPlace {
  std::uint64_t segment, element;
};

// The place behind `steps` steps. A step is an element, or a segment's end, which follows its elements.
template <class Offsets>
SegmentPlace place_behind(const Offsets &offsets, std::uint64_t segments, std::uint64_t steps) {
  const std::uint64_t begin = offsets[0];
  std::uint64_t low = 0, high = std::min(steps, segments);
  while (low < high) {  // the number of segments whose end is at most `steps` steps from the begin
    const std::uint64_t middle = low + (high - low) / 2;
    if (offsets[middle + 1] - begin + middle + 1 <= steps) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return {low, begin + steps - low};
}

// Where each share begins, and the last one ends.
template <class Offsets, class Executor>
std::vector<SegmentPlace> places_of_shares(const Offsets &offsets, const SegmentPlace &first, const SegmentPlace &last,
                                           const Chunks &chunks, Executor &executor) {
  constexpr std::uint64_t kPlacesOfPiece = 64;  // so that few shares wake no other thread to find their places
  const std::uint64_t count = chunks.count();
  std::vector<SegmentPlace> places(count + 1, first);
  for_each_piece(executor, (count + kPlacesOfPiece - 1) / kPlacesOfPiece, [&](std::uint64_t piece) {
    for (std::uint64_t i = piece * kPlacesOfPiece; i < std::min(count, (piece + 1) * kPlacesOfPiece); ++i) {
      places[i] = place_behind(offsets, last.segment, chunks.begin(i));
    }
  });
  places[count] = last;
  for (std::uint64_t i = 1; i < count; ++i) {
    places[i].segment = std::clamp(places[i].segment, places[i - 1].segment, last.segment);
    places[i].element = std::clamp(places[i].element, places[i - 1].element, last.element);
  }
  return places;
}

// job.reduce(begin, end) is the total of elements; finish(total, segment) goes to out[segment].
template <class Out, class Offsets, class Job, class Finish, class Executor>
void reduce_in_shares(const Job &job, Out out, const Offsets &offsets, std::uint64_t segments, std::size_t element_bytes,
                      const Finish &finish, Executor &given) {
  auto &executor = executor_for<Out>(given);
  using Total = typename Job::Total;
  struct Share {
    SegmentPlace begin, end;
    Total first, last;  // of the segment open at the begin, if it ends here, and of the segment open at the end
  };
  if (segments == 0) {
    return;
  }
  const SegmentPlace first{0, offsets[0]}, last{segments, std::max(first.element, std::uint64_t(offsets[segments]))};
  const Chunks chunks(last.element - first.element + segments, element_bytes);
  const std::vector<SegmentPlace> places = places_of_shares(offsets, first, last, chunks, executor);
  std::vector<Share> shares(chunks.count());
  for_each_piece(executor, chunks.count(), [&](std::uint64_t chunk) {
    Share &share = shares[chunk];
    share.begin = places[chunk];
    share.end = places[chunk + 1];
    const SegmentPlace share_end = share.end;  // which is not read again behind each result
    std::uint64_t element = share.begin.element;
    for (std::uint64_t segment = share.begin.segment; segment < share_end.segment; ++segment) {
      const std::uint64_t offset = offsets[segment + 1], bounded = offset < share_end.element ? offset : share_end.element;
      const std::uint64_t end = bounded > element ? bounded : element;
      const Total total = job.reduce(element, end);
      if (segment == share.begin.segment) {
        share.first = total;
      } else {
        out[static_cast<std::ptrdiff_t>(segment)] = finish(total, segment);
      }
      element = end;
    }
    share.last = job.reduce(element, share.end.element);
  });
  Total open = job.kernel.nothing();
  for (const Share &share : shares) {
    if (share.begin.segment < share.end.segment) {
      out[static_cast<std::ptrdiff_t>(share.begin.segment)] =
          finish(job.kernel.combine(open, share.first), share.begin.segment);
      open = share.last;
    } else {
      open = job.kernel.combine(open, share.last);
    }
  }
}

}  // namespace upsweep::cpu::detail
