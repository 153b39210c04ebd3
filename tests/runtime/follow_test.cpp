// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Commands that follow each other in a device's hardware queues, without the host between them.
#include "separate_fixture.h"
#include <array>
#include <deque>
#include <future>
#include <random>
#include <thread>

namespace upsweep::tests {
namespace {

class Follow : public SeparateFixture {
protected:
  cl_event user_event() {
    cl_int error = -1;
    cl_event event = clCreateUserEvent(context_, &error);
    EXPECT_EQ(error, CL_SUCCESS);
    return event;
  }

  static cl_ulong time_of(cl_event event, cl_profiling_info name) {
    cl_ulong time = 0;
    EXPECT_EQ(clGetEventProfilingInfo(event, name, sizeof time, &time, nullptr), CL_SUCCESS);
    return time;
  }

  /// Enqueues `count` times data[i] += 1 with one kernel object.
  void add_ones(cl_command_queue queue, cl_mem data, int count) {
    const int one = 1;
    cl_kernel kernel = make_kernel("add");
    clSetKernelArg(kernel, 0, sizeof data, &data);
    clSetKernelArg(kernel, 1, sizeof one, &one);
    for (int i = 0; i < count; ++i) ASSERT_EQ(launch(queue, kernel, data, {}, nullptr), CL_SUCCESS);
  }
};

constexpr size_t kInts = 64;

TEST_F(Follow, GivenAnInOrderQueue_WhenTheDeviceStandsStill_ThenAllCommandsAreSubmittedInAChain) {
  cl_mem buffer = make_ints(std::vector<int>(kInts, 0));
  devices().first->is_halted = true;
  add_ones(queues_[kFirst], buffer, 10000);
  EXPECT_EQ(devices().first->followers, 9999u);
  devices().first->is_halted = false;
  EXPECT_EQ(read(queues_[kFirst], buffer), std::vector<int>(kInts, 10000));
}

TEST_F(Follow, GivenAChainBehindAUserEvent_WhenTheEventIsSet_ThenItRunsWithoutDeepRecursion) {
  cl_mem buffer = make_ints(std::vector<int>(kInts, 0));
  cl_event gate = user_event();
  EXPECT_EQ(clEnqueueBarrierWithWaitList(queues_[kFirst], 1, &gate, nullptr), CL_SUCCESS);
  add_ones(queues_[kFirst], buffer, 10000);
  EXPECT_EQ(devices().first->followers, 0u);
  devices().first->is_halted = true;
  EXPECT_EQ(clSetUserEventStatus(gate, CL_COMPLETE), CL_SUCCESS);
  devices().first->is_halted = false;
  EXPECT_EQ(read(queues_[kFirst], buffer), std::vector<int>(kInts, 10000));
  EXPECT_GT(devices().first->followers, 0u);
  clReleaseEvent(gate);
}

TEST_F(Follow, GivenMarkersAndBarriersInAChain_WhenTheDeviceStandsStill_ThenTheyDoNotBreakIt) {
  open({kFirst}, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
  cl_mem buffer = make_ints(std::vector<int>(kInts, 0));
  devices().first->is_halted = true;
  for (int i = 0; i < 20; ++i) {
    add_ones(queues_[kFirst], buffer, 1);
    EXPECT_EQ(clEnqueueBarrierWithWaitList(queues_[kFirst], 0, nullptr, nullptr), CL_SUCCESS);
  }
  cl_event marker = nullptr;
  EXPECT_EQ(clEnqueueMarkerWithWaitList(queues_[kFirst], 0, nullptr, &marker), CL_SUCCESS);
  EXPECT_EQ(devices().first->followers, 40u);
  EXPECT_EQ(status_of(marker), CL_SUBMITTED);
  devices().first->is_halted = false;
  EXPECT_EQ(clWaitForEvents(1, &marker), CL_SUCCESS);
  EXPECT_EQ(read(queues_[kFirst], buffer), std::vector<int>(kInts, 20));
  clReleaseEvent(marker);
}

TEST_F(Follow, GivenACommandThatFails_WhenOthersFollowIt_ThenThoseThatNameItFailToo) {
  open({kFirst});
  cl_mem buffer = make_ints(std::vector<int>(kInts, 0));
  std::array<cl_event, 4> events{};
  devices().first->is_halted = true;
  devices().first->fails_launches = true;
  EXPECT_EQ(add(queues_[kFirst], buffer, 1, {}, &events[0]), CL_SUCCESS);
  const int seven = 7, eight = 8;
  EXPECT_EQ(clEnqueueFillBuffer(queues_[kFirst], buffer, &seven, sizeof seven, 0, 16, 1, &events[0], &events[1]), CL_SUCCESS);
  EXPECT_EQ(clEnqueueMarkerWithWaitList(queues_[kFirst], 1, &events[1], &events[2]), CL_SUCCESS);
  // Only the queue's order ties this command to the earlier ones.
  EXPECT_EQ(clEnqueueFillBuffer(queues_[kFirst], buffer, &eight, sizeof eight, 16, 16, 0, nullptr, &events[3]), CL_SUCCESS);
  EXPECT_EQ(devices().first->followers, 3u);
  devices().first->is_halted = false;
  EXPECT_EQ(clFinish(queues_[kFirst]), CL_SUCCESS);
  devices().first->fails_launches = false;
  EXPECT_EQ(status_of(events[0]), CL_OUT_OF_RESOURCES);
  EXPECT_EQ(status_of(events[1]), CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
  EXPECT_EQ(status_of(events[2]), CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
  EXPECT_EQ(status_of(events[3]), CL_COMPLETE);
  std::vector<int> expected(kInts, 0);
  std::fill_n(expected.begin() + 4, 4, 8);
  EXPECT_EQ(read(queues_[kFirst], buffer), expected);
  for (cl_event event : events) clReleaseEvent(event);
}

TEST_F(Follow, GivenAFillThatFollowsAFailure_WhenItWritesNothing_ThenTheHostsBytesAreNotLost) {
  cl_mem buffer = make_ints(std::vector<int>(kInts, 0));
  cl_mem other = make_ints(counting(kInts));
  cl_event failed = nullptr;
  devices().first->is_halted = true;
  devices().first->fails_launches = true;
  EXPECT_EQ(add(queues_[kFirst], buffer, 1, {}, &failed), CL_SUCCESS);
  const int seven = 7;
  EXPECT_EQ(clEnqueueFillBuffer(queues_[kFirst], other, &seven, sizeof seven, 0, 16, 1, &failed, nullptr), CL_SUCCESS);
  devices().first->is_halted = false;
  EXPECT_EQ(clFinish(queues_[kFirst]), CL_SUCCESS);
  devices().first->fails_launches = false;
  EXPECT_EQ(read(queues_[kFirst], other), counting(kInts));
  clReleaseEvent(failed);
}

TEST_F(Follow, GivenAFailedEventAndARunningCommand_WhenACommandDependsOnBoth_ThenItEndsAfterTheRunningOne) {
  cl_mem buffer = make_ints(std::vector<int>(kInts, 0));
  cl_event gate = user_event();
  EXPECT_EQ(clSetUserEventStatus(gate, -1), CL_SUCCESS);
  devices().first->is_halted = true;
  EXPECT_EQ(add(queues_[kFirst], buffer, 1), CL_SUCCESS);
  cl_event failed = nullptr;
  EXPECT_EQ(add(queues_[kFirst], buffer, 1, {gate}, &failed), CL_SUCCESS);
  EXPECT_EQ(status_of(failed), CL_SUBMITTED);
  devices().first->is_halted = false;
  EXPECT_EQ(clFinish(queues_[kFirst]), CL_SUCCESS);
  EXPECT_EQ(status_of(failed), CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
  EXPECT_EQ(read(queues_[kFirst], buffer), std::vector<int>(kInts, 1));
  clReleaseEvent(failed);
  clReleaseEvent(gate);
}

TEST_F(Follow, GivenCommandsOfTwoDevices_WhenOneWaitsForTheOther_ThenTheyRunInThatOrder) {
  cl_mem buffer = make_ints(std::vector<int>(kInts, 0));
  std::vector<cl_event> events;
  for (int i = 0; i < 60; ++i) {
    const std::vector<cl_event> waits(events.begin() + std::max(0, i - 1), events.end());
    events.emplace_back();
    ASSERT_EQ(add(queues_[static_cast<size_t>(i) % 3], buffer, 1, waits, &events.back()), CL_SUCCESS);
  }
  EXPECT_EQ(clWaitForEvents(1, &events.back()), CL_SUCCESS);
  EXPECT_EQ(devices().first->followers, 0u) << "no device orders commands after another's";
  EXPECT_EQ(read(queues_[kCpu], buffer), std::vector<int>(kInts, 60));
  for (cl_event event : events) clReleaseEvent(event);
}

TEST_F(Follow, GivenAProfilingQueue_WhenTheDeviceTellsTheTimes_ThenTheyAscend) {
  open({kFirst}, CL_QUEUE_PROFILING_ENABLE);
  cl_mem buffer = make_ints(std::vector<int>(kInts, 0));
  std::array<cl_event, 2> events{};
  devices().first->is_halted = true;
  for (cl_event &event : events) EXPECT_EQ(add(queues_[kFirst], buffer, 1, {}, &event), CL_SUCCESS);
  std::promise<cl_int> told;
  auto callback = [](cl_event, cl_int status, void *promise) {
    static_cast<std::promise<cl_int> *>(promise)->set_value(status);
  };
  EXPECT_EQ(clSetEventCallback(events[1], CL_RUNNING, callback, &told), CL_SUCCESS);
  devices().first->is_halted = false;
  EXPECT_EQ(told.get_future().get(), CL_RUNNING);
  EXPECT_EQ(clWaitForEvents(2, events.data()), CL_SUCCESS);
  for (cl_event event : events) {
    EXPECT_LE(time_of(event, CL_PROFILING_COMMAND_QUEUED), time_of(event, CL_PROFILING_COMMAND_SUBMIT));
    EXPECT_LE(time_of(event, CL_PROFILING_COMMAND_SUBMIT), time_of(event, CL_PROFILING_COMMAND_START));
    EXPECT_LE(time_of(event, CL_PROFILING_COMMAND_START), time_of(event, CL_PROFILING_COMMAND_END));
  }
  EXPECT_LE(time_of(events[0], CL_PROFILING_COMMAND_END), time_of(events[1], CL_PROFILING_COMMAND_START));
  for (cl_event event : events) clReleaseEvent(event);
}

/// Random commands of a thread on its own buffer. Each waits for the previous one; the model holds their results.
class Walker {
public:
  Walker(cl_context context, std::span<const cl_command_queue> queues, cl_kernel add, unsigned seed)
      : queues_(queues), add_(add), random_(seed), model_(kCount) {
    for (size_t i = 0; i < kCount; ++i) model_[i] = static_cast<int>(i);
    buffer_ = clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, kCount * sizeof(int), model_.data(), nullptr);
  }
  ~Walker() {
    clReleaseEvent(last_);
    clReleaseMemObject(buffer_);
    clReleaseKernel(add_);
  }

  /// False if the buffer has wrong contents.
  bool step() {
    switch (random_() % 6) {
    case 0: return read();
    case 1: write(); return true;
    case 2: fill(); return true;
    case 3: copy(); return true;
    case 4: return map();
    default: add(); return true;
    }
  }

  bool read() {
    const auto [first, count] = part();
    std::vector<int> values(count);
    clEnqueueReadBuffer(queue(), buffer_, CL_TRUE, first * 4, count * 4, values.data(), waits(), last(), nullptr);
    return std::equal(values.begin(), values.end(), at(first));
  }

private:
  static constexpr size_t kCount = 512;
  struct Part {
    size_t first, count;
  };

  Part part() {
    const size_t first = random_() % kCount;
    return {first, 1 + random_() % (kCount - first)};
  }
  std::vector<int>::iterator at(size_t i) { return model_.begin() + static_cast<ptrdiff_t>(i); }
  cl_command_queue queue() { return queues_[random_() % queues_.size()]; }
  cl_uint waits() const { return last_ ? 1 : 0; }
  const cl_event *last() const { return last_ ? &last_ : nullptr; }
  void follow_up(cl_event next) {
    if (last_) clReleaseEvent(last_);
    last_ = next;
  }

  void write() {
    const auto [first, count] = part();
    // The command reads them until it ends.
    std::vector<int> &values = sources_.emplace_back(count);
    for (int &value : values) value = static_cast<int>(random_());
    cl_event next = nullptr;
    clEnqueueWriteBuffer(queue(), buffer_, CL_FALSE, first * 4, count * 4, values.data(), waits(), last(), &next);
    follow_up(next);
    std::ranges::copy(values, at(first));
  }

  void fill() {
    const auto [first, count] = part();
    const int value = static_cast<int>(random_());
    cl_event next = nullptr;
    clEnqueueFillBuffer(queue(), buffer_, &value, 4, first * 4, count * 4, waits(), last(), &next);
    follow_up(next);
    std::fill_n(at(first), count, value);
  }

  void copy() {
    const size_t count = 1 + random_() % (kCount / 2);
    const size_t from = random_() % (kCount / 2 - count + 1), to = kCount / 2 + random_() % (kCount / 2 - count + 1);
    cl_event next = nullptr;
    clEnqueueCopyBuffer(queue(), buffer_, buffer_, from * 4, to * 4, count * 4, waits(), last(), &next);
    follow_up(next);
    std::copy_n(at(from), count, at(to));
  }

  bool map() {
    const auto [first, count] = part();
    cl_event mapped = nullptr, next = nullptr;
    auto *values = static_cast<int *>(clEnqueueMapBuffer(queue(), buffer_, CL_FALSE, CL_MAP_READ | CL_MAP_WRITE, first * 4,
                                                         count * 4, waits(), last(), &mapped, nullptr));
    clWaitForEvents(1, &mapped);
    const bool is_right = std::equal(values, values + count, at(first));
    for (size_t i = 0; i < count; ++i) *at(first + i) = values[i] = static_cast<int>(random_());
    clEnqueueUnmapMemObject(queue(), buffer_, values, 1, &mapped, &next);
    clReleaseEvent(mapped);
    follow_up(next);
    return is_right;
  }

  void add() {
    const int value = static_cast<int>(random_() % 1000);
    const size_t items = kCount;
    clSetKernelArg(add_, 0, sizeof buffer_, &buffer_);
    clSetKernelArg(add_, 1, sizeof value, &value);
    cl_event next = nullptr;
    clEnqueueNDRangeKernel(queue(), add_, 1, nullptr, &items, nullptr, waits(), last(), &next);
    follow_up(next);
    for (int &each : model_) each = static_cast<int>(static_cast<unsigned>(each) + static_cast<unsigned>(value));
  }

  std::span<const cl_command_queue> queues_;
  cl_kernel add_;
  std::mt19937 random_;
  std::vector<int> model_;
  std::deque<std::vector<int>> sources_;
  cl_mem buffer_ = nullptr;
  cl_event last_ = nullptr;
};

TEST_F(Follow, GivenEightThreadsOnFourQueues_WhenTheyTransferAtRandom_ThenEachFindsItsBytes) {
  open({kCpu, kFirst, kSecond}, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
  cl_command_queue in_order = make_queue(kFirst, 0);
  const std::vector<cl_command_queue> four{queues_[kCpu], queues_[kFirst], queues_[kSecond], in_order};
  std::vector<std::future<int>> threads;
  for (unsigned seed = 0; seed < 8; ++seed)
    threads.push_back(std::async(std::launch::async, [&, seed] {
      Walker walker(context_, four, clCreateKernel(program_.get(), "add", nullptr), seed);
      int wrong = 0;
      for (int i = 0; i < 2000; ++i) wrong += !walker.step();
      return wrong + !walker.read();
    }));
  for (std::future<int> &thread : threads) EXPECT_EQ(thread.get(), 0);
  EXPECT_GT(devices().first->followers, 0u);
  clReleaseCommandQueue(in_order);
}

}  // namespace
}  // namespace upsweep::tests
