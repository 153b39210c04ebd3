// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The lanes of a GPU, which command queues have for themselves as long as they exist, and tickets, which say where a command
// is.
#ifndef UPSWEEP_TARGETS_CUDA_LANES_H
#define UPSWEEP_TARGETS_CUDA_LANES_H

#include "targets/cuda/lane.h"
#include <atomic>
#include <deque>
#include <functional>
#include <mutex>
#include <span>
#include <vector>

namespace upsweep {

class Lanes {
public:
  /// Each new lane gets a thread, which runs `look_after` and never ends.
  Lanes(Marks &marks, std::function<void(Lane &)> look_after) : marks_(marks), look_after_(std::move(look_after)) {}

  /// A lane that nobody else uses; null when there are no resources for one.
  Lane *take();
  void give_back(Lane &lane);

  /// An event's ticket (Event::ticket): the lane's index and one, and the command's number there.
  static uint64_t ticket(const Lane &lane, Lane::Number number) { return (lane.index() + 1) << kNumberBits | number; }
  static bool is_in(const Lane &lane, uint64_t ticket) { return ticket >> kNumberBits == lane.index() + 1; }
  struct Position {
    Lane *lane;
    Lane::Number number;
  };
  Position position(uint64_t ticket);

private:
  static constexpr unsigned kNumberBits = 48;

  Marks &marks_;
  std::function<void(Lane &)> look_after_;
  std::mutex mutex_;  ///< guards what follows
  std::deque<Lane> all_;
  std::vector<Lane *> unused_;
};

/// The streams of a command queue: one in order, several out of order, and none when there were no resources.
class CudaQueue final : public QueueState {
public:
  /// `memory` is the queue's for as long as it lives.
  CudaQueue(Lanes &lanes, bool is_out_of_order, std::shared_ptr<void> memory);
  ~CudaQueue() override;
  static CudaQueue &of(const Queue &queue) { return static_cast<CudaQueue &>(*queue.state()); }

  std::span<Lane *const> lanes() const { return own_; }
  /// For the next command: one without work, or the next in turn.
  Lane &choose();

private:
  Lanes &lanes_;
  std::shared_ptr<void> memory_;
  std::vector<Lane *> own_;
  std::atomic<size_t> next_{0};
};

}  // namespace upsweep
#endif
