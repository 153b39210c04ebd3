// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A command that a kernel enqueued: a block with its captured values, or a marker. The root of the tree is the host's launch.
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
  /// Bytes of arguments and captured values that are stored inside the command.
  static constexpr uint64_t kInlineBytes = 128;
  struct Free {
    void operator()(char *memory) const { std::free(memory); }
  };

  ChildKernel *next = nullptr;                     ///< in a list: waiting for a work-group or its parent's end, or free
  ChildKernel *older = nullptr, *newer = nullptr;  ///< in a deque
  NDRange range;
  std::optional<KernelRun> run;         ///< empty for a marker
  UpsweepDeviceQueue *queue = nullptr;  ///< the queue of which it takes `queue_bytes`
  uint64_t queue_bytes = 0;
  std::unique_ptr<char, Free> large_arguments;  ///< replaces `arguments` if they are too large

  // Members that several workers change
  alignas(64) std::atomic<uint64_t> next_group{0};
  std::atomic<ChildKernel *> for_end{nullptr};  ///< commands that wait for its end, newest first
  std::atomic<uint32_t> workers{1};             ///< workers that run it, plus one while it is in a deque
  std::atomic<bool> has_started{false};

  alignas(UPSWEEP_BLOCK_ALIGNMENT) std::array<char, kInlineBytes> arguments;

  /// Allocates space for arguments; null if memory runs out.
  char *make_arguments(uint64_t bytes) {
    if (bytes <= kInlineBytes) return arguments.data();
    constexpr uint64_t kStep = UPSWEEP_BLOCK_ALIGNMENT;
    large_arguments.reset(static_cast<char *>(std::aligned_alloc(kStep, (bytes + kStep - 1) / kStep * kStep)));
    return large_arguments.get();
  }

  void give_back_queue() { std::atomic_ref(queue->taken).fetch_sub(queue_bytes, std::memory_order_relaxed); }

  /// Returns to the initial state.
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
