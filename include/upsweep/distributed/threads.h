// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Ranks that are threads of one process.
//
//     run_ranks(4, [&](thread_communicator &ranks) { inclusive_sum(ranks, in[ranks.rank()], ...); });
//
//   run_ranks(n, function)              calls function(ranks) on n threads, and returns when all have returned
//   run_ranks(n, function, time_limit)  the longest time that a rank waits for the others, 10 minutes by default; 0 means no
//                                       limit
//
// If the function throws on a rank, the other ranks throw a rank_error as soon as they wait for it, and run_ranks throws the
// first rank's exception. The same holds if a rank returns while others wait for it, and if a thread cannot be started.
//
// A rank copies from the other ranks' memory; messages of send() are copied to memory of the communicator, so send() never
// waits.
#pragma once

#include <upsweep/common/cpp20.h>
#ifdef UPSWEEP_CPP20
#include <upsweep/distributed/communicator.h>

#include <chrono>
#include <condition_variable>
#include <cstring>
#include <deque>
#include <exception>
#include <map>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>
#include <vector>

namespace upsweep::distributed {

namespace detail {

// The state that the threads share. Every rank has a slot, which it fills before it meets the others and which they read
// afterwards.
class ThreadGroup {
public:
  enum class Kind { kNone, kGather, kExchange, kBarrier };
  struct Slot {
    Kind kind = Kind::kNone;
    const std::byte *from = nullptr;
    const std::uint64_t *send = nullptr;     // of kExchange: the bytes for each rank
    const std::uint64_t *send_at = nullptr;  // and where they begin
    std::uint64_t bytes = 0;                 // of kGather
  };

  ThreadGroup(unsigned size, std::chrono::milliseconds time_limit) : slots_(size), time_limit_(time_limit) {}

  unsigned size() const { return static_cast<unsigned>(slots_.size()); }
  const Slot &slot(unsigned rank) const { return slots_[rank]; }

  // Shows a slot to all ranks, and returns when each rank has shown its own.
  void show(unsigned rank, const Slot &slot) {
    std::unique_lock lock(mutex_);
    throw_if_over();
    if (gone_) {
      end(*gone_, "it has ended, but other ranks wait for it");
      throw_if_over();
    }
    slots_[rank] = slot;
    if (!is_last()) {
      await(lock, [&, round = round_] { return round_ != round; }, rank);
    }
    for (unsigned other = 0; other < size(); ++other) {
      if (slots_[other].kind != slot.kind || slots_[other].bytes != slot.bytes) {
        end(other, "it communicates in another way than rank " + std::to_string(rank));
        changed_.notify_all();
        throw_if_over();
      }
    }
  }

  // Returns when all ranks have read the slots, even if the group has ended: another rank may still read this one's memory.
  void hide() {
    std::unique_lock lock(mutex_);
    if (!is_last()) {
      changed_.wait(lock, [&, round = round_] { return round_ != round; });
    }
  }

  void put(unsigned from, unsigned to, const void *bytes, std::uint64_t length) {
    std::vector<std::byte> message(length);
    if (length > 0) {
      std::memcpy(message.data(), bytes, length);
    }
    const std::lock_guard lock(mutex_);
    throw_if_over();
    mail_[{from, to}].push_back(std::move(message));
    changed_.notify_all();
  }
  std::vector<std::byte> take(unsigned from, unsigned to) {
    std::unique_lock lock(mutex_);
    std::deque<std::vector<std::byte>> &queue = mail_[{from, to}];
    await(lock, [&] { return !queue.empty(); }, to, from);
    std::vector<std::byte> message = std::move(queue.front());
    queue.pop_front();
    return message;
  }

  // The first end counts.
  void abort(unsigned rank, const std::string &message) {
    const std::lock_guard lock(mutex_);
    end(rank, message);
  }
  // The rank has returned.
  void leave(unsigned rank) {
    const std::lock_guard lock(mutex_);
    gone_ = gone_.value_or(rank);
    if (arrived_ > 0) {
      end(rank, "it has ended, but other ranks wait for it");
    }
    has_left_.resize(slots_.size());
    has_left_[rank] = true;
    changed_.notify_all();
  }

private:
  bool is_last() {
    if (++arrived_ < slots_.size()) {
      return false;
    }
    arrived_ = 0;
    ++round_;
    changed_.notify_all();
    return true;
  }

  template <class Condition>
  void await(std::unique_lock<std::mutex> &lock, const Condition &condition, unsigned rank,
             std::optional<unsigned> other = {}) {
    const auto is_ready = [&] { return condition() || over_ || (other && !has_left_.empty() && has_left_[*other]); };
    if (time_limit_.count() == 0) {
      changed_.wait(lock, is_ready);
    } else if (!changed_.wait_for(lock, time_limit_, is_ready)) {
      end(rank, "it has waited for the other ranks for " + std::to_string(time_limit_.count()) + " ms");
    }
    if (!condition()) {
      if (!over_) {
        end(*other, "it has ended, but other ranks wait for it");
      }
      throw_if_over();
    }
  }

  void end(unsigned rank, const std::string &message) {
    if (!over_) {
      over_ = rank_error(rank, "upsweep::distributed: rank " + std::to_string(rank) + ": " + message);
      changed_.notify_all();
    }
  }
  void throw_if_over() const {
    if (over_) {
      throw rank_error(*over_);
    }
  }

  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<Slot> slots_;
  const std::chrono::milliseconds time_limit_;
  std::uint64_t round_ = 0;
  std::size_t arrived_ = 0;
  std::map<std::pair<unsigned, unsigned>, std::deque<std::vector<std::byte>>> mail_;
  std::vector<bool> has_left_;
  std::optional<unsigned> gone_;
  std::optional<rank_error> over_;
};

}  // namespace detail

// A rank of run_ranks(). Only the rank's own thread uses its communicator, except for abort().
class thread_communicator {
public:
  using memory = host_memory;

  thread_communicator(detail::ThreadGroup &group, unsigned rank) : group_(group), rank_(rank), send_at_(group.size()) {}

  unsigned size() const { return group_.size(); }
  unsigned rank() const { return rank_; }

  void all_gather(const void *from, void *to, std::uint64_t bytes) {
    group_.show(rank_, {Group::Kind::kGather, static_cast<const std::byte *>(from), nullptr, nullptr, bytes});
    auto *at = static_cast<std::byte *>(to);
    for (unsigned other = 0; other < size() && bytes > 0; ++other, at += bytes) {
      std::memcpy(at, group_.slot(other).from, bytes);
    }
    group_.hide();
  }

  void all_to_all(const void *from, const std::uint64_t *send, void *to, const std::uint64_t *receive) {
    for (unsigned r = 1; r < size(); ++r) {
      send_at_[r] = send_at_[r - 1] + send[r - 1];
    }
    group_.show(rank_, {Group::Kind::kExchange, static_cast<const std::byte *>(from), send, send_at_.data(), 0});
    auto *at = static_cast<std::byte *>(to);
    bool is_right = true;
    for (unsigned other = 0; other < size(); ++other) {
      const auto &slot = group_.slot(other);
      is_right = is_right && slot.send[rank_] == receive[other];
      if (is_right && receive[other] > 0) {
        std::memcpy(at, slot.from + slot.send_at[rank_], receive[other]);
        at += receive[other];
      }
    }
    if (!is_right) {
      group_.abort(rank_, "it does not expect the number of bytes that another rank sends");
    }
    group_.hide();
    if (!is_right) {
      throw rank_error(rank_, "upsweep::distributed: the lengths of an exchange differ");
    }
  }

  void send(unsigned rank, const void *from, std::uint64_t bytes) { group_.put(rank_, rank, from, bytes); }
  void receive(unsigned rank, void *to, std::uint64_t bytes) {
    const std::vector<std::byte> message = group_.take(rank, rank_);
    if (message.size() != bytes) {
      group_.abort(rank_, "it does not expect the number of bytes that another rank sends");
      throw rank_error(rank_, "upsweep::distributed: the length of a message differs");
    }
    if (bytes > 0) {
      std::memcpy(to, message.data(), bytes);
    }
  }

  void barrier() {
    group_.show(rank_, {Group::Kind::kBarrier, nullptr, nullptr, nullptr, 0});
    group_.hide();
  }
  void abort(const std::string &message) { group_.abort(rank_, message); }

private:
  using Group = detail::ThreadGroup;
  Group &group_;
  unsigned rank_;
  std::vector<std::uint64_t> send_at_;
};

template <class Function>
void run_ranks(unsigned n, const Function &function, std::chrono::milliseconds time_limit = std::chrono::minutes(10)) {
  if (n == 0) {
    throw std::invalid_argument("upsweep::distributed: run_ranks needs at least one rank");
  }
  detail::ThreadGroup group(n, time_limit);
  std::vector<std::exception_ptr> own(n), of_others(n);
  const auto run = [&](unsigned rank) {
    try {
      thread_communicator ranks(group, rank);
      function(ranks);
    } catch (const rank_error &error) {
      of_others[rank] = std::current_exception();
      group.abort(rank, error.what());
    } catch (const std::exception &error) {
      own[rank] = std::current_exception();
      group.abort(rank, error.what());
    } catch (...) {
      own[rank] = std::current_exception();
      group.abort(rank, "an exception that is no std::exception");
    }
    group.leave(rank);
  };
  std::exception_ptr start;
  std::vector<std::thread> threads;
  try {
    threads.reserve(n);
    for (unsigned rank = 0; rank < n; ++rank) {
      threads.emplace_back(run, rank);
    }
  } catch (...) {
    start = std::current_exception();
    group.abort(static_cast<unsigned>(threads.size()), "its thread could not be started");
  }
  for (std::thread &thread : threads) {
    thread.join();
  }
  if (start != nullptr) {
    std::rethrow_exception(start);
  }
  for (const auto &errors : {own, of_others}) {
    for (const std::exception_ptr &error : errors) {
      if (error != nullptr) {
        std::rethrow_exception(error);
      }
    }
  }
}

}  // namespace upsweep::distributed
#endif
