// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Selections of bytes: a thread takes a slice of neighbouring bytes, and packs the kept bytes into words. Rows of one byte a
// lane take twice as long as the memory traffic (docs/decisions/cuda-compaction.md).
#pragma once

#include <upsweep/cuda/device/compact_work.cuh>
#include <upsweep/cuda/device/slice.cuh>

namespace upsweep::cuda::detail {

template <class Problem, class Geometry>
struct CompactBytesWork;

template <class Problem, int kWarps_, int kVectors, bool kBulkIn_, bool kBulkOut_>
struct CompactBytesGeometry : PipelineRoles<kWarps_, kBulkIn_> {
  using Roles = PipelineRoles<kWarps_, kBulkIn_>;
  using Roles::aligned;
  using Roles::kWarps;
  using In = typename Problem::In;
  using Out = typename Problem::Out;
  using Element = typename Problem::Element;
  using Mark = typename Problem::Segments::Mark;
  using Work = CompactBytesWork<Problem, CompactBytesGeometry>;
  static_assert(sizeof(In) == 1 && sizeof(Out) == 1);

  static constexpr bool kBulkOut = kBulkOut_;
  static constexpr bool kMayLead = kBulkIn_ && !Problem::Segments::kMarked;
  static constexpr bool kMayMove = false;
  static constexpr int kItems = items_for(1, 1, kVectors);
  static constexpr int kWords = kItems / 4;
  static constexpr int kMasks = (kItems + 31) / 32;
  static constexpr int kSlices = 32 * kWarps;
  static constexpr int kWarpItems = 32 * kItems;
  static constexpr int kTileItems = kWarps * kWarpItems;
  static constexpr int kTileBytes = kTileItems;
  static constexpr int kWarpResultBytes = kWarpItems + 32;

  static constexpr bool kListed = false;
  static constexpr int kHeadsBytes = 0;
  static constexpr bool kMarked = Problem::Segments::kMarked;
  static constexpr int kBytesBeforeMarks = 16;
  static constexpr int kMarkBytes = kMarked ? kBytesBeforeMarks + kTileItems * static_cast<int>(sizeof(Mark)) : 0;
  static constexpr int kBytesBeforeTile = 0;
  __host__ __device__ static constexpr int marks_of(int items) { return items; }

  struct Stage {
    Barrier assigned, full, reduced, published, seeded, empty;
    std::int64_t tile;
    typename Problem::Prefix prefix;      // of all tiles before
    Element before_warp[kWarps];          // the kept bytes of a warp, later of all earlier warps of the tile
    std::uint32_t kept[kMasks][kSlices];  // bit i of mask m: byte 32 m + i of the slice
    std::uint32_t before[kSlices];        // kept bytes of the warp's earlier slices
  };
  struct Header {
    Barrier knows_call;
    std::uint32_t call;
    bool is_last_block;
  };

  static constexpr std::size_t kHeaderBytes = aligned(sizeof(Header));
  static constexpr std::size_t kResultBytes = aligned(kWarps * kWarpResultBytes);
  static constexpr std::size_t kStageBytes = aligned(sizeof(Stage)) + aligned(kTileBytes) + aligned(kMarkBytes);

  __host__ __device__ static constexpr std::size_t shared_bytes(int stages) {
    return kHeaderBytes + kResultBytes + stages * kStageBytes;
  }
};

// Makes words of bytes that come up to four at a time. If several lanes have bytes of a word, the lane that completes the word
// stores it. The other lanes then add their bytes.
class BytePacker {
public:
  // `begin` is the place of the lane's first byte.
  __device__ __forceinline__ BytePacker(unsigned char *memory, int begin)
      : word_(reinterpret_cast<std::uint32_t *>(memory) + begin / 4), filled_(begin % 4 * 8) {
    // For each of 16 masks of a word's bytes: byte_perm's selector of the kept bytes, and their number of bits.
    const int mask = lane_id() & 15;
    std::uint32_t selector = 0x4444;
    int count = 0;
#pragma unroll
    for (int i = 3; i >= 0; --i) {
      if ((mask >> i & 1) != 0) {
        selector = selector << 4 | i;
        ++count;
      }
    }
    selection_ = (selector & 0xffff) | count * 8 << 16;
  }

  // The bytes of `word` whose bits of `mask` are 1; by all lanes.
  __device__ __forceinline__ void put(std::uint32_t word, unsigned mask) {
    const std::uint32_t selection = shuffle_from(selection_, static_cast<int>(mask));
    const std::uint32_t kept = __byte_perm(word, 0, selection);
    begun_ |= kept << filled_;
    const std::uint32_t rest = __funnelshift_l(kept, 0, filled_);
    filled_ += selection >> 16;
    if (filled_ >= 32) {
      *word_++ = begun_;
      begun_ = rest;
    }
    filled_ &= 31;
  }

  // Called by all lanes. No lane completes the very last word.
  __device__ __forceinline__ void finish() {
    if (lane_id() == 31 && filled_ > 0) {
      *word_ = 0;
    }
    __syncwarp();
    if (begun_ != 0) {
      atomicOr(word_, begun_);
    }
  }

private:
  std::uint32_t *word_;
  std::uint32_t filled_;  // bits of the word that has begun
  std::uint32_t begun_ = 0;
  std::uint32_t selection_;
};

template <class Problem, class Geometry>
struct CompactBytesWork {
  using In = typename Problem::In;
  using Mark = typename Geometry::Mark;

  __device__ __forceinline__ static void partial(const Problem &problem, const Tiling<Problem, Geometry> &tiling,
                                                 ScanStorage<Geometry> storage, int stages, int warp) {
    const int rank = warp * 32 + lane_id();
    const int first = rank * Geometry::kItems;
    for_tiles(storage, stages, [&](auto &stage, RingPlace place) {
      auto *elements = reinterpret_cast<In *>(storage.tile(place.stage));
      auto *marks = reinterpret_cast<Mark *>(storage.marks(place.stage) + Geometry::kBytesBeforeMarks);
      const int low = tiling.lead_of(stage.tile), high = tiling.valid(stage.tile);
      const bool is_whole = low == 0 && high == Geometry::kTileItems;
      if (!is_whole) {
        pad(elements, elements[low], first, low, high);
        if constexpr (Geometry::kMarked) {
          pad(marks, marks[low], first, low, high);
        }
      }
      std::uint32_t kept[Geometry::kMasks] = {};
      find_kept(problem.segments, elements + first, marks + first, kept);
      if (!is_whole) {
#pragma unroll
        for (int m = 0; m < Geometry::kMasks; ++m) {
          kept[m] &= lanes_from(low - first - m * 32) & ~lanes_from(high - first - m * 32);
        }
      }
      std::uint32_t count = 0;
#pragma unroll
      for (int m = 0; m < Geometry::kMasks; ++m) {
        count += __popc(kept[m]);
        stage.kept[m][rank] = kept[m];
      }
      const std::uint32_t total = warp_inclusive<32>(count, AddCounts());
      stage.before[rank] = total - count;
      if (lane_id() == 31) {
        stage.before_warp[warp] = total;
      }
      arrive_as_warp(stage.reduced);
    });
  }

  __device__ __forceinline__ static void finish(const Problem &problem, const Tiling<Problem, Geometry> &tiling,
                                                ScanStorage<Geometry> storage, int stages, int warp) {
    unsigned char *const memory = storage.base + Geometry::kHeaderBytes + warp * Geometry::kWarpResultBytes;
    const int rank = warp * 32 + lane_id();
    for_seeded_tiles(storage, stages, [&](auto &stage, RingPlace place) {
      const std::int64_t tile = stage.tile;
      const std::uint32_t before_slice = stage.before[rank];
      std::uint32_t masks[Geometry::kMasks];
      std::uint32_t own = 0;
#pragma unroll
      for (int m = 0; m < Geometry::kMasks; ++m) {
        masks[m] = stage.kept[m][rank];
        own += __popc(masks[m]);
      }
      const int kept = static_cast<int>(shuffle_from(before_slice + own, 31));
      const std::uint64_t before = total_before_warp(problem, stage, warp);
      if (lane_id() == 0) {
        if (tile == tiling.tiles - 1 && warp == Geometry::kWarps - 1) {
          *problem.kept = before + static_cast<unsigned>(kept);
        }
        wait_for_bulk_reads<0>();  // of the tile before
      }
      __syncwarp();
      const auto to = problem.output + before;
      const Alignment<Geometry, typename Problem::Output> at(to);
      BytePacker packer(memory, at.skipped + static_cast<int>(before_slice));
      Slice<std::uint32_t, Geometry::kWords> words;
      words.load(storage.tile(place.stage) + rank * Geometry::kItems);
#pragma unroll
      for (int w = 0; w < Geometry::kWords; ++w) {
        packer.put(words.get(w), masks[w / 8] >> (w % 8 * 4) & 15);
      }
      packer.finish();
      fence_before_bulk_store();
      __syncwarp();
      arrive_as_warp(stage.empty);
      at.store(to, reinterpret_cast<const typename Geometry::Out *>(memory) + at.skipped, kept);
    });
  }

  __device__ __forceinline__ static void finish_none(const Problem &problem) { *problem.kept = 0; }

private:
  // Fills the slice's places outside the array with some element, so that a predicate sees only elements.
  template <class T>
  __device__ __forceinline__ static void pad(T *places, const T filler, int first, int low, int high) {
#pragma unroll 1
    for (int i = first; i < min(low, first + Geometry::kItems); ++i) {
      places[i] = filler;
    }
#pragma unroll 1
    for (int i = max(first, high); i < first + Geometry::kItems; ++i) {
      places[i] = filler;
    }
  }

  // Bits `first` to 31.
  __device__ __forceinline__ static std::uint32_t lanes_from(int first) {
    return first <= 0 ? ~0u : first >= 32 ? 0 : ~0u << first;
  }

  template <class Keep>
  __device__ __forceinline__ static void find_kept(const Keep &keep, const In *elements, const Mark *marks,
                                                   std::uint32_t (&kept)[Geometry::kMasks]) {
    Slice<In, Geometry::kItems> slice;
    slice.load(elements);
    Slice<Mark, Geometry::kItems> marks_of_slice;
    if constexpr (Geometry::kMarked) {
      marks_of_slice.load(marks);
    }
#pragma unroll
    for (int i = 0; i < Geometry::kItems; ++i) {
      const In element = slice.get(i);
      bool is_kept = false;
      if constexpr (Geometry::kMarked) {
        const Mark mark = marks_of_slice.get(i);
        is_kept = keep.keeps(&element, &mark, 0);
      } else {
        is_kept = keep.keeps(&element, static_cast<const Mark *>(nullptr), 0);
      }
      if (is_kept) {
        kept[i / 32] |= 1u << (i % 32);
      }
    }
  }
};

}  // namespace upsweep::cuda::detail
