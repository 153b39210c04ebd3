// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A launch of a kernel that may enqueue others, as a job: workers run its work-groups and those of all its descendants, each
// from its own deque.
#ifndef UPSWEEP_TARGETS_CPU_LAUNCH_TREE_H
#define UPSWEEP_TARGETS_CPU_LAUNCH_TREE_H

#include "targets/cpu/child_kernel.h"
#include "targets/cpu/launch_job.h"
#include "targets/cpu/work_deque.h"
#include <span>

namespace upsweep {

/// A kernel's request to enqueue a command: the parameters of UpsweepHooks::enqueue.
struct EnqueueRequest {
  const UpsweepRange *range;
  uint64_t queue;
  uint32_t flags;
  std::span<const uint64_t> wait_list;
  uint64_t *event;
  uint64_t kernel;
  const UpsweepBlock *block;
  std::span<const uint64_t> local_bytes;
};

class LaunchTree final : public Job {
public:
  LaunchTree(Ref<Command> command, Share share, WorkerPool &pool);

  void work(WorkerMemory &memory, uint32_t rank) override;
  void complete() override;
  bool rest() override;

  /// A worker's place in the tree; UpsweepGroup::driver of its work-group points to it.
  struct Place {
    LaunchTree *tree = nullptr;
    ChildKernel *current = nullptr;         ///< the command that it runs
    ChildKernel *for_work_group = nullptr;  ///< commands that wait for the end of the running work-group, newest first
    ChildCache *memory = nullptr;           ///< for new commands
    std::atomic<bool> is_taken{false};
    // Counts taken in advance from shared counters, or kept for reuse, until the worker finds no work.
    uint32_t spare_pending = 0;  ///< of the launch's TreeCommand::pending
    uint64_t spare_bytes = 0;    ///< of `spare_queue`
    UpsweepDeviceQueue *spare_queue = nullptr;
    alignas(64) WorkDeque<ChildKernel> ready;
  };

  // Hooks, called by the kernel that `place` runs
  int32_t enqueue(Place &place, const EnqueueRequest &request);
  uint64_t event(Place &place, uint64_t event, uint32_t action, uint64_t value);
  uint32_t query(const UpsweepRange &range, uint64_t kernel, uint32_t query) const;
  bool print(const UpsweepGroup &group, const char *format, const void *arguments);

private:
  static constexpr uint32_t kPendingAtOnce = 256;
  /// Limit of the part of a queue that all places keep together; a nearly full queue may lack this part.
  static constexpr uint64_t kSpareShare = 256;

  const CpuCode &code() const { return static_cast<const CpuCode &>(*host_.launch().call.code); }
  const DeviceProperties &limits() const;
  Place &take_place();
  ChildKernel *find_work(Place &place);
  bool poll() const;
  bool has_work() const;

  void run(Place &place, ChildKernel &command, UpsweepGroup &group, WorkerMemory &memory);
  void run_groups(Place &place, ChildKernel &command, UpsweepGroup &group, WorkerMemory &memory);
  void leave(Place &place, ChildKernel &command);
  void enter(Place &place, ChildKernel &command, ChildKernel &parent);
  bool drop_one(Place &place, TreeCommand &part);
  uint64_t most_spare_bytes(const UpsweepDeviceQueue &queue) const { return queue.bytes / (kSpareShare * num_workers_); }
  bool take_queue(Place &place, ChildKernel &command, uint64_t queue, uint64_t bytes) const;
  void give_queue(Place &place, ChildKernel &command) const;
  void give_spare(Place &place);
  void end(Place &place, ChildKernel &command);
  void settle(Place &place, ChildKernel &command, uint32_t waits = 1);
  void settle_all(Place &place, ChildKernel *newest);
  void tell(Place &place, EventWait *waits);

  int32_t check(const EnqueueRequest &request);
  int32_t prepare(Place &place, ChildKernel &command, const EnqueueRequest &request) const;
  int32_t prepare_arguments(ChildKernel &command, const KernelDescription &kernel, const EnqueueRequest &request) const;
  void submit(Place &place, ChildKernel &command, const EnqueueRequest &request);

  HostLaunch host_;
  WorkerPool &pool_;
  const uint32_t num_workers_;
  std::optional<PrintfOutput> output_;  ///< set if a kernel of the program prints
  DeviceEvents events_;
  ChildKernel root_;
  std::unique_ptr<Place[]> places_;
  std::atomic<bool> wants_help_{false};  ///< a worker has left, and the job is not listed
  std::atomic<bool> is_complete_{false};
};

/// The hooks for kernels of a tree.
extern const UpsweepHooks kTreeHooks;

}  // namespace upsweep
#endif
