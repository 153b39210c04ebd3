// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Records of the trace: fixed sizes, so that a thread writes one into its buffer without a lock or an allocation.
#ifndef UPSWEEP_RUNTIME_TRACE_RECORD_H
#define UPSWEEP_RUNTIME_TRACE_RECORD_H

#include <CL/cl.h>
#include <array>
#include <cstdint>

namespace upsweep {

/// Time on the clock of now_ns().
struct TraceInterval {
  uint64_t begin_ns = 0;
  uint64_t end_ns = 0;

  uint64_t ns() const { return end_ns > begin_ns ? end_ns - begin_ns : 0; }
};

/// A command, recorded when it ends. Texts live as long as the process.
struct TraceCommand {
  uint64_t id = 0;     ///< numbers start at 1
  uint32_t queue = 0;  ///< number of the queue
  cl_command_type type = 0;
  const char *kernel = nullptr;  ///< name of the kernel; null for other commands
  const char *device = nullptr;
  std::array<uint64_t, 3> global{};
  std::array<uint64_t, 3> local{};
  uint64_t bytes = 0;       ///< of a transfer; of a kernel the sizes of its buffers and images, each once
  bool knows_bytes = true;  ///< false: a kernel has further pointers, whose memory has no known size
  bool on_cpu = false;
  bool has_wait_list = false;
  bool has_work = false;  ///< false for markers and barriers
  cl_int status = CL_COMPLETE;
  uint64_t queued_ns = 0;
  uint64_t ready_ns = 0;  ///< its dependencies are done; 0 if it had no work
  TraceInterval run;      ///< begin_ns is 0 if it did not run
  TraceInterval blocked;  ///< the latest blocking call of the thread that enqueued it, before the enqueue
};

/// A command of a wait list.
struct TraceDependency {
  uint64_t from = 0;
  uint64_t to = 0;
};

/// A thread's part of a command's work.
struct TraceWork {
  uint64_t command = 0;
  const char *name = nullptr;
  uint64_t groups = 0;  ///< work-groups that it ran; 0 for other work
  TraceInterval time;
};

/// A call in which a host thread blocked.
struct TraceWait {
  const char *call = nullptr;
  TraceInterval time;
};

struct TraceBuild {
  const char *call = nullptr;
  const char *device = nullptr;
  bool from_cache = false;
  bool has_failed = false;
  TraceInterval time;
};

/// The memory of buffers, images, SVM and USM from now on.
struct TraceMemory {
  uint64_t at_ns = 0;
  uint64_t bytes = 0;
};

enum class TraceKind : uint32_t { kCommand, kDependency, kWork, kWait, kBuild, kMemory };

struct TraceRecord {
  TraceKind kind;
  union {
    TraceCommand command;
    TraceDependency dependency;
    TraceWork work;
    TraceWait wait;
    TraceBuild build;
    TraceMemory memory;
  };

  explicit TraceRecord(const TraceCommand &its) : kind(TraceKind::kCommand), command(its) {}
  explicit TraceRecord(const TraceDependency &its) : kind(TraceKind::kDependency), dependency(its) {}
  explicit TraceRecord(const TraceWork &its) : kind(TraceKind::kWork), work(its) {}
  explicit TraceRecord(const TraceWait &its) : kind(TraceKind::kWait), wait(its) {}
  explicit TraceRecord(const TraceBuild &its) : kind(TraceKind::kBuild), build(its) {}
  explicit TraceRecord(const TraceMemory &its) : kind(TraceKind::kMemory), memory(its) {}
};

}  // namespace upsweep
#endif
