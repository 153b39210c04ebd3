// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A kernel launch as a job: workers take runs of work-groups from a counter.
#ifndef UPSWEEP_TARGETS_CPU_LAUNCH_JOB_H
#define UPSWEEP_TARGETS_CPU_LAUNCH_JOB_H

#include "runtime/commands/command.h"
#include "runtime/printf/printf_output.h"
#include "targets/cpu/kernel_abi.h"
#include "targets/cpu/worker_pool.h"
#include <mutex>
#include <optional>

namespace upsweep {

class LaunchJob final : public Job {
public:
  /// `command`'s body is a Launch whose work-groups are fewer than 2^62.
  LaunchJob(Ref<Command> command, Share share);

  void work(WorkerMemory &memory) override;
  void complete() override;
  bool may_assist(const Event &event) const override;

private:
  [[nodiscard]] bool fill(UpsweepGroup &group, WorkerMemory &memory);
  uint64_t next_run() const;
  uint64_t joined_groups(uint64_t x, uint64_t left) const;
  /// Brings memory objects here that another device has the newest bytes of; one worker does so, the others wait for it.
  void fetch_memory();
  void run_groups(UpsweepGroup &group, uint64_t first, uint64_t last) const;

  Ref<Command> command_;
  const Launch &launch_;
  const UpsweepKernelCode &code_;
  std::optional<PrintfOutput> output_;  ///< of a kernel that prints
  std::array<uint64_t, 3> num_groups_;
  uint64_t total_;
  uint64_t workers_;
  AlignedBlock arguments_;
  const bool needs_memory_;  ///< some object has a copy elsewhere
  std::once_flag fetched_;
  std::atomic<bool> started_{false};
  std::atomic<bool> failed_{false};
  alignas(64) std::atomic<uint64_t> next_{0};  ///< the counter; on a cache line of its own
};

}  // namespace upsweep
#endif
