// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The shared memory of a scan's pipeline: a ring of stages, each with a tile on its way through the roles of a block.
//
//   loader     draws the number of the next tile, and has the tile copied to shared memory        full
//   reducers   add up the tile: a thread its slice, a warp its threads                            reduced
//   publisher  adds up the warps, and tells the other blocks the total of the tile                published
//   look-back  adds up the totals of all tiles before this one                                    seeded
//   scanners   scan their slices from there, and have the results copied to global memory         empty
#pragma once

#include <upsweep/cuda/device/barrier.cuh>
#include <upsweep/cuda/device/scan_problem.cuh>
#include <upsweep/cuda/device/slice.cuh>
#include <upsweep/cuda/device/tuning.cuh>

#include <algorithm>

#include <cstdint>

namespace upsweep::cuda::detail {

// The place of a role in the ring.
struct RingPlace {
  int stage = 0;
  unsigned parity = 0;

  __device__ __forceinline__ void advance(int stages) {
    if (++stage == stages) {
      stage = 0;
      parity ^= 1;
    }
  }
};

// The tile number that tells the roles to stop.
inline constexpr int kNoTile = -1;

// The warps of a block: the first ones reduce, as many finish, and one or more load; then the publisher and the look-back.
template <int kWarps_, bool kBulkIn_>
struct PipelineRoles {
  static constexpr bool kBulkIn = kBulkIn_;
  static constexpr int kWarps = kWarps_;
  static constexpr int kLoaders = kBulkIn ? 1 : std::min(Tuning::kElementLoaders, 30 - 2 * kWarps);
  static constexpr int kLoadArrivals = kBulkIn ? static_cast<int>(kWarpArrivals) : 32 * kLoaders;
  static constexpr int kLoader = 2 * kWarps;
  static constexpr int kPublisher = kLoader + kLoaders;
  static constexpr int kLookBack = kPublisher + 1;
  static constexpr int kThreads = 32 * (kLookBack + 1);
  static_assert(kLoaders > 0 && kThreads <= 1024 && kWarps <= 16);
  static constexpr int kFewestStages = 2;  // one is looked at while the next is loaded
  static constexpr int kMostStages = Tuning::kMostStages;

  __host__ __device__ static constexpr std::size_t aligned(std::size_t bytes) { return (bytes + 127) / 128 * 128; }
};

// kWarps    warps that reduce, and as many that scan
// kVectors  16-byte vectors of a thread, about
// kBulk...  the copy engine loads, and stores
// kMayLead  it begins in front of the array, at the vector that the first element is in, and results may begin at any
//           element (can_begin_anywhere)
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
  static constexpr bool kMayMove = kMayLead;  // results to where they lie otherwise than their elements
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
  // The marks of a tile follow whole vectors, at whose end is the mark before the tile.
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
    std::uint64_t after_head;     // with rows: how many elements of its row are before the tile
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
    return kHeaderBytes + kResultBytes + stages * kStageBytes;
  }
};

// Where things lie in a block's shared memory.
template <class Geometry>
struct ScanStorage {
  unsigned char *base;

  __device__ __forceinline__ typename Geometry::Header &header() const {
    return *reinterpret_cast<typename Geometry::Header *>(base);
  }
  // The two places of a warp's results, where they are not in place.
  __device__ __forceinline__ unsigned char *results(int warp, int which) const {
    return base + Geometry::kHeaderBytes + (2 * warp + which) * Geometry::kWarpOutBytes;
  }
  __device__ __forceinline__ unsigned char *tile(int stage) const {
    return base + Geometry::kHeaderBytes + Geometry::kResultBytes + stage * Geometry::kStageBytes + Geometry::kBytesBeforeTile;
  }
  __device__ __forceinline__ unsigned char *marks(int stage) const {
    return tile(stage) + Geometry::aligned(Geometry::kTileBytes);
  }
  __device__ __forceinline__ typename Geometry::Stage &stage(int stage) const {
    return *reinterpret_cast<typename Geometry::Stage *>(marks(stage) + Geometry::aligned(Geometry::kMarkBytes));
  }
};

// visit(stage, its place in the ring) for each tile of the block, when it is loaded.
template <class Geometry, class Visit>
__device__ __forceinline__ void for_tiles(ScanStorage<Geometry> storage, int stages, const Visit &visit) {
  for (RingPlace place;; place.advance(stages)) {
    auto &stage = storage.stage(place.stage);
    stage.full.wait(place.parity);
    if (stage.tile == kNoTile) {
      return;
    }
    visit(stage, place);
  }
}
// The same by a warp that stores results, when the total before the tile is known.
template <class Geometry, class Visit>
__device__ __forceinline__ void for_seeded_tiles(ScanStorage<Geometry> storage, int stages, const Visit &visit) {
  for_tiles(storage, stages, [&](auto &stage, RingPlace place) {
    stage.seeded.wait(place.parity);
    visit(stage, place);
    __syncwarp();
  });
  if (lane_id() == 0) {
    wait_for_bulk_reads<0>();
  }
}

// The total before a warp's part of a tile, in problems in which there is always one.
template <class Problem, class Stage>
__device__ __forceinline__ auto total_before_warp(const Problem &problem, const Stage &stage, int warp) {
  typename Problem::Prefix before = stage.prefix;
  if (warp > 0) {
    before = problem.op(before, stage.before_warp[warp]);
  }
  return before;
}

// Whether the copy engine can take arrays that begin at any element.
template <class Problem>
inline constexpr bool can_begin_anywhere =
    std::is_pointer_v<typename Problem::Input> && std::is_pointer_v<typename Problem::Output> &&
    sizeof(typename Problem::In) == sizeof(typename Problem::Out) && 16 % sizeof(typename Problem::In) == 0 &&
    !Problem::kBackward && !Problem::Segments::kSegmented;

// How the array is cut into tiles, in the order of the scan: forward from the first element, backward from the last. The first
// tile begins with the whole vector that the first element is in: `lead` places are before that element. Results may lie
// otherwise: the first whole line of the cache in a warp's part begins with its element `skew`.
template <class Problem, class Geometry>
struct Tiling {
  int lead = 0;
  int skew = 0;
  std::uint64_t count;  // of places
  std::int64_t tiles;

  __device__ __forceinline__ explicit Tiling(const Problem &problem) : count(problem.count.get()) {
    if constexpr (Geometry::kMayLead) {
      const auto past = reinterpret_cast<std::uintptr_t>(problem.input) % 16;
      lead = static_cast<int>(past / sizeof(typename Problem::In));
      if constexpr (Geometry::kMayMove) {
        const auto apart = past - reinterpret_cast<std::uintptr_t>(problem.output);
        skew = apart % 16 == 0 ? 0 : static_cast<int>(apart % 128 / sizeof(typename Problem::In));
      }
      count += count > 0 ? lead : 0;
    }
    tiles = (count + Geometry::kTileItems - 1) / Geometry::kTileItems;
  }

  // The array's index of the first place of the tile; below 0 with a lead, and in an incomplete backward tile.
  __device__ __forceinline__ std::int64_t first(std::int64_t tile) const {
    if constexpr (Problem::kBackward) {
      return static_cast<std::int64_t>(count) - (tile + 1) * Geometry::kTileItems;
    } else {
      return tile * Geometry::kTileItems - lead;
    }
  }
  // How many places of the tile are before the first element, and where its whole vectors begin.
  __device__ __forceinline__ int lead_of(std::int64_t tile) const { return Geometry::kMayLead && tile == 0 ? lead : 0; }
  __device__ __forceinline__ int vectors_of(std::int64_t tile) const { return vector_after(lead_of(tile)); }
  // The first place from `place` on at which a vector may begin.
  __device__ __forceinline__ static int vector_after(int place) {
    constexpr int kVectorItems = sizeof(typename Problem::In) < 16 ? 16 / static_cast<int>(sizeof(typename Problem::In)) : 1;
    return (place + kVectorItems - 1) / kVectorItems * kVectorItems;
  }
  // How many places hold elements, or lead to them: the first ones, or backward the last ones.
  __device__ __forceinline__ int valid(std::int64_t tile) const {
    const std::int64_t left = static_cast<std::int64_t>(count) - tile * Geometry::kTileItems;
    return left < Geometry::kTileItems ? static_cast<int>(left) : Geometry::kTileItems;
  }
};

}  // namespace upsweep::cuda::detail
