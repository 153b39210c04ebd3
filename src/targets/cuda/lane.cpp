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
  return is_empty_locked() ? 0 : end_locked() - 1;
}

Lane::Behind Lane::mark_behind(Number number) {
  Number last = 0;
  {
    std::lock_guard lock(mutex_);
    if (number < first_) return {nullptr, number};
    for (; number < end_locked(); ++number)
      if (const Ref<Mark> &end = item_locked(number).end) return {end, number};
    last = end_locked() - 1;
  }
  // One mark for all that are there: most commands need none of their own.
  Ref<Mark> mark = marks_.record(stream_, false);
  std::lock_guard lock(mutex_);
  if (last >= first_ && !item_locked(last).end) item_locked(last).end = mark;
  return {std::move(mark), last};
}

bool Lane::is_unmarked_end(Number number) const {
  std::lock_guard lock(mutex_);
  return !is_empty_locked() && number + 1 == end_locked() && !items_.back().end;
}

Lane::Behind Lane::oldest_mark(Number step) const {
  std::lock_guard lock(mutex_);
  for (Number number = (first_ + step - 1) / step * step; number < end_locked(); number += step)
    if (const Ref<Mark> &end = item_locked(number).end) return {end, number};
  return {nullptr, 0};
}

std::vector<Issued> Lane::pop(Number last) {
  std::vector<Issued> popped;
  std::lock_guard lock(mutex_);
  if (first_ > last) return popped;
  const auto count = static_cast<ptrdiff_t>(std::min<uint64_t>(count_locked(), last + 1 - first_));
  const auto begin = items_.begin() + static_cast<ptrdiff_t>(taken_);
  popped.assign(std::make_move_iterator(begin), std::make_move_iterator(begin + count));
  taken_ += popped.size();
  first_ += popped.size();
  if (2 * taken_ >= items_.size()) {
    items_.erase(items_.begin(), begin + count);
    taken_ = 0;
  }
  return popped;
}

Lane::Number Lane::wait_for_oldest() {
  constexpr std::chrono::milliseconds kPatience{2};
  std::unique_lock lock(mutex_);
  for (;;) {
    while (is_empty_locked()) {
      is_awaited_ = true;  // push() takes it back, and others may have emptied the lane again since
      changed_.wait(lock);
    }
    const Number oldest = first_;
    changed_.wait_for(lock, kPatience, [this] { return is_urgent_; });
    is_urgent_ = false;
    if (oldest == first_ && !is_empty_locked()) return oldest;
  }
}

void Lane::hasten() {
  {
    std::lock_guard lock(mutex_);
    if (is_empty_locked() || std::exchange(is_urgent_, true)) return;
  }
  changed_.notify_one();
}

Ref<Command> Lane::start(Number number) {
  std::lock_guard lock(mutex_);
  if (number != first_ || is_empty_locked() || item_locked(number).is_started) return nullptr;
  // In its own stream it is the first, but it may follow others.
  auto is_done = [](const Ref<Event> &event) { return event->is_done(); };
  Issued &item = item_locked(number);
  if (!std::ranges::all_of(item.command->followed(), is_done)) return nullptr;
  item.is_started = true;
  return item.command;
}

}  // namespace upsweep
