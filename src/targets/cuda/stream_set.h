// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The streams of a GPU, which command queues own during their lifetime, and tickets, which identify a command's stream and
// number.
#ifndef UPSWEEP_TARGETS_CUDA_STREAM_SET_H
#define UPSWEEP_TARGETS_CUDA_STREAM_SET_H

#include "targets/cuda/stream.h"
#include <atomic>
#include <deque>
#include <functional>
#include <mutex>
#include <span>
#include <vector>

namespace upsweep {

class StreamSet {
public:
  /// Each new stream gets a thread that runs `look_after` and never ends.
  StreamSet(Marks &marks, std::function<void(Stream &)> look_after) : marks_(marks), look_after_(std::move(look_after)) {}

  /// A stream for the caller alone; null if it cannot be created.
  Stream *take();
  void give_back(Stream &stream);

  /// An event's ticket (Event::ticket): the stream's index plus one, and the command's number in the stream.
  static uint64_t ticket(const Stream &stream, Stream::Number number) { return (stream.index() + 1) << kNumberBits | number; }
  static bool is_in(const Stream &stream, uint64_t ticket) { return ticket >> kNumberBits == stream.index() + 1; }
  struct Position {
    Stream *stream;
    Stream::Number number;
  };
  Position position(uint64_t ticket);

private:
  static constexpr unsigned kNumberBits = 48;

  Marks &marks_;
  std::function<void(Stream &)> look_after_;
  std::mutex mutex_;  ///< guards the members below
  std::deque<Stream> all_;
  std::vector<Stream *> unused_;
};

/// The streams of a command queue: one if it is in order, several if out of order, none if creating them failed.
class CudaQueue final : public QueueState {
public:
  /// `memory` is kept for the queue's lifetime.
  CudaQueue(StreamSet &set, bool is_out_of_order, std::shared_ptr<void> memory);
  ~CudaQueue() override;
  static CudaQueue &of(const Queue &queue) { return static_cast<CudaQueue &>(*queue.state()); }

  std::span<Stream *const> streams() const { return own_; }
  /// The turn for the next command: in an idle stream, or else in the next stream in rotation, preferably one whose turn is
  /// free.
  Stream::IssuePoint issue_point();

private:
  StreamSet &set_;
  std::shared_ptr<void> memory_;
  std::vector<Stream *> own_;
  std::atomic<size_t> next_{0};
};

}  // namespace upsweep
#endif
