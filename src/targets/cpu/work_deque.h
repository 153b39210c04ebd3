// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A worker's deque of commands that are ready. The owner takes the newest: depth first, so few commands exist at a time. Other
// workers take the oldest, which are likely to enqueue most.
#ifndef UPSWEEP_TARGETS_CPU_WORK_DEQUE_H
#define UPSWEEP_TARGETS_CPU_WORK_DEQUE_H

#include <atomic>
#include <mutex>

namespace upsweep {

/// T has members `T *older` and `T *newer`, which the deque uses while it contains the object. Owns nothing, allocates nothing.
/// Its lock is rarely contended, and then costs about as much as the fence of a lock-free deque.
template <typename T>
class WorkDeque {
public:
  /// A check without the lock, in sequentially consistent order.
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
