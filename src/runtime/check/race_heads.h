// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The releases at addresses: a table that is emptied in one step.
#ifndef UPSWEEP_RUNTIME_CHECK_RACE_HEADS_H
#define UPSWEEP_RUNTIME_CHECK_RACE_HEADS_H

#include <cstddef>
#include <cstdint>
#include <vector>

namespace upsweep {

struct RaceNode;

class RaceHeads {
public:
  [[nodiscard]] const RaceNode *find(uint64_t address) const {
    if (!size_) return nullptr;
    const Slot &slot = slots_[place(address)];
    return slot.epoch == epoch_ ? slot.node : nullptr;
  }
  /// The node of an address, null until it is set. The reference is valid until the next call.
  const RaceNode *&at(uint64_t address);
  void clear() {
    size_ = 0;
    if (++epoch_ == 0) {
      slots_.clear();
      epoch_ = 1;
    }
  }

private:
  struct Slot {
    uint64_t address = 0;
    const RaceNode *node = nullptr;
    uint32_t epoch = 0;  ///< older: the slot is free
  };
  /// The slot of an address, or the free slot for it.
  [[nodiscard]] size_t place(uint64_t address) const {
    size_t at = address * 0x9e3779b97f4a7c15U >> 20 & (slots_.size() - 1);
    while (slots_[at].epoch == epoch_ && slots_[at].address != address) at = (at + 1) & (slots_.size() - 1);
    return at;
  }
  void grow();

  std::vector<Slot> slots_;  ///< a power of two of them, at most half of which are taken
  size_t size_ = 0;
  uint32_t epoch_ = 1;
};

}  // namespace upsweep
#endif
