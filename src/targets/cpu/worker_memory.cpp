// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A worker's memory.
#include "targets/cpu/worker_memory.h"
#include "runtime/check/initialisation.h"
#include <pthread.h>

namespace upsweep {

bool AlignedBlock::reserve(uint64_t bytes) {
  // More than any computer's address space; also prevents overflow when rounding.
  constexpr uint64_t kMaxBytes = uint64_t{1} << 47;
  if (data_ && bytes <= bytes_) return true;
  if (bytes > kMaxBytes) return false;
  uint64_t rounded = (bytes / alignment_ + 1) * alignment_;
  release();
  data_.reset(static_cast<char *>(std::aligned_alloc(alignment_, rounded)));
  bytes_ = data_ ? rounded : 0;
  return data_ != nullptr;
}

void AlignedBlock::release() {
  if (data_) end_object(data_.get(), bytes_);
  data_.reset();
}

WorkerMemory::WorkerMemory() {
  pthread_attr_t attributes;
  if (pthread_getattr_np(pthread_self(), &attributes) != 0) return;
  void *low = nullptr;
  size_t bytes = 0;
  pthread_attr_getstack(&attributes, &low, &bytes);
  pthread_attr_destroy(&attributes);
  stack_low_ = static_cast<char *>(low);
  stack_high_ = stack_low_ + bytes;
}

uint64_t WorkerMemory::stack_left() const {
  if (!stack_low_) return 0;
  return static_cast<uint64_t>(static_cast<char *>(__builtin_frame_address(0)) - stack_low_);
}

bool WorkerMemory::lend(UpsweepGroup &group, uint64_t local_bytes, uint64_t frame_bytes) {
  if (!local_.reserve(local_bytes) || !frames_.reserve(frame_bytes) || !scratch_.reserve(UPSWEEP_SCRATCH_BYTES)) return false;
  group.local = local_.data();
  group.local_end = local_.data() + local_bytes;
  group.frames = frames_.data();
  group.frames_end = frames_.data() + frame_bytes;
  group.scratch = scratch_.data();
  group.stack_low = stack_low_;
  group.stack_high = stack_high_;
  return true;
}

}  // namespace upsweep
