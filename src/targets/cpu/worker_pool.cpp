// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The CPU device's threads. A thread of the application that waits for a command helps to run it, which saves two switches of
// threads for small ones. An idle worker polls for some microseconds, since the next command often comes at once, then sleeps.
// No job is lost: a worker that goes to sleep enters asleep_ before its last look at the board, and whoever puts a job there
// looks at asleep_ afterwards.
#include "targets/cpu/worker_pool.h"
#include "base/options.h"
#include "runtime/objects/event.h"
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

struct WorkerPool::Hand {
  uint32_t worker = UINT32_MAX;  ///< or the event that a thread of the application waits for
  const Event *event = nullptr;
  const Job *running = nullptr;
  Job *next = nullptr;
  bool is_open = false;  ///< while it completes a job

  bool is_worker() const { return !event; }
  bool is_of(const Share &share) const { return worker - share.first < share.count; }
  bool may_take(const Job &job) const { return event ? !event->is_done() && job.admits(*event) : is_of(job.share()); }
  uint32_t rank(const Job &job) const { return event ? job.share().count - 1 : worker - job.share().first; }

  static thread_local Hand *mine;
};
thread_local WorkerPool::Hand *WorkerPool::Hand::mine = nullptr;

WorkerPool::WorkerPool(uint32_t workers, std::vector<int> cpus)
    : cpus_(std::move(cpus)),
      // One processor stays free for the application's own threads.
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
  (void)start.release();  // the thread has it
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

// Jobs come

void WorkerPool::submit(Job &job, bool caller_assists) {
  ensure_thread(job.share());
  // A thread that submits a job, because it has just completed the one before, goes on with it; a worker also looks at the
  // board then.
  Hand *const hand = Hand::mine;
  const bool comes = hand && hand->is_open && hand->may_take(job);
  const bool joins = comes && !hand->next;
  if (!board_.post(job, joins)) {
    board_.post_later(job);
    put_up_waiting(false);
  } else if (joins) {
    hand->next = &job;
  } else if (!caller_assists && !(comes && hand->is_worker())) {
    wake(job.share(), 1);  // each thread that comes wakes more
  }
}

/// A range of numbers that several threads go through; nobody but them knows of it.
class WorkerPool::Parts final : public Job {
public:
  Parts(Share share, uint32_t workers, bool is_long, uint64_t count, const PartWork &work)
      : Job(share, {.wanted = workers, .most = workers, .is_long = is_long}, nullptr), work_(work),
        ranges_(count, workers, 1, count) {}

  void work(WorkerMemory &, uint32_t rank) override { work(rank); }
  void work(uint32_t rank) {
    WorkRanges::Way way = ranges_.way_of(rank);
    for (auto range = ranges_.take(way); !range.is_empty(); range = ranges_.take(way)) work_(range.first, range.last);
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
  // Of a command on a sub-device they are its workers.
  const Hand *hand = Hand::mine;
  const Share share = hand && hand->running ? hand->running->share() : all_;
  Ref<Parts> job;
  if (workers > 1 && share.count > 1) try {
      job = make_ref<Parts>(share, static_cast<uint32_t>(std::min<uint64_t>(workers, share.count)), is_long, count, work);
    } catch (const std::bad_alloc &) {  // then this thread does it all
    }
  if (!job || !board_.post(*job, true)) return work(0, count);
  wake_more(*job);
  job->work(hand && hand->running ? hand->rank(*job) : share.count - 1);
  board_.close(*job);
  if (const Ref<Job> ended = board_.leave(*job))
    put_up_waiting(false);
  else
    job->wait();
}

/// `comes`: the caller is a worker that looks at the board next.
void WorkerPool::put_up_waiting(bool comes) {
  while (const auto share = board_.fill())
    if (!comes || !Hand::mine->is_of(*share)) wake(*share, 1);
}

void WorkerPool::offer(Job &job) {
  board_.reopen(job);
  wake(job.share(), 1);
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

/// Of a thread that comes for a job. Four at a time: a call takes 1 to 6 µs, and the thread that it wakes comes after 5 to 25.
void WorkerPool::wake_more(const Job &job) {
  const auto room = board_.room(job);
  if (room.threads && room.is_worth_waking)
    wake(job.share(), std::min<uint32_t>(4, room.threads));
  else if (!room.threads && room.is_worth_waking)
    wake_for_others();  // whoever put up another job may have counted on this thread
}

void WorkerPool::wake_for_others() {
  if (const auto share = board_.joinable_share()) wake(*share, 1);
}

// Workers

void WorkerPool::run(uint32_t index) {
  Hand hand{.worker = index};
  Hand::mine = &hand;
  WorkerMemory memory;
  for (uint32_t turn = 0;;) {
    Job *job = board_.join(index, turn);
    if (!job) job = poll_for_job(index, turn);
    if (!job) job = sleep_before_job(index, turn);
    if (job) run_job(job, hand, memory);
  }
}

/// Null when none has come within some microseconds, or when enough others poll.
Job *WorkerPool::poll_for_job(uint32_t index, uint32_t &turn) {
  // The last one goes on for a while: programs often do something of their own between two launches, and a worker that polls
  // has the next one started before those that sleep are awake.
  constexpr int kLastPolls = 4;
  Job *job = nullptr;
  if (num_polling_.fetch_add(1, std::memory_order_relaxed) < most_polling_) {
    polling_.add(index);
    // One after the other, since when all come at once each that joins makes the others try again. A short job is left to the
    // thread that has submitted it for a while, which often waits for it next.
    constexpr uint32_t kPatience = 16;
    const uint32_t order = index % 16;
    uint32_t looks = 0;
    const auto has_come = [&] {
      looks = board_.has_open() ? looks + 1 : 0;
      return looks > order && (job = board_.join(index, turn, looks > order + kPatience));
    };
    for (int i = 0; i < kLastPolls && !poll(has_come); ++i) {
      // A job that others are still at takes longer than it did before, for which few workers were thought to be enough; or its
      // work-groups wait for each other, which OpenCL does not promise to run at the same time, but which programs rely on.
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
  asleep_.remove(index);  // unless it was taken, by whoever wakes this worker now or did a while ago
  return job;
}

/// Does the caller's part of a job that it has joined, and then of those that follow from it.
void WorkerPool::run_job(Job *job, Hand &hand, WorkerMemory &memory) {
  while (job) {
    wake_more(*job);
    const uint32_t rank = hand.rank(*job);
    hand.running = job;
    for (;;) {
      job->work(memory, rank);
      board_.close(*job);
      if (!job->rest()) break;
      offer(*job);
    }
    hand.running = nullptr;
    hand.is_open = true;
    if (const Ref<Job> ended = board_.leave(*job)) {
      put_up_waiting(hand.is_worker());
      ended->complete();
    }
    hand.is_open = false;
    job = std::exchange(hand.next, nullptr);
  }
}

// Threads of the application

void WorkerPool::assist(const Event &event) {
  constexpr uint64_t kMinStack = 1 << 20;
  thread_local WorkerMemory memory;
  // submit() may have woken nobody, since this thread was to come.
  if (memory.stack_left() < kMinStack) return wake_for_others();
  // Kernels expect the default rounding and no flushing to zero, whatever this thread has set.
  constexpr unsigned kDefaultControl = 0x1f80;
  const unsigned control = _mm_getcsr();
  _mm_setcsr(kDefaultControl);
  Hand hand{.event = &event};
  Hand *const outer = std::exchange(Hand::mine, &hand);  // a native kernel's, which waits although it must not
  Job *job = nullptr;
  const auto has_come = [&] { return event.is_done() || (board_.has_open() && (job = board_.join(event))); };
  // As in poll_for_job().
  while (poll(has_come) || board_.allow_all(event)) {
    if (job) run_job(std::exchange(job, nullptr), hand, memory);
    if (event.is_done()) break;
  }
  Hand::mine = outer;
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
