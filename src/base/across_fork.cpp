// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The pthread_atfork handlers that all parts of the driver share.
#include "base/across_fork.h"
#include <pthread.h>
#include <utility>

namespace upsweep {
namespace {

// Constant-initialised, since constructors in any file may use it.
constinit AcrossFork *first = nullptr;  ///< outer parts come before inner parts
constinit std::mutex list_mutex;        ///< guards the list; also held while the process forks

constinit const MadeWithPlatform *first_made = nullptr;

}  // namespace

MadeWithPlatform::MadeWithPlatform(void (*make)()) : make_(make), next_(std::exchange(first_made, this)) {}

void MadeWithPlatform::make_all() {
  for (const MadeWithPlatform *object = first_made; object; object = object->next_) object->make_();
}

AcrossFork::AcrossFork(std::mutex *mutex, std::function<void()> in_child, Order order)
    : mutex_(mutex), in_child_(std::move(in_child)), order_(order) {
  std::lock_guard lock(list_mutex);
  if (!first) pthread_atfork(before_fork, after_fork_in_parent, after_fork_in_child);
  AcrossFork **place = &first;
  while (*place && (*place)->order_ <= order) place = &(*place)->next_;
  next_ = *place;
  *place = this;
}

void AcrossFork::before_fork() {
  // Do not hold the list's mutex while waiting for a part's mutex: the thread that holds that mutex may be adding a part.
  list_mutex.lock();
  for (AcrossFork *part = first; part; part = part->next_) {
    list_mutex.unlock();
    part->lock();
    list_mutex.lock();
  }
}

void AcrossFork::lock() {
  if (mutex_) mutex_->lock();
  is_locked_ = true;
}

/// A part that was added during before_fork() may not be locked.
void AcrossFork::unlock() {
  if (std::exchange(is_locked_, false) && mutex_) mutex_->unlock();
}

void AcrossFork::after_fork_in_parent() {
  for (AcrossFork *part = first; part; part = part->next_) part->unlock();
  list_mutex.unlock();
}

void AcrossFork::after_fork_in_child() {
  for (AcrossFork *part = first; part; part = part->next_) {
    if (part->in_child_) part->in_child_();
    part->unlock();
  }
  list_mutex.unlock();
}

}  // namespace upsweep
