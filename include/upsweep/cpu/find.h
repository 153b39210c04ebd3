// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Searches in an array, which end soon after the match.
//
//   find_if   *place = the least i for which predicate(x[i]), or n
//
// `in`        random-access iterator.
// `place`     pointer to an integer.
// `n`         number of elements, or count_at(pointer, at_most).
// `executor`  see executor.h.
//
// Each thread may read up to a chunk (256 KiB) behind the match. Errors: see scan.h.
#pragma once

#include <upsweep/common/cpp20.h>
#ifdef UPSWEEP_CPP20
#include <upsweep/cpu/detail/call_arrays.h>
#include <upsweep/cpu/detail/chunks.h>
#include <upsweep/cpu/detail/marks.h>
#include <upsweep/cpu/thread_pool.h>

namespace upsweep::cpu {

template <class In, class Number, class N, class Predicate, class... More>
void find_if(In in, Number *place, N n, Predicate predicate, More &&...more) {
  const std::uint64_t count = detail::count_of(n);
  detail::require_arrays({detail::reads("the input", in, count), detail::writes("the place", place, 1)});
  const detail::KeepIf<In, Predicate> keep{in, predicate};
  const detail::Chunks chunks(count, sizeof(detail::ValueOf<In>));
  std::atomic<std::uint64_t> least{count};
  detail::for_each_piece(detail::executor_of(more...), chunks.count(), [&](std::uint64_t chunk) {
    constexpr std::uint64_t kAtOnce = 1024;
    std::uint64_t words[kAtOnce / 64];
    for (std::uint64_t i = chunks.begin(chunk); i < chunks.end(chunk) && i < least.load(std::memory_order_relaxed);
         i += kAtOnce) {
      const std::size_t part = std::min(kAtOnce, chunks.end(chunk) - i), some = detail::words_of(part);
      keep.mark(i, part, words);
      const std::uint64_t *found = std::find_if(words, words + some, [](std::uint64_t word) { return word != 0; });
      if (found == words + some) {
        continue;
      }
      const std::uint64_t at =
          i + static_cast<std::uint64_t>(found - words) * 64 + static_cast<std::uint64_t>(std::countr_zero(*found));
      std::uint64_t known = least.load(std::memory_order_relaxed);
      while (at < known && !least.compare_exchange_weak(known, at, std::memory_order_relaxed)) {
      }
      return;
    }
  });
  *place = static_cast<Number>(least.load(std::memory_order_relaxed));
}

}  // namespace upsweep::cpu
#endif
