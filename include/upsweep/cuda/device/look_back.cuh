// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The look-back of a scan's pipeline: the total of all tiles before one, from the published totals of the tiles.
//
// It reads totals alone, never another block's prefix, so that no block waits for another's look-back. A block goes on from
// what it knows: for each tile it adds only the tiles since its last one. Totals are always added in groups of 128 by the
// same tree, so that the result depends on neither timing nor the number of blocks.
#pragma once

#include <upsweep/cuda/detail/warp_steps.cuh>
#include <upsweep/cuda/device/scan_pipeline.cuh>

namespace upsweep::cuda::detail {

inline constexpr int kGroup = 128;              // tiles that are added as a tree
inline constexpr int kLaneTiles = kGroup / 32;  // of which a lane adds this many in order

// Groups that are asked for at once: two if their words, for this tile and the next, find room in a lane's registers.
template <class Element>
inline constexpr int groups_at_once = sizeof(Element) <= 16 ? 2 : 1;

// Where the word of a tile lies: lane i adds tiles 4 i to 4 i + 3 of a group, and neighbouring lanes read neighbouring words.
__device__ __forceinline__ std::uint32_t word_of_tile(std::uint32_t tile) {
  return (tile & ~(kGroup - 1u)) | (tile % kLaneTiles) * 32 | (tile / kLaneTiles) % 32;
}

// Words that were asked for: of one or two groups, from group `first` on, up to a tile.
template <class Element>
struct LookBackBatch {
  TileWord<Element> words[groups_at_once<Element>][kLaneTiles];
  int counts[groups_at_once<Element>];  // tiles of each group; at most 0 if none
  std::uint32_t first;
};

template <class Element, class Op>
class LookBack {
public:
  using Batch = LookBackBatch<Element>;
  static constexpr int kGroups = groups_at_once<Element>;

  __device__ __forceinline__ LookBack(const TileWord<Element> *words, std::uint32_t tag, Op op)
      : words_(words), tag_(tag), op_(op), lane_(lane_id()) {}

  __device__ __forceinline__ void start_from(const Element &initial) {
    known_ = initial;
    has_known_ = true;
  }

  // Asks for the words of the tiles before `tile`, from the first group that is not known after `tile_before`.
  __device__ __forceinline__ void ask(Batch &batch, std::uint32_t tile, std::uint32_t first) const {
    batch.first = first;
#pragma unroll
    for (int g = 0; g < kGroups; ++g) {
      const int left = static_cast<int>(tile - (first + g * kGroup));
      batch.counts[g] = left < kGroup ? left : kGroup;
#pragma unroll
      for (int i = 0; i < kLaneTiles; ++i) {
        if (is_wanted(batch, g, i)) {
          batch.words[g][i] = word(batch, g, i).load();
        }
      }
    }
  }

  // The total of all tiles before `tile`, for which the batch was asked; undefined if there is none, and no initial value.
  __device__ __forceinline__ Element finish(Batch &batch, std::uint32_t tile) {
    Element prefix = known_;
    for (;;) {
      wait_for(batch);
      Element totals[kGroups];
      add_up(batch, totals);
      if (is_prefix(batch.counts[0], totals[0], prefix)) {
        return prefix;
      }
      if constexpr (kGroups == 2) {
        if (is_prefix(batch.counts[1], totals[1], prefix)) {
          return prefix;
        }
      }
      ask(batch, tile, known_tiles_);
    }
  }

  __device__ __forceinline__ std::uint32_t known_tiles() const { return known_tiles_; }

private:
  // With the total of the next group, of which `count` tiles are before the tile: that is the prefix, or the group is known.
  __device__ __forceinline__ bool is_prefix(int count, const Element &total, Element &prefix) {
    prefix = count > 0 ? with_known(total) : Element(known_);
    if (count < kGroup) {
      return true;
    }
    known_ = prefix;
    has_known_ = true;
    known_tiles_ += kGroup;
    return false;
  }
  __device__ __forceinline__ bool is_wanted(const Batch &batch, int g, int i) const {
    return lane_ * kLaneTiles + i < batch.counts[g];
  }
  __device__ __forceinline__ const TileWord<Element> &word(const Batch &batch, int g, int i) const {
    return words_[batch.first + g * kGroup + i * 32 + lane_];
  }
  __device__ __forceinline__ Element with_known(const Element &total) const {
    Element sum = total;
    if (has_known_) {
      sum = op_(known_, total);
    }
    return sum;
  }

  __device__ __forceinline__ void wait_for(Batch &batch) const {
    for (;;) {
      bool is_whole = true;
#pragma unroll
      for (int g = 0; g < kGroups; ++g) {
#pragma unroll
        for (int i = 0; i < kLaneTiles; ++i) {
          is_whole &= !is_wanted(batch, g, i) || batch.words[g][i].is_of(tag_);
        }
      }
      if (__all_sync(kAllLanes, is_whole)) {
        return;
      }
#pragma unroll
      for (int g = 0; g < kGroups; ++g) {
#pragma unroll
        for (int i = 0; i < kLaneTiles; ++i) {
          if (is_wanted(batch, g, i) && !batch.words[g][i].is_of(tag_)) {
            batch.words[g][i] = word(batch, g, i).load();
          }
        }
      }
    }
  }

  // The two groups side by side, so that their shuffles overlap; every lane gets the totals.
  __device__ __forceinline__ void add_up(const Batch &batch, Element (&totals)[kGroups]) const {
#pragma unroll
    for (int g = 0; g < kGroups; ++g) {
      totals[g] = batch.words[g][0].value();
#pragma unroll
      for (int i = 1; i < kLaneTiles; ++i) {
        if (is_wanted(batch, g, i)) {
          totals[g] = op_(totals[g], batch.words[g][i].value());
        }
      }
    }
#pragma unroll
    for (int distance = 1; distance < 32; distance *= 2) {
#pragma unroll
      for (int g = 0; g < kGroups; ++g) {
        const Element later = shuffle_down(totals[g], distance);
        if (lane_ % (2 * distance) == 0 && (lane_ + distance) * kLaneTiles < batch.counts[g]) {
          totals[g] = op_(totals[g], later);
        }
      }
    }
#pragma unroll
    for (int g = 0; g < kGroups; ++g) {
      totals[g] = shuffle_from(totals[g], 0);
    }
  }

  const TileWord<Element> *words_;
  std::uint32_t tag_;
  Op op_;
  int lane_;
  Element known_;
  bool has_known_ = false;
  std::uint32_t known_tiles_ = 0;
};

// The role: gives every tile of the block its prefix. While it adds up for one tile, the words for the next are on their way.
template <class Problem, class Geometry, class Op>
class LookBackRole {
  using Element = typename Problem::Element;
  using Batch = LookBackBatch<Element>;

public:
  __device__ __forceinline__ LookBackRole(const Problem &problem, ScanStorage<Geometry> storage, int stages, Op op)
      : storage_(storage), stages_(stages), look_back_(problem.words, storage.header().call + 1, op) {
    if constexpr (Problem::kInitial && !Problem::Segments::kSegmented) {
      look_back_.start_from(problem.initial.get());
    }
  }

  __device__ __forceinline__ void run() {
    std::int64_t tile = wait_for_tile();
    if (tile == kNoTile) {
      return;
    }
    Batch even, odd;
    look_back_.ask(even, static_cast<std::uint32_t>(tile), 0);
    // Two batches by name, since an index would put them into local memory.
    while (step(even, odd, tile) && step(odd, even, tile)) {
    }
  }

private:
  __device__ __forceinline__ std::int64_t wait_for_tile() const {
    storage_.stage(place_.stage).full.wait(place_.parity);
    return storage_.stage(place_.stage).tile;
  }

  // False after the last tile.
  __device__ __forceinline__ bool step(Batch &batch, Batch &next_batch, std::int64_t &tile) {
    auto &stage = storage_.stage(place_.stage);
    const unsigned parity = place_.parity;
    place_.advance(stages_);
    const bool is_next_here = storage_.stage(place_.stage).full.has_ended(place_.parity);
    std::int64_t next = kNoTile;
    if (is_next_here) {
      next = storage_.stage(place_.stage).tile;
      if (next != kNoTile) {
        look_back_.ask(next_batch, static_cast<std::uint32_t>(next), static_cast<std::uint32_t>(tile) & ~(kGroup - 1u));
      }
    }
    const Element prefix = look_back_.finish(batch, static_cast<std::uint32_t>(tile));
    if (lane_id() == 0) {
      stage.prefix = prefix;
      stage.published.wait(parity);
      stage.seeded.arrive();
    }
    if (!is_next_here) {
      next = wait_for_tile();
      if (next != kNoTile) {
        look_back_.ask(next_batch, static_cast<std::uint32_t>(next), look_back_.known_tiles());
      }
    }
    tile = next;
    return next != kNoTile;
  }

  ScanStorage<Geometry> storage_;
  int stages_;
  LookBack<Element, Op> look_back_;
  RingPlace place_;
};

}  // namespace upsweep::cuda::detail
