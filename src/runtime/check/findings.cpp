// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Merges findings, prints them, and ends the process with a status.
#include "runtime/check/findings.h"
#include "base/across_fork.h"
#include "base/never_destroyed.h"
#include "base/options.h"
#include "runtime/check/suppressions.h"
#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <unistd.h>
#include <utility>

namespace upsweep {
namespace {

/// Findings at more places than these are counted as one more line of the summary.
constexpr size_t kMostPrinted = 200;

void print(const std::string &text) {
  for (size_t written = 0; written < text.size();) {
    const ssize_t now = ::write(STDERR_FILENO, text.data() + written, text.size() - written);
    if (now < 0 && errno == EINTR) continue;
    if (now <= 0) return;
    written += static_cast<size_t>(now);
  }
}

void end() {
  findings().finish();
  // The C library runs the remaining functions of atexit() in the nested call, and takes its status.
  if (options().check_exit && findings().is_any()) std::exit(1);  // NOLINT(concurrency-mt-unsafe)
}

const MadeWithPlatform findings_made([] { static_cast<void>(findings()); });

}  // namespace

Findings &findings() {
  static NeverDestroyed<Findings> all;
  return *all;
}

/// A child of fork() reports its own findings alone. Code keeps the addresses of records, so they stay.
void Findings::begin_anew() {
  for (FindingRecord &record : records_) record.count = 0;
  is_any_ = false;
}

FindingRecord &Findings::add(Finding finding) {
  std::lock_guard lock(mutex_);
  Key key{finding.kind,   finding.kernel, finding.file,   finding.line,
          finding.column, finding.access, finding.object, finding.other ? place_of(*finding.other) : ""};
  FindingRecord *&known = known_[std::move(key)];
  if (known && known->count.fetch_add(1, std::memory_order_relaxed) != 0) return *known;
  FindingRecord &made = known ? *known : records_.emplace_back();
  made.first = std::move(finding);
  made.is_suppressed = is_suppressed(made.first);
  known = &made;
  if (made.is_suppressed) return made;
  is_any_ = true;
  if (!std::exchange(has_end_, true)) static_cast<void>(std::atexit(end));
  if (records_.size() <= kMostPrinted) print(text_of(made.first));
  log_finding(records_, made);
  return made;
}

void Findings::finish() {
  std::lock_guard lock(mutex_);
  uint64_t places = 0, total = 0, suppressed = 0;
  std::string lines;
  for (const FindingRecord &record : records_) {
    const uint64_t count = record.count.load(std::memory_order_relaxed);
    if (count == 0) continue;  // of a parent process
    if (record.is_suppressed) {
      suppressed += count;
      continue;
    }
    total += count;
    if (++places <= kMostPrinted)
      lines += "  " + std::to_string(count) + " x " + name_of(record.first.kind) +
               (record.first.kind == UPSWEEP_RACE_OF_COMMANDS
                    ? ": " + record.first.object + "\n"
                    : " at " + place_of(record.first) + " in kernel '" + record.first.kernel + "'\n");
  }
  if (places == 0) return;
  if (places > kMostPrinted) lines += "  and " + std::to_string(places - kMostPrinted) + " more places\n";
  std::string text = "upsweep check: " + std::to_string(total) + (total == 1 ? " finding" : " findings") + " at " +
                     std::to_string(places) + (places == 1 ? " place" : " places");
  if (suppressed) text += ", " + std::to_string(suppressed) + " suppressed";
  print(text + "\n" + lines);
  log_summary(records_);
}

}  // namespace upsweep
