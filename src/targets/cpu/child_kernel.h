// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A command that a kernel has enqueued: a block with its captured values, or a marker. The launch that the host has enqueued is
// the first one.
#ifndef UPSWEEP_TARGETS_CPU_CHILD_KERNEL_H
#define UPSWEEP_TARGETS_CPU_CHILD_KERNEL_H

#include "base/enqueue_abi.h"
#include "targets/cpu/device_events.h"
#include "targets/cpu/kernel_run.h"
#include <array>
#include <atomic>
#include <cstdlib>
#include <memory>
#include <optional>

namespace upsweep {

/// A command ends when its work-groups have. It is complete when, beyond that, all commands are that its work-groups enqueued;
/// that matters only where somebody can tell: with an event, and for the first one. So a command without an event is gone when
/// it has ended, and those that it enqueued belong to the next one above it with an event, its `owner`. A chain of commands of
/// which each enqueues the next takes no more memory the longer it gets.
struct alignas(UPSWEEP_BLOCK_ALIGNMENT) ChildKernel {
  /// Arguments and captured values that a command has room for by itself.
  static constexpr uint64_t kInlineBytes = 128;
  static constexpr uint32_t kInlineWaits = 1;
  struct Free {
    void operator()(char *memory) const { std::free(memory); }
  };

  ChildKernel *next = nullptr;  ///< in a list of those that wait for a work-group or for their parent's end, or of free ones
  ChildKernel *older = nullptr, *newer = nullptr;  ///< in a deque
  ChildKernel *owner = nullptr;                    ///< null for the first one
  NDRange range;
  std::optional<KernelRun> run;  ///< none for a marker
  DeviceEvent *event = nullptr;
  UpsweepDeviceQueue *queue = nullptr;  ///< that it takes `queue_bytes` of
  uint64_t queue_bytes = 0;
  std::unique_ptr<char, Free> large_arguments;  ///< instead of `arguments`
  std::unique_ptr<EventWait[]> many_waits;      ///< instead of `few_waits`
  std::array<EventWait, kInlineWaits> few_waits;

  // What several workers change
  alignas(64) std::atomic<uint64_t> next_group{0};
  std::atomic<ChildKernel *> for_end{nullptr};  ///< commands that wait for its end, the newest first
  std::atomic<uint32_t> waits{0};               ///< events, its parent's end and the like that it waits for
  std::atomic<uint32_t> workers{1};             ///< that run it, and its place in a deque
  std::atomic<uint32_t> pending{1};  ///< itself until it has ended, and commands that it owns and that are not complete
  std::atomic<cl_int> status{CL_COMPLETE};
  std::atomic<bool> wait_failed{false};
  std::atomic<bool> has_started{false};

  alignas(UPSWEEP_BLOCK_ALIGNMENT) std::array<char, kInlineBytes> arguments;

  /// Whether commands below it belong to it.
  bool is_owner() const { return event || !owner; }

  /// Room for arguments; null when there is no memory.
  char *make_arguments(uint64_t bytes) {
    if (bytes <= kInlineBytes) return arguments.data();
    constexpr uint64_t kStep = UPSWEEP_BLOCK_ALIGNMENT;
    large_arguments.reset(static_cast<char *>(std::aligned_alloc(kStep, (bytes + kStep - 1) / kStep * kStep)));
    return large_arguments.get();
  }

  void give_back_queue() { std::atomic_ref(queue->taken).fetch_sub(queue_bytes, std::memory_order_relaxed); }

  /// As a new one.
  void reset() {
    run.reset();
    event = nullptr;
    large_arguments.reset();
    many_waits.reset();
    next_group.store(0, std::memory_order_relaxed);
    workers.store(1, std::memory_order_relaxed);
    pending.store(1, std::memory_order_relaxed);
    status.store(CL_COMPLETE, std::memory_order_relaxed);
    wait_failed.store(false, std::memory_order_relaxed);
    has_started.store(false, std::memory_order_relaxed);
  }

  /// The first error counts.
  void fail(cl_int error) {
    cl_int none = CL_COMPLETE;
    status.compare_exchange_strong(none, error, std::memory_order_relaxed);
  }
};

}  // namespace upsweep
#endif
