// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A thread takes what is oldest, and sleeps.
#include "targets/cuda/helper_threads.h"
#include <system_error>
#include <thread>

namespace upsweep {

void HelperThreads::run(std::function<void()> work) {
  bool has_enough = false;
  {
    std::lock_guard lock(mutex_);
    work_.push_back(std::move(work));
    has_enough = num_idle_ >= work_.size();
  }
  if (!has_enough) {
    try {
      std::thread([this] { help(); }).detach();
      return;
    } catch (const std::system_error &) {
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
