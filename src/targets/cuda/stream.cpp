// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The list of a stream's commands.
#include "targets/cuda/stream.h"
#include <algorithm>
#include <chrono>
#include <utility>

namespace upsweep {

bool Stream::create() { return marks_.gpu().driver.create_stream(&handle_, kOrderedByItself) == 0; }

Stream::IssuePoint::IssuePoint(Stream &stream, std::unique_lock<std::mutex> turn) : stream_(&stream), turn_(std::move(turn)) {
  // Only the owner of the turn adds commands, so the reserved space stays.
  std::lock_guard lock(stream.mutex_);
  std::vector<Issued> &items = stream.items_;
  if (items.size() == items.capacity()) items.reserve(std::max<size_t>(16, 2 * items.size()));
}

std::optional<Stream::IssuePoint> Stream::try_issue_point() {
  std::unique_lock turn(issue_mutex_, std::try_to_lock);
  if (!turn) return std::nullopt;
  return IssuePoint(*this, std::move(turn));
}

Stream::Number Stream::IssuePoint::push(Issued item) noexcept {
  Stream &stream = *stream_;
  bool wakes = false;
  Number number = 0;
  {
    std::lock_guard lock(stream.mutex_);
    number = stream.end_locked();
    stream.items_.push_back(std::move(item));
    wakes = std::exchange(stream.is_awaited_, false);
  }
  turn_.unlock();
  if (wakes) stream.changed_.notify_one();
  return number;
}

Stream::Number Stream::newest() const {
  std::lock_guard lock(mutex_);
  return is_empty_locked() ? 0 : end_locked() - 1;
}

Stream::Behind Stream::mark_behind(Number number) {
  Number last = 0;
  {
    std::lock_guard lock(mutex_);
    if (number < first_) return {nullptr, number};
    for (; number < end_locked(); ++number)
      if (const Ref<Mark> &end = item_locked(number).end) return {end, number};
    last = end_locked() - 1;
  }
  // A single mark covers all pending commands, so most need no mark.
  Ref<Mark> mark = marks_.record(handle_, false);
  std::lock_guard lock(mutex_);
  if (last >= first_ && !item_locked(last).end) item_locked(last).end = mark;
  return {std::move(mark), last};
}

bool Stream::is_unmarked_end(Number number) const {
  std::lock_guard lock(mutex_);
  return !is_empty_locked() && number + 1 == end_locked() && !items_.back().end;
}

Stream::Behind Stream::oldest_mark(Number step) const {
  std::lock_guard lock(mutex_);
  for (Number number = (first_ + step - 1) / step * step; number < end_locked(); number += step)
    if (const Ref<Mark> &end = item_locked(number).end) return {end, number};
  return {nullptr, 0};
}

std::optional<Issued> Stream::pop(Number last) {
  std::lock_guard lock(mutex_);
  if (first_ > last || is_empty_locked()) return std::nullopt;
  std::optional<Issued> popped(std::move(items_[taken_]));
  ++taken_;
  ++first_;
  if (2 * taken_ >= items_.size()) {
    items_.erase(items_.begin(), items_.begin() + static_cast<ptrdiff_t>(taken_));
    taken_ = 0;
  }
  return popped;
}

Stream::Number Stream::wait_for_oldest() {
  constexpr std::chrono::milliseconds kOwnThreadDelay{2};
  std::unique_lock lock(mutex_);
  for (;;) {
    while (is_empty_locked()) {
      is_awaited_ = true;  // push() resets it, and other threads may have emptied the stream since
      changed_.wait(lock);
    }
    const Number oldest = first_;
    changed_.wait_for(lock, kOwnThreadDelay, [this] { return is_urgent_; });
    is_urgent_ = false;
    if (oldest == first_ && !is_empty_locked()) return oldest;
  }
}

void Stream::request_completion() {
  {
    std::lock_guard lock(mutex_);
    if (is_empty_locked() || std::exchange(is_urgent_, true)) return;
  }
  changed_.notify_one();
}

Ref<Command> Stream::start(Number number) {
  std::lock_guard lock(mutex_);
  if (number != first_ || is_empty_locked() || item_locked(number).is_started) return nullptr;
  // The command is the first of its stream, but it may follow commands of others.
  auto is_done = [](const Ref<Event> &event) { return event->is_done(); };
  Issued &item = item_locked(number);
  if (!std::ranges::all_of(item.command->followed(), is_done)) return nullptr;
  item.is_started = true;
  return item.command;
}

}  // namespace upsweep
