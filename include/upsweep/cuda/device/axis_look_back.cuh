// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The look-back of a scan along an axis: for each column, the total of the tiles between the last head and a tile. Blocks that
// share a strip take its chunks round robin. If many blocks share a strip, tiles form groups, and a group's total is published
// with its last tile. Otherwise a group is one tile. A read may take as long as a tile, so n warps read other blocks' totals,
// each for every n-th tile of the block. A last warp combines their results.
#pragma once

#include <upsweep/cuda/device/axis_pipeline.cuh>

namespace upsweep::cuda::detail {

template <class Problem, class Geometry>
class AxisLookBack {
  using T = typename Problem::T;
  using Totals = typename Geometry::Totals;
  using Tiles = AxisTiles<Problem, Geometry>;
  static constexpr int kColumns = Geometry::kColumns;

public:
  __device__ __forceinline__ AxisLookBack(const Problem &problem, std::uint32_t tag)
      : problem_(problem), tag_(tag), rank_(lane_id() / problem.cut.across) {}

  // The role of reader `reader`: the totals of the tile's own group, and of the groups since the block's last tile.
  __device__ __forceinline__ void read(Tiles tiles, AxisStorage<Geometry> storage, int stages, int reader) const {
    if (tiles.members() == 1) {
      return;
    }
    RingPlace place;
    for (int turn = 0; tiles.is_any(); tiles.advance(), place.advance(stages), turn = (turn + 1) % Geometry::kReaders) {
      if (turn != reader) {
        continue;
      }
      auto &stage = storage.stage(place.stage);
      const Before before(problem_, tiles);
      const int pack = pack_in(tiles);
      Totals in_group, groups;
      if (before.is_any_in_group()) {
        in_group = total_of(tiles.words_of_chunk(before.first_in_group()), tiles, tiles.chunk() - before.first_in_group());
      }
      stage.full.wait(place.parity);
      stage.published.wait(place.parity);
      if (problem_.group_chunks > 1) {
        publish_group(tiles, before, in_group, stage.total[pack], pack);
      }
      if (before.is_any_group()) {
        groups = total_of(tiles.words_of_group(before.first_group), tiles, before.group - before.first_group);
      }
      if (rank_ == 0) {
        stage.in_group[pack] = in_group;
        stage.groups[pack] = groups;
      }
      arrive_as_warp(stage.read);
    }
  }

  // The role of the last warp.
  __device__ __forceinline__ void put_together(Tiles tiles, AxisStorage<Geometry> storage, int stages) const {
    Totals known;  // since the last head: up to the group of the block's last tile, or through that tile if the block is alone
    for (RingPlace place; tiles.is_any(); tiles.advance(), place.advance(stages)) {
      auto &stage = storage.stage(place.stage);
      const Before before(problem_, tiles);
      const int pack = pack_in(tiles);
      stage.full.wait(place.parity);
      Totals prefix = known;
      if (tiles.members() == 1) {
        stage.published.wait(place.parity);
        known = stage.total[pack];
        if (before.is_any && !has_head(tiles)) {
          known = combined(prefix, known);
        }
      } else {
        stage.read.wait(place.parity);
        if (before.is_any_group()) {
          const Totals groups = stage.groups[pack];
          known = before.goes_on ? combined(known, groups) : groups;
        }
        prefix = known;
        if (before.is_any_in_group()) {
          const Totals in_group = stage.in_group[pack];
          prefix = before.begins_in_group() ? in_group : combined(known, in_group);
        }
      }
      if (before.is_any && rank_ == 0) {
        stage.prefix[pack] = prefix;
      }
      arrive_as_warp(stage.seeded);
    }
  }

private:
  // The tiles between the last head and a tile.
  struct Before {
    std::uint64_t chunk, group, group_begin;
    std::uint64_t first_chunk;  // that has the head
    std::uint64_t first_group;  // first to be read: the head's group, or the group of the block's last tile
    bool is_any;                // the tile does not begin with a head
    bool goes_on;               // the block's last tile was behind the head, too

    __device__ __forceinline__ Before(const Problem &problem, const Tiles &tiles)
        : chunk(tiles.chunk()), group(problem.group_of(chunk)), group_begin(group * problem.group_chunks) {
      const std::uint64_t past = problem.rows_after_head(tiles.first_row());
      const std::uint64_t head = tiles.first_row() - past;
      first_chunk = head / tiles.tile_rows();
      is_any = past > 0;
      const std::uint64_t last_group = chunk >= tiles.members() ? problem.group_of(chunk - tiles.members()) : 0;
      const std::uint64_t head_group = problem.group_of(first_chunk);
      goes_on = chunk >= tiles.members() && head_group < last_group;
      first_group = goes_on ? last_group : head_group;
    }
    __device__ __forceinline__ bool begins_in_group() const { return first_chunk >= group_begin; }
    __device__ __forceinline__ std::uint64_t first_in_group() const { return begins_in_group() ? first_chunk : group_begin; }
    __device__ __forceinline__ bool is_any_in_group() const { return is_any && first_in_group() < chunk; }
    __device__ __forceinline__ bool is_any_group() const { return is_any && first_group < group; }
  };

  __device__ __forceinline__ bool has_head(const Tiles &tiles) const {
    return Heads(problem_, tiles.first_row()).is_any(0, static_cast<int>(tiles.tile_rows()));
  }

  // The group's total is published with its last tile; an incomplete tile is the last of the strip.
  __device__ __forceinline__ void publish_group(const Tiles &tiles, const Before &before, const Totals &in_group, Totals total,
                                                int pack) const {
    const bool is_last = before.chunk == before.group_begin + problem_.group_chunks - 1 &&
                         tiles.valid_rows() == static_cast<int>(tiles.tile_rows());
    if (is_last && rank_ == 0) {
      if (before.is_any_in_group() && !has_head(tiles)) {
        total = combined(in_group, total);
      }
      tiles.words_of_group(before.group)[pack].publish(total, tag_);
    }
  }

  // The lane's columns. Lanes beyond the strip take its last columns.
  __device__ __forceinline__ int pack_in(const Tiles &tiles) const {
    return min(lane_id() % problem_.cut.across, tiles.valid_columns() / kColumns - 1);
  }

  __device__ __forceinline__ Totals combined(const Totals &before, const Totals &more) const {
    Totals sum;
#pragma unroll
    for (int i = 0; i < kColumns; ++i) {
      sum.elements[i] = problem_.op(before.elements[i], more.elements[i]);
    }
    return sum;
  }

  // The total of `count` neighbouring rows of words, in every lane: each rank of lanes adds its share, then the ranks are
  // added.
  __device__ __forceinline__ Totals total_of(const TileWord<Totals> *words, const Tiles &tiles, std::uint64_t count) const {
    const auto share = static_cast<std::uint32_t>((count + problem_.cut.ranks - 1) / problem_.cut.ranks);
    const std::uint64_t begin = static_cast<std::uint64_t>(rank_) * share;
    const int pack = pack_in(tiles);
    const bool has_any = rank_ < problem_.cut.ranks && begin < count;
    Totals total;
    if (has_any) {
      const std::uint64_t left = count - begin;
      total = added(words + begin * problem_.cut.across + pack, left < share ? static_cast<std::uint32_t>(left) : share);
    }
    const int used = static_cast<int>((count + share - 1) / share);
    for (int distance = 1; distance < used; distance *= 2) {
      const Totals later = shuffle_down(total, distance * problem_.cut.across);
      if (rank_ % (2 * distance) == 0 && rank_ + distance < used && has_any) {
        total = combined(total, later);
      }
    }
    return shuffle_from(total, pack);
  }

  // Called by one lane; adds in order. It requests the words of several tiles together, as far as registers allow.
  __device__ __forceinline__ Totals added(const TileWord<Totals> *words, std::uint32_t count) const {
    constexpr int kBytes = static_cast<int>(sizeof(TileWord<Totals>));
    constexpr int kAtOnce = kBytes <= 16 ? 8 : kBytes <= 32 ? 4 : kBytes <= 64 ? 2 : 1;
    const auto word = [&](std::uint32_t at) -> const TileWord<Totals> & {
      return words[static_cast<std::uint64_t>(min(at, count - 1)) * problem_.cut.across];
    };
    Totals total;
    for (std::uint32_t done = 0; done < count; done += kAtOnce) {
      TileWord<Totals> read[kAtOnce];
#pragma unroll
      for (int at = 0; at < kAtOnce; ++at) {
        read[at] = word(done + at).load();
      }
      for (bool is_whole = false; !is_whole;) {
        is_whole = true;
#pragma unroll
        for (int at = 0; at < kAtOnce; ++at) {
          if (!read[at].is_of(tag_)) {
            is_whole = false;
            read[at] = word(done + at).load();
          }
        }
      }
#pragma unroll
      for (int at = 0; at < kAtOnce; ++at) {
        if (done + at < count) {
          total = done + at > 0 ? combined(total, read[at].value()) : read[at].value();
        }
      }
    }
    return total;
  }

  const Problem &problem_;
  std::uint32_t tag_;
  int rank_;
};

}  // namespace upsweep::cuda::detail
