// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The shared memory of a compaction's pipeline. A warp takes rows of 32 neighbouring elements, one a lane, so that one ballot
// selects a row's elements, which are adjacent before and after.
#pragma once

#include <upsweep/cuda/device/compact_problem.cuh>
#include <upsweep/cuda/device/pipeline_stages.cuh>

#include <algorithm>

namespace upsweep::cuda::detail {

// Rows of a warp whose elements are in registers together.
constexpr int rows_in_registers(std::size_t bytes) { return bytes <= 8 ? 8 : bytes <= 16 ? 4 : bytes <= 32 ? 2 : 1; }
// The number of a warp's rows, which have `together` bytes in total.
constexpr int rows_of_warp(std::size_t bytes, int together) {
  const int at_once = rows_in_registers(bytes);
  return std::max(together / 32 / static_cast<int>(bytes) / at_once, 1) * at_once;
}

struct alignas(8) CompactRow {
  std::uint32_t kept;    // bit i: the element of lane i
  std::uint32_t before;  // kept elements of the warp's earlier rows
};
// The same of elements that go to the second of three outputs.
struct alignas(16) CompactRowOfThree {
  std::uint32_t kept, before, second, second_before;
};

// kWarps     warps that count, and as many that compact
// kRows      of each of them
// kBulkIn    the copy engine loads
// kBulkOut   the copy engine may store
template <class Problem, int kWarps_, int kRows_, bool kBulkIn_, bool kBulkOut_>
struct CompactGeometry : PipelineRoles<kWarps_, kBulkIn_> {
  using Roles = PipelineRoles<kWarps_, kBulkIn_>;
  using Roles::aligned;
  using Roles::kWarps;
  using In = typename Problem::In;
  using Out = typename Problem::Out;
  using Element = typename Problem::Element;
  using Mark = typename Problem::Segments::Mark;
  using Work = typename Problem::template WorkOnRows<CompactGeometry>;

  static constexpr bool kBulkOut = kBulkOut_;
  // With marks, whose offsets would have to be equal, arrays begin at whole vectors.
  static constexpr bool kMayLead = kBulkIn_ && !Problem::Segments::kMarked && 16 % sizeof(In) == 0;
  static constexpr bool kMayMove = false;
  static constexpr int kRows = kRows_;
  static constexpr int kRowsAtOnce =
      rows_in_registers(std::max({sizeof(In), sizeof(Out), Problem::Segments::kIsMask ? 1 : sizeof(Mark)}));
  static constexpr int kMasks = (kRows + 31) / 32;  // rows whose masks one lane has
  static_assert(kRows % kRowsAtOnce == 0 && kRows % kMasks == 0);
  static constexpr int kWarpItems = 32 * kRows;
  static constexpr int kTileItems = kWarps * kWarpItems;
  static constexpr int kTileBytes = kTileItems * static_cast<int>(sizeof(In));

  // Results have the same offset modulo 16 bytes as in memory; rejected elements follow kept elements. Lengths of runs are
  // computed from the places of kept elements.
  using Place = std::uint16_t;
  static_assert(kWarpItems <= 0xffff);
  static constexpr bool kHasMarkResults =
      Problem::kRejects == Rejects::kCombined || Problem::kRejects == Rejects::kDroppedWithMarks;
  static constexpr int kOutBytes = kWarpItems * static_cast<int>(sizeof(Out)) + (Problem::kRejects == Rejects::kDropped ? 16
                                                                                 : Problem::kRejects == Rejects::kThree ? 80
                                                                                                                        : 48);
  static constexpr int kWarpResultBytes =
      kOutBytes + (Problem::kRejects == Rejects::kCounted ? kWarpItems * static_cast<int>(sizeof(Place))
                   : kHasMarkResults                      ? kWarpItems * static_cast<int>(sizeof(Mark)) + 16
                                                          : 0);

  static constexpr bool kListed = false;
  static constexpr int kHeadsBytes = 0;
  static constexpr bool kMarked = Problem::Segments::kMarked;
  static constexpr int kBytesBeforeMarks = (static_cast<int>(sizeof(Mark)) + 15) / 16 * 16;
  __host__ __device__ static constexpr int marks_of(int items) {
    return (items + Problem::Segments::kItemsPerMark - 1) / Problem::Segments::kItemsPerMark;
  }
  static constexpr int kMarkBytes = kMarked ? kBytesBeforeMarks + marks_of(kTileItems) * static_cast<int>(sizeof(Mark)) : 0;
  static_assert(kMarkBytes % 16 == 0);
  // Whole vectors, at whose end is the element before the tile.
  static constexpr int kBytesBeforeTile = Problem::Segments::kLooksBefore ? (static_cast<int>(sizeof(In)) + 15) / 16 * 16 : 0;

  using Row = std::conditional_t<Problem::kRejects == Rejects::kThree, CompactRowOfThree, CompactRow>;
  struct Stage {
    Barrier assigned, full, reduced, published, seeded, empty;
    std::int64_t tile;
    typename Problem::Prefix prefix;  // of all tiles before
    Element before_warp[kWarps];      // the kept elements of a warp, later of all earlier warps of the tile
    alignas(16) Row rows[kWarps][kRows];
  };
  struct Header {
    Barrier knows_call;
    std::uint32_t call;
    bool is_last_block;
  };

  static constexpr std::size_t kHeaderBytes = aligned(sizeof(Header));
  static constexpr std::size_t kResultBytes = aligned(kWarps * kWarpResultBytes);
  static constexpr std::size_t kStageBytes =
      aligned(sizeof(Stage)) + aligned(kTileBytes) + aligned(kMarkBytes) + aligned(kBytesBeforeTile);

  __host__ __device__ static constexpr std::size_t shared_bytes(int stages) {
    return kHeaderBytes + kResultBytes + static_cast<std::size_t>(stages) * kStageBytes;
  }
};

}  // namespace upsweep::cuda::detail
