// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The CPU device's threads. An application thread that waits for a command helps to run it, which saves two context switches
// for short commands. An idle worker polls for some microseconds, since the next command often follows soon, then sleeps. No
// job is lost: a worker enters asleep_ before its last look at the board, and a thread that posts a job reads asleep_
// afterwards.
#include "targets/cpu/worker_pool.h"
#include "base/options.h"
#include "runtime/objects/event.h"
#include "runtime/trace/trace.h"
#include "targets/cpu/properties.h"
#include "targets/cpu/work_ranges.h"
#include <algorithm>
#include <bit>
#include <cerrno>
#include <chrono>
#include <immintrin.h>
#include <memory>
#include <new>
#include <system_error>
#include <utility>

namespace upsweep {

struct WorkerPool::Participant {
  uint32_t worker = UINT32_MAX;  ///< UINT32_MAX for an application thread, which waits for `event`
  const Event *event = nullptr;
  const Job *running = nullptr;
  Job *next = nullptr;
  bool is_open = false;  ///< set while it completes a job

  bool is_worker() const { return !event; }
  bool is_of(const Share &share) const { return worker - share.first < share.count; }
  bool may_take(const Job &job) const { return event ? !event->is_done() && job.admits(*event) : is_of(job.share()); }
  uint32_t rank(const Job &job) const { return event ? job.share().count - 1 : worker - job.share().first; }

  static thread_local Participant *current;
};
thread_local WorkerPool::Participant *WorkerPool::Participant::current = nullptr;

WorkerPool::WorkerPool(uint32_t workers, std::vector<int> cpus)
    : cpus_(std::move(cpus)),
      // Leave a processor free for the application's threads.
      all_{.first = 0, .count = workers},
      most_polling_(std::max<uint32_t>(1, std::min<uint32_t>(workers, count_allowed_cpus()) - 1)), workers_(workers),
      missing_(workers), polling_(workers), asleep_(workers) {
  try {
    for (uint32_t index = 0; index < workers; ++index) start_thread(index);
  } catch (const std::bad_alloc &) {
    // start_missing() starts the others
  }
}

// Threads

void WorkerPool::start_thread(uint32_t index) {
  struct Start {
    WorkerPool *pool;
    uint32_t index;
  };
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, worker_stack_bytes());
  pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
  auto start = std::make_unique<Start>(Start{this, index});
  auto main = [](void *argument) -> void * {
    std::unique_ptr<Start> start(static_cast<Start *>(argument));
    start->pool->run(start->index);
  };
  Worker &worker = workers_[index];
  worker.is_running = pthread_create(&worker.thread, &attributes, main, start.get()) == 0;
  pthread_attr_destroy(&attributes);
  if (!worker.is_running) return;
  (void)start.release();  // owned by the thread now
  missing_.fetch_sub(1);
  if (worker.confined.count != UINT32_MAX) pin(worker);
}

void WorkerPool::start_missing() {
  if (!missing_.load()) return;
  std::lock_guard lock(mutex_);
  for (uint32_t index = 0; index < workers_.size(); ++index)
    if (!workers_[index].is_running) start_thread(index);
}

void WorkerPool::ensure_thread(const Share &share) {
  if (!missing_.load()) return;
  std::lock_guard lock(mutex_);
  const auto first = workers_.begin() + share.first;
  const auto has_thread = [&] {
    return std::any_of(first, first + share.count, [](const Worker &worker) { return worker.is_running; });
  };
  if (has_thread()) return;
  start_thread(share.first);
  if (!has_thread()) throw std::system_error(EAGAIN, std::generic_category(), "the device has no thread");
}

void WorkerPool::pin(const Worker &worker) const {
  const Share &share = worker.confined;
  cpu_set_t cpus;
  CPU_ZERO(&cpus);
  for (uint32_t i = share.first; i < share.first + share.count; ++i) CPU_SET(cpus_[i], &cpus);
  pthread_setaffinity_np(worker.thread, sizeof(cpus), &cpus);
}

void WorkerPool::confine(Share share) {
  std::lock_guard lock(mutex_);
  for (uint32_t i = share.first; i < share.first + share.count; ++i) {
    Worker &worker = workers_[i];
    if (share.count >= worker.confined.count) continue;
    worker.confined = share;
    if (worker.is_running) pin(worker);
  }
}

// Submitting jobs

void WorkerPool::submit(Job &job, bool caller_assists) {
  ensure_thread(job.share());
  // A thread that submits a job while it completes the previous job continues with the new job; a worker also looks at the
  // board then.
  Participant *const participant = Participant::current;
  const bool can_take = participant && participant->is_open && participant->may_take(job);
  const bool joins = can_take && !participant->next;
  if (!board_.post(job, joins)) {
    board_.post_later(job);
    post_waiting(false);
  } else if (joins) {
    participant->next = &job;
  } else if (!caller_assists && !(can_take && participant->is_worker())) {
    wake(job.share(), 1);  // each thread that arrives wakes more
  }
}

/// A range of numbers that several threads work through, without a command.
class WorkerPool::Parts final : public Job {
public:
  Parts(Share share, uint32_t workers, bool is_long, uint64_t count, const PartWork &work)
      : Job(share, {.wanted = workers, .most = workers, .is_long = is_long}, nullptr), work_(work),
        ranges_(count, workers, 1, count, false) {}

  void work(WorkerMemory &, uint32_t rank) override { work(rank); }
  void work(uint32_t rank) {
    WorkRanges::Cursor cursor = ranges_.cursor_for(rank);
    for (auto range = ranges_.take(cursor); !range.is_empty(); range = ranges_.take(cursor)) work_(range.first, range.last);
  }
  void complete() override {
    is_done_.store(true, std::memory_order_release);
    is_done_.notify_all();
  }
  void wait() const { is_done_.wait(false, std::memory_order_acquire); }

private:
  const PartWork &work_;
  WorkRanges ranges_;
  std::atomic<bool> is_done_{false};
};

void WorkerPool::run_parts(uint64_t count, uint64_t workers, bool is_long, const PartWork &work) {
  // For a command on a sub-device, use its workers.
  const Participant *participant = Participant::current;
  const Share share = participant && participant->running ? participant->running->share() : all_;
  Ref<Parts> job;
  if (workers > 1 && share.count > 1) try {
      job = make_ref<Parts>(share, static_cast<uint32_t>(std::min<uint64_t>(workers, share.count)), is_long, count, work);
    } catch (const std::bad_alloc &) {  // this thread does all parts
    }
  if (!job || !board_.post(*job, true)) return work(0, count);
  wake_more(*job);
  job->work(participant && participant->running ? participant->rank(*job) : share.count - 1);
  board_.close(*job);
  if (const Ref<Job> ended = board_.leave(*job))
    post_waiting(false);
  else
    job->wait();
}

/// `looks_next`: the caller is a worker that looks at the board next.
void WorkerPool::post_waiting(bool looks_next) {
  while (const auto share = board_.fill())
    if (!looks_next || !Participant::current->is_of(*share)) wake(*share, 1);
}

void WorkerPool::offer(Job &job, bool wakes) {
  board_.reopen(job);
  if (wakes) wake(job.share(), 1);
}

void WorkerPool::allow(Job &job) {
  board_.allow(job);
  wake_more(job);
}

/// Wakes workers of the share until `wanted` are on their way.
void WorkerPool::wake(const Share &share, uint32_t wanted) {
  for (uint32_t coming = polling_.count(share); coming < wanted; ++coming) {
    const auto worker = asleep_.take(share);
    if (!worker) return;
    workers_[*worker].wakes.fetch_add(1, std::memory_order_release);
    workers_[*worker].wakes.notify_one();
  }
}

/// Called by a thread that joins a job. Wakes four at a time: a call takes 1 to 6 µs, and the woken thread arrives after 5 to
/// 25 µs.
void WorkerPool::wake_more(const Job &job) {
  const auto room = board_.room(job);
  if (room.threads && room.is_worth_waking)
    wake(job.share(), std::min<uint32_t>(4, room.threads));
  else if (!room.threads && room.is_worth_waking)
    wake_for_others();  // a thread that posted another job may have counted on this thread
}

void WorkerPool::wake_for_others() {
  if (const auto share = board_.joinable_share()) wake(*share, 1);
}

// Workers

void WorkerPool::run(uint32_t index) {
  Participant participant{.worker = index};
  Participant::current = &participant;
  name_trace_thread("worker", index);
  WorkerMemory memory;
  for (uint32_t turn = 0;;) {
    Job *job = board_.join(index, turn);
    if (!job) job = poll_for_job(index, turn);
    if (!job) job = sleep_before_job(index, turn);
    if (job) run_job(job, participant, memory);
  }
}

/// Null if no job arrives within some microseconds, or if enough other workers poll.
Job *WorkerPool::poll_for_job(uint32_t index, uint32_t &turn) {
  // The last polling worker continues for a while. Programs often do other work between two launches, and a polling worker
  // starts the next launch before sleeping workers are awake.
  constexpr int kLastPolls = 4;
  Job *job = nullptr;
  if (num_polling_.fetch_add(1, std::memory_order_relaxed) < most_polling_) {
    polling_.add(index);
    // Workers join one by one, since simultaneous attempts make each other retry. A short job is left for a while to the thread
    // that submitted it, which often waits for it next.
    constexpr uint32_t kShortJobDelay = 16;
    const uint32_t order = index % 16;
    uint32_t looks = 0;
    const auto has_come = [&] {
      looks = board_.has_open() ? looks + 1 : 0;
      return looks > order && (job = board_.join(index, turn, looks > order + kShortJobDelay));
    };
    for (int i = 0; i < kLastPolls && !poll(has_come); ++i) {
      // A job that is still running either takes longer than expected, when few workers seemed enough, or its work-groups wait
      // for each other. OpenCL does not promise that these run concurrently, but programs rely on it.
      if (board_.has_open()) board_.allow_all(index);
      if (num_polling_.load(std::memory_order_relaxed) > 1) break;
    }
    polling_.remove(index);
  }
  num_polling_.fetch_sub(1, std::memory_order_relaxed);
  return job ? job : board_.join(index, turn);
}

Job *WorkerPool::sleep_before_job(uint32_t index, uint32_t &turn) {
  std::atomic<uint32_t> &wakes = workers_[index].wakes;
  const uint32_t before = wakes.load(std::memory_order_acquire);
  asleep_.add(index);
  Job *job = board_.join(index, turn);
  if (!job) wakes.wait(before, std::memory_order_acquire);
  asleep_.remove(index);  // unless a waking thread has already removed it
  return job;
}

/// Does the caller's part of a job that it has joined, and then of the jobs that follow from it.
void WorkerPool::run_job(Job *job, Participant &participant, WorkerMemory &memory) {
  while (job) {
    wake_more(*job);
    const uint32_t rank = participant.rank(*job);
    participant.running = job;
    for (;;) {
      job->work(memory, rank);
      board_.close(*job);
      if (!job->rest()) break;
      offer(*job);
    }
    participant.running = nullptr;
    participant.is_open = true;
    if (const Ref<Job> ended = board_.leave(*job)) {
      post_waiting(participant.is_worker());
      ended->complete();
    }
    participant.is_open = false;
    job = std::exchange(participant.next, nullptr);
  }
}

// Application threads

void WorkerPool::assist(const Event &event) {
  constexpr uint64_t kMinStack = 1 << 20;
  thread_local WorkerMemory memory;
  // submit() may have woken no worker because this thread was going to help.
  if (memory.stack_left() < kMinStack) return wake_for_others();
  // Kernels expect the default rounding and no flushing to zero, whatever the thread's mode.
  constexpr unsigned kDefaultControl = 0x1f80;
  const unsigned control = _mm_getcsr();
  _mm_setcsr(kDefaultControl);
  Participant participant{.event = &event};
  Participant *const outer =
      std::exchange(Participant::current, &participant);  // set if a native kernel waits, although it must not
  Job *job = nullptr;
  const auto has_come = [&] { return event.is_done() || (board_.has_open() && (job = board_.join(event))); };
  // As in poll_for_job().
  while (poll(has_come) || board_.allow_all(event)) {
    if (job) run_job(std::exchange(job, nullptr), participant, memory);
    if (event.is_done()) break;
  }
  Participant::current = outer;
  _mm_setcsr(control);
}

template <typename Done>
bool WorkerPool::poll(const Done &is_done) const {
  using Clock = std::chrono::steady_clock;
  if (most_polling_ == 0) return is_done();
  const auto until = Clock::now() + std::chrono::microseconds(options().spin_us);
  do {
    for (int i = 0; i < 16; ++i) {
      if (is_done()) return true;
      _mm_pause();
    }
  } while (Clock::now() < until);
  return false;
}

}  // namespace upsweep
