// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Threads for slow work: host functions and blocking copies. Their number grows to the amount of concurrent work.
#ifndef UPSWEEP_TARGETS_CUDA_HELPER_THREADS_H
#define UPSWEEP_TARGETS_CUDA_HELPER_THREADS_H

#include <atomic>
#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>

namespace upsweep {

/// Lives as long as the process.
class HelperThreads {
public:
  /// Runs `work`, which must not throw, on another thread. Throws std::bad_alloc, or std::system_error if there is no thread
  /// and none can be started; `work` does not run then.
  void run(std::function<void()> work);

private:
  [[noreturn]] void help();
  void look_for_work() const;

  std::mutex mutex_;
  std::condition_variable filled_;
  std::deque<std::function<void()>> work_;
  size_t num_threads_ = 0;
  size_t num_idle_ = 0;
  std::atomic<size_t> num_listed_{0};  ///< work_.size(), readable without the lock
};

}  // namespace upsweep
#endif
