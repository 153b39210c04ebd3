// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The commands of a command buffer as one job. Its threads run stage after stage, without events or jobs between them.
#ifndef UPSWEEP_TARGETS_CPU_GRAPH_JOB_H
#define UPSWEEP_TARGETS_CPU_GRAPH_JOB_H

#include "runtime/commands/command_graph.h"
#include "targets/cpu/worker_pool.h"
#include <atomic>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

namespace upsweep {

/// The leading thread runs short stages alone, and opens the others to all threads of the job. The thread that completes the
/// last unit of an open stage leads from there on, so no thread waits for the others.
class GraphJob final : public Job {
public:
  /// `command`'s body is a GraphBody whose kernels enqueue no kernels.
  GraphJob(const Ref<Command> &command, Share share, WorkerPool &pool);
  ~GraphJob() override;

  void work(WorkerMemory &memory, uint32_t rank) override;
  void complete() override;
  bool rest() override;

private:
  struct Estimate;
  struct Part;
  struct Stage;
  struct Thread;

  GraphJob(Ref<Command> command, const CommandGraph &graph, Share share, WorkerPool &pool);
  static Estimate estimate(const CommandGraph &graph, std::span<const uint32_t> commands, const Share &share);
  static Workers workers_for(const CommandGraph &graph, const Share &share);

  Stage *lead(Thread &thread);
  Stage &open(std::span<const uint32_t> commands, const Estimate &estimate);
  bool help(Thread &thread);
  void nap();
  void end();
  bool take_part(Thread &thread, Stage &stage);
  void run_alone(Thread &thread, const CommandBody &body);
  void run_units(Thread &thread, Stage &stage, uint64_t first, uint64_t last);
  static bool prepare(Thread &thread, const Launch &launch);
  void run_groups(Thread &thread, const Launch &launch, uint64_t first, uint64_t last, void *output);
  void run_transfer(const Transfer &transfer);
  void fetch_memory(const CommandBody &body) noexcept;
  void fail(cl_int status) { status_.store(status, std::memory_order_relaxed); }
  bool has_failed() const { return status_.load(std::memory_order_relaxed) != CL_COMPLETE; }

  const Ref<Command> command_;
  const CommandGraph &graph_;  ///< of the command's body
  WorkerPool &pool_;
  std::atomic<bool> begun_{false};
  size_t next_stage_ = 0;                       ///< for the thread that leads
  std::vector<std::unique_ptr<Stage>> opened_;  ///< likewise; a thread that is late may still look at an earlier stage
  std::atomic<Stage *> open_{nullptr};          ///< the stage whose units all threads take
  std::atomic<bool> ended_{false};
  std::atomic<uint32_t> threads_{0};    ///< threads in work()
  std::atomic<bool> stays_one_{false};  ///< an idle thread stays, since work-groups may wait for others
  std::atomic<bool> may_widen_{true};   ///< more threads could be permitted
  std::mutex mutex_;                    ///< for threads that wait for has_ended_
  std::condition_variable has_ended_;
  std::atomic<cl_int> status_{CL_COMPLETE};
};

}  // namespace upsweep
#endif
