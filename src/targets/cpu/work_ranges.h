// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Numbers of work-groups or of pieces of a copy, shared among workers: each has a part of consecutive ones, the same in each
// launch of this size, so that it finds in its caches what it touched before; when it has ended its own it takes from the
// others'.
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

  /// Some of the numbers in `at`, or in the next part that has any, which `at` is then; empty when all are taken.
  Range take(uint32_t &at) {
    for (uint32_t tried = 0; tried < num_parts_; ++tried, at = at + 1 == num_parts_ ? 0 : at + 1) {
      Part &its = part(at);
      const uint64_t next = its.next.load(std::memory_order_relaxed);
      if (next >= its.end) continue;
      const uint64_t count = run_length(its.end - next);
      const uint64_t first = its.next.fetch_add(count, std::memory_order_relaxed);
      if (first < its.end) return {first, std::min(first + count, its.end)};
    }
    return {};
  }

  /// The part with which a worker begins.
  uint32_t own_part(uint32_t rank) const { return rank % num_parts_; }

private:
  struct alignas(64) Part {
    std::atomic<uint64_t> next{0};
    uint64_t end = 0;
  };

  Part &part(uint32_t index) { return index ? others_[index - 1] : first_; }

  /// Runs shorten towards the end, so that all workers stop at about the same time however long a work-group takes. Whole rows,
  /// which a kernel may run as one (KernelRun).
  uint64_t run_length(uint64_t left) const {
    const uint64_t run = std::clamp<uint64_t>(left / 8, 1, most_);
    return run > row_ ? run - run % row_ : run;
  }

  const uint64_t row_, most_;
  const uint32_t num_parts_;
  Part first_;
  const std::unique_ptr<Part[]> others_;
};

}  // namespace upsweep
#endif
