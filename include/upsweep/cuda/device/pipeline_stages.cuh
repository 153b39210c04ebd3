// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The shared memory of a scan's pipeline: a ring of stages, each with a tile on its way through the roles of a block.
//
//   loader     draws the number of the next tile, and has the tile copied to shared memory        full
//   reducers   add up the tile: a thread its slice, a warp its threads                            reduced
//   publisher  adds up the warps, and tells the other blocks the total of the tile                published
//   look-back  adds up the totals of all tiles before this one                                    seeded
//   scanners   scan their slices from that total, and have the results copied to global memory         empty
#pragma once

#include <upsweep/cuda/detail/shuffle.cuh>
#include <upsweep/cuda/device/barrier.cuh>
#include <upsweep/cuda/device/tuning_pipeline.cuh>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <type_traits>

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
  static constexpr int kLoaders = kBulkIn ? 1 : std::min(TunedPipeline::kElementLoaders, 30 - 2 * kWarps);
  static constexpr int kLoadArrivals = kBulkIn ? static_cast<int>(kWarpArrivals) : 32 * kLoaders;
  static constexpr int kLoader = 2 * kWarps;
  static constexpr int kPublisher = kLoader + kLoaders;
  static constexpr int kLookBack = kPublisher + 1;
  static constexpr int kThreads = 32 * (kLookBack + 1);
  static_assert(kLoaders > 0 && kThreads <= 1024 && kWarps <= 16);
  static constexpr int kFewestStages = 2;  // one is processed while the next is loaded
  static constexpr int kMostStages = TunedPipeline::kMostStages;

  __host__ __device__ static constexpr std::size_t aligned(std::size_t bytes) { return (bytes + 127) / 128 * 128; }
};

// The layout of a block's shared memory.
template <class Geometry>
struct ScanStorage {
  unsigned char *base;

  __device__ __forceinline__ typename Geometry::Header &header() const {
    return *reinterpret_cast<typename Geometry::Header *>(base);
  }
  // The two places of a warp's results, if these are not in place.
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

// Calls visit(stage, its place in the ring) for each tile of the block when it is loaded.
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

// The total before a warp's part of a tile, for problems that always have one.
template <class Problem, class Stage>
__device__ __forceinline__ auto total_before_warp(const Problem &problem, const Stage &stage, int warp) {
  typename Problem::Prefix before = stage.prefix;
  if (warp > 0) {
    before = problem.op(before, stage.before_warp[warp]);
  }
  return before;
}

// The division of an array into tiles, in the order of the scan: forward from the first element, backward from the last. The
// first tile begins with the whole vector that contains the first element: `lead` places precede that element. Results may have
// another alignment: the first whole cache line in a warp's part begins with its element `skew`.
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
  // The number of places of the tile before the first element, and the begin of its whole vectors.
  __device__ __forceinline__ int lead_of(std::int64_t tile) const { return Geometry::kMayLead && tile == 0 ? lead : 0; }
  __device__ __forceinline__ int vectors_of(std::int64_t tile) const { return vector_after(lead_of(tile)); }
  // The first place from `place` on at which a vector may begin.
  __device__ __forceinline__ static int vector_after(int place) {
    constexpr int kVectorItems = sizeof(typename Problem::In) < 16 ? 16 / static_cast<int>(sizeof(typename Problem::In)) : 1;
    return (place + kVectorItems - 1) / kVectorItems * kVectorItems;
  }
  // The number of places up to the last element: the tile's first places, or backward its last places.
  __device__ __forceinline__ int valid(std::int64_t tile) const {
    const std::int64_t left = static_cast<std::int64_t>(count) - tile * Geometry::kTileItems;
    return left < Geometry::kTileItems ? static_cast<int>(left) : Geometry::kTileItems;
  }
};

}  // namespace upsweep::cuda::detail
