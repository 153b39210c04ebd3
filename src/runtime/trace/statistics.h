// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sums of the records by kernel, transfer, build, blocking call and queue; and the gaps between a queue's commands with their
// causes. UPSWEEP_PROFILE is the folder of their files, one for each process, which `upsweep profile` reads.
#ifndef UPSWEEP_RUNTIME_TRACE_STATISTICS_H
#define UPSWEEP_RUNTIME_TRACE_STATISTICS_H

#include "runtime/trace/record.h"
#include <array>
#include <cstdint>
#include <deque>
#include <map>
#include <string>
#include <utility>

namespace upsweep {

/// Why a queue has no command that runs: UPSWEEP_GAP(name, its name in the file).
#define UPSWEEP_GAPS(GAP)                                                                                                      \
  GAP(kBlocked, "the host is in a blocking call")                                                                              \
  GAP(kAfterBlocking, "the host enqueues nothing after a blocking call")                                                       \
  GAP(kNothing, "the host enqueues nothing")                                                                                   \
  GAP(kDependency, "the command waits for another queue or a user event")                                                      \
  GAP(kStart, "the device starts the command")
enum class Gap : uint8_t {
#define UPSWEEP_GAP(name, text) name,
  UPSWEEP_GAPS(UPSWEEP_GAP)
#undef UPSWEEP_GAP
};
inline constexpr size_t kGaps = 5;

/// Values of the recorder that the file has beside the sums.
struct StatisticsState {
  bool is_complete = false;  ///< the process ends
  uint64_t lost_records = 0;
  uint64_t peak_bytes = 0;
};

class Statistics {
public:
  void begin(uint64_t now_ns) { begin_ns_ = now_ns; }
  void add(const TraceRecord &record, uint32_t thread, const std::string &name);
  /// The gap before a command. Commands come as nearly as possible in the order of their ends.
  void add_gap(const TraceCommand &command);
  /// Replaces the process's file in the folder.
  void write(const std::string &folder, uint64_t now_ns, const StatisticsState &state) const;

private:
  struct Times {
    uint64_t count = 0, total_ns = 0, least_ns = UINT64_MAX, largest_ns = 0;
    void add(uint64_t ns);
    std::string json() const;
  };
  struct KernelSum {
    Times run;
    uint64_t failed = 0, items = 0, bytes = 0;
    bool knows_bytes = true;
    bool on_cpu = false;
  };
  struct TransferSum {
    Times run;
    uint64_t bytes = 0;
  };
  struct BuildSum {
    Times compiled, cached;
    uint64_t failed = 0;
  };
  struct FoundGap {
    TraceInterval time;
    Gap cause;
  };
  struct QueueSum {
    const char *device = nullptr;
    uint64_t commands = 0, end_ns = 0, busy_ns = 0;
    std::array<Times, kGaps> gaps;  ///< older than `recent`
    std::deque<FoundGap> recent;
  };
  /// A name, and a device. Records have one address for each text.
  using Key = std::pair<const char *, const char *>;

  void add(const TraceCommand &command);
  static void note_gap(QueueSum &queue, uint64_t begin_ns, uint64_t end_ns, Gap cause);
  static void cover(QueueSum &queue, const TraceInterval &time);
  std::string json(uint64_t now_ns, const StatisticsState &state) const;
  std::string json_of_kernels() const;
  std::string json_of_transfers() const;
  std::string json_of_builds() const;
  std::string json_of_queues() const;

  uint64_t begin_ns_ = 0;
  std::map<Key, KernelSum> kernels_;
  std::map<Key, TransferSum> transfers_;
  std::map<Key, BuildSum> builds_;
  std::map<const char *, Times> waits_;
  std::map<std::string, Times> threads_;
  std::map<uint32_t, QueueSum> queues_;
};

}  // namespace upsweep
#endif
