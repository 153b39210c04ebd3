// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Scans whose bits do not depend on the ranks: the tiles of the whole array have the brackets of one process
// (cpu/detail/cuda_order.h). A tile belongs to the rank that has its first element. The other ranks with elements of this tile
// send them there and get the results back, less than a tile for each rank. The totals of tiles, and of groups of 128 of them,
// are gathered and added in the order of the array.
#pragma once

#include <upsweep/cpu/detail/reproducible_scan.h>
#include <upsweep/distributed/detail/call.h>
#include <upsweep/distributed/detail/totals.h>
#include <upsweep/distributed/options.h>

#include <limits>

namespace upsweep::distributed::detail {

using cpu::detail::kGroupTiles;

// The division of a rank's part, in the order of the scan. The head belongs to an earlier rank's tile. Whole tiles follow, and
// then the begin of a tile that may go on in later ranks.
struct TileRanges {
  std::uint64_t begin = 0, n = 0;     // of the part, in the whole array
  std::uint64_t head = 0, whole = 0;  // elements
  std::uint64_t tile_begin = 0,
                rest = 0;  // of the tile that the rank's end divides; no element of it here, or all that are left

  TileRanges(std::uint64_t first, std::uint64_t count, std::uint64_t all, std::uint64_t tile) : begin(first), n(count) {
    const std::uint64_t to_tile = (tile - begin % tile) % tile;
    head = std::min(to_tile, n);
    whole = (n - head) / tile * tile;
    tile_begin = begin + head + whole;
    rest = n > head + whole ? std::min(tile, all - tile_begin) : 0;
  }
  std::uint64_t own_rest() const { return n - head - whole; }
  std::uint64_t tiles(std::uint64_t tile) const { return whole / tile + (rest > 0 ? 1 : 0); }
  std::uint64_t first_tile(std::uint64_t tile) const { return (begin + head) / tile; }
  // The elements of this rank's last tile that `other` has as its head.
  std::uint64_t from(const TileRanges &other) const {
    const std::uint64_t end = tile_begin + rest;
    return rest > 0 && other.begin > tile_begin && other.begin < end ? std::min(end - other.begin, other.n) : 0;
  }
};

template <class T, bool kInclusive, bool kBackward, class C, class In, class Out, class Op, class... More>
class ReproducibleScan {
  using Element = std::remove_cv_t<ValueOf<In>>;
  using Result = std::remove_cv_t<ValueOf<Out>>;
  static_assert(std::is_trivially_copyable_v<Element> && std::is_trivially_copyable_v<Result>,
                "elements of reproducible scans must be trivially copyable");
  using Tile = cpu::detail::CudaTile<sizeof(T), sizeof(Element), sizeof(Result)>;
  static constexpr std::uint64_t kTile = Tile::kTileItems;
  using TransformIn = std::decay_t<
      decltype(find_option<transform_input>(transform_input<Unchanged>(Unchanged{}), std::declval<More &>()...).function)>;
  using TransformOut = std::decay_t<
      decltype(find_option<transform_output>(transform_output<Unchanged>(Unchanged{}), std::declval<More &>()...).function)>;
  template <class From, class To>
  using Job = cpu::detail::ReproducibleScanJob<T, From, To, Op, TransformIn, TransformOut, kInclusive, kBackward>;
  using Totals = cpu::detail::TileTotals<T>;

public:
  ReproducibleScan(Call<C> &call, In in, Out out, std::uint64_t n, const Op &op)
      : call_(call), in_(in), out_(out), n_(n), op_(op) {}

  template <class Check, class Executor>
  std::vector<PartTotal<T>> scan(const Check &check, const T *initial, Executor &executor, const More &...more) {
    share(check);
    const TileRanges &own = ranges_[call_.rank()];
    T last{};
    const auto whole = whole_tiles(&last, more...);
    std::vector<T> tiles;
    const auto totals = call_.gather_vectors([&] {
      put_together();
      tiles = totals_of_tiles(whole, last_tile(&last, more...), executor);
      return grouped(tiles, own.first_tile(kTile));
    });
    const auto ends = call_.gather([&] {
      Totals before = totals_before(totals, call_.rank(), initial);
      if (own.whole > 0) {
        cpu::detail::go_over_chunks(executor, whole, whole.chunks.count(), before);
      }
      if (own.rest > 0) {
        for (std::uint64_t i = 0; i < own.whole / kTile; ++i) {
          before.append(tiles[i], op_);
        }
        calling_thread alone;
        cpu::detail::go_over_chunks(alone, last_tile(&last, more...), 1, before);
      }
      take_apart();
      return PartTotal<T>{last, own.whole + own.rest > 0};
    });
    std::swap(lengths_.send, lengths_.receive);
    call_.exchange(received_results_.data(), head_results_.data(), lengths_);
    std::copy_n(head_results_.begin(), own.head, out_ + static_cast<std::ptrdiff_t>(kBackward ? n_ - own.head : 0));
    return ends;
  }

  // The total of all tiles with the same brackets.
  template <class Check, class Executor>
  PartTotal<T> reduce(const Check &check, const T *initial, Executor &executor, const More &...more) {
    share(check);
    const auto totals = call_.gather_vectors([&] {
      put_together();
      const auto tiles = totals_of_tiles(whole_tiles(nullptr, more...), last_tile(nullptr, more...), executor);
      return grouped(tiles, ranges_[call_.rank()].first_tile(kTile));
    });
    PartTotal<T> total;
    call_.agree([&] {
      const Totals all = totals_before(totals, call_.size(), initial);
      if (all.has_total()) {
        total = {all.total(op_), true};
      }
    });
    return total;
  }

private:
  // Makes the ranges known, and collects the elements of this rank's last tile.
  template <class Check>
  void share(const Check &check) {
    const auto counts = call_.gather([&] {
      check();
      return n_;
    });
    call_.agree([&] { divide(counts); });
    call_.exchange(heads_.data(), received_.data(), lengths_);
  }

  auto whole_tiles(T *last, const More &...more) const {
    const TileRanges &own = ranges_[call_.rank()];
    const auto middle = static_cast<std::ptrdiff_t>(kBackward ? own.own_rest() : own.head);
    cpu::detail::Chunks chunks(own.whole, std::max(sizeof(T), sizeof(Element)));
    chunks.size = std::max((chunks.size + kTile - 1) / kTile, std::uint64_t(1)) * kTile;
    const bool is_streamed = own.whole * sizeof(T) >= cpu::detail::kStreamedBytes && !cpu::detail::is_same_array(in_, out_);
    const auto transform_in = find_option<transform_input>(transform_input<Unchanged>(Unchanged{}), more...).function;
    const auto transform_out = find_option<transform_output>(transform_output<Unchanged>(Unchanged{}), more...).function;
    const Out to = last != nullptr ? out_ + middle : out_;  // reductions have no output
    return Job<In, Out>{{in_ + middle, transform_in, own.whole}, to, transform_out, op_, chunks, is_streamed, last};
  }
  auto last_tile(T *last, const More &...more) {
    const std::uint64_t n = ranges_[call_.rank()].rest;
    cpu::detail::Chunks chunks(n, sizeof(T));
    chunks.size = std::max<std::uint64_t>(n, 1);
    const auto transform_in = find_option<transform_input>(transform_input<Unchanged>(Unchanged{}), more...).function;
    const auto transform_out = find_option<transform_output>(transform_output<Unchanged>(Unchanged{}), more...).function;
    return Job<const Element *, Result *>{
        {elements_.data(), transform_in, n}, results_.data(), transform_out, op_, chunks, false, last};
  }

  unsigned in_order(unsigned i) const { return kBackward ? call_.size() - 1 - i : i; }

  void divide(const std::vector<std::uint64_t> &counts) {
    std::uint64_t all = 0;
    for (const std::uint64_t count : counts) {
      all += count;
    }
    std::uint64_t begin = 0;
    ranges_.assign(counts.size(), TileRanges(0, 0, 0, kTile));
    for (unsigned i = 0; i < counts.size(); ++i) {
      ranges_[in_order(i)] = TileRanges(begin, counts[in_order(i)], all, kTile);
      begin += counts[in_order(i)];
    }
    const TileRanges &own = ranges_[call_.rank()];
    lengths_.resize(call_.size());
    std::uint64_t received = 0;
    for (unsigned r = 0; r < counts.size(); ++r) {
      lengths_.send[r] = ranges_[r].from(own);
      lengths_.receive[r] = own.from(ranges_[r]);
      received += lengths_.receive[r];
    }
    received_.resize(received);
    received_results_.resize(received);
    heads_.resize(own.head);
    std::copy_n(in_ + static_cast<std::ptrdiff_t>(kBackward ? n_ - own.head : 0), own.head, heads_.begin());
    head_results_.resize(own.head);
    elements_.resize(own.rest);
    results_.resize(own.rest);
  }

  // The last tile in the order of memory: its begin in this rank, and the rest from later ranks; backward, the rest comes
  // first.
  void put_together() {
    const std::uint64_t own = ranges_[call_.rank()].own_rest();
    const auto at = static_cast<std::ptrdiff_t>(kBackward ? 0 : n_ - own);
    auto *to = elements_.data();
    std::copy_n(in_ + at, own, kBackward ? to + received_.size() : to);
    std::copy_n(received_.begin(), received_.size(), kBackward ? to : to + own);
  }
  void take_apart() {
    const std::uint64_t own = ranges_[call_.rank()].own_rest();
    const auto at = static_cast<std::ptrdiff_t>(kBackward ? 0 : n_ - own);
    const auto *from = results_.data();
    std::copy_n(kBackward ? from + received_.size() : from, own, out_ + at);
    std::copy_n(kBackward ? from : from + own, received_.size(), received_results_.begin());
  }

  template <class Whole, class Rest, class Executor>
  std::vector<T> totals_of_tiles(const Whole &whole, Rest rest, Executor &executor) const {
    const TileRanges &own = ranges_[call_.rank()];
    std::vector<T> tiles(own.tiles(kTile));
    cpu::detail::for_each_piece(executor, whole.chunks.count(), [&](std::uint64_t chunk) {
      Whole job = whole;
      const Totals some = job.reduce(chunk);
      std::copy_n(some.tiles, some.count, tiles.begin() + static_cast<std::ptrdiff_t>(whole.chunks.begin(chunk) / kTile));
    });
    if (own.rest > 0) {
      tiles.back() = rest.reduce(0).tiles[0];
    }
    return tiles;
  }

  // The tiles of a rank before its first whole group, its groups, and the tiles behind them.
  struct Shape {
    std::uint64_t before, groups, behind;
    Shape(std::uint64_t first, std::uint64_t count)
        : before(std::min(count, (kGroupTiles - first % kGroupTiles) % kGroupTiles)), groups((count - before) / kGroupTiles),
          behind((count - before) % kGroupTiles) {}
    std::uint64_t all() const { return before + groups + behind; }
  };
  Shape shape_of(const TileRanges &ranges) const { return {ranges.first_tile(kTile), ranges.tiles(kTile)}; }
  std::uint64_t most_totals() const {
    std::uint64_t most = 0;
    for (const TileRanges &ranges : ranges_) {
      most = std::max(most, shape_of(ranges).all());
    }
    return most;
  }

  std::vector<T> grouped(const std::vector<T> &tiles, std::uint64_t first) const {
    const Shape shape(first, tiles.size());
    std::vector<T> all;
    all.reserve(most_totals());
    auto tile = tiles.begin();
    for (std::uint64_t i = 0; i < shape.before; ++i) {
      all.push_back(*tile++);
    }
    for (std::uint64_t group = 0; group < shape.groups; ++group) {
      Totals totals;
      for (std::size_t i = 0; i < kGroupTiles; ++i) {
        totals.append(*tile++, op_);
      }
      all.push_back(totals.groups);
    }
    all.insert(all.end(), tile, tiles.end());
    all.resize(most_totals());
    return all;
  }

  // The totals of the ranks before `rank`, or of all.
  Totals totals_before(const std::vector<T> &all, unsigned rank, const T *initial) const {
    Totals before;
    if (initial != nullptr) {
      before.groups = *initial;
      before.has_groups = true;
    }
    const std::uint64_t most = most_totals();
    for (unsigned i = 0; i < call_.size() && in_order(i) != rank; ++i) {
      const Shape shape = shape_of(ranges_[in_order(i)]);
      const T *at = all.data() + in_order(i) * most;
      for (std::uint64_t k = 0; k < shape.all(); ++k) {
        if (k >= shape.before && k < shape.before + shape.groups) {
          before.groups = before.has_groups ? op_(before.groups, at[k]) : at[k];
          before.has_groups = true;
        } else {
          before.append(at[k], op_);
        }
      }
    }
    return before;
  }

  Call<C> &call_;
  In in_;
  Out out_;
  std::uint64_t n_;
  Op op_;
  std::vector<TileRanges> ranges_;
  Lengths lengths_;
  std::vector<Element> heads_, received_, elements_;
  std::vector<Result> head_results_, received_results_, results_;
};

}  // namespace upsweep::distributed::detail
