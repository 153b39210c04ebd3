// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The CPU device's threads. A thread of the application that waits for a command helps to run it, which saves two switches of
// threads for small ones. An idle worker polls for some microseconds, since the next command often comes at once, then sleeps.
#include "targets/cpu/worker_pool.h"
#include "base/options.h"
#include "runtime/objects/event.h"
#include "targets/cpu/properties.h"
#include <algorithm>
#include <cerrno>
#include <chrono>
#include <immintrin.h>
#include <new>
#include <pthread.h>
#include <system_error>

namespace upsweep {
namespace {

/// Index of the worker that the current thread is, or -1.
thread_local int64_t current_worker = -1;

bool contains(const Share &share, uint32_t index) { return index - share.first < share.count; }

}  // namespace

Job::Job(Share share, uint64_t max_workers)
    : share_(share), max_workers_(static_cast<uint32_t>(std::clamp<uint64_t>(max_workers, 1, share.count))) {}

WorkerPool::WorkerPool(uint32_t workers, std::vector<int> cpus) : cpus_(std::move(cpus)), workers_(workers) {
  try {
    for (uint32_t index = 0; index < workers; ++index) start_thread(index);
  } catch (const std::bad_alloc &) {
    // start_missing() starts the others
  }
}

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
  if (worker.is_running) (void)start.release();  // the thread has it
  pthread_attr_destroy(&attributes);
  if (worker.is_running && worker.confined.count != UINT32_MAX) pin(worker);
}

void WorkerPool::start_missing() {
  std::lock_guard lock(mutex_);
  for (uint32_t index = 0; index < workers_.size(); ++index)
    if (!workers_[index].is_running) start_thread(index);
}

void WorkerPool::pin(const Worker &worker) const {
  const Share &share = worker.confined;
  cpu_set_t cpus;
  CPU_ZERO(&cpus);
  for (uint32_t i = share.first; i < share.first + share.count; ++i) CPU_SET(cpus_[i], &cpus);
  pthread_setaffinity_np(worker.thread, sizeof(cpus), &cpus);
}

bool WorkerPool::has_thread(const Share &share) const {
  const auto first = workers_.begin() + share.first;
  return std::any_of(first, first + share.count, [](const Worker &worker) { return worker.is_running; });
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

void WorkerPool::submit(Ref<Job> job, bool caller_assists) {
  std::lock_guard lock(mutex_);
  if (!has_thread(job->share_)) {
    start_thread(job->share_.first);
    if (!has_thread(job->share_)) throw std::system_error(EAGAIN, std::generic_category(), "the device has no thread");
  }
  Job &listed = *jobs_.emplace_back(std::move(job));
  listed.listed_ = true;
  bool am_worker = current_worker >= 0 && contains(listed.share_, static_cast<uint32_t>(current_worker));
  // A worker that submits a command, because it has just ended the one before, comes for work itself.
  wake_some(listed, am_worker || caller_assists ? 1 : 0);
  submissions_.fetch_add(1, std::memory_order_release);
}

void WorkerPool::list(const Ref<Job> &job) {
  jobs_.push_back(job);
  job->listed_ = true;
  wake_some(*job, 0);
  submissions_.fetch_add(1, std::memory_order_release);
}

void WorkerPool::offer(Job &job) {
  std::lock_guard lock(mutex_);
  if (!job.listed_ && job.running_ < job.max_workers_) list(Ref(&job));
}

void WorkerPool::wake_some(const Job &job, uint32_t on_their_way) {
  // Two at a time: each that comes wakes more, so that many threads start in log steps.
  uint32_t wanted = std::min<uint32_t>(2, job.max_workers_ - job.running_);
  for (uint32_t i = job.share_.first; i < job.share_.first + job.share_.count && on_their_way < wanted; ++i)
    if (workers_[i].state == State::kPolling) ++on_their_way;
  for (uint32_t i = job.share_.first; i < job.share_.first + job.share_.count && on_their_way < wanted; ++i) {
    if (workers_[i].state != State::kAsleep) continue;
    workers_[i].state = State::kBusy;
    workers_[i].wake.notify_one();
    ++on_their_way;
  }
}

void WorkerPool::run(uint32_t index) {
  current_worker = index;
  WorkerMemory memory;
  for (;;) {
    Ref<Job> job = take(index);
    job->work(memory);
    leave(job);
  }
}

Ref<Job> WorkerPool::find_job(uint32_t index) {
  for (const Ref<Job> &listed : jobs_)
    if (contains(listed->share_, index)) return join(listed);
  return nullptr;
}

Ref<Job> WorkerPool::find_job(const Event &event) {
  for (const Ref<Job> &listed : jobs_)
    if (listed->admits(event)) return join(listed);
  return nullptr;
}

Ref<Job> WorkerPool::join(const Ref<Job> &listed) {
  Ref<Job> job = listed;
  if (++job->running_ == job->max_workers_)
    unlist(*job);
  else
    wake_some(*job, 0);
  return job;
}

Ref<Job> WorkerPool::take(uint32_t index) {
  std::unique_lock lock(mutex_);
  Worker &self = workers_[index];
  for (bool may_poll = true;; may_poll = false) {
    if (Ref<Job> job = find_job(index)) return job;
    // Half of the threads at most poll, so that the application's own find a free core.
    if (may_poll && 2 * polling_ < workers_.size()) {
      self.state = State::kPolling;
      ++polling_;
      uint64_t seen = submissions_.load(std::memory_order_relaxed);
      lock.unlock();
      poll(seen, [] { return false; });
      lock.lock();
      --polling_;
      self.state = State::kBusy;
      continue;
    }
    self.state = State::kAsleep;
    self.wake.wait(lock, [&] { return self.state != State::kAsleep; });
  }
}

void WorkerPool::assist(const Event &event) {
  constexpr uint64_t kMinStack = 1 << 20;
  thread_local WorkerMemory memory;
  if (memory.stack_left() < kMinStack) return leave_to_workers(event);
  // Kernels expect the default rounding and no flushing to zero, whatever this thread has set.
  constexpr unsigned kDefaultControl = 0x1f80;
  unsigned control = _mm_getcsr();
  _mm_setcsr(kDefaultControl);
  auto is_done = [&] { return event.is_done(); };
  uint64_t seen;
  do {
    seen = submissions_.load(std::memory_order_acquire);
    Ref<Job> job;
    {
      std::lock_guard lock(mutex_);
      job = find_job(event);
    }
    if (!job) continue;
    job->work(memory);
    leave(job);
  } while (!is_done() && poll(seen, is_done));
  _mm_setcsr(control);
}

/// submit() may have woken nobody, since this thread was to come.
void WorkerPool::leave_to_workers(const Event &event) {
  std::lock_guard lock(mutex_);
  for (const Ref<Job> &listed : jobs_)
    if (listed->admits(event)) wake_some(*listed, 0);
}

template <typename Done>
bool WorkerPool::poll(uint64_t seen, Done &&is_done) {
  using Clock = std::chrono::steady_clock;
  auto until = Clock::now() + std::chrono::microseconds(options().spin_us);
  while (Clock::now() < until) {
    for (int i = 0; i < 16; ++i) {
      if (submissions_.load(std::memory_order_acquire) != seen || is_done()) return true;
      _mm_pause();
    }
  }
  return false;
}

void WorkerPool::leave(const Ref<Job> &job) {
  bool is_last;
  {
    std::lock_guard lock(mutex_);
    unlist(*job);
    is_last = --job->running_ == 0;
    if (job->rest()) {
      list(job);
      return;
    }
  }
  if (is_last) job->complete();
}

void WorkerPool::unlist(Job &job) {
  if (!job.listed_) return;
  job.listed_ = false;
  jobs_.remove_if([&](const Ref<Job> &listed) { return listed.get() == &job; });
}

}  // namespace upsweep
