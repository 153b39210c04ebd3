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
  /// Starts the threads. They run until the process ends, so the pool must never be destroyed.
  /// `cpus`: the one that each worker stands for.
  WorkerPool(uint32_t workers, std::vector<int> cpus);

  /// `caller_assists`: the caller will take part in it at once, by assist(), which sees to it that workers do if it cannot.
  /// std::system_error when the share has no thread and none can be started, std::bad_alloc: then it has not taken the job.
  void submit(Job &job, bool caller_assists);

  /// Of a thread that takes part: lets others join a job again that was closed, or as many as can ever be; wakes some.
  void offer(Job &job);
  void allow(Job &job);

  /// Runs work(first, last) for ranges that cover [0, count), on this thread and others, and returns when all are done.
  void run_parts(uint64_t count, uint64_t workers, bool is_long, const PartWork &work);

  /// Starts threads that could not be started before.
  void start_missing();

  /// Target::confine.
  void confine(Share share);

  /// Target::assist.
  void assist(const Event &event);

private:
  struct Worker {
    std::atomic<uint32_t> wakes{0};  ///< what it sleeps on
    pthread_t thread = {};
    bool is_running = false;              ///< thread is valid
    Share confined{.count = UINT32_MAX};  ///< the smallest share that it was confined to
  };
  /// What a thread that completes a job may begin next: it has joined it already.
  struct Hand;
  class Parts;

  void start_thread(uint32_t index);
  void ensure_thread(const Share &share);
  void pin(const Worker &worker) const;
  [[noreturn]] void run(uint32_t index);
  Job *poll_for_job(uint32_t index, uint32_t &turn);
  Job *sleep_before_job(uint32_t index, uint32_t &turn);
  void run_job(Job *job, Hand &hand, WorkerMemory &memory);
  void put_up_waiting(bool comes);
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
  std::atomic<uint32_t> missing_{0};  ///< workers without a thread
  JobBoard board_;
  WorkerSet polling_, asleep_;
  std::atomic<uint32_t> num_polling_{0};
};

}  // namespace upsweep
#endif
