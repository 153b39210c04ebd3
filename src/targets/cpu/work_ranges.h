// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Shares out the numbers of work-groups, or of pieces of a copy, among threads, in parts of consecutive numbers. Threads start
// with the same part in each launch of this size, whose data is in their caches. Where work with a number may wait for work
// with lower numbers, the first thread takes the parts in ascending order (docs/decisions/order-of-work-groups.md). Each thread
// takes the numbers of a part in ascending order.
#ifndef UPSWEEP_TARGETS_CPU_WORK_RANGES_H
#define UPSWEEP_TARGETS_CPU_WORK_RANGES_H

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <memory>

namespace upsweep {

class WorkRanges {
public:
  struct Range {
    uint64_t first = 0;
    uint64_t last = 0;  ///< one past the end
    bool is_empty() const { return first == last; }
  };

  /// Splits [0, total) into parts; bounds are multiples of `row` if a part has several rows. A thread takes `most` numbers at a
  /// time. `may_wait`: work with a number may wait for work with lower numbers.
  WorkRanges(uint64_t total, uint32_t parts, uint64_t row, uint64_t most, bool may_wait)
      : row_(row), most_(most), may_wait_(may_wait), num_parts_(std::max<uint32_t>(1, parts)),
        others_(num_parts_ > 1 ? std::make_unique<Part[]>(num_parts_ - 1) : nullptr) {
    const uint64_t unit = total / num_parts_ >= row ? row : 1, units = (total + unit - 1) / unit;
    uint64_t end = 0;
    for (uint32_t i = 0; i < num_parts_; ++i) {
      Part &its = part(i);
      its.next.store(end, std::memory_order_relaxed);
      // The first parts get the remaining units.
      end = std::min(total, end + (units / num_parts_ + (i < units % num_parts_)) * unit);
      its.end = end;
    }
  }

  /// A thread's position in the parts.
  struct Cursor {
    uint32_t own;           ///< the thread's part in the last launch of this size: its data may be in the caches
    uint32_t at = kNoPart;  ///< the part whose numbers the thread takes
  };
  Cursor cursor_for(uint32_t rank) const { return {.own = rank % num_parts_}; }

  /// The next numbers for a thread: from its part while that has some, then from a part that no thread has started, then from
  /// other threads' parts. Empty if all are taken.
  Range take(Cursor &cursor) {
    if (cursor.at != kNoPart)
      if (const Range range = take_of(part(cursor.at)); !range.is_empty()) return range;
    while (begin(cursor))
      if (const Range range = take_of(part(cursor.at)); !range.is_empty()) return range;
    uint32_t at = cursor.at != kNoPart ? cursor.at : cursor.own;
    for (uint32_t tried = 0; tried < num_parts_; ++tried, at = at + 1 == num_parts_ ? 0 : at + 1)
      if (const Range range = take_of(part(at)); !range.is_empty()) {
        cursor.at = at;
        return range;
      }
    return {};
  }

  /// Whether every number was taken. Call it only if no other thread takes numbers.
  bool is_exhausted() const {
    for (uint32_t i = 0; i < num_parts_; ++i)
      if (const Part &its = part(i); its.next.load(std::memory_order_relaxed) < its.end) return false;
    return true;
  }

private:
  static constexpr uint32_t kNoPart = UINT32_MAX;

  struct alignas(64) Part {
    std::atomic<uint64_t> next{0};
    uint64_t end = 0;
    std::atomic<bool> has_begun{false};
  };

  Part &part(uint32_t index) { return index ? others_[index - 1] : first_; }
  const Part &part(uint32_t index) const { return index ? others_[index - 1] : first_; }

  /// Starts a part; false if all are started. A thread starts its own part, and then the lowest that is left. Where work may
  /// wait, the thread that arrives first starts the lowest part, so no part depends on a thread that may not arrive. Later
  /// threads may then start the first thread's part.
  bool begin(Cursor &cursor) {
    const uint32_t seen = lowest_.load(std::memory_order_relaxed);
    if (seen >= num_parts_) return false;
    if (cursor.at == kNoPart && !may_wait_ && begin_part(cursor, cursor.own)) return true;
    if (cursor.at == kNoPart && may_wait_ && !is_first(cursor.own))
      for (const uint32_t wanted : {cursor.own, own_of_first_.load(std::memory_order_relaxed)})
        if (begin_part(cursor, wanted)) return true;
    uint32_t lowest = seen;
    while (lowest < num_parts_ && !begin_part(cursor, lowest)) ++lowest;
    if (lowest > seen) lowest_.store(lowest, std::memory_order_relaxed);  // all lower parts are started
    return lowest < num_parts_;
  }
  /// Later threads see by the load that they need no exchange, which would take the line from the other threads.
  bool is_first(uint32_t own) {
    uint32_t of_first = own_of_first_.load(std::memory_order_relaxed);
    return of_first == kNoPart && own_of_first_.compare_exchange_strong(of_first, own, std::memory_order_relaxed);
  }
  bool begin_part(Cursor &cursor, uint32_t wanted) {
    std::atomic<bool> &has_begun = part(wanted).has_begun;
    if (has_begun.load(std::memory_order_relaxed) || has_begun.exchange(true, std::memory_order_relaxed)) return false;
    cursor.at = wanted;
    return true;
  }

  Range take_of(Part &its) const {
    const uint64_t next = its.next.load(std::memory_order_relaxed);
    if (next >= its.end) return {};
    const uint64_t count = run_length(its.end - next);
    const uint64_t first = its.next.fetch_add(count, std::memory_order_relaxed);
    if (first >= its.end) return {};
    return {first, std::min(first + count, its.end)};
  }

  /// Runs get shorter towards the end, so that all workers finish at about the same time. They are whole rows, which a kernel
  /// may join (KernelRun).
  uint64_t run_length(uint64_t left) const {
    const uint64_t run = std::clamp<uint64_t>(left / 8, 1, most_);
    return run > row_ ? run - run % row_ : run;
  }

  const uint64_t row_, most_;
  const bool may_wait_;
  const uint32_t num_parts_;
  alignas(64) std::atomic<uint32_t> own_of_first_{kNoPart};  ///< Cursor::own of the first thread
  std::atomic<uint32_t> lowest_{0};                          ///< all lower parts are started
  Part first_;
  const std::unique_ptr<Part[]> others_;
};

}  // namespace upsweep
#endif
