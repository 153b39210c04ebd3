// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Jobs, and the board where threads find them. No lock is taken: a job's place on the board has one word that counts the
// threads that take part, and that tells whether more may join.
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

/// Something that one or more threads do together.
class Job : public Counted {
public:
  /// How many threads take part at a time.
  struct Workers {
    uint32_t wanted = 1;  ///< these are enough for what it seems to be
    uint32_t most = 1;    ///< these may join when it takes longer (JobBoard::allow)
    bool is_long = true;  ///< enough to wake workers that sleep, and others for what else is on the board
  };

  /// Only workers of `share` take part, and threads of the application that wait for `helped_for` or later commands of its
  /// in-order queue; for null none of these.
  Job(Share share, Workers workers, const Command *helped_for);

  /// Called by each thread that takes part; returns when nothing is left to begin. `rank`: a worker's number in its share; that
  /// of the last one for a thread of the application.
  virtual void work(WorkerMemory &memory, uint32_t rank) = 0;
  /// Called once, when the last thread has come back from work().
  virtual void complete() = 0;
  /// Called when a thread has come back from work() and nobody can join any more: whether there is something to begin after
  /// all.
  virtual bool rest() { return false; }

  const Share &share() const { return share_; }
  /// Whether a thread of the application that waits for `event` may take part.
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
  Job *next = nullptr;  ///< among those that wait for a place
};

class JobBoard {
public:
  /// Puts a job where others find it, and keeps it; false when all places are taken. With `joined` the calling thread takes
  /// part from the start.
  bool post(Job &job, bool joined);
  /// Keeps a job until there is a place: fill() puts it up.
  void post_later(Job &job);
  /// Puts up one of the jobs that wait for a place, if there is one; the share whose workers may take it.
  std::optional<Share> fill();

  /// Takes part in a job as a worker, or as a thread that waits for an event; null when there is none to join. A worker looks
  /// at places in turn, so that no job is passed over for ever; at first not at those that one worker ends in no time.
  Job *join(uint32_t worker, uint32_t &turn, bool also_short = true);
  Job *join(const Event &event);

  /// How many threads more may join a job, and are worth waking; of one that takes part.
  struct Room {
    uint32_t threads;
    bool is_worth_waking;
  };
  Room room(const Job &job) const;
  /// Whether there are jobs that were not closed yet; and the share of one that has room.
  bool has_open() const { return open_.load() != 0; }
  std::optional<Share> joinable_share() const;

  /// allow() for all jobs that a worker, or a thread that waits for an event, may join; whether it did for any.
  bool allow_all(uint32_t worker);
  bool allow_all(const Event &event);

  /// Of a thread that takes part: nobody can join any more, or others can again, or as many as can ever be.
  void close(Job &job);
  void reopen(Job &job);
  void allow(Job &job);

  /// Ends the caller's part, after close(). The last one gets the job, whose place is free again, to complete it.
  Ref<Job> leave(Job &job);

private:
  // A place's state. The generation makes each use of a place different, so that a thread that looked at a job before cannot
  // join the next one by mistake.
  static constexpr uint64_t kPresent = 1, kMax = uint64_t{1} << 16, kOpen = uint64_t{1} << 31, kGeneration = uint64_t{1} << 32;
  static uint32_t present(uint64_t state) { return static_cast<uint32_t>(state % kMax); }
  static uint32_t max(uint64_t state) { return static_cast<uint32_t>(state / kMax % (kOpen / kMax)); }
  static bool is_joinable(uint64_t state) { return state & kOpen && present(state) < max(state); }

  struct alignas(64) Place {
    std::atomic<uint64_t> state{0};
    // What is looked at before joining; state tells whether it was still the same.
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

  /// A bit for each place with an open job: set before it is put up, and cleared just before it is closed, by a thread that
  /// takes part.
  alignas(64) std::atomic<uint64_t> open_{0};
  std::atomic<uint64_t> open_at_once_{0};  ///< those of them that are long, or want several workers
  alignas(64) std::atomic<uint64_t> free_{~uint64_t{0}};
  alignas(64) std::atomic<uint64_t> num_waiting_{0};
  std::mutex mutex_;  ///< guards waiting_
  IntrusiveQueue<Job> waiting_;
  std::array<Place, kPlaces> places_;
};

}  // namespace upsweep
#endif
