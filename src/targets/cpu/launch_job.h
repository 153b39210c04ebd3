// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A kernel launch as a job: workers take runs of work-groups, as many workers as the kernel's earlier launches make worthwhile.
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

/// What every launch from the host has: the command, its arguments, and memory objects to be brought here.
class HostLaunch {
public:
  /// `command`'s body is a Launch whose work-groups are fewer than 2^62.
  explicit HostLaunch(Ref<Command> command);

  const Launch &launch() const { return launch_; }
  Command &command() const { return *command_; }
  const KernelRun &run() const { return run_; }
  bool has_failed() const { return failed_.load(std::memory_order_relaxed); }
  void fail() { failed_ = true; }

  /// Called by each worker before anything else: the command starts, and memory objects that another device has the newest
  /// bytes of come here. One worker brings them, the others wait for it.
  void begin();

private:
  void fetch_memory() noexcept;

  Ref<Command> command_;
  const Launch &launch_;
  AlignedBlock arguments_;
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
  std::atomic<bool> may_widen_;             ///< fewer workers than could be are permitted
  std::atomic<bool> lacked_memory_{false};  ///< some worker did, and took no work-group
  WorkRanges ranges_;
};

/// A thread of the application has the stack for kernels with up to this many bytes of private arrays, with room for what code
/// generation adds.
inline constexpr uint64_t kMaxAssistedBytes = 128 << 10;

}  // namespace upsweep
#endif
