// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Pool of commands, in blocks.
#include "targets/cuda/gpu_command.h"
#include <algorithm>

namespace upsweep {

void GpuCommands::add_block() {
  blocks_.push_back(std::make_unique<GpuCommand[]>(kBlock));
  for (size_t i = kBlock; i-- > 0;) {
    GpuCommand &command = blocks_.back()[i];
    command.next = std::exchange(free_, &command);
  }
}

void GpuCommands::tidy() {
  if (num_taken_ == 0 && blocks_.size() <= kMostBlocks) return;
  free_ = nullptr;
  num_taken_ = 0;
  blocks_.resize(std::min(blocks_.size(), kMostBlocks));
  for (const auto &block : blocks_)
    for (size_t i = 0; i < kBlock; ++i) {
      block[i].reset();
      block[i].next = std::exchange(free_, &block[i]);
    }
}

}  // namespace upsweep
