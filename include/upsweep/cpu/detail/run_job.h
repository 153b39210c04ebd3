// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Runs of equal neighbours in chunks: their first elements, and their lengths or totals. A run belongs to the chunk in which
// it begins. The chunk in which the next run begins completes it.
#pragma once

#include <upsweep/cpu/detail/compact_job.h>
#include <upsweep/cpu/detail/kernels.h>
#include <upsweep/cpu/detail/segmented_job.h>

namespace upsweep::cpu::detail {

// The length of a run is the distance to the next run's begin.
template <class Length>
struct LengthOfRun {
  using Open = std::uint64_t;  // where the last run begins
  using Value = Length;

  Open nothing() const { return 0; }
  // The open run behind a part of the array whose last head is at `head`.
  Open after(std::uint64_t head, std::uint64_t) const { return head; }
  Open extend(Open open, std::uint64_t, std::uint64_t) const { return open; }
  Open join(Open left, bool right_has_head, Open right) const { return right_has_head ? right : left; }
  Value finish(Open open, std::uint64_t end) const { return static_cast<Value>(end - open); }

  // Values of the runs that end in the tile; the first was open.
  void tile(std::uint64_t begin, std::size_t, const std::uint64_t *, const std::uint32_t *heads, std::size_t count, Open &open,
            Value *values) const {
    if (count > 0) {
      values[0] = static_cast<Value>(begin + heads[0] - open);
      for (std::size_t i = 1; i < count; ++i) {
        values[i] = static_cast<Value>(heads[i] - heads[i - 1]);
      }
      open = begin + heads[count - 1];
    }
  }
};

// The total of a run's values.
template <class T, class Values, class Op>
struct TotalOfRun {
  using Kernel = KernelFor<T, Op>;
  using Open = typename Kernel::Carry;
  using Value = T;
  using Reader = Source<T, SweepKernel<T, Op>, Values, Unchanged, false>;

  Reader values;
  Kernel kernel;

  Open nothing() const { return kernel.nothing(); }
  Open after(std::uint64_t head, std::uint64_t end) const { return extend(kernel.nothing(), head, end); }
  Open extend(Open open, std::uint64_t begin, std::uint64_t end) const {
    typename Reader::Buffer buffer;
    for (std::uint64_t i = begin; i < end; i += kTileItems<T>) {
      const std::size_t n = std::min<std::uint64_t>(kTileItems<T>, end - i);
      open = kernel.combine(open, kernel.reduce(values.get(i, n, buffer), n));
    }
    return open;
  }
  Open join(Open left, bool right_has_head, Open right) const { return right_has_head ? right : kernel.combine(left, right); }
  Value finish(Open open, std::uint64_t) const { return kernel.value(open); }

  // A scan that starts again at each head; a run's total is the result before the next head.
  void tile(std::uint64_t begin, std::size_t n, const std::uint64_t *words, const std::uint32_t *heads, std::size_t count,
            Open &open, T *totals) const {
    typename Reader::Buffer buffer;
    TileBuffer<T> scanned;
    T *sums = scanned.items(), carry = kernel.value(open);
    const T *x = values.get(begin, n, buffer);
    sums[0] = carry;
    scan_marked_tile(x, words, sums + 1, n, carry, kernel.op, Side{x + kTileItems<T>});
    for (std::size_t i = 0; i < count; ++i) {
      totals[i] = sums[heads[i]];
    }
    open = kernel.of(carry);
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
  static constexpr bool kKeepsMarks = true;
  static constexpr std::size_t kItems = std::min(kMarkedItems<T>, kMarkedItems<Value>);

  Elements<In> in;
  Firsts firsts;
  Results results;
  Marks marks;
  Fold fold;
  Chunks chunks;
  bool is_streamed;
  std::uint64_t *runs;
  ChunkMarks found{};

  Total nothing() const { return {0, fold.nothing()}; }
  Total combine(const Total &left, const Total &right) const {
    return {left.heads + right.heads, fold.join(left.open, right.heads > 0, right.open)};
  }
  Total reduce(std::uint64_t chunk) {
    std::uint64_t heads = 0;
    for (std::uint64_t i = 0; i < chunks.length(chunk); i += kItems) {
      heads += mark_tile(chunk, i);
    }
    return total_of(chunk, heads);
  }

  Total scan(std::uint64_t chunk, const Total &before, std::optional<std::uint64_t> next) {
    const std::uint64_t begin = chunks.begin(chunk), length = chunks.length(chunk);
    const std::uint64_t next_length = next ? chunks.length(*next) : 0;
    found.next_chunk();
    Appended<T, Firsts> to(firsts, before.heads, is_streamed);
    Appended<Value, Results> values(results, before.heads - (before.heads > 0 ? 1 : 0), is_streamed);
    Total total = before;
    std::uint64_t next_heads = 0;
    for (std::uint64_t i = 0; i < length; i += kItems) {
      scan_tile(begin + i, std::min<std::uint64_t>(kItems, length - i), found.words() + i / 64, total, to, values);
      if (i < next_length) {
        next_heads += mark_tile(*next, i);
      }
    }
    if (begin + length == chunks.n) {
      *values.room() = fold.finish(total.open, chunks.n);
      values.commit(1);
      *runs = total.heads;
    }
    to.finish();
    values.finish();
    for (std::uint64_t i = (length + kItems - 1) / kItems * kItems; i < next_length; i += kItems) {
      next_heads += mark_tile(*next, i);
    }
    return next ? total_of(*next, next_heads) : nothing();
  }

private:
  std::uint64_t mark_tile(std::uint64_t chunk, std::uint64_t i) {
    return found.mark(marks, chunks.begin(chunk), i, std::min<std::uint64_t>(kItems, chunks.length(chunk) - i));
  }

  Total total_of(std::uint64_t chunk, std::uint64_t heads) const {
    const std::uint64_t begin = chunks.begin(chunk), end = chunks.end(chunk);
    const auto last = found.last_of_next(end - begin);
    return {heads, last ? fold.after(begin + *last, end) : fold.extend(fold.nothing(), begin, end)};
  }

  void scan_tile(std::uint64_t begin, std::size_t n, const std::uint64_t *words, Total &total, Appended<T, Firsts> &to,
                 Appended<Value, Results> &values) const {
    std::uint32_t heads[kItems + 8];
    std::uint32_t *at = heads;
    const std::size_t some = words_of(n);
    const std::size_t count = UPSWEEP_CPU_DISPATCH(places_of_marks, words, some, at);
    Value *results_room = values.room();
    fold.tile(begin, n, words, heads, count, total.open, results_room);
    std::size_t ended = count;
    if (total.heads == 0 && ended > 0) {  // before the first run no run ends
      --ended;
      std::memmove(static_cast<void *>(results_room), results_room + 1, ended * sizeof(Value));
    }
    values.commit(ended);
    typename Elements<In>::Buffer buffer;
    const T *elements = in.get(begin, n, buffer);
    T *room = to.room();
    if (count < n / 8) {
      for (std::size_t i = 0; i < count; ++i) {
        room[i] = elements[heads[i]];
      }
    } else {
      UPSWEEP_CPU_DISPATCH(compact, elements, words, n, room);
    }
    to.commit(count);
    total.heads += count;
  }
};

template <class In, class Firsts, class Results, class Number, class Equal, class Fold, class Executor>
void encode_runs(In in, Firsts firsts, Results results, Number *runs, std::uint64_t n, Equal equal, const Fold &fold,
                 bool is_in_place, Executor &executor) {
  using T = std::remove_cv_t<ValueOf<In>>;
  static_assert(std::is_trivially_copyable_v<T>, "elements must be trivially copyable");
  using Job = RunJob<In, Firsts, Results, KeepFirstOfRun<In, Equal>, Fold>;
  std::uint64_t count = 0;
  if (n > 0) {
    const bool is_streamed = n * sizeof(T) >= kStreamedBytes && !is_in_place;
    const Job job{{in},        firsts, results,
                  {in, equal}, fold,   Chunks(n, std::max(sizeof(T), std::min<std::size_t>(sizeof(typename Fold::Value), 8))),
                  is_streamed, &count};
    calling_thread alone;  // as in compact()
    if (is_in_place || shares_words<Firsts> || shares_words<Results>) {
      go_over_chunks(alone, job, job.chunks.count(), job.nothing());
    } else {
      go_over_chunks(executor, job, job.chunks.count(), job.nothing());
    }
  }
  *runs = static_cast<Number>(count);
}

}  // namespace upsweep::cpu::detail
