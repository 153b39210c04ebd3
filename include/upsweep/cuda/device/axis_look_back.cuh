// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The look-back of a scan along an axis: for each column, the total of the tiles between the last head and a tile. The blocks
// that share a strip take its chunks in turns, so that few tiles are to be added for each.
#pragma once

#include <upsweep/cuda/device/axis_pipeline.cuh>

namespace upsweep::cuda::detail {

template <class Problem, class Geometry>
class AxisLookBack {
  using T = typename Problem::T;
  using Totals = typename Geometry::Totals;
  using Tiles = AxisTiles<Problem, Geometry>;
  static constexpr int kColumns = Geometry::kColumns;
  static constexpr std::uint64_t kNone = ~std::uint64_t(0);

public:
  __device__ __forceinline__ AxisLookBack(const Problem &problem, std::uint32_t tag)
      : problem_(problem), tag_(tag), pack_(lane_id() % problem.cut.across), rank_(lane_id() / problem.cut.across) {}

  __device__ __forceinline__ void run(Tiles tiles, AxisStorage<Geometry> storage, int stages) {
    for (RingPlace place; tiles.is_any(); tiles.advance(), place.advance(stages)) {
      auto &stage = storage.stage(place.stage);
      const bool is_in = rank_ < problem_.cut.ranks && pack_ * kColumns < tiles.valid_columns();
      const std::uint64_t row = tiles.first_row();
      const std::uint64_t past = problem_.rows_after_head(row);
      Totals prefix;
      if (past > 0) {
        // Every tile from the one with the last head on; of these that one alone has a head.
        const std::uint64_t head = row - past;
        const bool is_known = known_strip_ == tiles.strip() && known_head_ == head;
        const std::uint64_t first = is_known ? known_chunks_ : head / tiles.tile_rows();
        prefix = known_;
        if (first < tiles.chunk()) {
          const Totals more = total_of(tiles, first, tiles.chunk(), is_in);
          prefix = is_known ? combined(prefix, more) : more;
        }
      }
      // Until the stage is full, scanners may read the prefix of the tile before in it.
      stage.full.wait(place.parity);
      if (past > 0 && is_in && rank_ == 0) {
        stage.prefix[pack_] = prefix;
      }
      stage.published.wait(place.parity);
      know(tiles, stage.total[pack_], prefix, past > 0);
      __syncwarp();
      if (lane_id() == 0) {
        stage.seeded.arrive();
      }
    }
  }

private:
  // With the tile itself, as where the next one may go on.
  __device__ __forceinline__ void know(const Tiles &tiles, const Totals &total, const Totals &prefix, bool has_prefix) {
    const std::uint64_t end = tiles.first_row() + tiles.tile_rows();
    if (end > problem_.rows) {
      known_strip_ = kNone;
      return;
    }
    const std::uint64_t head = end - 1 - problem_.rows_after_head(end - 1);
    known_ = total;
    if (has_prefix && head < tiles.first_row()) {
      known_ = combined(prefix, known_);
    }
    known_strip_ = tiles.strip();
    known_head_ = head;
    known_chunks_ = tiles.chunk() + 1;
  }

  __device__ __forceinline__ Totals combined(const Totals &before, const Totals &more) const {
    Totals sum;
#pragma unroll
    for (int i = 0; i < kColumns; ++i) {
      sum.elements[i] = problem_.op(before.elements[i], more.elements[i]);
    }
    return sum;
  }

  // Tiles [first, end) of the strip, which are not none: each rank of lanes adds its share of them, then the ranks are added.
  __device__ __forceinline__ Totals total_of(const Tiles &tiles, std::uint64_t first, std::uint64_t end, bool is_in) const {
    const auto count = static_cast<std::uint32_t>(end - first);
    const std::uint32_t share = (count + problem_.cut.ranks - 1) / problem_.cut.ranks;
    const std::uint32_t begin = rank_ * share;
    const bool has_any = is_in && begin < count;
    Totals total;
    if (has_any) {
      total = added(tiles, first + begin, min(share, count - begin));
    }
    const int used = static_cast<int>((count + share - 1) / share);
    for (int distance = 1; distance < used; distance *= 2) {
      const Totals later = shuffle_down(total, distance * problem_.cut.across);
      if (rank_ % (2 * distance) == 0 && rank_ + distance < used && has_any) {
        total = combined(total, later);
      }
    }
    return total;
  }

  // By one lane, in order. The words of several tiles are asked for at once.
  __device__ __forceinline__ Totals added(const Tiles &tiles, std::uint64_t first, std::uint32_t count) const {
    constexpr int kAtOnce = sizeof(TileWord<T>) * kColumns <= 16 ? 8 : sizeof(TileWord<T>) * kColumns <= 64 ? 4 : 1;
    Totals total;
    for (std::uint32_t done = 0; done < count; done += kAtOnce) {
      TileWord<T> words[kAtOnce][kColumns];
      for (bool is_whole = false; !is_whole;) {
        is_whole = true;
#pragma unroll
        for (int tile = 0; tile < kAtOnce; ++tile) {
          const TileWord<T> *from = tiles.words(first + min(done + tile, count - 1)) + pack_ * kColumns;
#pragma unroll
          for (int i = 0; i < kColumns; ++i) {
            words[tile][i] = from[i].load();
          }
        }
#pragma unroll
        for (int tile = 0; tile < kAtOnce; ++tile) {
#pragma unroll
          for (int i = 0; i < kColumns; ++i) {
            is_whole &= words[tile][i].is_of(tag_);
          }
        }
      }
#pragma unroll
      for (int tile = 0; tile < kAtOnce; ++tile) {
        if (done + tile < count) {
#pragma unroll
          for (int i = 0; i < kColumns; ++i) {
            const T value = words[tile][i].value();
            total.elements[i] = done + tile > 0 ? problem_.op(total.elements[i], value) : value;
          }
        }
      }
    }
    return total;
  }

  const Problem &problem_;
  std::uint32_t tag_;
  int pack_, rank_;
  Totals known_;  // of the strip's chunks from the last head, in row known_head_, up to known_chunks_
  std::uint64_t known_strip_ = kNone, known_head_ = 0, known_chunks_ = 0;
};

}  // namespace upsweep::cuda::detail
