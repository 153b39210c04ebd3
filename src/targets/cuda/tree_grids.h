// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The grids of a tree of commands. Commands of one kernel with work-groups of the same size share a grid.
#ifndef UPSWEEP_TARGETS_CUDA_TREE_GRIDS_H
#define UPSWEEP_TARGETS_CUDA_TREE_GRIDS_H

#include "targets/cuda/gpu_command.h"
#include "targets/cuda/grids.h"
#include "targets/cuda/tree_memory.h"
#include <array>
#include <cstddef>
#include <vector>

namespace upsweep {

class TreeGrids {
public:
  TreeGrids(const Gpu &gpu, const CudaCode &code, TreeMemory &memory, CUdeviceptr printf_buffer);

  /// Counts the launch's own kernel as a grid of `command`. Call it first; the caller then passes the kernel to the first
  /// stream.
  void add_launch(GpuCommand &command);

  /// Lists the grids of a command that has work-items; the command keeps its data until they have ended. Throws std::bad_alloc.
  void add(GpuCommand &command);
  /// Starts the listed grids. Commands that cannot be started fail and are returned by next_ended().
  void start();
  bool has_listed() const { return !batches_.empty(); }

  bool are_running() const { return num_running_ != 0; }
  /// The next command that has ended and whose messages are all read, or null.
  GpuCommand *next_ended();

private:
  /// Common properties of the commands of a grid.
  struct Key {
    CUfunction function;
    std::array<unsigned, 3> threads;
    uint64_t dynamic_bytes;
    friend bool operator==(const Key &, const Key &) = default;
  };
  struct Batch {
    Key key;
    std::array<unsigned, 3> blocks;  ///< of a single item
    uint64_t total_blocks = 0;
    uint64_t argument_bytes = 0;
    std::vector<UpsweepItem> items;
    std::vector<GpuCommand *> commands;
    std::vector<uint32_t> arguments;  ///< offset of each item's arguments
    uint64_t bytes() const;
    bool has_room(uint64_t more_blocks, const GpuCommand &command) const;
  };
  /// The grid of a stream; its number is the stream's.
  struct Running {
    std::vector<GpuCommand *> commands;  ///< empty: the stream is idle
    TreeChunk *chunk = nullptr;
  };

  Batch &batch_for(const Key &key, uint64_t blocks, const GpuCommand &command);
  bool start(Batch &batch);
  bool collect();
  void run(size_t stream, std::vector<GpuCommand *> commands, TreeChunk *chunk);
  TreeChunk *chunk_for(uint64_t bytes);
  static void fill(const Batch &batch, char *host);

  const Gpu &gpu_;
  const CudaCode &code_;
  TreeMemory &memory_;
  const CUdeviceptr printf_buffer_;
  std::vector<Batch> batches_;
  std::array<Running, UPSWEEP_TREE_GRIDS> running_;  ///< one per stream
  size_t num_running_ = 0;
  std::vector<GpuCommand *> ended_;
  TreeChunk *chunk_;  ///< the chunk being filled
};

}  // namespace upsweep
#endif
