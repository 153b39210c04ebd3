// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The memory that a worker lends to its work-group: local memory, frames, scratch, and the stack's bounds.
#ifndef UPSWEEP_TARGETS_CPU_WORKER_MEMORY_H
#define UPSWEEP_TARGETS_CPU_WORKER_MEMORY_H

#include "targets/cpu/child_pool.h"
#include "targets/cpu/kernel_abi.h"
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>

namespace upsweep {

/// A block of memory; growing it loses the contents.
class AlignedBlock {
public:
  explicit AlignedBlock(uint64_t alignment = UPSWEEP_MEMORY_ALIGN) : alignment_(alignment) {}
  AlignedBlock(const AlignedBlock &) = delete;
  AlignedBlock &operator=(const AlignedBlock &) = delete;
  ~AlignedBlock() { release(); }
  /// Ensures at least `bytes`; false if memory runs out.
  [[nodiscard]] bool reserve(uint64_t bytes);
  char *data() const { return data_.get(); }

private:
  struct Free {
    void operator()(char *memory) const { std::free(memory); }
  };
  void release();
  std::unique_ptr<char, Free> data_;
  uint64_t alignment_;
  uint64_t bytes_ = 0;
};

class WorkerMemory {
public:
  /// Call it on the worker's own thread, whose stack's bounds it reads.
  WorkerMemory();

  /// Bytes of stack left below the caller's frame; 0 if the bounds are unknown.
  uint64_t stack_left() const;

  /// Points `group` to memory for a kernel; false if memory runs out.
  [[nodiscard]] bool lend(UpsweepGroup &group, uint64_t local_bytes, uint64_t frame_bytes);

  /// Memory for the commands of kernels that enqueue.
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
