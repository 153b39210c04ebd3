// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The host's end of the ring to which the kernels of a tree write messages (tree_abi.h).
#ifndef UPSWEEP_TARGETS_CUDA_MESSAGE_RING_H
#define UPSWEEP_TARGETS_CUDA_MESSAGE_RING_H

#include "targets/cuda/tree_abi.h"
#include <array>
#include <cstdint>
#include <mutex>
#include <vector>

namespace upsweep {

/// A single thread reads it. The CUDA driver may block that thread until kernels end that wait for space in the ring (it has
/// its own locks, and other threads allocate and free). So another thread, which never calls the driver, frees space in time.
class MessageRing {
public:
  static constexpr uint64_t kBytes = uint64_t{UPSWEEP_RING_SLOTS} * UPSWEEP_SLOT_BYTES;

  /// Memory of kBytes zero bytes, and the address where kernels read the number of slots read.
  void set_memory(uint64_t *slots, uint64_t *read_slots) {
    ring_ = slots;
    read_slots_ = read_slots;
  }

  /// The oldest message not returned yet, followed by all later messages, or null. It is valid until the next call. Throws
  /// std::bad_alloc.
  const UpsweepMessage *next();
  /// Number of slots of the messages that next() has returned, since the start.
  uint64_t returned_slots() const { return returned_slots_; }

  /// Moves messages out of the ring if it is half full and nothing was read since the previous call. Any thread may call it.
  void relieve() noexcept;

private:
  bool read(uint64_t slot, std::array<uint64_t, UPSWEEP_SLOT_WORDS> &words) const;
  void take(std::vector<uint64_t> &messages, size_t most_words);

  uint64_t *ring_ = nullptr;
  uint64_t *read_slots_ = nullptr;
  // Members of the reading thread
  std::vector<uint64_t> messages_;  ///< one after another
  size_t at_ = 0;
  uint64_t returned_slots_ = 0;

  std::mutex mutex_;  ///< guards the members below
  uint64_t slot_ = 0;
  uint64_t slot_before_ = 0;        ///< slot_ at the previous relieve()
  std::vector<uint64_t> part_;      ///< the start of a message whose last slots have not arrived
  std::vector<uint64_t> relieved_;  ///< messages that relieve() has moved
};

}  // namespace upsweep
#endif
