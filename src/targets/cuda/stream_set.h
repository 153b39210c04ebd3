// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The lanes of a GPU, which command queues have for themselves as long as they exist, and tickets, which say where a command
// is.
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
  /// Each new stream gets a thread, which runs `look_after` and never ends.
  StreamSet(Marks &marks, std::function<void(Stream &)> look_after) : marks_(marks), look_after_(std::move(look_after)) {}

  /// A stream that nobody else uses; null when there are no resources for one.
  Stream *take();
  void give_back(Stream &stream);

  /// An event's ticket (Event::ticket): the stream's index and one, and the command's number there.
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
  std::mutex mutex_;  ///< guards what follows
  std::deque<Stream> all_;
  std::vector<Stream *> unused_;
};

/// The streams of a command queue: one in order, several out of order, and none when there were no resources.
class CudaQueue final : public QueueState {
public:
  /// `memory` is the queue's for as long as it lives.
  CudaQueue(StreamSet &set, bool is_out_of_order, std::shared_ptr<void> memory);
  ~CudaQueue() override;
  static CudaQueue &of(const Queue &queue) { return static_cast<CudaQueue &>(*queue.state()); }

  std::span<Stream *const> streams() const { return own_; }
  /// For the next command: in a stream without work, or the next in turn, if possible one that no other thread gives work to
  /// now.
  Stream::IssuePoint issue_point();

private:
  StreamSet &set_;
  std::shared_ptr<void> memory_;
  std::vector<Stream *> own_;
  std::atomic<size_t> next_{0};
};

}  // namespace upsweep
#endif
