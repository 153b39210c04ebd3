// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Numbers of work-groups or of pieces of a copy, shared among threads in parts of consecutive ones. Most threads begin with the
// same part in each launch of this size, whose data they find in their caches. The first thread goes through the parts from the
// lowest one on, and each takes the numbers of a part in their order. So a number may wait for lower ones
// (docs/decisions/order-of-work-groups.md).
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
    uint64_t last = 0;  ///< behind it
    bool is_empty() const { return first == last; }
  };

  /// [0, total) in parts whose bounds are multiples of `row` if a part has several; at most `most` are taken at a time.
  WorkRanges(uint64_t total, uint32_t parts, uint64_t row, uint64_t most)
      : row_(row), most_(most), num_parts_(std::max<uint32_t>(1, parts)),
        others_(num_parts_ > 1 ? std::make_unique<Part[]>(num_parts_ - 1) : nullptr) {
    const uint64_t unit = total / num_parts_ >= row ? row : 1, units = (total + unit - 1) / unit;
    uint64_t end = 0;
    for (uint32_t i = 0; i < num_parts_; ++i) {
      Part &its = part(i);
      its.next.store(end, std::memory_order_relaxed);
      // The first parts have the units that are left over.
      end = std::min(total, end + (units / num_parts_ + (i < units % num_parts_)) * unit);
      its.end = end;
    }
  }

  /// A thread's way through the parts.
  struct Way {
    uint32_t own;  ///< the part that the thread also had in the last launch of this size: its data may be in the caches
    uint32_t at = kNoPart;  ///< the part that the thread takes numbers of
  };
  Way way_of(uint32_t rank) const { return {.own = rank % num_parts_}; }

  /// The next numbers for a thread. They come from its part as long as it has some, then from a part that no thread has begun,
  /// then from the parts of other threads. Empty when all are taken.
  Range take(Way &way) {
    if (way.at != kNoPart)
      if (const Range range = take_of(part(way.at)); !range.is_empty()) return range;
    while (begin(way))
      if (const Range range = take_of(part(way.at)); !range.is_empty()) return range;
    uint32_t at = way.at != kNoPart ? way.at : way.own;
    for (uint32_t tried = 0; tried < num_parts_; ++tried, at = at + 1 == num_parts_ ? 0 : at + 1)
      if (const Range range = take_of(part(at)); !range.is_empty()) {
        way.at = at;
        return range;
      }
    return {};
  }

  /// Whether every number was taken; of a thread that knows that no other one takes any.
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

  /// Begins a part; false when all have begun. The thread that comes first begins the lowest part, and each time the lowest
  /// that is left, so no part waits for a thread that may not come. Later threads begin their own part, or the first thread's.
  bool begin(Way &way) {
    uint32_t lowest = lowest_.load(std::memory_order_relaxed);
    if (lowest >= num_parts_) return false;
    uint32_t of_first = kNoPart;
    if (way.at == kNoPart && !own_of_first_.compare_exchange_strong(of_first, way.own, std::memory_order_relaxed))
      for (const uint32_t wanted : {way.own, of_first})
        if (begin_part(way, wanted)) return true;
    while (lowest < num_parts_ && !begin_part(way, lowest)) ++lowest;
    lowest_.store(lowest, std::memory_order_relaxed);  // all below have begun
    return lowest < num_parts_;
  }
  bool begin_part(Way &way, uint32_t wanted) {
    std::atomic<bool> &has_begun = part(wanted).has_begun;
    if (has_begun.load(std::memory_order_relaxed) || has_begun.exchange(true, std::memory_order_relaxed)) return false;
    way.at = wanted;
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

  /// Runs shorten towards the end, so that all workers stop at about the same time however long a work-group takes. Whole rows,
  /// which a kernel may run as one (KernelRun).
  uint64_t run_length(uint64_t left) const {
    const uint64_t run = std::clamp<uint64_t>(left / 8, 1, most_);
    return run > row_ ? run - run % row_ : run;
  }

  const uint64_t row_, most_;
  const uint32_t num_parts_;
  std::atomic<uint32_t> own_of_first_{kNoPart};  ///< Way::own of the thread that came first
  std::atomic<uint32_t> lowest_{0};              ///< all parts below it have begun
  Part first_;
  const std::unique_ptr<Part[]> others_;
};

}  // namespace upsweep
#endif
