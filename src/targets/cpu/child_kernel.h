// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A command that a kernel has enqueued: a block with its captured values, or a marker. The launch that the host has enqueued is
// the first one.
#ifndef UPSWEEP_TARGETS_CPU_CHILD_KERNEL_H
#define UPSWEEP_TARGETS_CPU_CHILD_KERNEL_H

#include "base/enqueue_abi.h"
#include "runtime/enqueue/tree_command.h"
#include "targets/cpu/kernel_run.h"
#include <array>
#include <atomic>
#include <cstdlib>
#include <memory>
#include <optional>

namespace upsweep {

struct alignas(UPSWEEP_BLOCK_ALIGNMENT) ChildKernel : TreeCommand {
  /// Arguments and captured values that a command has room for by itself.
  static constexpr uint64_t kInlineBytes = 128;
  struct Free {
    void operator()(char *memory) const { std::free(memory); }
  };

  ChildKernel *next = nullptr;  ///< in a list of those that wait for a work-group or for their parent's end, or of free ones
  ChildKernel *older = nullptr, *newer = nullptr;  ///< in a deque
  NDRange range;
  std::optional<KernelRun> run;         ///< none for a marker
  UpsweepDeviceQueue *queue = nullptr;  ///< that it takes `queue_bytes` of
  uint64_t queue_bytes = 0;
  std::unique_ptr<char, Free> large_arguments;  ///< instead of `arguments`

  // What several workers change
  alignas(64) std::atomic<uint64_t> next_group{0};
  std::atomic<ChildKernel *> for_end{nullptr};  ///< commands that wait for its end, the newest first
  std::atomic<uint32_t> workers{1};             ///< that run it, and its place in a deque
  std::atomic<bool> has_started{false};

  alignas(UPSWEEP_BLOCK_ALIGNMENT) std::array<char, kInlineBytes> arguments;

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
    TreeCommand::reset();
    run.reset();
    large_arguments.reset();
    next_group.store(0, std::memory_order_relaxed);
    workers.store(1, std::memory_order_relaxed);
    has_started.store(false, std::memory_order_relaxed);
  }
};

}  // namespace upsweep
#endif
