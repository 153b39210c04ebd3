// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Histograms.
//
//   histogram   counts[b] = how many elements have bin(x[i]) == b, for b from 0 to bins - 1; others are not counted
//
// in        random-access iterator
// counts    pointer to `bins` integers
// n         number of elements, or count_at(pointer, at_most)
// bin       makes an unsigned number of an element; without it the element is the number
// executor  see executor.h
//
// Each element is read once; each thread counts in tables of its own, of up to 4 x bins 32-bit integers. Errors: see scan.h.
#pragma once

#include <upsweep/cpu/detail/arguments.h>
#include <upsweep/cpu/detail/chunks.h>
#include <upsweep/cpu/thread_pool.h>

#include <mutex>
#include <vector>

namespace upsweep::cpu {

namespace detail {

// Beyond these many bins one table for a chunk is larger than the chunk, and counts are seldom of the same bin in a row.
constexpr std::uint64_t kBinsOfFourTables = 4096;

template <class In, class Bin>
void count_bins(In in, std::uint64_t begin, std::uint64_t end, std::uint32_t *tables, std::uint64_t bins, const Bin &bin) {
  // Four tables, since counts of the same bin that follow each other would wait for each other.
  const std::uint64_t pitch = bins <= kBinsOfFourTables ? bins + 1 : 0;
  const auto count = [&](std::uint64_t i, std::uint64_t table) {
    const auto b = static_cast<std::uint64_t>(bin(in[static_cast<std::ptrdiff_t>(i)]));
    ++tables[table * pitch + std::min(b, bins)];  // the last count of a table is of those without a bin
  };
  std::uint64_t i = begin;
  for (; i + 4 <= end; i += 4) {
    count(i, 0);
    count(i + 1, 1);
    count(i + 2, 2);
    count(i + 3, 3);
  }
  for (; i < end; ++i) {
    count(i, 0);
  }
}

}  // namespace detail

template <class In, class Count, class N, class... More>
void histogram(In in, Count *counts, std::uint64_t bins, N n, More &&...more) {
  const auto bin = detail::functor_of(detail::Unchanged(), more...);
  const std::uint64_t elements = detail::count_of(n);
  detail::require_array(in, elements, "the input");
  detail::require_array(counts, bins, "counts");
  std::fill_n(counts, bins, Count(0));
  detail::Chunks chunks(elements, sizeof(detail::ValueOf<In>));
  // A chunk counts at least as many elements as it has bins to add up, and fewer than a table's integers hold.
  chunks.size = std::min<std::uint64_t>(std::max(chunks.size, 4 * bins), std::uint64_t(1) << 31);
  const std::uint64_t tables = bins <= detail::kBinsOfFourTables ? 4 : 1;
  std::mutex mutex;
  detail::for_each_piece(detail::executor_of<1>(more...), chunks.count(), [&](std::uint64_t chunk) {
    std::vector<std::uint32_t> own(tables * (bins + 1));
    detail::count_bins(in, chunks.begin(chunk), chunks.end(chunk), own.data(), bins, bin);
    const std::lock_guard lock(mutex);
    for (std::uint64_t table = 0; table < tables; ++table) {
      for (std::uint64_t b = 0; b < bins; ++b) {
        counts[b] = static_cast<Count>(counts[b] + own[table * (bins + 1) + b]);
      }
    }
  });
}

}  // namespace upsweep::cpu
