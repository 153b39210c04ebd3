// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A thread for reads or writes that overlap with the caller's work.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>

namespace upsweep::external::detail {

// Runs tasks in the order of post(), and no two at a time. After the first exception no further task runs.
class background {
public:
  using ticket = std::uint64_t;

  background() : thread_([this] { serve(); }) {}
  background(const background &) = delete;
  background &operator=(const background &) = delete;
  // Waits for the running task, and drops the others.
  ~background() {
    {
      const std::lock_guard lock(mutex_);
      is_ending_ = true;
    }
    changed_.notify_all();
    thread_.join();
  }

  ticket post(std::function<void()> task) {
    ticket number = 0;
    {
      const std::lock_guard lock(mutex_);
      tasks_.push_back(std::move(task));
      number = ++posted_;
    }
    changed_.notify_all();
    return number;
  }

  // Waits for a task, and throws the exception of the first task that failed.
  void wait(ticket number) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return done_ >= number || error_; });
    if (error_) {
      std::rethrow_exception(error_);
    }
  }
  void wait_for_all() { wait(posted_); }
  void settle_all() noexcept { settle(posted_); }
  // Waits until a task no longer uses its memory, whether it has failed or not.
  void settle(ticket number) noexcept {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return done_ >= number || error_; });
  }

private:
  void serve() {
    std::unique_lock lock(mutex_);
    for (;;) {
      changed_.wait(lock, [&] { return is_ending_ || (!tasks_.empty() && !error_); });
      if (is_ending_) {
        return;
      }
      const std::function<void()> task = std::move(tasks_.front());
      tasks_.pop_front();
      lock.unlock();
      std::exception_ptr error;
      try {
        task();
      } catch (...) {
        error = std::current_exception();
      }
      lock.lock();
      error_ = error;
      ++done_;
      changed_.notify_all();
    }
  }

  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<std::function<void()>> tasks_;
  ticket posted_ = 0, done_ = 0;
  bool is_ending_ = false;
  std::exception_ptr error_;
  std::thread thread_;
};

}  // namespace upsweep::external::detail
