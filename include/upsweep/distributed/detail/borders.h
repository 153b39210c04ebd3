// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Segments and runs that cross the borders of parts: the first and last element of each part, and the first and last begin of a
// segment inside of a part.
#pragma once

#include <upsweep/cpu/detail/chunks.h>
#include <upsweep/cpu/detail/marks.h>
#include <upsweep/distributed/detail/call.h>

#include <atomic>
#include <bit>
#include <optional>

namespace upsweep::distributed::detail {

// The first (last) of the marks at elements 1 to n - 1, or n (0). Threads take pieces from the begin (end) on, and stop behind
// the nearest mark that is known.
template <bool kFirst, class Marks, class Executor>
std::uint64_t find_head(const Marks &marks, std::uint64_t n, std::size_t element_bytes, Executor &executor) {
  constexpr std::uint64_t kAtOnce = 1024;
  const cpu::detail::Chunks chunks(n, element_bytes);
  std::atomic<std::uint64_t> nearest{kFirst ? n : 0};
  const auto is_nearer = [](std::uint64_t a, std::uint64_t b) { return kFirst ? a < b : a > b; };
  cpu::detail::for_each_piece(executor, chunks.count(), [&](std::uint64_t piece) {
    const std::uint64_t chunk = kFirst ? piece : chunks.count() - 1 - piece;
    const std::uint64_t begin = chunks.begin(chunk), tiles = (chunks.length(chunk) + kAtOnce - 1) / kAtOnce;
    std::uint64_t words[kAtOnce / 64];
    for (std::uint64_t tile = 0; tile < tiles; ++tile) {
      const std::uint64_t i = begin + (kFirst ? tile : tiles - 1 - tile) * kAtOnce;
      const std::size_t part = std::min(kAtOnce, chunks.end(chunk) - i);
      if (!is_nearer(kFirst ? i : i + part, nearest.load(std::memory_order_relaxed))) {
        return;
      }
      marks.mark(i, part, words);
      if (i == 0) {
        words[0] &= ~std::uint64_t(1);
      }
      const std::size_t some = cpu::detail::words_of(part);
      for (std::size_t k = 0; k < some; ++k) {
        const std::size_t w = kFirst ? k : some - 1 - k;
        if (words[w] != 0) {
          const auto bit = static_cast<std::uint64_t>(kFirst ? std::countr_zero(words[w]) : 63 - std::countl_zero(words[w]));
          const std::uint64_t at = i + w * 64 + bit;
          std::uint64_t known = nearest.load(std::memory_order_relaxed);
          while (is_nearer(at, known) && !nearest.compare_exchange_weak(known, at, std::memory_order_relaxed)) {
          }
          return;
        }
      }
    }
  });
  return nearest.load(std::memory_order_relaxed);
}

// The ends of a rank's part.
template <class T>
struct Ends {
  T first{}, last{};
  bool has_any = false;
};

template <class In>
auto ends_of(In in, std::uint64_t n) {
  using T = std::remove_cv_t<ValueOf<In>>;
  static_assert(std::is_trivially_copyable_v<T>, "elements must be trivially copyable");
  Ends<T> own;
  if (n > 0) {
    own = {static_cast<T>(in[0]), static_cast<T>(in[static_cast<std::ptrdiff_t>(n - 1)]), true};
  }
  return own;
}

// Whether each part's first element continues the run of the last element before it.
template <class T, class Equal>
std::vector<char> continuing(const std::vector<Ends<T>> &ends, const Equal &equal) {
  std::vector<char> continues(ends.size());
  const Ends<T> *before = nullptr;
  for (std::size_t r = 0; r < ends.size(); ++r) {
    if (ends[r].has_any) {
      continues[r] = before != nullptr && equal(before->last, ends[r].first) ? 1 : 0;
      before = &ends[r];
    }
  }
  return continues;
}

// The next rank with elements, or the number of ranks.
template <class T>
unsigned next_with_any(const std::vector<Ends<T>> &ends, unsigned rank) {
  do {
    ++rank;
  } while (rank < ends.size() && !ends[rank].has_any);
  return rank;
}

// The first elements of runs, where the first element of the part may continue a run.
template <class In, class Equal>
struct FirstOfRun {
  cpu::detail::KeepFirstOfRun<In, Equal> marks;
  bool continues;

  void mark(std::uint64_t begin, std::size_t count, std::uint64_t *words) const {
    marks.mark(begin, count, words);
    if (begin == 0 && continues) {
      words[0] &= ~std::uint64_t(1);
    }
  }
};

}  // namespace upsweep::distributed::detail
