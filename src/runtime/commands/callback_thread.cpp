// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Callback threads. A thread runs the callbacks in order. While callbacks are queued, a second thread stands by and continues
// if the current callback takes long.
#include "runtime/commands/callback_thread.h"
#include "base/across_fork.h"
#include "base/intrusive_queue.h"
#include "base/never_destroyed.h"
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <new>
#include <system_error>
#include <thread>

namespace upsweep {
namespace {

using Clock = std::chrono::steady_clock;

/// A callback that takes longer may be waiting for another callback. Most take microseconds. A chain of n callbacks that wait
/// for each other ends after n times this.
constexpr std::chrono::milliseconds kLongCallback{5};
/// Limit of callbacks that can wait for later callbacks at the same time.
constexpr size_t kMostThreads = 256;
/// A working thread and a standby thread persist; further threads end after kIdleTime without work.
constexpr size_t kLastingThreads = 2;
constexpr std::chrono::seconds kIdleTime{2};

class CallbackThreads {
public:
  Result<void> prepare() {
    std::lock_guard lock(mutex_);
    if (num_threads_ > 0 || start_locked()) return {};
    return fail(CL_OUT_OF_RESOURCES, "a thread for callbacks could not be started");
  }

  void post(CallbackCall &call) {
    std::lock_guard lock(mutex_);
    calls_.push(call);
    ready_.notify_one();
    // If no thread can be started, the existing threads still run the call in its turn.
    if (num_idle_ == 0) static_cast<void>(start_locked());
  }

private:
  /// A child of fork() has only the forking thread, and must not run the parent's calls.
  void forget_threads() {
    new (&ready_) std::condition_variable;  // the old state counts waiting threads
    calls_ = {};
    num_threads_ = is_callback_thread ? 1 : 0;
    num_idle_ = 0;
    is_active_ = false;
  }

  bool start_locked() {
    if (num_threads_ == kMostThreads) return false;
    try {
      std::thread([this] { work(); }).detach();
    } catch (const std::exception &) {  // out of threads or memory
      return false;
    }
    ++num_threads_;
    return true;
  }

  /// Whether to wait for the end of the callback in progress.
  bool may_end_soon_locked() const { return is_active_ && Clock::now() < begin_ + kLongCallback; }

  void work() {
    is_callback_thread = true;
    std::unique_lock lock(mutex_);
    while (std::unique_ptr<CallbackCall> call = take(lock)) {
      is_active_ = true;
      begin_ = Clock::now();
      const uint64_t turn = ++turns_;
      if (!calls_.empty() && num_idle_ == 0) static_cast<void>(start_locked());
      lock.unlock();
      call->run();
      call.reset();
      lock.lock();
      // Unless another thread has continued in the meantime.
      if (turn == turns_) is_active_ = false;
    }
    --num_threads_;
  }

  /// Waits for the next call and takes it; null if this thread should end.
  std::unique_ptr<CallbackCall> take(std::unique_lock<std::mutex> &lock) {
    const Clock::time_point idle_until = Clock::now() + kIdleTime;
    ++num_idle_;
    while (calls_.empty() || may_end_soon_locked()) {
      if (!calls_.empty()) {
        ready_.wait_until(lock, begin_ + kLongCallback);
      } else if (num_threads_ <= kLastingThreads) {
        ready_.wait(lock);
      } else if (ready_.wait_until(lock, idle_until) == std::cv_status::timeout && calls_.empty()) {
        break;
      }
    }
    --num_idle_;
    return std::unique_ptr<CallbackCall>(calls_.pop());
  }

  static constinit inline thread_local bool is_callback_thread = false;

  std::mutex mutex_;  ///< guards the members below
  const AcrossFork across_fork_{&mutex_, [this] { forget_threads(); }};
  std::condition_variable ready_;
  IntrusiveQueue<CallbackCall> calls_;
  size_t num_threads_ = 0;
  size_t num_idle_ = 0;      ///< threads in take()
  bool is_active_ = false;   ///< the newest started call has not ended
  uint64_t turns_ = 0;       ///< number of started calls
  Clock::time_point begin_;  ///< start of the newest call
};

CallbackThreads &threads() {
  static NeverDestroyed<CallbackThreads> instance;
  return *instance;
}

const MadeWithPlatform threads_made([] { static_cast<void>(threads()); });

}  // namespace

Result<void> prepare_callback_thread() { return threads().prepare(); }
void run_on_callback_thread(std::unique_ptr<CallbackCall> call) noexcept { threads().post(*call.release()); }

}  // namespace upsweep
