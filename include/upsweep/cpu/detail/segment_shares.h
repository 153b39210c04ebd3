// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reductions of segments in shares of equal work: a share's first and last segment may be open, and are joined afterwards.
//
// Source: Merrill and Garland 2016, "Merge-based Parallel Sparse Matrix-Vector Multiplication".
#pragma once

#include <upsweep/cpu/detail/chunks.h>
#include <upsweep/cpu/detail/kernels.h>

#include <vector>

namespace upsweep::cpu::detail {

// Where segments begin: at offsets, or at multiples of a length.
template <class Offset>
struct OffsetsAt {
  const Offset *offsets;
  std::uint64_t operator[](std::uint64_t segment) const { return static_cast<std::uint64_t>(offsets[segment]); }
};
struct OffsetsOfRows {
  std::uint64_t length;
  std::uint64_t operator[](std::uint64_t row) const { return row * length; }
};

// A place on the way through all segments' ends and all elements.
struct SegmentPlace {
  std::uint64_t segment, element;
};

// The place behind `steps` steps, each of an element or of a segment's end, which comes as soon as its elements are over.
template <class Offsets>
SegmentPlace place_behind(const Offsets &offsets, std::uint64_t segments, std::uint64_t steps) {
  const std::uint64_t begin = offsets[0];
  std::uint64_t low = 0, high = std::min(steps, segments);
  while (low < high) {  // the number of segments whose end is at most as many steps from the begin
    const std::uint64_t middle = low + (high - low) / 2;
    if (offsets[middle + 1] - begin + middle + 1 <= steps) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return {low, begin + steps - low};
}

// job.reduce(begin, end) is the total of elements; finish(total, segment) goes to out[segment].
template <class Out, class Offsets, class Job, class Finish, class Executor>
void reduce_in_shares(const Job &job, Out out, const Offsets &offsets, std::uint64_t segments, std::size_t element_bytes,
                      const Finish &finish, Executor &executor) {
  using Total = typename Job::Total;
  struct Share {
    SegmentPlace begin, end;
    Total first, last;  // of the segment that is open at the begin, if it ends here, and of the one that is open at the end
  };
  if (segments == 0) {
    return;
  }
  const std::uint64_t steps = offsets[segments] - offsets[0] + segments;
  const Chunks chunks(steps, element_bytes);
  std::vector<Share> shares(chunks.count());
  for_each_piece(executor, chunks.count(), [&](std::uint64_t chunk) {
    Share &share = shares[chunk];
    share.begin = place_behind(offsets, segments, chunks.begin(chunk));
    share.end = place_behind(offsets, segments, chunks.end(chunk));
    std::uint64_t element = share.begin.element;
    for (std::uint64_t segment = share.begin.segment; segment < share.end.segment; ++segment) {
      const std::uint64_t end = offsets[segment + 1];
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
