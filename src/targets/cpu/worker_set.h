// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A set of workers that any thread may change, as one bit per worker.
#ifndef UPSWEEP_TARGETS_CPU_WORKER_SET_H
#define UPSWEEP_TARGETS_CPU_WORKER_SET_H

#include "runtime/target.h"
#include <algorithm>
#include <atomic>
#include <bit>
#include <cstdint>
#include <optional>
#include <vector>

namespace upsweep {

/// All operations are sequentially consistent. If a worker adds itself and then looks for a job, and a thread posts a job and
/// then looks for workers here, at least one finds the other.
class WorkerSet {
public:
  explicit WorkerSet(uint32_t workers) : words_((workers + 63) / 64) {}

  void add(uint32_t worker) { words_[worker / 64].fetch_or(bit(worker)); }
  /// False if the worker was not in the set.
  bool remove(uint32_t worker) { return words_[worker / 64].fetch_and(~bit(worker)) & bit(worker); }

  /// The number of workers of a share in the set.
  uint32_t count(const Share &share) const {
    uint32_t found = 0;
    for (uint32_t word = share.first / 64; word * 64 < share.first + share.count; ++word)
      found += static_cast<uint32_t>(std::popcount(words_[word].load() & mask(word, share)));
    return found;
  }

  /// Removes the first worker of a share.
  std::optional<uint32_t> take(const Share &share) {
    for (uint32_t word = share.first / 64; word * 64 < share.first + share.count; ++word)
      while (const uint64_t there = words_[word].load() & mask(word, share)) {
        const uint32_t worker = word * 64 + static_cast<uint32_t>(std::countr_zero(there));
        if (remove(worker)) return worker;
      }
    return std::nullopt;
  }

private:
  static uint64_t bit(uint32_t worker) { return uint64_t{1} << worker % 64; }
  /// The bits of a word that belong to the share.
  static uint64_t mask(uint32_t word, const Share &share) {
    const uint32_t first = std::max(share.first, word * 64) - word * 64;
    const uint32_t end = std::min(share.first + share.count, word * 64 + 64) - word * 64;
    return (end == 64 ? ~uint64_t{0} : (uint64_t{1} << end) - 1) & ~uint64_t{0} << first;
  }

  std::vector<std::atomic<uint64_t>> words_;
};

}  // namespace upsweep
#endif
