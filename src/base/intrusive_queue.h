// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// IntrusiveQueue<T>: a FIFO whose links are inside its objects. It never allocates, so pushing cannot fail.
#ifndef UPSWEEP_BASE_INTRUSIVE_QUEUE_H
#define UPSWEEP_BASE_INTRUSIVE_QUEUE_H

#include <utility>

namespace upsweep {

/// T has a member `T *next`, which the queue uses while it contains the object. The queue owns nothing.
template <typename T>
class IntrusiveQueue {
public:
  IntrusiveQueue() = default;
  IntrusiveQueue(IntrusiveQueue &&other) noexcept
      : first_(std::exchange(other.first_, nullptr)), last_(std::exchange(other.last_, nullptr)) {}
  IntrusiveQueue &operator=(IntrusiveQueue &&other) noexcept {
    first_ = std::exchange(other.first_, nullptr);
    last_ = std::exchange(other.last_, nullptr);
    return *this;
  }

  bool empty() const { return first_ == nullptr; }

  void push(T &added) {
    added.next = nullptr;
    (last_ ? last_->next : first_) = &added;
    last_ = &added;
  }

  /// Removes the first object; null if the queue is empty.
  T *pop() {
    T *const popped = first_;
    if (!popped) return nullptr;
    first_ = popped->next;
    if (!first_) last_ = nullptr;
    return popped;
  }

  /// Moves the objects for which `is_taken` is true to `taken`. Both queues keep the order.
  template <typename Predicate>
  void split(IntrusiveQueue &taken, const Predicate &is_taken) {
    IntrusiveQueue rest;
    while (T *object = pop()) (is_taken(*object) ? taken : rest).push(*object);
    *this = std::move(rest);
  }

private:
  T *first_ = nullptr;
  T *last_ = nullptr;
};

}  // namespace upsweep
#endif
