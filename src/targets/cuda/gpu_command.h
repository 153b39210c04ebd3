// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A launch on a GPU or a command that a kernel has enqueued below it.
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

  GpuCommand() {}  // with = default, few_arguments would first be set to 0

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
  /// As a new one.
  void reset() {
    TreeCommand::reset();
    for_end = nullptr;
    kernel = nullptr;
    grids = 0;
    if (!large_arguments.empty()) large_arguments = {};
  }
};

/// Commands as memory, which stays for the next tree.
class GpuCommands {
public:
  /// std::bad_alloc
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
  /// Between two trees: takes back what a tree that failed has left, and keeps no more than a large one needs.
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
