// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The trace's hooks. Where neither UPSWEEP_TRACE nor UPSWEEP_PROFILE is set, each costs one predictable branch.
#ifndef UPSWEEP_RUNTIME_TRACE_TRACE_H
#define UPSWEEP_RUNTIME_TRACE_TRACE_H

#include "runtime/trace/record.h"
#include <cstddef>
#include <memory>

namespace upsweep {

class Command;

namespace trace {
extern bool is_on;
}

/// Whether this process is traced. Constant from the creation of the platform until the process ends.
inline bool is_tracing() { return trace::is_on; }

/// A new command's record, which the command keeps and completes.
std::unique_ptr<TraceCommand> begin_trace(const Command &command);
/// Records the command with its end.
void end_trace(TraceCommand &trace);
void trace_dependency(uint64_t from, uint64_t to);

/// A thread's part of the work of `command`, from the constructor to the destructor.
class TraceWorkScope {
public:
  explicit TraceWorkScope(const Command &command) {
    if (is_tracing()) [[unlikely]]
      begin(command);
  }
  ~TraceWorkScope() {
    if (work_.command) [[unlikely]]
      end();
  }
  TraceWorkScope(const TraceWorkScope &) = delete;
  TraceWorkScope &operator=(const TraceWorkScope &) = delete;

  void set_groups(uint64_t groups) { work_.groups = groups; }
  /// The thread came too late to do a part.
  void forget() { work_.command = 0; }

private:
  void begin(const Command &command);
  void end();
  TraceWork work_;
};

/// The calling thread blocks in a function of the API. `call` lives as long as the process.
class TraceWaitScope {
public:
  explicit TraceWaitScope(const char *call) {
    if (is_tracing()) [[unlikely]]
      begin(call);
  }
  ~TraceWaitScope() {
    if (wait_.call) [[unlikely]]
      end();
  }
  TraceWaitScope(const TraceWaitScope &) = delete;
  TraceWaitScope &operator=(const TraceWaitScope &) = delete;

private:
  void begin(const char *call);
  void end();
  TraceWait wait_;
};

/// The calling thread builds a program.
class TraceBuildScope {
public:
  TraceBuildScope(const char *call, const char *device) {
    if (is_tracing()) [[unlikely]]
      begin(call, device);
  }
  ~TraceBuildScope() {
    if (build_.call) [[unlikely]]
      end();
  }
  TraceBuildScope(const TraceBuildScope &) = delete;
  TraceBuildScope &operator=(const TraceBuildScope &) = delete;

  void set_outcome(bool from_cache, bool has_failed) {
    build_.from_cache = from_cache;
    build_.has_failed = has_failed;
  }

private:
  void begin(const char *call, const char *device);
  void end();
  TraceBuild build_;
};

/// Names the calling thread in the timeline.
void name_trace_thread(const char *role, uint32_t number);

/// Memory of an object is allocated (positive) or freed (negative).
void trace_memory_change(int64_t bytes);
inline void trace_memory(int64_t bytes) {
  if (is_tracing()) [[unlikely]]
    trace_memory_change(bytes);
}

/// The most memory in use up to now.
uint64_t trace_peak_bytes();

}  // namespace upsweep
#endif
