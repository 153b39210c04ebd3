// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The CPU device's threads and the list of jobs that they take work from.
#ifndef UPSWEEP_TARGETS_CPU_WORKER_POOL_H
#define UPSWEEP_TARGETS_CPU_WORKER_POOL_H

#include "base/reference.h"
#include "runtime/target.h"
#include "targets/cpu/worker_memory.h"
#include <atomic>
#include <condition_variable>
#include <deque>
#include <list>
#include <memory>
#include <mutex>
#include <pthread.h>
#include <vector>

namespace upsweep {

/// Something that one or more workers do together.
class Job : public Counted {
public:
  /// Only workers of `share` take part, at most `max_workers` at a time.
  Job(Share share, uint64_t max_workers);

  /// Called by each worker that takes part; returns when nothing is left to begin.
  virtual void work(WorkerMemory &memory) = 0;
  /// Called once, when the last worker has come back from work().
  virtual void complete() = 0;
  /// Called with the pool locked when a worker has come back from work() and the job is not listed: whether there is something
  /// to begin after all, so that it is listed again. Else, if no worker is left, complete() follows.
  virtual bool rest() { return false; }
  /// Whether a thread of the application that waits for `event` may take part.
  bool admits(const Event &event) const { return !share_.is_confined && may_assist(event); }

protected:
  /// Whether such a thread has the stack for it, and `event` comes after the job.
  virtual bool may_assist(const Event &event) const = 0;

private:
  friend class WorkerPool;
  Share share_;
  uint32_t max_workers_;
  uint32_t running_ = 0;  ///< guarded by the pool's mutex, as is listed_
  bool listed_ = false;
};

class WorkerPool {
public:
  /// Starts the threads. They run until the process ends, so the pool must never be destroyed.
  /// `cpus`: the one that each worker stands for.
  WorkerPool(uint32_t workers, std::vector<int> cpus);

  /// `caller_assists`: the caller will take part in it at once, by assist(), which sees to it that workers do if it cannot.
  /// std::system_error when the share has no thread and none can be started, std::bad_alloc: then it has not taken the job.
  void submit(Ref<Job> job, bool caller_assists);

  /// Lists a job that workers have left and that has something to begin again. Called by one of its workers.
  void offer(Job &job);

  /// Starts threads that could not be started before.
  void start_missing();

  /// Target::confine.
  void confine(Share share);

  /// Target::assist.
  void assist(const Event &event);

private:
  enum class State { kBusy, kPolling, kAsleep };
  struct Worker {
    State state = State::kBusy;
    std::condition_variable wake;
    pthread_t thread = {};
    bool is_running = false;              ///< thread is valid
    Share confined{.count = UINT32_MAX};  ///< the smallest share that it was confined to
  };

  void start_thread(uint32_t index);
  void pin(const Worker &worker) const;
  bool has_thread(const Share &share) const;
  [[noreturn]] void run(uint32_t index);
  Ref<Job> take(uint32_t index);
  Ref<Job> find_job(uint32_t index);
  Ref<Job> find_job(const Event &event);
  Ref<Job> join(const Ref<Job> &listed);
  void leave(const Ref<Job> &job);
  void list(const Ref<Job> &job);
  void unlist(Job &job);
  void wake_some(const Job &job, uint32_t on_their_way);
  void leave_to_workers(const Event &event);
  template <typename Done>
  bool poll(uint64_t seen, Done &&is_done);

  const std::vector<int> cpus_;
  std::deque<Worker> workers_;
  std::mutex mutex_;  ///< guards workers_, jobs_, polling_ and the state of jobs
  std::list<Ref<Job>> jobs_;
  uint32_t polling_ = 0;
  std::atomic<uint64_t> submissions_{0};  ///< what polling workers look at
};

}  // namespace upsweep
#endif
