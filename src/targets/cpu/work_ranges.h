// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Numbers of work-groups or of pieces of a copy, shared among threads in parts of consecutive ones. Threads begin parts from
// the lowest one on, and take the numbers of a part in their order. So a number may wait for lower ones
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

  /// The part that a thread takes numbers of; none before its first ones.
  static constexpr uint32_t kNoPart = UINT32_MAX;

  /// The next numbers for a thread whose part is `at`. They come from that part as long as it has some, then from the lowest
  /// part that no thread has begun, then from the parts of other threads. Empty when all are taken.
  Range take(uint32_t &at) {
    if (at != kNoPart)
      if (const Range range = take_of(part(at)); !range.is_empty()) return range;
    while (num_begun_.load(std::memory_order_relaxed) < num_parts_) {
      const uint32_t begun = num_begun_.fetch_add(1, std::memory_order_relaxed);
      if (begun >= num_parts_) break;
      at = begun;
      if (const Range range = take_of(part(at)); !range.is_empty()) return range;
    }
    if (at == kNoPart) at = 0;
    for (uint32_t tried = 0; tried < num_parts_; ++tried, at = at + 1 == num_parts_ ? 0 : at + 1)
      if (const Range range = take_of(part(at)); !range.is_empty()) return range;
    return {};
  }

  /// Whether every number was taken; of a thread that knows that no other one takes any.
  bool is_exhausted() const {
    for (uint32_t i = 0; i < num_parts_; ++i)
      if (const Part &its = part(i); its.next.load(std::memory_order_relaxed) < its.end) return false;
    return true;
  }

private:
  struct alignas(64) Part {
    std::atomic<uint64_t> next{0};
    uint64_t end = 0;
  };

  Part &part(uint32_t index) { return index ? others_[index - 1] : first_; }
  const Part &part(uint32_t index) const { return index ? others_[index - 1] : first_; }

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
  std::atomic<uint32_t> num_begun_{0};  ///< parts; more than there are where threads looked for one at the same time
  Part first_;
  const std::unique_ptr<Part[]> others_;
};

}  // namespace upsweep
#endif
