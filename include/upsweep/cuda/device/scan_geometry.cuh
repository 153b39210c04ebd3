// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The shape of a scan's tiles and stages in the pipeline.
#pragma once

#include <upsweep/cuda/device/pipeline_stages.cuh>
#include <upsweep/cuda/device/segments.cuh>
#include <upsweep/cuda/device/slice.cuh>

#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace upsweep::cuda::detail {

// Whether the copy engine can take arrays that begin at any element.
template <class Problem>
inline constexpr bool can_begin_anywhere =
    std::is_pointer_v<typename Problem::Input> && std::is_pointer_v<typename Problem::Output> &&
    sizeof(typename Problem::In) == sizeof(typename Problem::Out) && 16 % sizeof(typename Problem::In) == 0 &&
    !Problem::kBackward && !Problem::Segments::kSegmented;

// kWarps    warps that reduce, and as many that scan
// kVectors  16-byte vectors of a thread, about
// kBulk...  the copy engine loads, and stores
// kMayLead  it begins with the vector that contains the first element, and results may begin at any element
// (can_begin_anywhere)
template <class Problem, int kWarps_, int kVectors, bool kBulkIn_, bool kBulkOut_, bool kMayLead_>
struct ScanGeometry : PipelineRoles<kWarps_, kBulkIn_> {
  using Roles = PipelineRoles<kWarps_, kBulkIn_>;
  using Roles::aligned;
  using In = typename Problem::In;
  using Out = typename Problem::Out;
  using Mark = typename Problem::Segments::Mark;
  using Element = typename Problem::Element;

  static constexpr bool kBulkOut = kBulkOut_;
  static constexpr bool kMayLead = kMayLead_;
  static constexpr bool kMayMove = kMayLead;  // results with another alignment than their elements
  static constexpr int kWarps = kWarps_;
  static constexpr int kItems = items_for(sizeof(In), sizeof(Out), kVectors);
  static constexpr int kWarpItems = 32 * kItems;
  static constexpr int kTileItems = kWarps * kWarpItems;
  static constexpr int kTileBytes = kTileItems * static_cast<int>(sizeof(In));
  static constexpr int kWarpOutBytes = kWarpItems * static_cast<int>(sizeof(Out));
  // Results of the same size take the place of their elements.
  static constexpr bool kInPlace = sizeof(In) == sizeof(Out);
  static constexpr bool kListed = Problem::Segments::kListed;

  static constexpr int kBytesBeforeTile = 0;
  // Whole vectors precede the marks of a tile, and end with the mark before the tile.
  static constexpr bool kMarked = Problem::Segments::kMarked;
  static constexpr int kBytesBeforeMarks = (static_cast<int>(sizeof(Mark)) + 15) / 16 * 16;
  static constexpr int kMarkBytes = kMarked ? kBytesBeforeMarks + kTileItems * static_cast<int>(sizeof(Mark)) : 0;
  __host__ __device__ static constexpr int marks_of(int items) { return items; }

  using Heads = std::conditional_t<(kItems <= 32), std::uint32_t, std::uint64_t>;
  static_assert(!Problem::Segments::kSegmented || kItems <= 64);
  static_assert(!kListed || kItems < 8 * static_cast<int>(sizeof(Heads)));
  static constexpr int kSlices = 32 * kWarps;
  static constexpr int kHeadsBytes = kListed ? kSlices * static_cast<int>(sizeof(Heads)) : 0;  // that come from memory

  struct Stage {
    Barrier assigned, full, reduced, published, seeded, empty;
    std::int64_t tile;
    std::uint64_t after_head;     // with rows: the elements of its row before the tile
    Element prefix;               // of all tiles before
    Element before_warp[kWarps];  // the total of a warp, later of all warps of the tile before it
    Element before_lane[kSlices];
    alignas(16) Heads heads[Problem::Segments::kSegmented ? kSlices : 1];
  };

  struct Header {
    Barrier knows_call;
    std::uint32_t call;
    bool is_last_block;
    alignas(16) unsigned char front[kMayLead ? kWarps : 1][kMayLead ? 128 : 1];  // of a warp's results, before whole lines
  };

  static constexpr std::size_t kHeaderBytes = aligned(sizeof(Header));
  static constexpr std::size_t kResultBytes = kInPlace ? 0 : 2 * kWarps * kWarpOutBytes;
  static constexpr std::size_t kStageBytes = aligned(sizeof(Stage)) + aligned(kTileBytes) + aligned(kMarkBytes);

  __host__ __device__ static constexpr std::size_t shared_bytes(int stages) {
    return kHeaderBytes + kResultBytes + static_cast<std::size_t>(stages) * kStageBytes;
  }
};

}  // namespace upsweep::cuda::detail
