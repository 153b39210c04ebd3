// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Runs of equal neighbours in chunks: their first elements, and their lengths or totals. A run belongs to the chunk in which it
// begins, and is completed by the chunk in which the next one begins.
#pragma once

#include <upsweep/cpu/detail/compact_job.h>
#include <upsweep/cpu/detail/kernels.h>

#include <array>

namespace upsweep::cpu::detail {

// 0, 1, 2, ... : what is left of it by a compaction is where the marks are.
template <std::size_t kCount = kTileItems<std::uint8_t>>
inline constexpr auto kPlaces = [] {
  std::array<std::uint32_t, kCount> places{};
  for (std::size_t i = 0; i < kCount; ++i) {
    places[i] = static_cast<std::uint32_t>(i);
  }
  return places;
}();

// The length of a run is the distance of its begin from the next one's.
struct LengthOfRun {
  using Open = std::uint64_t;  // where the last run begins
  using Value = std::uint64_t;

  Open nothing() const { return 0; }
  // The open run behind a part of the array of which the last head is at `head`.
  Open after(std::uint64_t head, std::uint64_t) const { return head; }
  Open extend(Open open, std::uint64_t, std::uint64_t) const { return open; }
  Open join(Open left, Open, bool right_has_head, Open right) const { return right_has_head ? right : left; }
  Value finish(Open open, std::uint64_t end) const { return end - open; }

  // Values of the runs that end in the tile, of which the first was open; returns how many.
  std::size_t tile(std::uint64_t begin, std::size_t n, const std::uint8_t *marks, Open &open, std::uint64_t *values) const {
    std::uint32_t places[kTileItems<std::uint8_t> + 16];
    const std::uint32_t *from = kPlaces<>.data();
    std::uint32_t *to = places;
    const std::size_t count = UPSWEEP_CPU_DISPATCH(compact, from, marks, n, to);
    for (std::size_t i = 0; i < count; ++i) {
      const std::uint64_t place = begin + places[i];
      values[i] = place - open;
      open = place;
    }
    return count;
  }
};

// The total of a run's values.
template <class T, class Values, class Op>
struct TotalOfRun {
  using Kernel = KernelFor<T, Op>;
  using Open = typename Kernel::Carry;
  using Value = T;

  Elements<Values> values;
  Kernel kernel;

  Open nothing() const { return kernel.nothing(); }
  Open after(std::uint64_t head, std::uint64_t end) const { return extend(kernel.nothing(), head, end); }
  Open extend(Open open, std::uint64_t begin, std::uint64_t end) const {
    typename Elements<Values>::Buffer buffer;
    const std::size_t n = end - begin;
    return n > 0 ? kernel.combine(open, kernel.reduce(values.get(begin, n, buffer), n)) : open;
  }
  Open join(Open left, Open, bool right_has_head, Open right) const {
    return right_has_head ? right : kernel.combine(left, right);
  }
  Value finish(Open open, std::uint64_t) const { return kernel.value(open); }

  std::size_t tile(std::uint64_t begin, std::size_t n, const std::uint8_t *marks, Open &open, T *totals) const {
    typename Elements<Values>::Buffer buffer;
    const T *x = values.get(begin, n, buffer);
    std::size_t count = 0, i = 0;
    if constexpr (!has_vector_form<Op, T>) {
      if (!open.is_known) {  // nothing is before the first element of the array
        open = {x[0], true};
        totals[0] = x[0];
        count = marks[0];
        i = 1;
      }
    }
    T total = kernel.value(open);
    for (; i < n; ++i) {
      totals[count] = total;
      count += marks[i];
      total = marks[i] != 0 ? x[i] : kernel.op(total, x[i]);
    }
    open = kernel.of(total);
    return count;
  }
};

// Fold: LengthOfRun or TotalOfRun.
template <class In, class Firsts, class Results, class Marks, class Fold>
struct RunJob {
  using T = std::remove_cv_t<ValueOf<In>>;
  using Value = typename Fold::Value;
  struct Total {
    std::uint64_t heads = 0;
    typename Fold::Open open{};
  };
  static constexpr std::size_t kItems = std::min(kTileItems<T>, kTileItems<Value>);

  Elements<In> in;
  Firsts firsts;
  Results results;
  Marks marks;
  Fold fold;
  Chunks chunks;
  bool is_streamed;
  std::uint64_t *runs;

  Total nothing() const { return {0, fold.nothing()}; }
  Total combine(const Total &left, const Total &right) const {
    return {left.heads + right.heads, fold.join(left.open, left.open, right.heads > 0, right.open)};
  }
  Total reduce(std::uint64_t chunk) const {
    Total total = nothing();
    for (std::uint64_t i = chunks.begin(chunk); i < chunks.end(chunk); i += kItems) {
      total = combine(total, reduce_tile(i, std::min<std::uint64_t>(kItems, chunks.end(chunk) - i)));
    }
    return total;
  }

  Total scan(std::uint64_t chunk, const Total &before, std::optional<std::uint64_t> next) const {
    const std::uint64_t begin = chunks.begin(chunk), end = chunks.end(chunk);
    std::uint64_t next_i = next ? chunks.begin(*next) : 0;
    const std::uint64_t next_end = next ? chunks.end(*next) : 0;
    Total next_total = nothing();
    Appended<T, Firsts> to(firsts, before.heads, is_streamed);
    Appended<Value, Results> values(results, before.heads - (before.heads > 0 ? 1 : 0), is_streamed);
    typename Elements<In>::Buffer buffer;
    std::uint8_t tile_marks[kItems];
    Total total = before;
    for (std::uint64_t i = begin; i < end; i += kItems) {
      const std::size_t n = std::min<std::uint64_t>(kItems, end - i);
      marks.mark(i, n, tile_marks);
      const T *elements = in.get(i, n, buffer);
      Value *values_room = values.room();
      std::size_t ended = fold.tile(i, n, tile_marks, total.open, values_room);
      if (total.heads == 0 && ended > 0) {  // before the first run there is none that ends
        --ended;
        std::memmove(static_cast<void *>(values_room), values_room + 1, ended * sizeof(Value));
      }
      values.commit(ended);
      T *room = to.room();
      const std::size_t heads = UPSWEEP_CPU_DISPATCH(compact, elements, tile_marks, n, room);
      to.commit(heads);
      total.heads += heads;
      if (next_i < next_end) {
        const std::uint64_t part = std::min<std::uint64_t>(kItems, next_end - next_i);
        if constexpr (is_contiguous<In>) {
          if (next_i + 2 * kItems <= next_end) {
            prefetch(address(in.in) + next_i + kItems, kItems * sizeof(T));
          }
        }
        next_total = combine(next_total, reduce_tile(next_i, part));
        next_i += part;
      }
    }
    if (end == chunks.n) {
      *values.room() = fold.finish(total.open, end);
      values.commit(1);
      *runs = total.heads;
    }
    to.finish();
    values.finish();
    for (; next_i < next_end; next_i += kItems) {
      next_total = combine(next_total, reduce_tile(next_i, std::min<std::uint64_t>(kItems, next_end - next_i)));
    }
    return next_total;
  }

private:
  Total reduce_tile(std::uint64_t begin, std::size_t n) const {
    std::uint8_t tile_marks[kItems];
    marks.mark(begin, n, tile_marks);
    const std::uint64_t heads = UPSWEEP_CPU_DISPATCH(count_marks, tile_marks, n);
    if (heads == 0) {
      return {0, fold.extend(fold.nothing(), begin, begin + n)};
    }
    std::size_t last = n - 1;
    while (tile_marks[last] == 0) {
      --last;
    }
    return {heads, fold.after(begin + last, begin + n)};
  }
};

template <class In, class Firsts, class Results, class Number, class Equal, class Fold, class Executor>
void encode_runs(In in, Firsts firsts, Results results, Number *runs, std::uint64_t n, Equal equal, const Fold &fold,
                 bool is_in_place, Executor &executor) {
  using T = std::remove_cv_t<ValueOf<In>>;
  static_assert(std::is_trivially_copyable_v<T>, "elements must be trivially copyable");
  using Job = RunJob<In, Firsts, Results, KeepFirstOfRun<In, Equal>, Fold>;
  require_array(in, n, "the input");
  require_array(firsts, n, "the output of first elements");
  require_array(results, n, "the output of results");
  require_array(runs, 1, "the number of runs");
  std::uint64_t count = 0;
  if (n > 0) {
    const bool is_streamed = n * sizeof(T) >= kStreamedBytes && !is_in_place;
    const Job job{{in},        firsts, results,
                  {in, equal}, fold,   Chunks(n, std::max(sizeof(T), std::min<std::size_t>(sizeof(typename Fold::Value), 8))),
                  is_streamed, &count};
    calling_thread alone;  // in place: what one chunk writes another thread might not have read yet
    if (is_in_place) {
      go_over_chunks(alone, job, job.chunks.count(), job.nothing());
    } else {
      go_over_chunks(executor, job, job.chunks.count(), job.nothing());
    }
  }
  *runs = static_cast<Number>(count);
}

}  // namespace upsweep::cpu::detail
