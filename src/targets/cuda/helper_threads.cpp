// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A thread takes what is oldest, and sleeps.
#include "targets/cuda/helper_threads.h"
#include <exception>
#include <thread>

namespace upsweep {

void HelperThreads::run(std::function<void()> work) {
  std::lock_guard lock(mutex_);
  work_.push_back(std::move(work));
  if (num_idle_ < work_.size()) {
    try {
      std::thread([this] { help(); }).detach();
      ++num_threads_;
      return;
    } catch (const std::exception &) {
      if (num_threads_ == 0) {
        work_.pop_back();
        throw;
      }
      // No more threads: one of those that there are will come to it.
    }
  }
  filled_.notify_one();
}

void HelperThreads::help() {
  for (;;) {
    std::unique_lock lock(mutex_);
    ++num_idle_;
    filled_.wait(lock, [this] { return !work_.empty(); });
    --num_idle_;
    auto work = std::move(work_.front());
    work_.pop_front();
    lock.unlock();
    work();
  }
}

}  // namespace upsweep
