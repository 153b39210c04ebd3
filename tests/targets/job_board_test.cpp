// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Jobs that threads open and close concurrently: when all threads have left, the board is empty.
#include "targets/cpu/job_board.h"

#include "../sanitizer.h"

#include <atomic>
#include <gtest/gtest.h>
#include <thread>
#include <vector>

namespace upsweep {
namespace {

constexpr uint32_t kWorkers = 4;

class IdleJob final : public Job {
public:
  IdleJob() : Job(Share{.first = 0, .count = kWorkers}, {.wanted = kWorkers, .most = kWorkers}, nullptr) {}
  void work(WorkerMemory &, uint32_t) override {}
  void complete() override { has_ended = true; }

  std::atomic<bool> has_ended{false};
};

void leave(JobBoard &board, Job &job) {
  if (const Ref<Job> ended = board.leave(job)) ended->complete();
}

/// Joins any job on the board, and opens and closes it several times, like launches whose kernels enqueue others.
void take_part(JobBoard &board, uint32_t worker, const std::atomic<bool> &is_over) {
  for (uint32_t turn = 0; !is_over;) {
    Job *job = board.join(worker, turn);
    if (!job) {
      std::this_thread::yield();
      continue;
    }
    for (int i = 0; i < 4; ++i) {
      board.close(*job);
      board.reopen(*job);
    }
    board.close(*job);
    leave(board, *job);
  }
}

TEST(JobBoardTest, GivenThreadsThatOpenAndCloseJobs_WhenAllHaveLeft_ThenNoneIsOpen) {
  JobBoard board;
  std::atomic<bool> is_over{false};
  std::vector<std::jthread> threads;
  for (uint32_t worker = 0; worker < kWorkers; ++worker)
    threads.emplace_back([&, worker] { take_part(board, worker, is_over); });
  const auto post = [&](bool joined) {
    const Ref<IdleJob> job = make_ref<IdleJob>();
    if (!board.post(*job, joined)) return;
    if (joined) {
      board.close(*job);
      leave(board, *job);
    }
    while (!job->has_ended) std::this_thread::yield();
    EXPECT_FALSE(board.has_open());
  };
  for (int i = 0; i < (tests::kSanitized ? 20'000 : 200'000) && !testing::Test::HasFailure(); ++i) post(i % 2 != 0);
  is_over = true;
}

}  // namespace
}  // namespace upsweep
