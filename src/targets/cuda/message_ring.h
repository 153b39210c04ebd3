// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The host's end of the ring that kernels of a tree write messages to (tree_abi.h).
#ifndef UPSWEEP_TARGETS_CUDA_MESSAGE_RING_H
#define UPSWEEP_TARGETS_CUDA_MESSAGE_RING_H

#include "targets/cuda/tree_abi.h"
#include <array>
#include <cstdint>
#include <mutex>
#include <vector>

namespace upsweep {

/// One thread reads it. The driver may block that thread until kernels end which wait for room in the ring (it has locks of its
/// own, and other threads allocate and free), so another thread that never calls the driver makes room in time.
class MessageRing {
public:
  static constexpr uint64_t kBytes = uint64_t{UPSWEEP_RING_SLOTS} * UPSWEEP_SLOT_BYTES;

  /// Memory of kBytes bytes of 0, and where kernels see how many slots are read.
  void set_memory(uint64_t *slots, uint64_t *read_slots) {
    ring_ = slots;
    read_slots_ = read_slots;
  }

  /// The oldest message that it has not returned, with all that follows it, or null. It stays until the next call.
  /// std::bad_alloc
  const UpsweepMessage *next();
  /// Of all slots that were ever taken, those of messages that next() has returned.
  uint64_t returned_slots() const { return returned_slots_; }

  /// Moves messages out of a ring that is half full and that nothing was taken from since the call before. For any thread.
  void relieve() noexcept;

private:
  bool read(uint64_t slot, std::array<uint64_t, UPSWEEP_SLOT_WORDS> &words) const;
  void take(std::vector<uint64_t> &messages, size_t most_words);

  uint64_t *ring_ = nullptr;
  uint64_t *read_slots_ = nullptr;
  // The reading thread's
  std::vector<uint64_t> messages_;  ///< one after the other
  size_t at_ = 0;
  uint64_t returned_slots_ = 0;

  std::mutex mutex_;  ///< guards what follows
  uint64_t slot_ = 0;
  uint64_t slot_before_ = 0;        ///< slot_ when relieve() was called last
  std::vector<uint64_t> part_;      ///< of a message whose last slots are not there yet
  std::vector<uint64_t> relieved_;  ///< messages that relieve() has taken
};

}  // namespace upsweep
#endif
