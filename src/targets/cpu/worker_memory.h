// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The memory that a worker lends to the work-group it runs: local memory, frames, scratch, and its stack's bounds.
#ifndef UPSWEEP_TARGETS_CPU_WORKER_MEMORY_H
#define UPSWEEP_TARGETS_CPU_WORKER_MEMORY_H

#include "targets/cpu/child_pool.h"
#include "targets/cpu/kernel_abi.h"
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>

namespace upsweep {

/// Memory whose contents do not survive a growth.
class AlignedBlock {
public:
  explicit AlignedBlock(uint64_t alignment = UPSWEEP_MEMORY_ALIGN) : alignment_(alignment) {}
  /// At least `bytes`; false when there is not enough memory.
  [[nodiscard]] bool reserve(uint64_t bytes);
  char *data() const { return data_.get(); }

private:
  struct Free {
    void operator()(char *memory) const { std::free(memory); }
  };
  std::unique_ptr<char, Free> data_;
  uint64_t alignment_;
  uint64_t bytes_ = 0;
};

class WorkerMemory {
public:
  /// Call it on the worker's own thread: takes the bounds of its stack.
  WorkerMemory();

  /// Bytes of the stack that are left below the caller's frame; 0 when the system does not tell its bounds.
  uint64_t stack_left() const;

  /// Points `group` to memory for a kernel; false when there is not enough.
  [[nodiscard]] bool lend(UpsweepGroup &group, uint64_t local_bytes, uint64_t frame_bytes);

  /// For commands of kernels that enqueue.
  ChildCache &commands() { return commands_; }

private:
  ChildCache commands_;
  AlignedBlock local_{UPSWEEP_LOCAL_ALIGN};
  AlignedBlock frames_;
  AlignedBlock scratch_;
  char *stack_low_ = nullptr;
  char *stack_high_ = nullptr;
};

}  // namespace upsweep
#endif
