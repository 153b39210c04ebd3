// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Work-groups that wait for the work-group before them, as in scans with look-back: every launch ends, with any number of
// workers, whether the host waits or not. OpenCL does not promise this; docs/decisions/order-of-work-groups.md says why it
// holds here. The test's time limit ends a hang. By default only a share of the combinations runs. These commands run all of
// them, each with 10000 launches:
//   for workers in $(seq 16); do
//     UPSWEEP_THREADS=$workers UPSWEEP_TEST_LAUNCHES=10000 UPSWEEP_TEST_ALL_GROUPS=1 waiting_groups_test || break
//   done
#include "../default_device.h"

#include <array>
#include <cstdlib>
#include <numeric>
#include <sched.h>
#include <semaphore>
#include <string>
#include <thread>
#include <tuple>
#include <vector>

namespace upsweep::tests {
namespace {

/// A flag holds the launch's number, and below it the number of work-groups that have passed, so that no launch must reset its
/// flags.
constexpr const char *kSource = R"(
#define LAUNCH 65536u
uint look(volatile global uint *flag) {
  return atomic_load_explicit((volatile global atomic_uint *)flag, memory_order_acquire, memory_scope_device);
}
void show(volatile global uint *flag, uint value) {
  atomic_store_explicit((volatile global atomic_uint *)flag, value, memory_order_release, memory_scope_device);
}
uint compute(uint x, uint work) {
  for (uint i = 0; i < work; ++i) x = x * 1664525u + 1013904223u;
  return x == 12345u;
}
// `passed` is the number of earlier work-groups, which each passes on to the next.
void pass_on(volatile global uint *flags, global uint *passed, uint launch, uint group, uint before, uint surplus) {
  uint number = 0;
  if (group) {
    uint seen;
    while ((seen = look(&flags[before])) / LAUNCH != launch) {
    }
    number = seen % LAUNCH;
  }
  passed[group] += number + surplus;
  show(&flags[group], launch * LAUNCH + number + 1);
}
kernel void chain(volatile global uint *flags, global uint *passed, uint launch, uint work) {
  const uint group = get_group_id(0), surplus = compute(group, work);
  if (get_local_id(0) == 0) pass_on(flags, passed, launch, group, group - 1, surplus);
}
kernel void chain_of_rows(volatile global uint *flags, global uint *passed, uint launch, uint work) {
  const uint group = get_group_id(1) * get_num_groups(0) + get_group_id(0), surplus = compute(group, work * (group % 3));
  if (get_local_id(0) == 0) pass_on(flags, passed, launch, group, group - 1, surplus);
}
// Each work-group publishes itself before it looks, as in decoupled look-back, and waits for all earlier work-groups, the
// nearest first.
kernel void look_back(volatile global uint *flags, global uint *passed, uint launch, uint work) {
  const uint group = get_group_id(0), surplus = compute(group, work);
  if (get_local_id(0)) return;
  show(&flags[group], launch * LAUNCH);
  uint number = 0;
  for (uint at = group; at > 0;) {
    const uint seen = look(&flags[at - 1]);
    if (seen / LAUNCH != launch) continue;
    number = seen % LAUNCH ? number + seen % LAUNCH : number + 1;
    at = seen % LAUNCH ? 0 : at - 1;
  }
  passed[group] += number + surplus;
  show(&flags[group], launch * LAUNCH + number + 1);
}
kernel void enqueues(volatile global uint *flags, global uint *passed, uint launch, uint work) {
  const uint groups = get_num_groups(0);
  if (get_global_id(0) == 0)
    enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(groups * 8, 8), ^{
      const uint group = get_group_id(0), surplus = compute(group, work);
      if (get_local_id(0) == 0) pass_on(flags, passed, launch, group, group - 1, surplus);
    });
}
)";

size_t launches_of_each_kind() {
  const char *text = std::getenv("UPSWEEP_TEST_LAUNCHES");
  return text ? std::strtoull(text, nullptr, 10) : 25;
}

enum class Host {
  kWaits,
  kWaitsForEvent,
  kPolls,
  kIsAway  ///< the host's thread makes no call of the driver until a callback wakes it
};

using Kind = std::tuple<cl_command_queue_properties, Host>;

class WaitingGroups : public DefaultDevice, public testing::WithParamInterface<Kind> {
protected:
  static constexpr size_t kMostGroups = 64, kItems = 8;
  static constexpr cl_uint kLaunches = 65535;  ///< numbers of launches that a flag holds

  void SetUp() override {
    DefaultDevice::SetUp();
    const cl_queue_properties properties[] = {CL_QUEUE_PROPERTIES, std::get<0>(GetParam()), 0};
    tested_queue_ = clCreateCommandQueueWithProperties(context_, device_, properties, nullptr);
    const char *source = kSource;
    program_ = clCreateProgramWithSource(context_, 1, &source, nullptr, nullptr);
    ASSERT_EQ(clBuildProgram(program_, 0, nullptr, "-cl-std=CL3.0", nullptr, nullptr), CL_SUCCESS);
    for (cl_mem &buffer : buffers_) buffer = clCreateBuffer(context_, 0, kMostGroups * sizeof(cl_uint), nullptr, nullptr);
  }
  void TearDown() override {
    for (cl_mem buffer : buffers_) clReleaseMemObject(buffer);
    clReleaseProgram(program_);
    clReleaseCommandQueue(tested_queue_);
    DefaultDevice::TearDown();
  }

  /// Launches and waits as the parameter says.
  void launch(cl_kernel kernel, cl_uint dimensions, const size_t *global, const size_t *local) const {
    cl_event event = nullptr;
    ASSERT_EQ(clEnqueueNDRangeKernel(tested_queue_, kernel, dimensions, nullptr, global, local, 0, nullptr, &event),
              CL_SUCCESS);
    cl_int status = CL_QUEUED;
    switch (std::get<1>(GetParam())) {
    case Host::kWaits: clFinish(tested_queue_); break;
    case Host::kWaitsForEvent: clWaitForEvents(1, &event); break;
    case Host::kPolls: clFlush(tested_queue_); break;
    case Host::kIsAway: {
      static std::binary_semaphore is_complete(0);  // outlives the callback
      clSetEventCallback(event, CL_COMPLETE, [](cl_event, cl_int, void *) { is_complete.release(); }, nullptr);
      clFlush(tested_queue_);
      is_complete.acquire();
      break;
    }
    }
    do {
      clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, nullptr);
    } while (status > CL_COMPLETE && sched_yield() == 0);
    EXPECT_EQ(status, CL_COMPLETE);
    clReleaseEvent(event);
  }

  /// The given number of launches, of rows of work-groups; each work-group knows the number of earlier ones.
  void run(const char *name, size_t columns, size_t rows, cl_uint work) {
    const cl_uint zero = 0;
    for (cl_mem buffer : buffers_)
      clEnqueueFillBuffer(queue_, buffer, &zero, sizeof zero, 0, kMostGroups * sizeof zero, 0, nullptr, nullptr);
    clFinish(queue_);
    cl_kernel kernel = clCreateKernel(program_, name, nullptr);
    for (cl_uint i = 0; i < 2; ++i) clSetKernelArg(kernel, i, sizeof(cl_mem), &buffers_[i]);
    clSetKernelArg(kernel, 3, sizeof work, &work);
    const size_t global[] = {columns * kItems, rows}, local[] = {kItems, 1}, launches = launches_of_each_kind();
    for (size_t i = 0; i < launches && !HasFailure(); ++i) {
      const auto number = static_cast<cl_uint>(i % kLaunches + 1);
      clSetKernelArg(kernel, 2, sizeof number, &number);
      launch(kernel, rows > 1 ? 2 : 1, global, local);
    }
    clReleaseKernel(kernel);
    std::array<cl_uint, kMostGroups> passed{};
    clEnqueueReadBuffer(queue_, buffers_[1], CL_TRUE, 0, sizeof passed, passed.data(), 0, nullptr, nullptr);
    for (size_t group = 0; group < columns * rows; ++group)
      ASSERT_EQ(passed[group], static_cast<cl_uint>(launches * group)) << name << ", work-group " << group;
  }

  cl_command_queue tested_queue_ = nullptr;
  cl_program program_ = nullptr;
  std::array<cl_mem, 2> buffers_{};
};

/// All numbers of work-groups, or only the numbers around multiples of the number of parts. There are at most as many parts as
/// workers.
std::vector<size_t> tested_groups() {
  if (!std::getenv("UPSWEEP_TEST_ALL_GROUPS")) return {2, 3, 4, 5, 7, 8, 15, 16, 17, 31, 33, 64};
  std::vector<size_t> all(63);
  std::iota(all.begin(), all.end(), 2);
  return all;
}

TEST_P(WaitingGroups, GivenAChain_WhenLaunchedAgainAndAgain_ThenEachLaunchEnds) {
  for (const size_t groups : tested_groups()) ASSERT_NO_FATAL_FAILURE(run("chain", groups, 1, 100));
}

// The driver first takes its launches for short, then for long.
TEST_P(WaitingGroups, GivenAChainOfMuchAndOfLittleWork_WhenLaunchedAgainAndAgain_ThenEachLaunchEnds) {
  for (const size_t groups : {2, 16, 64})
    for (const cl_uint work : {0, 2000, 10}) ASSERT_NO_FATAL_FAILURE(run("chain", groups, 1, work));
}

TEST_P(WaitingGroups, GivenAChainThroughRows_WhenLaunchedAgainAndAgain_ThenEachLaunchEnds) {
  for (const auto &[columns, rows] : {std::pair<size_t, size_t>{1, 64}, {2, 2}, {3, 7}, {8, 8}, {31, 2}})
    ASSERT_NO_FATAL_FAILURE(run("chain_of_rows", columns, rows, 50));
}

TEST_P(WaitingGroups, GivenLookBack_WhenLaunchedAgainAndAgain_ThenEachLaunchEnds) {
  for (const size_t groups : tested_groups()) ASSERT_NO_FATAL_FAILURE(run("look_back", groups, 1, 100));
}

TEST_P(WaitingGroups, GivenAChainThatAKernelEnqueues_WhenLaunchedAgainAndAgain_ThenEachLaunchEnds) {
  const cl_queue_properties on_device[] = {
      CL_QUEUE_PROPERTIES, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE | CL_QUEUE_ON_DEVICE | CL_QUEUE_ON_DEVICE_DEFAULT, 0};
  cl_command_queue queue = clCreateCommandQueueWithProperties(context_, device_, on_device, nullptr);
  ASSERT_NE(queue, nullptr) << "the device has queues for kernels";
  for (const size_t groups : tested_groups()) ASSERT_NO_FATAL_FAILURE(run("enqueues", groups, 1, 100));
  clReleaseCommandQueue(queue);
}

// Several concurrent launches, each with few threads.
TEST_P(WaitingGroups, GivenQueuesOfSeveralThreads_WhenEachLaunchesChains_ThenEachLaunchEnds) {
  constexpr size_t kThreads = 4, kGroupsOfEach = 16;
  const auto work = [&](std::vector<cl_uint> &passed) {
    cl_mem buffers[2];
    const std::vector<cl_uint> zeros(kGroupsOfEach);
    const size_t bytes = kGroupsOfEach * sizeof(cl_uint);
    for (cl_mem &buffer : buffers)
      buffer = clCreateBuffer(context_, CL_MEM_COPY_HOST_PTR, bytes, const_cast<cl_uint *>(zeros.data()), nullptr);
    const cl_uint steps = 100;
    cl_kernel kernel = clCreateKernel(program_, "chain", nullptr);
    for (cl_uint i = 0; i < 2; ++i) clSetKernelArg(kernel, i, sizeof(cl_mem), &buffers[i]);
    clSetKernelArg(kernel, 3, sizeof steps, &steps);
    cl_command_queue queue = clCreateCommandQueueWithProperties(context_, device_, nullptr, nullptr);
    const size_t global = kGroupsOfEach * kItems, local = kItems;
    for (size_t i = 0; i < launches_of_each_kind(); ++i) {
      const auto number = static_cast<cl_uint>(i % kLaunches + 1);
      clSetKernelArg(kernel, 2, sizeof number, &number);
      clEnqueueNDRangeKernel(queue, kernel, 1, nullptr, &global, &local, 0, nullptr, nullptr);
      std::get<1>(GetParam()) == Host::kPolls || std::get<1>(GetParam()) == Host::kIsAway ? clFlush(queue) : clFinish(queue);
    }
    clEnqueueReadBuffer(queue, buffers[1], CL_TRUE, 0, bytes, passed.data(), 0, nullptr, nullptr);
    clReleaseCommandQueue(queue);
    clReleaseKernel(kernel);
    for (cl_mem buffer : buffers) clReleaseMemObject(buffer);
  };
  std::vector<std::vector<cl_uint>> passed(kThreads, std::vector<cl_uint>(kGroupsOfEach));
  {
    std::vector<std::jthread> threads;
    for (auto &own : passed) threads.emplace_back([&] { work(own); });
  }
  for (const auto &own : passed)
    for (size_t group = 0; group < kGroupsOfEach; ++group)
      ASSERT_EQ(own[group], static_cast<cl_uint>(launches_of_each_kind() * group));
}

std::string name_of(const testing::TestParamInfo<Kind> &info) {
  const auto [order, host] = info.param;
  return std::string(order ? "OutOfOrder" : "InOrder") + (host == Host::kWaits           ? "HostWaits"
                                                          : host == Host::kWaitsForEvent ? "HostWaitsForEvent"
                                                          : host == Host::kPolls         ? "HostPolls"
                                                                                         : "HostIsAway");
}

INSTANTIATE_TEST_SUITE_P(Queues, WaitingGroups,
                         testing::Combine(testing::Values(0, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE),
                                          testing::Values(Host::kWaits, Host::kWaitsForEvent, Host::kPolls, Host::kIsAway)),
                         name_of);

}  // namespace
}  // namespace upsweep::tests
