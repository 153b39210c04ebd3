// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A warp's part of a tile, and which of its elements are kept.
#pragma once

#include <upsweep/cuda/detail/warp_steps.cuh>
#include <upsweep/cuda/device/compact_pipeline.cuh>

namespace upsweep::cuda::detail {

// The places of a warp's part that hold elements.
struct PlacesWithElements {
  int low, high;

  __device__ __forceinline__ bool has(int place) const { return place >= low && place < high; }
};

// A warp's part of a tile.
template <class Problem, class Geometry>
struct WarpPart {
  const typename Problem::In *elements;
  const typename Geometry::Mark *marks;
  typename Geometry::Row *rows;
  PlacesWithElements places;

  __device__ __forceinline__ WarpPart(const Tiling<Problem, Geometry> &tiling, ScanStorage<Geometry> storage, int stage,
                                      int warp) {
    using Mark = typename Geometry::Mark;
    const int part = warp * Geometry::kWarpItems;
    const std::int64_t tile = storage.stage(stage).tile;
    elements = reinterpret_cast<const typename Problem::In *>(storage.tile(stage)) + part;
    marks = reinterpret_cast<const Mark *>(storage.marks(stage) + Geometry::kBytesBeforeMarks) + Geometry::marks_of(part);
    rows = storage.stage(stage).rows[warp];
    places = {max(tiling.lead_of(tile) - part, 0), min(tiling.valid(tile) - part, Geometry::kWarpItems)};
  }

  // 0 behind the last element, where the highest place is below the lowest.
  __device__ __forceinline__ int count() const { return max(places.high - places.low, 0); }
};

// The number of 1 bits. It avoids the intrinsic, which the compiler would move into a branch of the lanes that store, where
// rows wait for each other.
__device__ __forceinline__ int count_bits(std::uint32_t mask) {
  int count;
  asm volatile("popc.b32 %0, %1;" : "=r"(count) : "r"(mask));
  return count;
}

// The kept elements of a warp's part, as masks of its rows.
template <class Problem, class Geometry>
class CompactMasks {
  using Row = typename Geometry::Row;
  using Part = WarpPart<Problem, Geometry>;

public:
  template <class Keep>
  __device__ __forceinline__ CompactMasks(const Keep &keep, const Part &part, bool begins) {
    if constexpr (Keep::kIsMask) {
      copy_masks(part);
    } else if (part.count() == Geometry::kWarpItems && !begins) {
      find_kept([&](int i) { return keep.keeps(part.elements, part.marks, i); });
    } else {
      find_kept([&](int i) {
        const bool is_first = begins && i == part.places.low;
        if constexpr (Keep::kContinued) {
          if (is_first) {
            return part.places.has(i) && *keep.continues == 0;
          }
        }
        return part.places.has(i) && (is_first || keep.keeps(part.elements, part.marks, i));
      });
    }
  }

  // The warp's total, in all lanes.
  __device__ __forceinline__ std::uint32_t count_into(Row *rows) const {
    return count([&](int row, std::uint32_t kept, std::uint32_t before) { rows[row] = {kept, before}; });
  }

  // Calls put(row, its mask, the kept elements of earlier rows) for all rows.
  template <class Put>
  __device__ __forceinline__ std::uint32_t count(const Put &put) const {
    std::uint32_t count = 0;
#pragma unroll
    for (int m = 0; m < Geometry::kMasks; ++m) {
      count += __popc(kept_[m]);
    }
    const std::uint32_t total = warp_inclusive<32>(count, AddCounts());
    std::uint32_t before = total - count;
    if (lane_id() < Geometry::kRows / Geometry::kMasks) {
#pragma unroll
      for (int m = 0; m < Geometry::kMasks; ++m) {
        put(lane_id() * Geometry::kMasks + m, kept_[m], before);
        before += __popc(kept_[m]);
      }
    }
    return shuffle_from(total, 31);
  }

  // The last place of a kept element in the warp, or -1.
  __device__ __forceinline__ int last_kept() const {
    int last = -1;
#pragma unroll
    for (int m = 0; m < Geometry::kMasks; ++m) {
      if (kept_[m] != 0) {
        last = (lane_id() * Geometry::kMasks + m) * 32 + 31 - __clz(static_cast<int>(kept_[m]));
      }
    }
    return warp_total<32>(last, maximum(), 32);
  }

private:
  // Lane i gets the masks of rows i * kMasks to (i + 1) * kMasks - 1.
  template <class Keeps>
  __device__ __forceinline__ void find_kept(const Keeps &keeps) {
    constexpr int kLanes = Geometry::kRows / Geometry::kMasks;
    constexpr int kUnrolled = Geometry::kMasks == 1 ? 32 : 8;
#pragma unroll kUnrolled
    for (int lane = 0; lane < kLanes; ++lane) {
#pragma unroll
      for (int m = 0; m < Geometry::kMasks; ++m) {
        const int row = lane * Geometry::kMasks + m;
        const std::uint32_t mask = __ballot_sync(kAllLanes, keeps(row * 32 + lane_id()));
        if (lane == lane_id()) {
          kept_[m] = mask;
        }
      }
    }
  }

  // The same from the tile's masks; with them, the places of elements begin with the tile.
  __device__ __forceinline__ void copy_masks(const Part &part) {
#pragma unroll
    for (int m = 0; m < Geometry::kMasks; ++m) {
      const int row = lane_id() * Geometry::kMasks + m;
      const int left = part.places.high - row * 32;
      if (row < Geometry::kRows && left > 0) {
        kept_[m] = part.marks[row] & (left < 32 ? (1u << left) - 1 : ~0u);
      }
    }
  }

  std::uint32_t kept_[Geometry::kMasks] = {};
};

}  // namespace upsweep::cuda::detail
