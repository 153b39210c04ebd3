// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Threads for what may take its time: functions of the host, copies that block. There are as many as there is work at once.
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
  /// Runs `work`, which throws nothing, soon on another thread. std::bad_alloc, and std::system_error when there is no thread
  /// and none can be started: then it does not run.
  void run(std::function<void()> work);

private:
  [[noreturn]] void help();
  void look_for_work() const;

  std::mutex mutex_;
  std::condition_variable filled_;
  std::deque<std::function<void()>> work_;
  size_t num_threads_ = 0;
  size_t num_idle_ = 0;
  std::atomic<size_t> num_listed_{0};  ///< work_.size(), for threads that look without the lock
};

}  // namespace upsweep
#endif
