// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// All findings of the process: the first of a kind at a place is printed and logged at once, further findings are counted.
#ifndef UPSWEEP_RUNTIME_CHECK_FINDINGS_H
#define UPSWEEP_RUNTIME_CHECK_FINDINGS_H

#include "base/across_fork.h"
#include "runtime/check/finding.h"
#include <atomic>
#include <deque>
#include <map>
#include <mutex>
#include <tuple>

namespace upsweep {

/// A finding, and how often it occurred. It lives as long as the process, so that code may keep its address.
struct FindingRecord {
  Finding first;
  std::atomic<uint64_t> count{1};
  bool is_suppressed = false;
};

class Findings {
public:
  /// Adds a finding, or counts it. Returns the record, whose count later findings of the same kind and place may increment
  /// without a call.
  FindingRecord &add(Finding finding);
  /// Prints the summary, and completes the log. Called when the process ends.
  void finish();
  /// Whether a finding was reported that is not suppressed.
  bool is_any() const { return is_any_.load(std::memory_order_relaxed); }

private:
  using Key = std::tuple<UpsweepFindingKind, std::string, std::string, uint32_t, uint32_t, uint32_t, std::string, std::string>;
  void begin_anew();

  std::mutex mutex_;
  const AcrossFork across_fork_{&mutex_, [this] { begin_anew(); }};
  std::map<Key, FindingRecord *> known_;
  std::deque<FindingRecord> records_;
  std::atomic<bool> is_any_{false};
  bool has_end_ = false;  ///< atexit() knows end()
};

Findings &findings();

/// finding_log.cpp: adds the newest record to UPSWEEP_CHECK_LOG, or writes the final counts.
void log_finding(const std::deque<FindingRecord> &records, const FindingRecord &newest);
void log_summary(const std::deque<FindingRecord> &records);

}  // namespace upsweep
#endif
