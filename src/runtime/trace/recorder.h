// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The recorder: a thread that empties all threads' buffers into the timeline and the statistics, again and again, so that a
// crash of the program loses only the last moments.
#ifndef UPSWEEP_RUNTIME_TRACE_RECORDER_H
#define UPSWEEP_RUNTIME_TRACE_RECORDER_H

#include "base/across_fork.h"
#include "runtime/trace/statistics.h"
#include "runtime/trace/timeline.h"
#include "runtime/trace/trace_buffer.h"
#include <atomic>
#include <deque>
#include <mutex>
#include <string_view>
#include <unordered_set>
#include <vector>

namespace upsweep {

class Recorder {
public:
  Recorder();

  /// Adds a record of the calling thread.
  void push(const TraceRecord &record);
  /// The same, but does nothing for a thread without records. The caller may hold locks.
  void push_if_known(const TraceRecord &record);
  /// Lets the calling thread have records.
  void know_thread() { static_cast<void>(buffer()); }
  /// Names the calling thread.
  void name_thread(std::string name);
  /// The text for as long as the process lives.
  const char *keep(std::string_view text);
  /// Empties the buffers if the recorder's thread falls behind. The caller holds no lock of the driver.
  void keep_up();
  /// Takes all records, and closes the files.
  void finish();
  /// A number for a new command.
  uint64_t next_id() { return next_id_.fetch_add(1, std::memory_order_relaxed); }

private:
  struct Own;
  TraceBuffer &buffer();
  TraceBuffer &take_buffer();
  void start_thread();
  void run();
  void flush_locked(bool all);
  void begin_anew();

  std::mutex mutex_;  ///< guards the members below, except for atomic ones
  std::mutex texts_mutex_;
  const AcrossFork texts_across_fork_{&texts_mutex_};
  const AcrossFork across_fork_{&mutex_, [this] { begin_anew(); }};
  std::deque<TraceBuffer> buffers_;
  std::vector<TraceCommand> ended_;  ///< commands that are not in the timeline yet
  Timeline timeline_;
  Statistics statistics_;
  bool is_finished_ = false;
  uint64_t written_ns_ = 0;                ///< when the statistics were written
  std::unordered_set<std::string> texts_;  ///< guarded by texts_mutex_
  std::atomic<uint64_t> next_id_{1};
  std::atomic<bool> has_thread_{false};
  std::atomic<uint64_t> lost_{0};
};

/// Only if is_tracing().
Recorder &recorder();

}  // namespace upsweep
#endif
