// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A kernel launch as a job: workers take runs of work-groups. The number of workers depends on the time of earlier launches.
#ifndef UPSWEEP_TARGETS_CPU_LAUNCH_JOB_H
#define UPSWEEP_TARGETS_CPU_LAUNCH_JOB_H

#include "runtime/commands/command.h"
#include "runtime/printf/printf_output.h"
#include "targets/cpu/code_object.h"
#include "targets/cpu/kernel_run.h"
#include "targets/cpu/work_ranges.h"
#include "targets/cpu/worker_pool.h"
#include <atomic>
#include <mutex>
#include <optional>

namespace upsweep {

/// Common part of launches from the host: the command, whose arguments kernels read in place, and memory objects to move to the
/// host.
class HostLaunch {
public:
  /// `command`'s body is a Launch of fewer than 2^62 work-groups.
  explicit HostLaunch(Ref<Command> command);

  const Launch &launch() const { return launch_; }
  Command &command() const { return *command_; }
  const KernelRun &run() const { return run_; }
  bool has_failed() const { return failed_.load(std::memory_order_relaxed); }
  void fail() { failed_ = true; }

  /// Each worker calls it first: starts the command, and moves memory objects whose newest bytes are on another device. A
  /// single worker moves them; the others wait for it.
  void begin();

private:
  void fetch_memory() noexcept;

  Ref<Command> command_;
  const Launch &launch_;
  KernelRun run_;
  const bool needs_memory_;  ///< some object has a copy elsewhere
  std::once_flag fetched_;
  std::atomic<bool> started_{false};
  std::atomic<bool> failed_{false};
};

class LaunchJob final : public Job {
public:
  LaunchJob(const Ref<Command> &command, Share share, WorkerPool &pool);

  void work(WorkerMemory &memory, uint32_t rank) override;
  void complete() override;

private:
  LaunchJob(Ref<Command> command, Share share, WorkerPool &pool, Workers workers);
  static Workers workers_for(const Launch &launch, const Share &share);

  HostLaunch host_;
  WorkerPool &pool_;
  std::optional<PrintfOutput> output_;      ///< of a kernel that prints
  std::atomic<bool> may_widen_;             ///< more workers could be permitted
  std::atomic<bool> lacked_memory_{false};  ///< some worker lacked memory and took no work-group
  WorkRanges ranges_;
};

/// Cycles of an x86-64 time stamp counter, which runs at 2 to 4 GHz, per microsecond.
inline constexpr uint64_t kMicrosecond = 2500;
/// Least work per additional polling worker; and least work of a launch to wake sleeping workers. A woken worker arrives after
/// 5 to 25 µs, and waking costs the caller 1 to 6 µs (in virtual machines, where it sends a message to another processor).
inline constexpr uint64_t kWorkerCycles = 4 * kMicrosecond;
inline constexpr uint64_t kWakingCycles = 25 * kMicrosecond;
/// Longest launch of an out-of-order queue that a thread runs which waits for another command. The launch may be unrelated, and
/// the thread returns late by this time at most; in SYCL's queues it usually comes before the thread's command.
inline constexpr uint64_t kMostHelpCycles = 250 * kMicrosecond;

/// Application threads have the stack for kernels with up to this many bytes of private arrays, including a reserve for
/// temporaries that code generation adds.
inline constexpr uint64_t kMaxAssistedBytes = 128 << 10;

}  // namespace upsweep
#endif
