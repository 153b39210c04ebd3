// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Jobs, and the board where threads find them. No locks: a job's place on the board has a word with the number of threads that
// take part and whether more may join.
#ifndef UPSWEEP_TARGETS_CPU_JOB_BOARD_H
#define UPSWEEP_TARGETS_CPU_JOB_BOARD_H

#include "base/intrusive_queue.h"
#include "base/reference.h"
#include "runtime/commands/command.h"
#include "runtime/target.h"
#include "targets/cpu/worker_memory.h"
#include <array>
#include <atomic>
#include <cstdint>
#include <mutex>
#include <optional>

namespace upsweep {

/// Work that one or more threads do together.
class Job : public Counted {
public:
  /// Numbers of threads that take part at a time.
  struct Workers {
    uint32_t wanted = 1;             ///< enough for the expected time
    uint32_t most = 1;               ///< limit if it takes longer than expected (JobBoard::allow)
    bool is_long = true;             ///< long enough to wake sleeping workers, and further workers for other jobs on the board
    bool is_for_any_waiter = false;  ///< also threads that wait for other commands of an out-of-order queue take part
  };

  /// Only workers of `share` take part, and application threads that wait for `helped_for`; none if it is null. Threads that
  /// wait for other commands of its queue also take part if the queue is in order or the job is_for_any_waiter.
  Job(Share share, Workers workers, const Command *helped_for);

  /// Each thread that takes part calls it; returns when no work is left to start. `rank`: a worker's number in its share;
  /// application threads have the last worker's number.
  virtual void work(WorkerMemory &memory, uint32_t rank) = 0;
  /// Called once, when the last thread has returned from work().
  virtual void complete() = 0;
  /// Called when a thread has returned from work() and no thread can join any more: whether there is new work to start.
  virtual bool rest() { return false; }

  const Share &share() const { return share_; }
  /// Whether an application thread that waits for `event` may take part.
  bool admits(const Event &event) const { return is_for(helper_key_, event); }

private:
  friend class JobBoard;
  friend class IntrusiveQueue<Job>;
  static bool is_for(const void *helper_key, const Event &event) {
    return helper_key && (helper_key == &event || helper_key == event.queue());
  }

  Share share_;
  Workers workers_;
  const void *helper_key_;  ///< an in-order queue or an event, or null
  uint32_t place_ = 0;
  Job *next = nullptr;  ///< in the list of jobs that wait for a place
};

class JobBoard {
public:
  /// Makes a job available to other threads and keeps it; false if all places are taken. With `joined` the calling thread takes
  /// part from the start.
  bool post(Job &job, bool joined);
  /// Keeps a job until fill() finds a place for it.
  void post_later(Job &job);
  /// Moves a job that waits for a place to the board, if there is one; returns the share whose workers may take it.
  std::optional<Share> fill();

  /// Joins a job as a worker, or as a thread that waits for an event; null if there is none to join. A worker scans the places
  /// in rotation, so that no job starves. Without `also_short` it skips short jobs of one worker.
  Job *join(uint32_t worker, uint32_t &turn, bool also_short = true);
  Job *join(const Event &event);

  /// The number of threads that may still join a job, and whether waking them pays off; called by a thread that takes part.
  struct Room {
    uint32_t threads;
    bool is_worth_waking;
  };
  Room room(const Job &job) const;
  /// Whether any job is open; and the share of a job that threads may join.
  bool has_open() const { return open_.load() != 0; }
  std::optional<Share> joinable_share() const;

  /// Calls allow() for all jobs that a worker, or a thread that waits for an event, may join; true if it raised any limit.
  bool allow_all(uint32_t worker);
  bool allow_all(const Event &event);

  /// For a thread that takes part: stops others from joining, lets them join again, or raises the limit to Workers::most.
  void close(Job &job);
  void reopen(Job &job);
  void allow(Job &job);

  /// Ends the caller's part, after close(). The last thread gets the job, whose place is free again, and must complete it.
  Ref<Job> leave(Job &job);

private:
  // The state of a place. Each use of a place has another generation, so a thread that looked at an earlier job cannot join the
  // next job by mistake.
  static constexpr uint64_t kPresent = 1, kMax = uint64_t{1} << 16, kOpen = uint64_t{1} << 31, kGeneration = uint64_t{1} << 32;
  static uint32_t present(uint64_t state) { return static_cast<uint32_t>(state % kMax); }
  static uint32_t max(uint64_t state) { return static_cast<uint32_t>(state / kMax % (kOpen / kMax)); }
  static bool is_joinable(uint64_t state) { return state & kOpen && present(state) < max(state); }

  struct alignas(64) Place {
    std::atomic<uint64_t> state{0};
    // Read before joining; `state` tells whether they have changed since.
    std::atomic<uint64_t> share{0};
    std::atomic<uint32_t> most{0};
    std::atomic<const void *> helper_key{nullptr};
    Job *job = nullptr;
  };
  static constexpr uint32_t kPlaces = 64;

  template <typename May>
  Job *join_if(uint64_t among, uint32_t turn, const May &may_join);
  template <typename May>
  bool allow_if(const May &may_join);
  bool claim(uint32_t &place);
  void put(Job *job, uint32_t index, bool joined);
  void show(const Job &job);
  void hide(const Job &job);
  void match_bits(const Job &job);
  static bool may_join(const Place &place, uint32_t worker);
  static bool may_join(const Place &place, const Event &event);
  static bool allow(Place &place, uint64_t state);

  /// A bit for each place with an open job. A thread that takes part sets it before opening the job and clears it just before
  /// closing it.
  alignas(64) std::atomic<uint64_t> open_{0};
  std::atomic<uint64_t> open_at_once_{0};  ///< subset: jobs that are long or want several workers
  alignas(64) std::atomic<uint64_t> free_{~uint64_t{0}};
  alignas(64) std::atomic<uint64_t> num_waiting_{0};
  std::mutex mutex_;  ///< guards waiting_
  IntrusiveQueue<Job> waiting_;
  std::array<Place, kPlaces> places_;
};

}  // namespace upsweep
#endif
