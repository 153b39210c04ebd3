// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The job board: an array of places for jobs.
#include "targets/cpu/job_board.h"
#include <algorithm>
#include <bit>
#include <cassert>

namespace upsweep {
namespace {

/// The key that waiting threads must match: the queue, so that a wait for any later command helps, or the command. A long job
/// of an out-of-order queue might keep a thread whose own command is done.
const void *key_of(const Command *command, const Job::Workers &workers) {
  if (!command) return nullptr;
  if (command->queue().is_out_of_order() && !workers.is_for_any_waiter) return static_cast<const Event *>(command);
  return &command->queue();
}

uint64_t pack(const Share &share) { return uint64_t{share.first} << 32 | share.count; }
Share unpack(uint64_t packed) { return {.first = static_cast<uint32_t>(packed >> 32), .count = static_cast<uint32_t>(packed)}; }
bool contains(uint64_t packed, uint32_t worker) {
  return worker - static_cast<uint32_t>(packed >> 32) < static_cast<uint32_t>(packed);
}

}  // namespace

Job::Job(Share share, Workers workers, const Command *helped_for)
    : share_(share), workers_(workers), helper_key_(share.is_confined ? nullptr : key_of(helped_for, workers)) {}

bool JobBoard::claim(uint32_t &place) {
  uint64_t free = free_.load();
  while (free) {
    place = static_cast<uint32_t>(std::countr_zero(free));
    if (free_.compare_exchange_weak(free, free & (free - 1))) return true;
  }
  return false;
}

bool JobBoard::post(Job &job, bool joined) {
  uint32_t place;
  if (num_waiting_.load() || !claim(place)) return false;
  put(Ref(&job).detach(), place, joined);
  return true;
}

void JobBoard::post_later(Job &job) {
  std::lock_guard lock(mutex_);
  waiting_.push(*Ref(&job).detach());
  num_waiting_.fetch_add(1);
}

/// A thread that adds a waiting job looks for a free place afterwards; a thread that frees a place looks for a waiting job.
std::optional<Share> JobBoard::fill() {
  uint32_t place;
  while (num_waiting_.load() && claim(place)) {
    Job *job;
    {
      std::lock_guard lock(mutex_);
      job = waiting_.pop();
      if (job) num_waiting_.fetch_sub(1);
    }
    if (job) {
      const Share share = job->share_;
      put(job, place, false);
      return share;
    }
    free_.fetch_or(uint64_t{1} << place);
  }
  return std::nullopt;
}

void JobBoard::put(Job *job, uint32_t index, bool joined) {
  Place &place = places_[index];
  job->place_ = index;
  place.job = job;
  place.share.store(pack(job->share_), std::memory_order_relaxed);
  place.most.store(job->workers_.most, std::memory_order_relaxed);
  place.helper_key.store(job->helper_key_, std::memory_order_relaxed);
  const uint64_t generation = place.state.load(std::memory_order_relaxed) / kGeneration + 1;
  // Set the bits before the state. A thread that read the bits of the place's last job may join, end and leave this job when it
  // is open. Bits set after that would stay set.
  show(*job);
  place.state.store(generation * kGeneration + kOpen + job->workers_.wanted * kMax + (joined ? kPresent : 0));
}

void JobBoard::show(const Job &job) {
  const uint64_t bit = uint64_t{1} << job.place_;
  if (job.workers_.is_long || job.workers_.wanted > 1) open_at_once_.fetch_or(bit);
  open_.fetch_or(bit);
}

void JobBoard::hide(const Job &job) {
  const uint64_t bit = uint64_t{1} << job.place_;
  if (open_at_once_.load() & bit) open_at_once_.fetch_and(~bit);
  open_.fetch_and(~bit);
}

/// Updates the bits after the caller, which takes part in the job, opened or closed it. Another such thread may be changing the
/// bits the other way. Each thread checks the state again after its change of the bits, so the last change is right.
void JobBoard::match_bits(const Job &job) {
  const std::atomic<uint64_t> &state = places_[job.place_].state;
  for (bool is_open = state.load() & kOpen;;) {
    is_open ? show(job) : hide(job);
    const bool is_open_now = state.load() & kOpen;
    if (is_open_now == is_open) return;
    is_open = is_open_now;
  }
}

template <typename May>
Job *JobBoard::join_if(uint64_t among, uint32_t turn, const May &may_join) {
  // Start at bit `turn` and wrap around.
  for (uint64_t bits = std::rotr(among, static_cast<int>(turn)); bits; bits &= bits - 1) {
    const uint32_t index = (turn + static_cast<uint32_t>(std::countr_zero(bits))) % kPlaces;
    Place &place = places_[index];
    uint64_t state = place.state.load();
    while (is_joinable(state) && may_join(place)) {
      if (place.state.compare_exchange_weak(state, state + kPresent)) return place.job;
    }
  }
  return nullptr;
}

bool JobBoard::may_join(const Place &place, uint32_t worker) {
  return contains(place.share.load(std::memory_order_relaxed), worker);
}

bool JobBoard::may_join(const Place &place, const Event &event) {
  return Job::is_for(place.helper_key.load(std::memory_order_relaxed), event);
}

Job *JobBoard::join(uint32_t worker, uint32_t &turn, bool also_short) {
  const uint64_t among = also_short ? open_.load() : open_at_once_.load();
  Job *job = join_if(among, turn, [worker](const Place &place) { return may_join(place, worker); });
  if (job) turn = (job->place_ + 1) % kPlaces;
  return job;
}

Job *JobBoard::join(const Event &event) {
  return join_if(open_.load(), 0, [&event](const Place &place) { return may_join(place, event); });
}

template <typename May>
bool JobBoard::allow_if(const May &may_join) {
  bool has_allowed = false;
  for (uint64_t bits = open_.load(); bits; bits &= bits - 1) {
    Place &place = places_[static_cast<uint32_t>(std::countr_zero(bits))];
    const uint64_t state = place.state.load();
    has_allowed |= may_join(place) && allow(place, state);
  }
  return has_allowed;
}

bool JobBoard::allow_all(uint32_t worker) {
  return allow_if([worker](const Place &place) { return may_join(place, worker); });
}

bool JobBoard::allow_all(const Event &event) {
  return allow_if([&event](const Place &place) { return may_join(place, event); });
}

/// False if the limit is already raised, or the place's state has changed.
bool JobBoard::allow(Place &place, uint64_t state) {
  const uint32_t most = place.most.load(std::memory_order_relaxed);
  return state & kOpen && max(state) < most && place.state.compare_exchange_strong(state, state + (most - max(state)) * kMax);
}

JobBoard::Room JobBoard::room(const Job &job) const {
  const uint64_t state = places_[job.place_].state.load(std::memory_order_relaxed);
  return {.threads = is_joinable(state) ? max(state) - present(state) : 0,
          .is_worth_waking = job.workers_.is_long || max(state) > job.workers_.wanted};
}

std::optional<Share> JobBoard::joinable_share() const {
  for (uint64_t bits = open_.load(); bits; bits &= bits - 1) {
    const Place &place = places_[static_cast<uint32_t>(std::countr_zero(bits))];
    if (is_joinable(place.state.load())) return unpack(place.share.load(std::memory_order_relaxed));
  }
  return std::nullopt;
}

void JobBoard::close(Job &job) {
  std::atomic<uint64_t> &state = places_[job.place_].state;
  if (!(state.load() & kOpen)) return;
  hide(job);  // first, so that threads looking for a job do not find a closed job
  state.fetch_and(~kOpen);
  if ((open_.load() | open_at_once_.load()) & uint64_t{1} << job.place_) match_bits(job);  // another thread has reopened it
}

void JobBoard::reopen(Job &job) {
  if (!(places_[job.place_].state.fetch_or(kOpen) & kOpen)) match_bits(job);
}

void JobBoard::allow(Job &job) {
  Place &place = places_[job.place_];
  uint64_t state = place.state.load();
  while (state & kOpen && max(state) < job.workers_.most && !allow(place, state)) state = place.state.load();
}

Ref<Job> JobBoard::leave(Job &job) {
  const uint32_t index = job.place_;
  const uint64_t before = places_[index].state.fetch_sub(kPresent);
  if (present(before) != 1) return nullptr;
  assert(!(before & kOpen) && "the last one leaves an open job");
  free_.fetch_or(uint64_t{1} << index);
  return Ref<Job>::adopt(&job);
}

}  // namespace upsweep
