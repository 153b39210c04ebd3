// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The callback thread; it starts with the first callback and sleeps without work.
#include "runtime/commands/callback_thread.h"
#include "base/never_destroyed.h"
#include <condition_variable>
#include <deque>
#include <mutex>
#include <thread>

namespace upsweep {
namespace {

class CallbackThread {
public:
  CallbackThread() {
    std::thread([this] { run(); }).detach();
  }

  void post(std::function<void()> callback) {
    {
      std::lock_guard lock(mutex_);
      callbacks_.push_back(std::move(callback));
    }
    ready_.notify_one();
  }

private:
  [[noreturn]] void run() {
    for (;;) {
      std::unique_lock lock(mutex_);
      ready_.wait(lock, [this] { return !callbacks_.empty(); });
      auto callback = std::move(callbacks_.front());
      callbacks_.pop_front();
      lock.unlock();
      callback();
    }
  }

  std::mutex mutex_;
  std::condition_variable ready_;
  std::deque<std::function<void()>> callbacks_;
};

}  // namespace

void run_on_callback_thread(std::function<void()> callback) {
  static NeverDestroyed<CallbackThread> thread;
  thread->post(std::move(callback));
}

}  // namespace upsweep
