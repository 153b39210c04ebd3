// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The CPU device's threads: how they find jobs on the board, poll, sleep and wake.
#ifndef UPSWEEP_TARGETS_CPU_WORKER_POOL_H
#define UPSWEEP_TARGETS_CPU_WORKER_POOL_H

#include "base/reference.h"
#include "runtime/commands/part_work.h"
#include "targets/cpu/job_board.h"
#include "targets/cpu/worker_memory.h"
#include "targets/cpu/worker_set.h"
#include <atomic>
#include <deque>
#include <mutex>
#include <pthread.h>
#include <vector>

namespace upsweep {

class WorkerPool {
public:
  /// Starts the threads. They run until the process ends, so never destroy the pool. `cpus`: the CPU of each worker.
  WorkerPool(uint32_t workers, std::vector<int> cpus);

  /// `caller_assists`: the caller will call assist() next, which wakes workers if it cannot take part itself. Throws
  /// std::bad_alloc, or std::system_error if the share has no thread and none can be started; the job is not taken then.
  void submit(Job &job, bool caller_assists);

  /// For a thread that takes part: lets others join a closed job again, or raises the limit of threads; wakes some.
  void offer(Job &job, bool wakes = true);
  void allow(Job &job);

  /// Runs work(first, last) for ranges that cover [0, count), on this thread and others; returns when all are done.
  void run_parts(uint64_t count, uint64_t workers, bool is_long, const PartWork &work);

  /// Retries to start threads that could not be started before.
  void start_missing();

  /// Target::confine.
  void confine(Share share);

  /// Target::assist.
  void assist(const Event &event);

private:
  struct Worker {
    std::atomic<uint32_t> wakes{0};  ///< the futex on which it sleeps
    pthread_t thread = {};
    bool is_running = false;              ///< thread is valid
    Share confined{.count = UINT32_MAX};  ///< the smallest share that it was confined to
  };
  /// A thread that takes part in jobs, and the job that it will run next, which it has already joined.
  struct Participant;
  class Parts;

  void start_thread(uint32_t index);
  void ensure_thread(const Share &share);
  void pin(const Worker &worker) const;
  [[noreturn]] void run(uint32_t index);
  Job *poll_for_job(uint32_t index, uint32_t &turn);
  Job *sleep_before_job(uint32_t index, uint32_t &turn);
  void run_job(Job *job, Participant &participant, WorkerMemory &memory);
  void post_waiting(bool looks_next);
  void wake(const Share &share, uint32_t wanted);
  void wake_more(const Job &job);
  void wake_for_others();
  template <typename Done>
  bool poll(const Done &is_done) const;

  const std::vector<int> cpus_;
  const Share all_;
  const uint32_t most_polling_;
  std::mutex mutex_;  ///< guards the threads of workers_
  std::deque<Worker> workers_;
  std::atomic<uint32_t> missing_{0};  ///< number of workers without a thread
  JobBoard board_;
  WorkerSet polling_, asleep_;
  std::atomic<uint32_t> num_polling_{0};
};

}  // namespace upsweep
#endif
