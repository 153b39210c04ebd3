// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels that enqueue kernels, on the CUDA driver in software: they behave like src/builtins/nvptx/enqueue.cl on a GPU, but
// use only tree_abi.h.
#ifndef UPSWEEP_TESTS_TARGETS_CUDA_ENQUEUING_KERNELS_H
#define UPSWEEP_TESTS_TARGETS_CUDA_ENQUEUING_KERNELS_H

#include "targets/cuda/kernel_abi.h"
#include "targets/cuda/tree_abi.h"
#include <array>
#include <cstdint>
#include <functional>
#include <vector>

namespace upsweep::tests {

struct EnqueuedCommand {
  uint32_t block = 1;  ///< 0: a marker
  uint32_t flags = UPSWEEP_NO_WAIT;
  uint64_t global_size = 1, local_size = 1, offset = 0;
  std::vector<uint64_t> waits = {};
  bool has_event = false;
  std::vector<uint64_t> locals = {};
  std::vector<uint64_t> captured = {};
  uint32_t queue = 0;
};

/// A thread that stands for a work-group, CUDA's block.
class KernelThread {
public:
  KernelThread(const UpsweepGrid &its_grid, uint64_t its_group, const uint64_t *its_captured)
      : grid(its_grid), group(its_group), captured(its_captured) {}

  const UpsweepGrid &grid;
  const uint64_t group;            ///< its number along x
  const uint64_t *const captured;  ///< null in the kernel of the launch
  UpsweepTree &tree() const;

  /// The event, or 0 if none is requested; empty if the queue is full.
  bool enqueue(const EnqueuedCommand &command, uint64_t *event = nullptr) const;
  uint64_t new_event() const;
  bool is_valid(uint64_t event) const;
  void retain(uint64_t event) const;
  void release(uint64_t event) const;
  void set_status(uint64_t event, int32_t status) const { send(UPSWEEP_MESSAGE_STATUS, event, static_cast<uint64_t>(status)); }
  void capture_times(uint64_t event, uint64_t address) const;

private:
  void send(uint32_t action, uint64_t event, uint64_t value) const;
  void send(std::vector<uint64_t> words) const;
  bool take_queue(uint32_t index, uint64_t bytes) const;
};

/// The launch's kernel, with null in place of captured numbers, and the blocks' kernels, by their captured numbers: the
/// block's number and its action.
using KernelBody = std::function<void(const KernelThread &, uint32_t block)>;
void set_kernels(KernelBody body);
/// FakeCuda::run_enqueuing
void run_enqueuing(const char *name, const void *parameter, unsigned blocks);

/// Device memory in the software's form.
template <typename T>
T *real(uint64_t address) {
  return reinterpret_cast<T *>(address & ~(uint64_t{1} << 62));
}

}  // namespace upsweep::tests
#endif
