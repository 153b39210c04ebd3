// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Streams and events of the CUDA driver in software.
#ifndef UPSWEEP_TESTS_TARGETS_CUDA_FAKE_STREAM_H
#define UPSWEEP_TESTS_TARGETS_CUDA_FAKE_STREAM_H

#include "targets/cuda/cuda_driver.h"
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <thread>

namespace upsweep::tests {

inline constexpr CUresult kLaunchFailed = 719;

/// A thread that runs its tasks in order.
class Stream {
public:
  /// `error` is that of the stream's device, once it has faulted. While `is_halted`, no task begins.
  Stream(std::atomic<CUresult> &error, const std::atomic<bool> &is_halted) : error_(error), is_halted_(is_halted) {
    std::thread([this] { run(); }).detach();
  }
  bool has_failed() const { return error_ != 0; }
  void fault() { error_ = kLaunchFailed; }
  /// Returns the number of the task.
  uint64_t push(std::function<void()> task) {
    std::lock_guard lock(mutex_);
    tasks_.push_back(std::move(task));
    changed_.notify_all();
    return ++given_;
  }
  void wait(uint64_t number) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return done_ >= number; });
  }
  bool is_idle() {
    std::lock_guard lock(mutex_);
    return done_ == given_;
  }
  void wait_for_all() {
    uint64_t all;
    {
      std::lock_guard lock(mutex_);
      all = given_;
    }
    wait(all);
  }

private:
  [[noreturn]] void run() {
    for (;;) {
      std::unique_lock lock(mutex_);
      changed_.wait(lock, [&] { return !tasks_.empty(); });
      auto task = std::move(tasks_.front());
      tasks_.pop_front();
      lock.unlock();
      while (is_halted_) std::this_thread::sleep_for(std::chrono::microseconds(50));
      if (!has_failed()) task();
      lock.lock();
      ++done_;
      changed_.notify_all();
    }
  }

  std::atomic<CUresult> &error_;
  const std::atomic<bool> &is_halted_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<std::function<void()>> tasks_;
  uint64_t given_ = 0, done_ = 0;
};

/// A recording of an event.
struct Point {
  std::mutex mutex;
  std::condition_variable passed;
  bool is_over = false;
  std::chrono::steady_clock::time_point time;
};

struct Event {
  std::mutex mutex;
  std::shared_ptr<Point> point;

  std::shared_ptr<Point> get() {
    std::lock_guard lock(mutex);
    return point;
  }
};

}  // namespace upsweep::tests
#endif
