// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A command of a tree on a GPU: a launch, or a command that a kernel enqueued.
#ifndef UPSWEEP_TARGETS_CUDA_GPU_COMMAND_H
#define UPSWEEP_TARGETS_CUDA_GPU_COMMAND_H

#include "runtime/commands/command_body.h"
#include "runtime/enqueue/tree_command.h"
#include <array>
#include <memory>
#include <vector>

namespace upsweep {

struct GpuCommand : TreeCommand {
  static constexpr uint64_t kInlineBytes = 128;

  GpuCommand() {}  // `= default` would zero few_arguments

  GpuCommand *next = nullptr;                 ///< in a list: waiting for a command's end, or free
  GpuCommand *for_end = nullptr;              ///< commands that wait for its end, newest first
  const KernelDescription *kernel = nullptr;  ///< null: a marker, or nothing to run
  NDRange range;
  uint64_t local_bytes = 0;
  uint64_t argument_bytes = 0;  ///< including the literal
  uint32_t argument_alignment = 1;
  uint32_t queue = 0;  ///< the queue of which it takes `queue_bytes`
  uint32_t queue_bytes = 0;
  uint32_t grids = 0;  ///< grids that have not ended
  std::vector<char> large_arguments;
  alignas(16) std::array<char, kInlineBytes> few_arguments;

  char *arguments() { return large_arguments.empty() ? few_arguments.data() : large_arguments.data(); }
  /// Throws std::bad_alloc.
  char *make_arguments(uint64_t bytes) {
    argument_bytes = bytes;
    if (bytes > kInlineBytes) large_arguments.resize(bytes);
    return arguments();
  }
  /// Returns to the initial state.
  void reset() {
    TreeCommand::reset();
    for_end = nullptr;
    kernel = nullptr;
    grids = 0;
    if (!large_arguments.empty()) large_arguments = {};
  }
};

/// Memory for commands, reused by later trees.
class GpuCommands {
public:
  /// Throws std::bad_alloc.
  GpuCommand &take() {
    if (!free_) add_block();
    ++num_taken_;
    return *std::exchange(free_, free_->next);
  }
  void give(GpuCommand &command) {
    --num_taken_;
    command.reset();
    command.next = std::exchange(free_, &command);
  }
  /// Call it between trees: reclaims the commands of a failed tree, and limits the kept memory to the needs of a large tree.
  void tidy();

private:
  static constexpr size_t kBlock = 256;
  /// 64 MiB
  static constexpr size_t kMostBlocks = (64 << 20) / (kBlock * sizeof(GpuCommand));
  void add_block();

  std::vector<std::unique_ptr<GpuCommand[]>> blocks_;
  GpuCommand *free_ = nullptr;
  size_t num_taken_ = 0;
};

}  // namespace upsweep
#endif
