// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A thread's records: a list of chunks that the thread fills and the recorder empties, without a lock.
#ifndef UPSWEEP_RUNTIME_TRACE_TRACE_BUFFER_H
#define UPSWEEP_RUNTIME_TRACE_TRACE_BUFFER_H

#include "runtime/trace/record.h"
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <new>
#include <string>

namespace upsweep {

class TraceBuffer {
public:
  TraceBuffer() : filling_(new Chunk), emptying_(filling_) {}
  TraceBuffer(const TraceBuffer &) = delete;
  TraceBuffer &operator=(const TraceBuffer &) = delete;

  /// Only the thread calls it. False, and the record is lost, if there is no memory, or more than kMostWaiting records wait.
  bool push(const TraceRecord &record) {
    uint32_t filled = filling_->filled.load(std::memory_order_relaxed);
    if (filled == kChunk) {
      if (waiting() >= kMostWaiting) return false;
      Chunk *next = new (std::nothrow) Chunk;
      if (!next) return false;
      filling_->next.store(next, std::memory_order_release);
      filling_ = next;
      filled = 0;
    }
    new (filling_->at(filled)) TraceRecord(record);
    filling_->filled.store(filled + 1, std::memory_order_release);
    num_pushed_.store(num_pushed_.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
    return true;
  }

  /// Only the recorder calls it: calls take(record) for each record.
  template <typename Take>
  void empty(const Take &take) {
    for (;;) {
      const uint32_t filled = emptying_->filled.load(std::memory_order_acquire);
      for (; taken_ < filled; ++taken_) {
        take(*std::launder(static_cast<const TraceRecord *>(emptying_->at(taken_))));
        num_taken_.store(num_taken_.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
      }
      Chunk *next = taken_ == kChunk ? emptying_->next.load(std::memory_order_acquire) : nullptr;
      if (!next) return;
      delete std::exchange(emptying_, next);
      taken_ = 0;
    }
  }

  uint64_t waiting() const { return num_pushed_.load(std::memory_order_relaxed) - num_taken_.load(std::memory_order_relaxed); }

  // Set by the thread, read by the recorder with the recorder's lock.
  uint32_t thread = 0;
  std::string name;
  std::atomic<bool> is_free{false};  ///< the thread has ended, and another may take the buffer

private:
  static constexpr uint32_t kChunk = 512;
  static constexpr uint64_t kMostWaiting = uint64_t{1} << 18;
  struct Chunk {
    alignas(TraceRecord) std::byte records[kChunk * sizeof(TraceRecord)];
    std::atomic<uint32_t> filled{0};
    std::atomic<Chunk *> next{nullptr};

    void *at(uint32_t index) { return records + index * sizeof(TraceRecord); }
  };

  Chunk *filling_;
  std::atomic<uint64_t> num_pushed_{0};
  alignas(64) Chunk *emptying_;
  uint32_t taken_ = 0;
  std::atomic<uint64_t> num_taken_{0};
};

}  // namespace upsweep
#endif
