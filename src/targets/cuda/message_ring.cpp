// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads slots in order, each when all its words have arrived.
#include "targets/cuda/message_ring.h"
#include <atomic>
#include <limits>
#include <new>
#include <utility>

namespace upsweep {
namespace {

constexpr uint64_t kWords = UPSWEEP_SLOT_BYTES / 8;
static_assert(kWords == UPSWEEP_SLOT_WORDS + 1);
/// Size of a batch of messages, which stays in a processor's first-level cache.
constexpr size_t kBatchWords = 2048;

uint64_t slots_of(const std::vector<uint64_t> &words) { return static_cast<uint32_t>(words[0]); }

}  // namespace

/// Reads a message's words in a slot; false if some have not arrived.
bool MessageRing::read(uint64_t slot, std::array<uint64_t, UPSWEEP_SLOT_WORDS> &words) const {
  uint64_t *from = ring_ + slot % UPSWEEP_RING_SLOTS * kWords;
  const uint64_t phase = UPSWEEP_SLOT_PHASE(slot);
  uint64_t bits = std::atomic_ref(from[UPSWEEP_SLOT_WORDS]).load(std::memory_order_relaxed);
  if ((bits & 1) != phase) return false;
  for (uint64_t &word : words) {
    word = std::atomic_ref(*from++).load(std::memory_order_relaxed);
    if ((word & 1) != phase) return false;
    bits >>= 1;
    word = (word & ~uint64_t{1}) | (bits & 1);
  }
  return true;
}

/// Takes whole messages until there are `most_words`.
void MessageRing::take(std::vector<uint64_t> &messages, size_t most_words) {
  std::array<uint64_t, UPSWEEP_SLOT_WORDS> words;
  while (messages.size() < most_words) {
    if (!part_.empty() && part_.size() == slots_of(part_) * UPSWEEP_SLOT_WORDS) {
      messages.insert(messages.end(), part_.begin(), part_.end());
      part_.clear();
      continue;
    }
    if (!read(slot_, words)) break;
    part_.insert(part_.end(), words.begin(), words.end());
    std::atomic_ref(*read_slots_).store(++slot_, std::memory_order_release);
  }
}

const UpsweepMessage *MessageRing::next() {
  if (at_ == messages_.size()) {
    messages_.clear();
    at_ = 0;
    std::lock_guard lock(mutex_);
    if (relieved_.empty())
      take(messages_, kBatchWords);
    else
      messages_.swap(relieved_);
    if (messages_.empty()) return nullptr;
  }
  const auto *message = reinterpret_cast<const UpsweepMessage *>(&messages_[at_]);
  at_ += size_t{message->slots} * UPSWEEP_SLOT_WORDS;
  returned_slots_ += message->slots;
  return message;
}

void MessageRing::relieve() noexcept {
  std::lock_guard lock(mutex_);
  if (std::exchange(slot_before_, slot_) != slot_) return;
  std::array<uint64_t, UPSWEEP_SLOT_WORDS> words;
  if (!read(slot_ + UPSWEEP_RING_SLOTS / 2, words)) return;
  try {
    take(relieved_, std::numeric_limits<size_t>::max());
  } catch (const std::bad_alloc &) {
    // the reading thread still has to process the messages
  }
}

}  // namespace upsweep
