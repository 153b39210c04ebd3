// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The look-back of a scan's pipeline: the total of all tiles before a tile, from the published totals of the tiles.
//
// It reads totals alone, never another block's prefix, so that no block waits for another's look-back. A block continues from
// its own last prefix: for each tile it adds only the tiles since its last tile. Totals are always added in groups of 128 by
// the same tree, so that the result depends on neither timing nor the number of blocks.
#pragma once

#include <upsweep/cuda/detail/warp_steps.cuh>
#include <upsweep/cuda/device/pipeline_stages.cuh>
#include <upsweep/cuda/device/tile_word.cuh>
#include <upsweep/cuda/device/values.cuh>

namespace upsweep::cuda::detail {

// Groups that are requested together: two if their words, for this tile and the next, fit a lane's registers.
template <class Element>
inline constexpr int groups_at_once = sizeof(Element) <= 16 ? 2 : 1;

// The requested words of the tiles before `tile`, in the groups from tile `first` on.
template <class Element, int kGroups>
struct LookBackBatch {
  TileWord<Element> words[kGroups][kLaneTiles];
  std::uint32_t tile, first;
};

// A single warp spends some hundred instructions on each tile, one tile after the other, and all later tiles of its block wait
// for it. The speed of a scan depends on these instructions, so the code is kept short, and no lane but the first has the
// results.
//
// Prefix  the type of sums of totals: an Element, or a type with more bits that op(Prefix, Element) returns
template <class Element, class Op, class Words, int kGroups, class Prefix = Element>
class LookBack {
public:
  using Batch = LookBackBatch<Element, kGroups>;

  __device__ __forceinline__ LookBack(const TileWord<Element> *words, std::uint32_t tag, Op op)
      : words_(words + lane_id() * Words::kLaneStep), tag_(tag), op_(op), lane_tile_(lane_id() * kLaneTiles) {
    asm volatile("" : "+l"(words_));
  }

  __device__ __forceinline__ void start_from(const Prefix &initial) {
    known_ = initial;
    has_known_ = true;
  }

  // Asks for the words of the tiles before `tile`, from the first group that is not known after `tile_before`.
  __device__ __forceinline__ void ask(Batch &batch, std::uint32_t tile, std::uint32_t tile_before) const {
    batch.tile = tile;
    batch.first = tile_before & ~(kGroup - 1u);
#pragma unroll
    for (int g = 0; g < kGroups; ++g) {
#pragma unroll
      for (int i = 0; i < kLaneTiles; ++i) {
        batch.words[g][i].mark(tag_);  // the block does not wait for places without a tile
      }
    }
    load(batch, [&](const Batch &b, int g, int i) { return lane_tiles_from(b, g) > i; });
  }

  // The total of all tiles before the batch's, in the first lane; undefined if there is none, and no initial value. Batches are
  // finished in the order of their tiles.
  __device__ __forceinline__ Prefix finish(Batch &batch) {
    for (;;) {
      wait_for(batch);
      Element totals[kGroups];
      add_up(batch, totals);
#pragma unroll
      for (int g = 0; g < kGroups; ++g) {
        const int count = tiles_from(batch, g);
        Prefix prefix = known_;
        if (count > 0 && lane_id() == 0) {
          prefix = combined(has_known_, known_, totals[g], op_);
        }
        if (count < kGroup) {
          return prefix;
        }
        known_ = prefix;
        has_known_ = true;
      }
      ask(batch, batch.tile, batch.first + kGroups * kGroup);
    }
  }

private:
  // The number of tiles from the begin of group `g` to the batch's tile; may be below 0.
  __device__ __forceinline__ static int tiles_from(const Batch &batch, int g) {
    return static_cast<int>(batch.tile - batch.first) - g * kGroup;
  }
  // The number of these tiles between this lane's first tile of the group and the group's end.
  __device__ __forceinline__ int lane_tiles_from(const Batch &batch, int g) const {
    return min(tiles_from(batch, g), kGroup) - lane_tile_;
  }

  // Loads the words for which `is_wanted`.
  template <class IsWanted>
  __device__ __forceinline__ void load(Batch &batch, IsWanted is_wanted) const {
    const TileWord<Element> *words = words_ + static_cast<std::size_t>(batch.first / kGroup) * Words::kGroupStep;
    asm volatile("" : "+l"(words));  // or the compiler would compute the address anew for each load
#pragma unroll
    for (int g = 0; g < kGroups; ++g) {
#pragma unroll
      for (int i = 0; i < kLaneTiles; ++i) {
        if (is_wanted(batch, g, i)) {
          batch.words[g][i] = words[g * Words::kGroupStep + i * Words::kTileStep].load();
        }
      }
    }
  }

  __device__ __forceinline__ void wait_for(Batch &batch) const {
    for (;;) {
      std::uint32_t difference = 0;
#pragma unroll
      for (int g = 0; g < kGroups; ++g) {
#pragma unroll
        for (int i = 0; i < kLaneTiles; ++i) {
          difference |= batch.words[g][i].difference_to(tag_);
        }
      }
      if (__all_sync(kAllLanes, difference == 0)) {
        return;
      }
      load(batch, [&](const Batch &b, int g, int i) { return b.words[g][i].difference_to(tag_) != 0; });
    }
  }

  // Adds up both groups together, so that their shuffles overlap.
  __device__ __forceinline__ void add_up(const Batch &batch, Element (&totals)[kGroups]) const {
    int counts[kGroups];
#pragma unroll
    for (int g = 0; g < kGroups; ++g) {
      counts[g] = lane_tiles_from(batch, g);
      totals[g] = batch.words[g][0].value();
#pragma unroll
      for (int i = 1; i < kLaneTiles; ++i) {
        if (counts[g] > i) {
          totals[g] = op_(totals[g], batch.words[g][i].value());
        }
      }
    }
    // Lanes that are not the first of a pair add up as well; their sums are unused.
#pragma unroll
    for (int distance = 1; distance < 32; distance *= 2) {
#pragma unroll
      for (int g = 0; g < kGroups; ++g) {
        const Element later = shuffle_down(totals[g], distance);
        if (counts[g] > distance * kLaneTiles) {
          totals[g] = op_(totals[g], later);
        }
      }
    }
  }

  const TileWord<Element> *words_;  // from this lane's first one on
  std::uint32_t tag_;
  Op op_;
  int lane_tile_;  // of a group, this lane's first one
  Prefix known_;
  bool has_known_ = false;
};

// The role: gives every tile of the block its prefix. While it adds up for one tile, the words for the next are in flight.
template <class Problem, class Geometry, class Op>
class LookBackRole {
  using Element = typename Problem::Element;
  using Prefix = typename Problem::Prefix;
  using Groups = LookBack<Element, Op, TileWords<1>, groups_at_once<Element>, Prefix>;
  using Batch = typename Groups::Batch;

public:
  __device__ __forceinline__ LookBackRole(const Problem &problem, ScanStorage<Geometry> storage, int stages, Op op)
      : storage_(storage), stages_(stages), look_back_(problem.words, storage.header().call + 1, op) {
    if constexpr (Problem::kInitial && !Problem::Segments::kSegmented) {
      look_back_.start_from(problem.initial.get());
    } else if constexpr (Problem::Segments::kContinued) {
      if (*problem.segments.continues != 0) {
        look_back_.start_from(Prefix{*problem.segments.total, 0});
      }
    }
  }

  __device__ __forceinline__ void run() {
    Batch even, odd;
    storage_.stage(0).full.wait(0);
    // Two variables, since an array with an index would be in local memory.
    if (ask(even, 0)) {
      while (step(even, odd) && step(odd, even)) {
      }
    }
  }

private:
  // False if no tile comes.
  __device__ __forceinline__ bool ask(Batch &batch, std::uint32_t tile_before) {
    const std::int64_t tile = storage_.stage(place_.stage).tile;
    if (tile == kNoTile) {
      return false;
    }
    look_back_.ask(batch, static_cast<std::uint32_t>(tile), tile_before);
    return true;
  }

  // False after the last tile.
  __device__ __forceinline__ bool step(Batch &batch, Batch &next_batch) {
    auto &stage = storage_.stage(place_.stage);
    const unsigned parity = place_.parity;
    place_.advance(stages_);
    auto &next_stage = storage_.stage(place_.stage);
    const bool is_next_here = next_stage.full.has_ended(place_.parity);
    bool is_next = is_next_here && ask(next_batch, batch.tile);
    const Prefix prefix = look_back_.finish(batch);
    if (lane_id() == 0) {
      stage.prefix = prefix;
      stage.published.wait(parity);
      stage.seeded.arrive();
    }
    if (!is_next_here) {
      next_stage.full.wait(place_.parity);
      is_next = ask(next_batch, batch.tile);
    }
    return is_next;
  }

  ScanStorage<Geometry> storage_;
  int stages_;
  Groups look_back_;
  RingPlace place_;
};

}  // namespace upsweep::cuda::detail
