// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The command graph under several threads: random dependencies hold, nothing is lost, and threads that wait do not poll.
#include "../sanitizer.h"
#include "fixture.h"
#include <array>
#include <atomic>
#include <filesystem>
#include <fstream>
#include <random>
#include <sys/syscall.h>
#include <thread>
#include <unistd.h>

namespace upsweep::tests {
namespace {

class GraphStressTest : public Fixture {};

/// Arguments of a native kernel, which checks that each command it depends on has run.
struct Node {
  std::atomic<bool> *own;
  std::atomic<bool> *before[3];
  std::atomic<int> *violations;
};

void CL_CALLBACK visit(void *arguments) {
  auto *node = static_cast<Node *>(arguments);
  for (std::atomic<bool> *before : node->before)
    if (before && !*before) ++*node->violations;
  *node->own = true;
}

TEST_F(GraphStressTest, GivenThreadsWithRandomDependencies_WhenRun_ThenOrderHolds) {
  if (!runs_native_kernels()) GTEST_SKIP() << "the device runs no functions of the host";
  constexpr int kThreads = 4, kCommands = 400;
  std::atomic<int> violations{0}, missing{0};
  auto work = [&](int seed) {
    std::mt19937 random(seed);
    std::vector<std::atomic<bool>> done(kCommands);
    std::vector<cl_event> events(kCommands);
    for (int i = 0; i < kCommands; ++i) {
      Node node{&done[i], {}, &violations};
      std::vector<cl_event> waits;
      for (auto &before : node.before) {
        if (i == 0 || random() % 2) continue;
        int other = static_cast<int>(random() % i);
        before = &done[other];
        waits.push_back(events[other]);
      }
      cl_command_queue queue = random() % 2 ? in_order_ : out_of_order_;
      EXPECT_EQ(clEnqueueNativeKernel(queue, visit, &node, sizeof(node), 0, nullptr, nullptr,
                                      static_cast<cl_uint>(waits.size()), waits.empty() ? nullptr : waits.data(), &events[i]),
                CL_SUCCESS);
      if (random() % 16 == 0) EXPECT_EQ(clEnqueueBarrierWithWaitList(queue, 0, nullptr, nullptr), CL_SUCCESS);
      if (random() % 32 == 0) EXPECT_EQ(clWaitForEvents(1, &events[i]), CL_SUCCESS);
    }
    EXPECT_EQ(clWaitForEvents(kCommands, events.data()), CL_SUCCESS);
    for (int i = 0; i < kCommands; ++i) {
      if (!done[i]) ++missing;
      EXPECT_EQ(clReleaseEvent(events[i]), CL_SUCCESS);
    }
  };
  std::vector<std::jthread> threads;
  for (int i = 0; i < kThreads; ++i) threads.emplace_back(work, i);
  threads.clear();
  EXPECT_EQ(violations, 0);
  EXPECT_EQ(missing, 0);
}

/// Whether a thread of this process waits in the kernel without a time limit: in futex, poll or another call that the fields
/// of /proc/PID/task/TID/syscall name by number, followed by its arguments.
bool waits_without_limit(const std::filesystem::path &thread) {
  std::ifstream file(thread / "syscall");
  std::string number;
  std::array<uint64_t, 6> arguments{};
  if (!(file >> number) || number == "running") return false;
  for (uint64_t &argument : arguments) file >> std::hex >> argument;
  switch (std::stol(number)) {
  case SYS_futex: return arguments[3] == 0;
  case SYS_poll: return static_cast<int>(arguments[2]) < 0;
  case SYS_epoll_wait: return static_cast<int>(arguments[3]) < 0;
  case SYS_read: return true;
  default: return false;
  }
}

/// The threads of this process, without the calling one, that do not wait or that wait with a time limit.
std::vector<std::string> busy_threads() {
  std::vector<std::string> busy;
  for (const auto &thread : std::filesystem::directory_iterator("/proc/self/task")) {
    const std::string id = thread.path().filename();
    if (id != std::to_string(gettid()) && !waits_without_limit(thread.path())) busy.push_back(id);
  }
  return busy;
}

TEST_F(GraphStressTest, GivenWaitingQueues_WhenNothingHappens_ThenAllThreadsSleepUntilTheyAreWoken) {
  if (kSanitized) GTEST_SKIP() << "a sanitizer has a thread that polls";
  if (tests_a_gpu()) GTEST_SKIP() << "NVIDIA's driver has a thread that polls";
  if (!std::ifstream("/proc/self/syscall")) GTEST_SKIP() << "the system does not name the calls of threads";
  cl_event user = make_user_event();
  EXPECT_EQ(clEnqueueMarkerWithWaitList(in_order_, 1, &user, nullptr), CL_SUCCESS);
  EXPECT_EQ(clEnqueueMarkerWithWaitList(out_of_order_, 1, &user, nullptr), CL_SUCCESS);
  std::jthread waiting([&] { EXPECT_EQ(clFinish(in_order_), CL_SUCCESS); });
  // Threads may still end earlier work or poll before they sleep. The limit of 20 s ends a test that fails.
  std::vector<std::string> busy = busy_threads();
  for (int ms = 0; ms < 20000 && !busy.empty(); ++ms, busy = busy_threads())
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  EXPECT_EQ(busy, std::vector<std::string>());
  EXPECT_EQ(clSetUserEventStatus(user, CL_COMPLETE), CL_SUCCESS);
  waiting.join();
  EXPECT_EQ(clFinish(out_of_order_), CL_SUCCESS);
  EXPECT_EQ(clReleaseEvent(user), CL_SUCCESS);
}

TEST_F(GraphStressTest, GivenEventsThatCompleteWhileOthersAreAdded_WhenWaitedFor_ThenNoneIsMissed) {
  // User events set by another thread race with the registration of the commands that wait for them.
  for (int round = 0; round < 500; ++round) {
    cl_event user = make_user_event(), marker = nullptr;
    std::jthread setter([&] { EXPECT_EQ(clSetUserEventStatus(user, CL_COMPLETE), CL_SUCCESS); });
    EXPECT_EQ(clEnqueueMarkerWithWaitList(out_of_order_, 1, &user, &marker), CL_SUCCESS);
    EXPECT_EQ(clWaitForEvents(1, &marker), CL_SUCCESS);
    setter.join();
    EXPECT_EQ(clReleaseEvent(marker), CL_SUCCESS);
    EXPECT_EQ(clReleaseEvent(user), CL_SUCCESS);
  }
  EXPECT_EQ(clFinish(out_of_order_), CL_SUCCESS);
}

}  // namespace
}  // namespace upsweep::tests
