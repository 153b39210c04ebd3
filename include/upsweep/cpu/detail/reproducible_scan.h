// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Scans with the brackets of the CUDA library (cuda_order.h): floating-point sums have the same bits in both.
#pragma once

#include <upsweep/cpu/detail/chunks.h>
#include <upsweep/cpu/detail/cuda_order.h>
#include <upsweep/cpu/detail/kernels.h>
#include <upsweep/cpu/detail/tiles.h>

#include <vector>

namespace upsweep::cpu::detail {

template <class T, class In, class Out, class Op, class TransformIn, class TransformOut, bool kInclusive, bool kBackward>
struct ReproducibleScanJob {
  using Total = TileTotals<T>;
  using Tile = CudaTile<sizeof(T), sizeof(ValueOf<In>), sizeof(ValueOf<Out>)>;
  using Reader = Source<T, SweepKernel<T, Op>, In, TransformIn, kBackward>;
  static constexpr bool kKeepsMarks = true;  // the totals of the first pass, for the second one
  static constexpr std::integral_constant<std::size_t, Tile::kItems> kSliceItems{};
  static constexpr std::size_t kWidth = Tile::kWarps <= 8 ? 8 : 16;

  // Results of the first pass over a tile: each lane's total of its warp up to the lane, and each warp's total of the tile up
  // to the warp.
  struct Sums {
    T lanes[Tile::kWarps][kLanes];
    T warps[kWidth];
  };

  Reader source;
  Out out;
  TransformOut transform_out;
  Op op;
  Chunks chunks;  // of whole tiles
  bool is_streamed;
  T *total_to;
  std::vector<Sums> sums{}, next_sums{};
  std::vector<T> room{};

  Total combine(const Total &left, const Total &right) const {
    Total both = left;
    for (std::uint32_t i = 0; i < right.count; ++i) {
      both.append(right.tiles[i], op);
    }
    return both;
  }

  Total reduce(std::uint64_t chunk) {
    Total total;
    const std::uint64_t begin = chunks.begin(chunk), end = chunks.end(chunk);
    next_sums.resize((end - begin + Tile::kTileItems - 1) / Tile::kTileItems);
    for (std::uint64_t i = begin; i < end; i += Tile::kTileItems) {
      total.append(reduce_tile(i, end, next_sums[(i - begin) / Tile::kTileItems]), op);
    }
    return total;
  }

  Total scan(std::uint64_t chunk, const Total &prefix, std::optional<std::uint64_t> next) {
    std::swap(sums, next_sums);
    if (is_streamed) {
      scan_to<true>(chunk, prefix);
    } else {
      scan_to<false>(chunk, prefix);
    }
    return next ? reduce(*next) : Total();
  }

private:
  // Elements of a warp in the order of the scan. The last element is repeated behind the end, so that the operator sees no
  // other value; these results are not used.
  const T *elements(std::uint64_t begin, std::size_t count, std::vector<T> &to) const {
    if constexpr (Reader::kIsDirect) {
      if (count == Tile::kWarpItems) {
        return address(source.in) + begin;
      }
    }
    typename Reader::Buffer buffer;
    to.resize(2 * Tile::kWarpItems);
    for (std::size_t i = 0; i < count; i += kTileItems<T>) {
      const std::size_t part = std::min(kTileItems<T>, count - i);
      std::copy_n(source.get(begin + i, part, buffer), part, to.data() + i);
    }
    std::fill(to.begin() + static_cast<std::ptrdiff_t>(count), to.begin() + static_cast<std::ptrdiff_t>(Tile::kWarpItems),
              to[count - 1]);
    return to.data();
  }

  T reduce_tile(std::uint64_t begin, std::uint64_t end, Sums &to) {
    for (std::size_t warp = 0; warp < Tile::kWarps; ++warp) {
      // A warp behind the last element contributes to no result.
      if (const std::uint64_t first = begin + warp * Tile::kWarpItems; first < end) {
        const T *from = elements(first, std::min<std::uint64_t>(Tile::kWarpItems, end - first), room);
        T *lanes = to.lanes[warp];
        UPSWEEP_CPU_DISPATCH_UNFUSED(reduce_slices, kSliceItems, from, lanes, kLanes, op);
        scan_lanes<kLanes>(lanes, op);
        to.warps[warp] = lanes[kLanes - 1];
      } else {
        to.warps[warp] = to.warps[0];
      }
    }
    std::fill(to.warps + Tile::kWarps, to.warps + kWidth, to.warps[0]);
    scan_lanes<kWidth>(to.warps, op);
    return to.warps[Tile::kWarps - 1];
  }

  template <bool kStreamed>
  void scan_to(std::uint64_t chunk, Total before) {
    const std::uint64_t begin = chunks.begin(chunk), end = chunks.end(chunk);
    Sink<T, Out, TransformOut, kBackward, kStreamed> sink(out, transform_out, chunks.n, begin);
    for (std::uint64_t tile = begin; tile < end; tile += Tile::kTileItems) {
      const Sums &of_tile = sums[(tile - begin) / Tile::kTileItems];
      for (std::size_t warp = 0; warp < Tile::kWarps && tile + warp * Tile::kWarpItems < end; ++warp) {
        const std::uint64_t first = tile + warp * Tile::kWarpItems;
        const std::size_t count = std::min<std::uint64_t>(Tile::kWarpItems, end - first);
        const T *results = scan_warp(first, count, warp, of_tile, before);
        for (std::size_t i = 0; i < count; i += kTileItems<T>) {
          const std::size_t part = std::min(kTileItems<T>, count - i);
          std::copy_n(results + i, part, sink.room());
          sink.commit(first + i, part);
        }
      }
      before.append(of_tile.warps[Tile::kWarps - 1], op);
    }
    sink.finish();
  }

  const T *scan_warp(std::uint64_t first, std::size_t count, std::size_t warp, const Sums &of_tile, const Total &before_tile) {
    room.resize(2 * Tile::kWarpItems);
    const T *from = elements(first, count, room);
    T *results = room.data() + Tile::kWarpItems;
    // The total before each slice. Only the first slice of the array has none.
    bool has_before = before_tile.has_total();
    T before = has_before ? before_tile.total(op) : from[0];
    if (warp > 0) {
      before = has_before ? op(before, of_tile.warps[warp - 1]) : of_tile.warps[warp - 1];
      has_before = true;
    }
    T lanes[kLanes];
    lanes[0] = before;
    for (std::size_t lane = 1; lane < kLanes; ++lane) {
      const T &lower = of_tile.lanes[warp][lane - 1];
      lanes[lane] = has_before ? op(before, lower) : lower;
    }
    T *chains = lanes;
    constexpr std::bool_constant<kInclusive> kIsInclusive;
    UPSWEEP_CPU_DISPATCH_UNFUSED(scan_slices, kSliceItems, kIsInclusive, from, chains, results, kLanes, op);
    if (!has_before) {  // the first slice starts from its first element
      results[0] = from[0];
      for (std::size_t i = 1; i < Tile::kItems; ++i) {
        results[i] = op(results[i - 1], from[i]);
      }
    }
    if (total_to != nullptr && first + count == chunks.n) {
      if constexpr (kInclusive) {
        *total_to = results[count - 1];
      } else {
        *total_to = op(results[count - 1], from[count - 1]);
      }
    }
    return results;
  }
};

}  // namespace upsweep::cpu::detail
