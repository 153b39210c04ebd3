// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Streams in blocks: a run that is read ahead, and an output that is written behind.
#pragma once

#include <upsweep/external/detail/background.h>
#include <upsweep/external/detail/ranges.h>
#include <upsweep/external/detail/temporary_file.h>

#include <array>
#include <functional>

namespace upsweep::external::detail {

// Reads at most n elements; none only at the end.
template <class T>
using read_elements = std::function<std::uint64_t(T *to, std::uint64_t n)>;
template <class T>
using write_elements = std::function<void(const T *from, std::uint64_t n)>;

// A sorted sequence of which one block is in memory while the next one is read; or which is in memory as a whole.
template <class T>
class run_reader {
public:
  run_reader(read_elements<T> read, std::uint64_t block, background &thread)
      : read_(std::move(read)), block_(block), thread_(&thread), rooms_{make_pages<T>(block), make_pages<T>(block)} {
    read_ahead();
  }
  run_reader(const T *begin, const T *end) : window_{begin, end} {}
  run_reader(const run_reader &) = delete;
  run_reader &operator=(const run_reader &) = delete;
  ~run_reader() {
    if (is_reading_) {
      thread_->settle(ticket_);
    }
  }

  const range<T> &window() const { return window_; }
  // Whether elements may follow the window.
  bool goes_on() const { return is_reading_; }
  void take(const T *until) { window_.begin = until; }

  // Replaces an empty window by the next block, if there is one. A block that is out of order throws `complain`'s exception.
  template <class Less>
  void refill(const Less &less, const std::function<void(std::uint64_t)> &complain) {
    if (window_.size() > 0 || !is_reading_) {
      return;
    }
    thread_->wait(ticket_);
    const std::uint64_t n = arrived_;
    const T *begin = rooms_[next_].get();
    if (complain) {
      check(begin, n, less, complain);
    }
    window_ = {begin, begin + n};
    next_ = 1 - next_;
    is_reading_ = n > 0;
    if (is_reading_) {
      read_ahead();
    }
  }

private:
  void read_ahead() {
    is_reading_ = true;
    ticket_ = thread_->post([this, to = rooms_[next_].get()] { arrived_ = read_(to, block_); });
  }

  template <class Less>
  void check(const T *begin, std::uint64_t n, const Less &less, const std::function<void(std::uint64_t)> &complain) {
    const bool is_wrong = n > 0 && seen_ > 0 && less(*begin, last_);
    const T *until = is_wrong ? begin : std::is_sorted_until(begin, begin + n, less);
    if (is_wrong || until != begin + n) {
      complain(seen_ + static_cast<std::uint64_t>(until - begin));
    }
    seen_ += n;
    if (n > 0) {
      last_ = begin[n - 1];
    }
  }

  read_elements<T> read_;
  std::uint64_t block_ = 0;
  background *thread_ = nullptr;
  std::array<pages_of<T>, 2> rooms_;
  unsigned next_ = 0;
  background::ticket ticket_ = 0;
  std::uint64_t arrived_ = 0;
  bool is_reading_ = false;
  range<T> window_;
  std::uint64_t seen_ = 0;
  T last_{};
};

// Two blocks: one is filled while the other is written.
template <class T>
class block_writer {
public:
  block_writer(write_elements<T> write, std::uint64_t block, background &thread)
      : write_(std::move(write)), block_(block), thread_(thread), rooms_{make_pages<T>(block), make_pages<T>(block)} {}
  block_writer(const block_writer &) = delete;
  block_writer &operator=(const block_writer &) = delete;
  ~block_writer() {
    for (const background::ticket ticket : tickets_) {
      thread_.settle(ticket);
    }
  }

  std::uint64_t room() const { return block_ - filled_; }
  T *place() { return rooms_[next_].get() + filled_; }
  void commit(std::uint64_t n) {
    filled_ += n;
    if (filled_ == block_) {
      flush();
    }
  }
  void finish() {
    flush();
    thread_.wait_for_all();
  }

private:
  void flush() {
    if (filled_ > 0) {
      tickets_[next_] = thread_.post([this, from = rooms_[next_].get(), n = filled_] { write_(from, n); });
    }
    next_ = 1 - next_;
    filled_ = 0;
    thread_.wait(tickets_[next_]);
  }

  write_elements<T> write_;
  std::uint64_t block_;
  background &thread_;
  std::array<pages_of<T>, 2> rooms_;
  std::array<background::ticket, 2> tickets_{};
  unsigned next_ = 0;
  std::uint64_t filled_ = 0;
};

}  // namespace upsweep::external::detail
