// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The list of a stream's commands.
#include "targets/cuda/lane.h"
#include <algorithm>
#include <chrono>
#include <iterator>

namespace upsweep {

Lane::Number Lane::push(Issued item) {
  bool wakes = false;
  Number number = 0;
  {
    std::lock_guard lock(mutex_);
    number = end_locked();
    items_.push_back(std::move(item));
    wakes = std::exchange(is_awaited_, false);
  }
  if (wakes) changed_.notify_one();
  return number;
}

Lane::Number Lane::newest() const {
  std::lock_guard lock(mutex_);
  return items_.empty() ? 0 : end_locked() - 1;
}

Lane::Behind Lane::mark_behind(Number number) {
  Number last = 0;
  {
    std::lock_guard lock(mutex_);
    if (number < first_) return {nullptr, number};
    for (size_t i = number - first_; i < items_.size(); ++i)
      if (items_[i].end) return {items_[i].end, first_ + i};
    last = end_locked() - 1;
  }
  // One mark for all that are there: most commands need none of their own.
  Ref<Mark> mark = marks_.record(stream_, false);
  std::lock_guard lock(mutex_);
  if (last >= first_ && !items_[last - first_].end) items_[last - first_].end = mark;
  return {std::move(mark), last};
}

bool Lane::is_unmarked_end(Number number) const {
  std::lock_guard lock(mutex_);
  return !items_.empty() && number + 1 == end_locked() && !items_.back().end;
}

Lane::Behind Lane::oldest_mark() const {
  std::lock_guard lock(mutex_);
  for (size_t i = 0; i < items_.size(); ++i)
    if (items_[i].end) return {items_[i].end, first_ + i};
  return {nullptr, 0};
}

std::vector<Issued> Lane::pop(Number last) {
  std::vector<Issued> popped;
  std::lock_guard lock(mutex_);
  if (first_ > last) return popped;
  const auto end = items_.begin() + static_cast<ptrdiff_t>(std::min<uint64_t>(items_.size(), last + 1 - first_));
  popped.assign(std::make_move_iterator(items_.begin()), std::make_move_iterator(end));
  items_.erase(items_.begin(), end);
  first_ += popped.size();
  return popped;
}

Lane::Number Lane::wait_for_oldest() {
  constexpr std::chrono::milliseconds kPatience{2};
  std::unique_lock lock(mutex_);
  for (;;) {
    while (items_.empty()) {
      is_awaited_ = true;  // push() takes it back, and others may have emptied the lane again since
      changed_.wait(lock);
    }
    const Number oldest = first_;
    changed_.wait_for(lock, kPatience, [this] { return is_urgent_; });
    is_urgent_ = false;
    if (oldest == first_ && !items_.empty()) return oldest;
  }
}

void Lane::hasten() {
  {
    std::lock_guard lock(mutex_);
    if (items_.empty() || std::exchange(is_urgent_, true)) return;
  }
  changed_.notify_one();
}

Ref<Command> Lane::start(Number number) {
  std::lock_guard lock(mutex_);
  if (number != first_ || items_.empty() || items_.front().is_started) return nullptr;
  // In its own stream it is the first, but it may follow others.
  auto is_done = [](const Ref<Event> &event) { return event->is_done(); };
  if (!std::ranges::all_of(items_.front().command->followed(), is_done)) return nullptr;
  items_.front().is_started = true;
  return items_.front().command;
}

}  // namespace upsweep
