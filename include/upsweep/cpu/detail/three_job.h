// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Partitions into three parts in chunks: compactions with two counts.
#pragma once

#include <upsweep/cpu/detail/compact_job.h>

namespace upsweep::cpu::detail {

struct CountsOfTwo {
  std::uint64_t first = 0, second = 0;
};

template <class In, class First, class Second, class Third, class IsFirst, class IsSecond>
struct ThreeJob {
  using T = std::remove_cv_t<ValueOf<In>>;
  using Total = CountsOfTwo;
  static constexpr bool kKeepsMarks = true;
  static constexpr std::size_t kItems = kMarkedItems<T>;

  Elements<In> in;
  First first;
  Second second;
  Third third;
  KeepIf<In, IsFirst> is_first;
  KeepIf<In, IsSecond> is_second;
  Chunks chunks;
  bool is_streamed;
  Total *kept;
  ChunkMarks found_first{}, found_second{};

  Total combine(const Total &left, const Total &right) const { return {left.first + right.first, left.second + right.second}; }
  Total reduce(std::uint64_t chunk) {
    Total total;
    for (std::uint64_t i = 0; i < chunks.length(chunk); i += kItems) {
      total = combine(total, mark_tile(chunk, i));
    }
    return total;
  }

  Total scan(std::uint64_t chunk, const Total &before, std::optional<std::uint64_t> next) {
    const std::uint64_t begin = chunks.begin(chunk), length = chunks.length(chunk);
    const std::uint64_t next_length = next ? chunks.length(*next) : 0;
    found_first.next_chunk();
    found_second.next_chunk();
    Appended<T, First> to_first(first, before.first, is_streamed);
    Appended<T, Second> to_second(second, before.second, is_streamed);
    Appended<T, Third> to_third(third, begin - before.first - before.second, is_streamed);
    typename Elements<In>::Buffer buffer;
    Total total = before, next_total;
    for (std::uint64_t i = 0; i < length; i += kItems) {
      const std::size_t n = std::min<std::uint64_t>(kItems, length - i);
      const std::uint64_t *firsts = found_first.words() + i / 64, *seconds = found_second.words() + i / 64;
      const T *elements = in.get(begin + i, n, buffer);
      total.first += append(elements, firsts, n, to_first);
      total.second += append(elements, seconds, n, to_second);
      std::uint64_t rest[words_of(kItems)];
      for (std::size_t w = 0; w < words_of(n); ++w) {
        rest[w] = ~(firsts[w] | seconds[w]);
      }
      if (n % 64 != 0) {
        rest[n / 64] &= (std::uint64_t(1) << n % 64) - 1;
      }
      append(elements, static_cast<const std::uint64_t *>(rest), n, to_third);
      if (i < next_length) {
        next_total = combine(next_total, mark_tile(*next, i));
      }
    }
    to_first.finish();
    to_second.finish();
    to_third.finish();
    if (begin + length == chunks.n) {
      *kept = total;
    }
    for (std::uint64_t i = (length + kItems - 1) / kItems * kItems; i < next_length; i += kItems) {
      next_total = combine(next_total, mark_tile(*next, i));
    }
    return next_total;
  }

private:
  Total mark_tile(std::uint64_t chunk, std::uint64_t i) {
    const std::size_t n = std::min<std::uint64_t>(kItems, chunks.length(chunk) - i);
    const std::uint64_t firsts = found_first.mark(is_first, chunks.begin(chunk), i, n);
    found_second.mark(is_second, chunks.begin(chunk), i, n);
    // Also if is_first returned another result the second time.
    return {firsts, found_second.unmark(found_first, i, n)};
  }

  template <class Output>
  static std::size_t append(const T *from, const std::uint64_t *words, std::size_t n, Output &output) {
    T *room = output.room();
    const std::size_t count = UPSWEEP_CPU_DISPATCH(compact, from, words, n, room);
    output.commit(count);
    return count;
  }
};

}  // namespace upsweep::cpu::detail
