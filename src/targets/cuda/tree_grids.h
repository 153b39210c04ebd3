// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The grids of a tree of commands: commands of one kernel with work-groups of one size become one grid.
#ifndef UPSWEEP_TARGETS_CUDA_TREE_GRIDS_H
#define UPSWEEP_TARGETS_CUDA_TREE_GRIDS_H

#include "runtime/enqueue/tree_command.h"
#include "targets/cuda/grids.h"
#include "targets/cuda/tree_memory.h"
#include <array>
#include <cstddef>
#include <vector>

namespace upsweep {

/// A launch or a command below it.
struct GpuCommand : TreeCommand {
  static constexpr uint64_t kInlineBytes = 192;

  GpuCommand *next = nullptr;                 ///< of those that wait for a command's end, or are free
  GpuCommand *for_end = nullptr;              ///< commands that wait for its end, the newest first
  const KernelDescription *kernel = nullptr;  ///< null: a marker, or nothing to run
  NDRange range;
  uint64_t local_bytes = 0;
  uint64_t argument_bytes = 0;  ///< with the literal
  uint32_t argument_alignment = 1;
  uint32_t queue = 0;  ///< that it takes `queue_bytes` of
  uint32_t queue_bytes = 0;
  uint32_t grids = 0;  ///< that have not ended
  std::vector<char> large_arguments;
  alignas(16) std::array<char, kInlineBytes> few_arguments;

  char *arguments() { return large_arguments.empty() ? few_arguments.data() : large_arguments.data(); }
  /// std::bad_alloc
  char *make_arguments(uint64_t bytes) {
    argument_bytes = bytes;
    if (bytes > kInlineBytes) large_arguments.resize(bytes);
    return arguments();
  }
};

class TreeGrids {
public:
  TreeGrids(const Gpu &gpu, const CudaCode &code, TreeMemory &memory, CUdeviceptr printf_buffer);

  /// Counts what the caller has given to a stream as one grid of `command`.
  Result<void> follow(GpuCommand &command, size_t stream);

  /// Lists the grids of a command with work-items; the command keeps what it has until they have ended. std::bad_alloc
  void add(GpuCommand &command);
  /// Starts what add() has listed. Commands that cannot be started fail: they are among the ended ones.
  void start();
  bool has_listed() const { return !batches_.empty(); }

  bool are_running() const { return !running_.empty(); }
  /// The next command that has ended, or null: those whose messages are all read.
  GpuCommand *next_ended();

private:
  struct Batch {
    CUfunction function;
    std::array<unsigned, 3> threads;
    uint64_t dynamic_bytes;
    std::array<unsigned, 3> blocks;  ///< of the only item
    uint64_t total_blocks = 0;
    uint64_t argument_bytes = 0;
    std::vector<UpsweepItem> items;
    std::vector<GpuCommand *> commands;
    uint64_t bytes() const;
  };
  struct Running {
    uint32_t id;
    size_t stream;
    TreeChunk *chunk;
    std::vector<GpuCommand *> commands;
  };

  Batch &batch_for(const Batch &like, const Grid &grid, const GpuCommand &command);
  bool start(Batch &batch);
  bool collect();
  TreeChunk *chunk_for(uint64_t bytes);
  void fill(const Batch &batch, char *host, uint64_t address) const;

  const Gpu &gpu_;
  const CudaCode &code_;
  TreeMemory &memory_;
  const CUdeviceptr printf_buffer_;
  std::vector<Batch> batches_;
  std::vector<Running> running_;
  std::vector<uint32_t> free_ids_;
  std::vector<GpuCommand *> ended_;
  TreeChunk *chunk_;                                       ///< that is being filled
  std::array<uint32_t, TreeMemory::kStreams> grids_in_{};  ///< of each stream, that have not ended
};

}  // namespace upsweep
#endif
