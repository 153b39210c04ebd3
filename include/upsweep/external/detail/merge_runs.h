// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The merge of runs in rounds: in each round all threads merge the elements that no later block can precede.
#pragma once

#include <upsweep/cpu/detail/chunks.h>
#include <upsweep/external/detail/blocks.h>
#include <upsweep/external/detail/merge_tree.h>

#include <memory>
#include <stdexcept>

namespace upsweep::external::detail {

template <class T>
using runs_of = std::vector<std::unique_ptr<run_reader<T>>>;

// A thread's share of a round is at least this long, so that starting threads takes a small part of the time.
inline constexpr std::uint64_t kLeastShare = std::uint64_t(1) << 14;

// Merges the parts to `out`: pieces of equal length, each by one thread.
template <class T, class Less, class Executor>
void merge_parts_of_round(const std::vector<range<T>> &parts, std::uint64_t n, T *out, const Less &less, Executor &executor) {
  const std::uint64_t threads = std::max(1U, unsigned(executor.concurrency()));
  const std::uint64_t pieces = std::clamp<std::uint64_t>(n / kLeastShare, 1, threads);
  cpu::detail::for_each_piece(executor, pieces, [&](std::uint64_t piece) {
    const std::uint64_t begin = piece * n / pieces, end = (piece + 1) * n / pieces;
    std::vector<range<T>> own = parts;
    const auto first = split_at_rank(parts, begin, less), last = split_at_rank(parts, end, less);
    for (std::size_t j = 0; j < own.size(); ++j) {
      own[j] = {first[j], last[j]};
    }
    typename merger_for<T, Less>::type(own, less).merge(out + begin);
  });
}

// Merges the runs to a block_writer, or to an output with its functions. `complain(run, element)` is called for an element that
// is less than its predecessor.
template <class T, class Out, class Less, class Executor>
void merge_runs(runs_of<T> &runs, Out &out, const Less &less, Executor &executor,
                const std::function<void(std::uint64_t, std::uint64_t)> &complain = {}) {
  for (;;) {
    std::vector<range<T>> windows;
    std::vector<bool> goes_on;
    std::vector<run_reader<T> *> live;
    for (std::size_t j = 0; j < runs.size(); ++j) {
      const auto complain_of = [&complain, j](std::uint64_t element) { complain(j, element); };
      runs[j]->refill(less, complain ? std::function<void(std::uint64_t)>(complain_of) : std::function<void(std::uint64_t)>());
      if (runs[j]->window().size() > 0) {
        windows.push_back(runs[j]->window());
        goes_on.push_back(runs[j]->goes_on());
        live.push_back(runs[j].get());
      }
    }
    if (live.empty()) {
      return;
    }
    std::vector<range<T>> parts = safe_parts(windows, goes_on, less);
    std::uint64_t n = 0;
    for (const range<T> &part : parts) {
      n += part.size();
    }
    if (n > out.room()) {
      n = out.room();
      const auto cut = split_at_rank(parts, n, less);
      for (std::size_t j = 0; j < parts.size(); ++j) {
        parts[j].end = cut[j];
      }
    }
    merge_parts_of_round(parts, n, out.place(), less, executor);
    for (std::size_t j = 0; j < parts.size(); ++j) {
      live[j]->take(parts[j].end);
    }
    out.commit(n);
  }
}

}  // namespace upsweep::external::detail
