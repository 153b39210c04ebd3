// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A thread takes the oldest work, looks for more for a short while, then sleeps.
#include "targets/cuda/helper_threads.h"
#include "base/options.h"
#include <chrono>
#include <emmintrin.h>
#include <exception>
#include <thread>

namespace upsweep {

void HelperThreads::run(std::function<void()> work) {
  std::lock_guard lock(mutex_);
  work_.push_back(std::move(work));
  num_listed_.store(work_.size(), std::memory_order_relaxed);
  if (num_idle_ < work_.size()) {
    try {
      std::thread([this] { help(); }).detach();
      ++num_threads_;
      return;
    } catch (const std::exception &) {
      if (num_threads_ == 0) {
        work_.pop_back();
        num_listed_.store(0, std::memory_order_relaxed);
        throw;
      }
      // no thread can be started; the existing threads will run it
    }
  }
  filled_.notify_one();
}

void HelperThreads::help() {
  for (;;) {
    std::unique_lock lock(mutex_);
    ++num_idle_;
    if (work_.empty()) {
      lock.unlock();
      look_for_work();
      lock.lock();
    }
    filled_.wait(lock, [this] { return !work_.empty(); });
    --num_idle_;
    auto work = std::move(work_.front());
    work_.pop_front();
    num_listed_.store(work_.size(), std::memory_order_relaxed);
    lock.unlock();
    work();
  }
}

/// Waking a sleeping thread takes longer than many launches.
void HelperThreads::look_for_work() const {
  using Clock = std::chrono::steady_clock;
  const auto until = Clock::now() + std::chrono::microseconds(options().spin_us);
  while (num_listed_.load(std::memory_order_relaxed) == 0 && Clock::now() < until)
    for (int i = 0; i < 16; ++i) _mm_pause();
}

}  // namespace upsweep
