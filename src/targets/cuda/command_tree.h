// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A launch on a GPU whose kernels may enqueue others, with all its descendants. A host thread reads the enqueued commands and
// starts them (docs/decisions/gpu-enqueue.md).
#ifndef UPSWEEP_TARGETS_CUDA_COMMAND_TREE_H
#define UPSWEEP_TARGETS_CUDA_COMMAND_TREE_H

#include "runtime/commands/command.h"
#include "targets/cuda/cuda_images.h"
#include "targets/cuda/launch.h"
#include "targets/cuda/poll_backoff.h"
#include "targets/cuda/tree_grids.h"
#include <vector>

namespace upsweep {

class CommandTree {
public:
  /// `command`'s body is a Launch whose memory is current on the GPU. The GPU's context must be the calling thread's.
  CommandTree(const Gpu &gpu, CudaImages &images, Command &command, TreeMemory &memory, CUdeviceptr printf_buffer,
              uint64_t most_local_bytes);

  /// Returns when all commands are complete, or the GPU has failed. The error is the launch's status.
  Result<void> run();

private:
  const Launch &launch() const { return std::get<Launch>(command_.body()); }
  Result<void> start_launch();
  Result<void> work();
  void wait_for_kernels();
  void drop_messages();

  // Messages
  bool read_messages();
  void read(const UpsweepMessage &message);
  void read_command(const UpsweepMessage &message);
  static const uint64_t *read_range(GpuCommand &command, uint32_t work_dim, const uint64_t *words);
  int32_t read_arguments(GpuCommand &command, const UpsweepMessage &message, const uint64_t *locals) const;
  void know(uint64_t event);

  // Commands
  void settle(GpuCommand &command, uint32_t waits = 1);
  void settle_all(GpuCommand *newest);
  void tell(EventWait *waits);
  bool start_ready();
  void end(GpuCommand &command);
  bool end_grids();
  void store_times(cl_ulong *to, const DeviceTimes &times) const;

  const Gpu &gpu_;
  CudaImages &images_;
  Command &command_;
  const CudaCode &code_;
  TreeMemory &memory_;
  const CUdeviceptr printf_buffer_;
  const uint64_t most_local_bytes_;
  DeviceEvents events_;
  TreeGrids grids_;
  GpuCommand root_;
  std::vector<GpuCommand *> ready_;
  bool is_complete_ = false;
};

}  // namespace upsweep
#endif
