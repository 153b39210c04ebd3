// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A worker's list of commands that can run. It takes the newest, so that it goes to the depth first and few commands are there
// at a time; others take the oldest, which are likely to enqueue most.
#ifndef UPSWEEP_TARGETS_CPU_WORK_DEQUE_H
#define UPSWEEP_TARGETS_CPU_WORK_DEQUE_H

#include <atomic>
#include <mutex>

namespace upsweep {

/// T has members `T *older` and `T *newer`, which are the deque's while the object is in one. Owns nothing, allocates nothing.
/// Its lock is taken by one thread alone most of the time, and then costs about what the fence of a deque without a lock does.
template <typename T>
class WorkDeque {
public:
  /// A look without the lock, ordered with all that is sequentially consistent.
  bool is_empty() const { return newest_.load(std::memory_order_seq_cst) == nullptr; }

  void push(T &added) {
    std::lock_guard lock(mutex_);
    T *const newest = newest_.load(std::memory_order_relaxed);
    added.older = newest;
    added.newer = nullptr;
    (newest ? newest->newer : oldest_) = &added;
    newest_.store(&added, std::memory_order_seq_cst);
  }

  T *pop_newest() {
    if (!newest_.load(std::memory_order_relaxed)) return nullptr;
    std::lock_guard lock(mutex_);
    T *const newest = newest_.load(std::memory_order_relaxed);
    if (!newest) return nullptr;
    (newest->older ? newest->older->newer : oldest_) = nullptr;
    newest_.store(newest->older, std::memory_order_relaxed);
    return newest;
  }

  T *pop_oldest() {
    if (!newest_.load(std::memory_order_relaxed)) return nullptr;
    std::lock_guard lock(mutex_);
    T *const oldest = oldest_;
    if (!oldest) return nullptr;
    oldest_ = oldest->newer;
    if (oldest_)
      oldest_->older = nullptr;
    else
      newest_.store(nullptr, std::memory_order_relaxed);
    return oldest;
  }

private:
  std::mutex mutex_;
  T *oldest_ = nullptr;
  std::atomic<T *> newest_{nullptr};
};

}  // namespace upsweep
#endif
