// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Queues and events of GPU devices.
#include "compiler/client/binary.h"
#include "gpu_fixture.h"
#include "targets/cuda/kernel_abi.h"
#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cstring>
#include <functional>
#include <random>
#include <thread>

namespace upsweep::tests {
namespace {

using GpuQueues = GpuFixture;

TEST_F(GpuQueues, GivenGpusAndTheCpu_WhenAskedWhichTheyAre_ThenEachIsAnotherAndTheCpuIsNoCard) {
  std::vector<cl_device_id> devices = gpus_;
  devices.push_back(cpu_);
  std::vector<std::array<cl_uchar, CL_UUID_SIZE_KHR>> uuids(devices.size());
  for (size_t i = 0; i < devices.size(); ++i) {
    EXPECT_EQ(clGetDeviceInfo(devices[i], CL_DEVICE_UUID_KHR, sizeof uuids[i], uuids[i].data(), nullptr), CL_SUCCESS);
    for (size_t before = 0; before < i; ++before) EXPECT_NE(uuids[i], uuids[before]);
  }
  for (size_t i = 0; i < gpus_.size(); ++i) {
    cl_device_pci_bus_info_khr place{};
    EXPECT_EQ(clGetDeviceInfo(gpus_[i], CL_DEVICE_PCI_BUS_INFO_KHR, sizeof place, &place, nullptr), CL_SUCCESS);
  }
  EXPECT_EQ(clGetDeviceInfo(cpu_, CL_DEVICE_PCI_BUS_INFO_KHR, 0, nullptr, nullptr), CL_INVALID_VALUE);
}

TEST_F(GpuQueues, GivenAGpuThatStandsStill_WhenCommandsAreEnqueued_ThenItIsGivenAllOfThemAtOnce) {
  if (!fake()) GTEST_SKIP() << "the driver in software alone can be stopped";
  cl_mem buffer = make_ints(std::vector<int>(64, 0));
  ASSERT_EQ(add(queue_, buffer, 1, 64), CL_SUCCESS);
  ASSERT_EQ(clFinish(queue_), CL_SUCCESS);
  const size_t before = fake()->launches;
  fake()->is_halted = true;
  for (int i = 0; i < 1000; ++i) ASSERT_EQ(add(queue_, buffer, 1, 64), CL_SUCCESS);
  std::vector<int> small(64, -1);
  cl_event event = nullptr;
  ASSERT_EQ(clEnqueueReadBuffer(queue_, buffer, CL_FALSE, 0, 256, small.data(), 0, nullptr, &event), CL_SUCCESS);
  for (int i = 0; i < 1000; ++i) ASSERT_EQ(add(queue_, buffer, 1, 64), CL_SUCCESS);
  EXPECT_EQ(fake()->launches - before, 2000u);
  EXPECT_GT(status_of(event), CL_COMPLETE);
  fake()->is_halted = false;
  EXPECT_EQ(clFinish(queue_), CL_SUCCESS);
  EXPECT_EQ(status_of(event), CL_COMPLETE);
  EXPECT_EQ(small, std::vector<int>(64, 1001));
  EXPECT_EQ(read(queue_, buffer, 64), std::vector<int>(64, 2001));
  clReleaseEvent(event);
}

TEST_F(GpuQueues, GivenEventsOfSomeCommandsInARow_WhenTheQueueIsReleased_ThenTheyStillTell) {
  constexpr int kCommands = 300;  // more than are finished together
  for (cl_command_queue_properties properties : {0, CL_QUEUE_PROFILING_ENABLE, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE}) {
    cl_mem buffer = make_ints(std::vector<int>(kCommands, 0));
    cl_command_queue queue = make_queue(gpus_[0], properties);
    std::vector<cl_event> events;
    for (int i = 0; i < kCommands; ++i) {
      cl_event event = nullptr;
      // Each command of an out-of-order queue has a buffer of its own.
      ASSERT_EQ(add(queue, i % 3 || properties ? make_ints({0}) : buffer, 1, 1, {}, i % 7 ? nullptr : &event), CL_SUCCESS);
      if (event) events.push_back(event);
    }
    queues_.pop_back();
    ASSERT_EQ(clReleaseCommandQueue(queue), CL_SUCCESS);
    for (cl_event event : events) {
      cl_command_queue its_queue = nullptr;
      EXPECT_EQ(clGetEventInfo(event, CL_EVENT_COMMAND_QUEUE, sizeof its_queue, &its_queue, nullptr), CL_SUCCESS);
      EXPECT_EQ(its_queue, queue);
    }
    ASSERT_EQ(clWaitForEvents(static_cast<cl_uint>(events.size()), events.data()), CL_SUCCESS);
    for (cl_event event : events) {
      EXPECT_EQ(status_of(event), CL_COMPLETE);
      cl_ulong end = 0;
      EXPECT_EQ(clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_END, sizeof end, &end, nullptr),
                properties == CL_QUEUE_PROFILING_ENABLE ? CL_SUCCESS : CL_PROFILING_INFO_NOT_AVAILABLE);
      EXPECT_EQ(clReleaseEvent(event), CL_SUCCESS);
    }
  }
}

void CL_CALLBACK count_call(cl_event, cl_int status, void *count) {
  if (status == CL_COMPLETE) ++*static_cast<std::atomic<int> *>(count);
}

/// Some commands have events, some of these have callbacks, and some are waited for, on the same queue and on another.
TEST_F(GpuQueues, GivenThreadsThatShareQueues_WhenEventsCallbacksAndWaitsMix_ThenNoneIsMissed) {
  constexpr int kThreads = 4, kCommands = 500;
  cl_command_queue queues[] = {queue_, make_queue(gpus_[0], CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE)};
  std::vector<cl_mem> buffers;
  for (int t = 0; t < kThreads; ++t) buffers.push_back(make_ints({0}));
  std::atomic<int> calls{0}, expected_calls{0}, refused{0};
  std::vector<std::thread> threads;
  for (int t = 0; t < kThreads; ++t)
    threads.emplace_back([&, t] {
      std::mt19937 random(static_cast<unsigned>(t));
      std::vector<cl_event> last;  // of the buffer's last command, which may have none in the in-order queue
      bool is_in_order = true;
      for (int i = 0; i < kCommands; ++i) {
        const bool next_in_order = random() % 4 != 0;
        const bool needs_event = !is_in_order || random() % 2;
        // A command may leave the in-order queue only if the previous command has an event.
        const bool goes_in_order = last.empty() && i > 0 ? true : next_in_order;
        cl_event event = nullptr;
        const bool has_event = !goes_in_order || needs_event;
        refused += add(queues[goes_in_order ? 0 : 1], buffers[static_cast<size_t>(t)], 1, 1, last,
                       has_event ? &event : nullptr) != CL_SUCCESS;
        for (cl_event old : last) clReleaseEvent(old);
        last.clear();
        is_in_order = goes_in_order;
        if (!event) continue;
        last.push_back(event);
        if (random() % 2) {
          ++expected_calls;
          refused += clSetEventCallback(event, CL_COMPLETE, count_call, &calls) != CL_SUCCESS;
        }
        if (random() % 32 == 0) refused += clWaitForEvents(1, &event) != CL_SUCCESS;
      }
      for (cl_event old : last) {
        refused += clWaitForEvents(1, &old) != CL_SUCCESS;
        clReleaseEvent(old);
      }
    });
  for (std::thread &thread : threads) thread.join();
  for (cl_command_queue queue : queues) EXPECT_EQ(clFinish(queue), CL_SUCCESS);
  for (cl_mem buffer : buffers) EXPECT_EQ(read(queue_, buffer, 1), std::vector<int>{kCommands});
  for (int ms = 0; ms < 20000 && calls < expected_calls; ++ms) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  EXPECT_EQ(calls, expected_calls);
  EXPECT_EQ(refused, 0);
}

TEST_F(GpuQueues, GivenTwoThreadsThatFindAStreamIdle_WhenTheFirstsCommandIsOver_ThenTheSecondsDoesNotCountAsDone) {
  if (!fake()) GTEST_SKIP() << "the driver in software alone can be stopped between two of its calls";
  static struct Second {
    std::function<void()> enqueue;
  } second;
  cl_mem first_data = make_ints({0}), second_data = make_ints({0});
  cl_command_queue queue = make_queue(gpus_[0], CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
  // Moves the buffers to the GPU.
  for (cl_mem data : {first_data, second_data}) ASSERT_EQ(add(queue, data, 1, 1), CL_SUCCESS);
  ASSERT_EQ(clFinish(queue), CL_SUCCESS);
  cl_event first_event = nullptr, second_event = nullptr;
  // The second thread arrives after the first thread's command has run on the GPU.
  second.enqueue = [&] {
    fake()->is_halted = true;
    std::thread([&] { EXPECT_EQ(add(queue, second_data, 1, 1, {}, &second_event), CL_SUCCESS); }).join();
  };
  fake()->after_record = [] { second.enqueue(); };
  ASSERT_EQ(add(queue, first_data, 1, 1, {}, &first_event), CL_SUCCESS);
  ASSERT_NE(second_event, nullptr) << "the first thread has recorded no event";
  EXPECT_EQ(clWaitForEvents(1, &first_event), CL_SUCCESS);
  EXPECT_GT(status_of(second_event), CL_COMPLETE) << "a command of which the GPU has done nothing";
  fake()->is_halted = false;
  EXPECT_EQ(clFinish(queue), CL_SUCCESS);
  EXPECT_EQ(status_of(second_event), CL_COMPLETE);
  EXPECT_EQ(read(queue, first_data, 1), std::vector<int>{2});
  EXPECT_EQ(read(queue, second_data, 1), std::vector<int>{2});
  for (cl_event event : {first_event, second_event}) clReleaseEvent(event);
}

/// Each command waits for the previous command on its buffer, which is usually in another stream.
TEST_F(GpuQueues, GivenThreadsOnOneOutOfOrderQueue_WhenTheirCommandsShareStreams_ThenNoneIsDoneBeforeItRan) {
  constexpr int kThreads = 6, kCommands = 300;
  cl_command_queue queue = make_queue(gpus_[0], CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
  cl_command_queue reader = make_queue(gpus_[0], 0);
  std::vector<cl_mem> buffers;
  for (int t = 0; t < kThreads; ++t) buffers.push_back(make_ints({0}));
  std::atomic<int> wrong{0};
  std::vector<std::thread> threads;
  for (int t = 0; t < kThreads; ++t)
    threads.emplace_back([&, t] {
      cl_event last = nullptr;
      for (int i = 1; i <= kCommands; ++i) {
        cl_event event = nullptr;
        wrong += add(queue, buffers[static_cast<size_t>(t)], 1, 1, last ? std::vector{last} : std::vector<cl_event>{},
                     &event) != CL_SUCCESS;
        if (last) clReleaseEvent(last);
        last = event;
        if (i % 8) continue;
        wrong += clWaitForEvents(1, &last) != CL_SUCCESS;
        wrong += read(reader, buffers[static_cast<size_t>(t)], 1)[0] != i;
      }
      clReleaseEvent(last);
    });
  for (std::thread &thread : threads) thread.join();
  EXPECT_EQ(wrong, 0);
}

TEST_F(GpuQueues, GivenABinaryOfAnotherContract_WhenBuilt_ThenItIsCompiledAgain) {
  std::vector<size_t> lengths(gpus_.size() + 1);
  ASSERT_EQ(clGetProgramInfo(program_, CL_PROGRAM_BINARY_SIZES, lengths.size() * sizeof(size_t), lengths.data(), nullptr),
            CL_SUCCESS);
  std::vector<std::vector<uint8_t>> binaries;
  std::vector<uint8_t *> pointers;
  for (size_t length : lengths) pointers.push_back(binaries.emplace_back(length).data());
  ASSERT_EQ(clGetProgramInfo(program_, CL_PROGRAM_BINARIES, pointers.size() * sizeof(uint8_t *), pointers.data(), nullptr),
            CL_SUCCESS);
  auto view = compiler::open_binary(binaries[0]);
  ASSERT_TRUE(view);
  for (uint32_t abi : {UPSWEEP_CUDA_ABI - 1, UPSWEEP_CUDA_ABI + 1, 0U}) {
    Bytes image(view->shared_object.begin(), view->shared_object.end());
    std::memcpy(image.data(), &abi, sizeof abi);  // the first bytes of an image
    compiler::BinaryView parts = *view;
    parts.shared_object = image;
    const Bytes old = compiler::make_binary(parts);
    const size_t length = old.size();
    const unsigned char *bytes = old.data();
    cl_int status = -1, error = -1;
    cl_program program = clCreateProgramWithBinary(context_, 1, gpus_.data(), &length, &bytes, &status, &error);
    ASSERT_EQ(error, CL_SUCCESS);
    EXPECT_EQ(clBuildProgram(program, 0, nullptr, "", nullptr, nullptr), CL_SUCCESS) << "contract " << abi;
    cl_mem data = make_ints({0});
    const int one = 1;
    cl_kernel kernel = clCreateKernel(program, "add", &error);
    ASSERT_EQ(error, CL_SUCCESS);
    clSetKernelArg(kernel, 0, sizeof data, &data);
    clSetKernelArg(kernel, 1, sizeof one, &one);
    EXPECT_EQ(launch(queue_, kernel, 1, {}, nullptr), CL_SUCCESS);
    EXPECT_EQ(read(queue_, data, 1), std::vector<int>{1});
    EXPECT_EQ(clReleaseProgram(program), CL_SUCCESS);
  }
}

TEST_F(GpuQueues, GivenAProfilingQueue_WhenCommandsRun_ThenTheirTimesAreInOrder) {
  cl_command_queue queue = make_queue(gpus_[0], CL_QUEUE_PROFILING_ENABLE);
  cl_mem buffer = make_ints(std::vector<int>(100000, 0));
  cl_ulong last_end = 0;
  for (int i = 0; i < 20; ++i) {
    cl_event event = nullptr;
    ASSERT_EQ(add(queue, buffer, 1, 100000, {}, &event), CL_SUCCESS);
    ASSERT_EQ(clWaitForEvents(1, &event), CL_SUCCESS);
    std::array<cl_ulong, 4> times{};
    for (cl_uint k = 0; k < 4; ++k)
      ASSERT_EQ(clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_QUEUED + k, 8, &times[k], nullptr), CL_SUCCESS);
    EXPECT_TRUE(std::ranges::is_sorted(times));
    EXPECT_GT(times[3], last_end);
    cl_ulong now = 0;
    ASSERT_EQ(clGetHostTimer(gpus_[0], &now), CL_SUCCESS);
    EXPECT_LE(times[3], now);
    last_end = times[3];
    clReleaseEvent(event);
  }
}

/// A busy host measures a difference of the clocks that is wrong by milliseconds, and another one half a second later.
TEST_F(GpuQueues, GivenAClockThatMoves_WhenCommandsFollowOneAnother_ThenNoneStartsBeforeTheLastOneEnds) {
  if (!fake()) GTEST_SKIP() << "the driver in software alone has such a clock";
  constexpr int64_t kSecond = 1'000'000'000;
  cl_mem buffer = make_ints({0});
  for (bool waits : {false, true})
    for (cl_command_queue_properties kind : {0, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE}) {
      cl_command_queue queue = make_queue(gpus_[0], kind | CL_QUEUE_PROFILING_ENABLE);
      std::vector<cl_event> events;
      for (int64_t error : {int64_t{0}, -kSecond, kSecond, -2 * kSecond, kSecond, int64_t{0}})
        for (int i = 0; i < 3; ++i) {
          fake()->clock_error_ns = error;
          const std::vector<cl_event> last(events.end() - (events.empty() ? 0 : 1), events.end());
          ASSERT_EQ(add(queue, buffer, 1, 1, last, &events.emplace_back()), CL_SUCCESS);
          if (waits) ASSERT_EQ(clWaitForEvents(1, &events.back()), CL_SUCCESS);
        }
      ASSERT_EQ(clFinish(queue), CL_SUCCESS);
      cl_ulong last = 0;
      for (cl_event event : events) {
        for (cl_profiling_info end : {CL_PROFILING_COMMAND_START, CL_PROFILING_COMMAND_END}) {
          cl_ulong time = 0;
          ASSERT_EQ(clGetEventProfilingInfo(event, end, sizeof time, &time, nullptr), CL_SUCCESS);
          EXPECT_GE(time, last);
          last = time;
        }
        clReleaseEvent(event);
      }
    }
  fake()->clock_error_ns = 0;
}

/// Random commands on a few buffers, on queues of all devices; commands on the same buffer wait for each other by events.
TEST_F(GpuQueues, GivenCommandsOnAllDevices_WhenEventsOrderThem_ThenTheResultIsThatOfTheirOrder) {
  constexpr cl_command_queue_properties kOutOfOrder = CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE;
  std::vector<cl_command_queue> queues{queue_, make_queue(gpus_[0], kOutOfOrder), make_queue(cpu_, kOutOfOrder),
                                       make_queue(gpus_.back(), kOutOfOrder), make_queue(gpus_.back(), 0)};
  constexpr size_t kBuffers = 4, kCount = 30000;
  std::mt19937 random(3);
  auto draw = [&](size_t count) { return random() % count; };
  std::vector<std::vector<int>> model(kBuffers, std::vector<int>(kCount, 0));
  std::vector<cl_event> last(kBuffers, nullptr);
  std::vector<cl_mem> buffers;
  for (size_t b = 0; b < kBuffers; ++b) buffers.push_back(make_ints(model[b]));
  std::vector<std::vector<int>> sources;  // the host's memory outlives all commands
  sources.reserve(1000);
  for (int step = 0; step < 800; ++step) {
    const size_t a = draw(kBuffers), b = (a + 1 + draw(kBuffers - 1)) % kBuffers;
    cl_command_queue queue = queues[draw(queues.size())];
    std::vector<cl_event> waits;
    const size_t kind = draw(5);
    const bool uses_both = kind == 1 || kind == 4;
    if (last[a]) waits.push_back(last[a]);
    if (uses_both && last[b]) waits.push_back(last[b]);
    const auto num_waits = static_cast<cl_uint>(waits.size());
    const cl_event *list = waits.empty() ? nullptr : waits.data();
    cl_event event = nullptr;
    const int value = static_cast<int>(draw(1000));
    const size_t begin = draw(kCount), count = 1 + draw(kCount - begin);
    switch (kind) {
    case 0:
      ASSERT_EQ(add(queue, buffers[a], value, kCount, waits, &event), CL_SUCCESS);
      for (int &x : model[a]) x += value;
      break;
    case 1:
      ASSERT_EQ(copy(queue, buffers[b], buffers[a], kCount, waits, &event), CL_SUCCESS);
      model[a] = model[b];
      break;
    case 2:
      sources.emplace_back(count, value);
      ASSERT_EQ(clEnqueueWriteBuffer(queue, buffers[a], CL_FALSE, begin * 4, count * 4, sources.back().data(), num_waits, list,
                                     &event),
                CL_SUCCESS);
      std::fill_n(model[a].begin() + static_cast<ptrdiff_t>(begin), count, value);
      break;
    case 3:
      ASSERT_EQ(clEnqueueFillBuffer(queue, buffers[a], &value, 4, begin * 4, count * 4, num_waits, list, &event), CL_SUCCESS);
      std::fill_n(model[a].begin() + static_cast<ptrdiff_t>(begin), count, value);
      break;
    default:
      ASSERT_EQ(clEnqueueCopyBuffer(queue, buffers[b], buffers[a], begin * 4, begin * 4, count * 4, num_waits, list, &event),
                CL_SUCCESS);
      std::copy_n(model[b].begin() + static_cast<ptrdiff_t>(begin), count, model[a].begin() + static_cast<ptrdiff_t>(begin));
    }
    if (last[a]) clReleaseEvent(last[a]);
    last[a] = event;
    if (!uses_both) continue;
    // The next command on the source buffer may overwrite it.
    clRetainEvent(event);
    if (last[b]) clReleaseEvent(last[b]);
    last[b] = event;
  }
  for (size_t b = 0; b < kBuffers; ++b) {
    ASSERT_EQ(clWaitForEvents(1, &last[b]), CL_SUCCESS);
    EXPECT_EQ(read(queues[b % queues.size()], buffers[b], kCount), model[b]) << "buffer " << b;
    clReleaseEvent(last[b]);
  }
}

TEST_F(GpuQueues, GivenEightThreadsOnFourQueues_WhenTheyEnqueueTenThousandCommands_ThenEveryResultIsRight) {
  constexpr int kThreads = 8, kRounds = 1250 / 2;
  std::vector<cl_command_queue> queues;
  for (int i = 0; i < 4; ++i)
    queues.push_back(make_queue(gpus_[static_cast<size_t>(i) % gpus_.size()], i % 2 ? CL_QUEUE_PROFILING_ENABLE : 0));
  std::vector<cl_mem> buffers;
  constexpr size_t kMost = 50000;
  for (int t = 0; t < kThreads; ++t) buffers.push_back(make_ints(std::vector<int>(kMost, 0)));
  std::atomic<int> wrong{0}, refused{0};
  std::vector<std::thread> threads;
  for (int t = 0; t < kThreads; ++t)
    threads.emplace_back([&, t] {
      std::mt19937 random(static_cast<unsigned>(t));
      std::vector<int> model(kMost, 0);
      cl_command_queue queue = queues[static_cast<size_t>(t) % queues.size()];
      cl_mem buffer = buffers[static_cast<size_t>(t)];
      for (int round = 0; round < kRounds; ++round) {
        const size_t count = 1 + random() % kMost;
        const int value = static_cast<int>(random() % 100);
        refused += add(queue, buffer, value, count) != CL_SUCCESS;
        for (size_t i = 0; i < count; ++i) model[i] += value;
        if (round % 16) {
          refused += add(queue, buffer, 1, 1) != CL_SUCCESS;
          ++model[0];
          continue;
        }
        wrong += read(queue, buffer, kMost, random() % 2) != model;
      }
      wrong += read(queue, buffer, kMost) != model;
    });
  for (std::thread &thread : threads) thread.join();
  EXPECT_EQ(refused, 0);
  EXPECT_EQ(wrong, 0);
}

TEST_F(GpuQueues, GivenAKernelThatFaults_WhenWaitedFor_ThenItsEventTellsAndOtherDevicesWork) {
  cl_mem buffer = make_ints(std::vector<int>(100, 0)), other = make_ints(std::vector<int>(100, 1));
  cl_mem large = make_ints(std::vector<int>(size_t{1} << 22, 0));
  cl_event before = nullptr, fault = nullptr, after = nullptr;
  ASSERT_EQ(add(queue_, large, 1, 1), CL_SUCCESS);
  ASSERT_EQ(add(queue_, buffer, 1, 100, {}, &before), CL_SUCCESS);
  ASSERT_EQ(clWaitForEvents(1, &before), CL_SUCCESS);
  cl_kernel kernel = clCreateKernel(program_, "trap", nullptr);
  clSetKernelArg(kernel, 0, sizeof buffer, &buffer);
  ASSERT_EQ(launch(queue_, kernel, 1, {}, &fault), CL_SUCCESS);
  EXPECT_EQ(clWaitForEvents(1, &fault), CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
  EXPECT_EQ(status_of(fault), CL_OUT_OF_RESOURCES);
  // The process loses the GPU: commands fail, but they end.
  add(queue_, buffer, 1, 100, {}, &after);
  if (after) EXPECT_LT((clWaitForEvents(1, &after), status_of(after)), 0);
  // Also long copies, in pieces or not.
  std::vector<int> ints(size_t{1} << 22);
  for (bool writes : {true, false}) {
    cl_event copied = nullptr;
    writes ? clEnqueueWriteBuffer(queue_, large, CL_FALSE, 0, ints.size() * 4, ints.data(), 0, nullptr, &copied)
           : clEnqueueReadBuffer(queue_, large, CL_FALSE, 0, ints.size() * 4, ints.data(), 0, nullptr, &copied);
    if (copied) EXPECT_LT((clWaitForEvents(1, &copied), status_of(copied)), 0);
    if (copied) clReleaseEvent(copied);
  }
  clFinish(queue_);
  cl_bool available = CL_TRUE;
  EXPECT_EQ(clGetDeviceInfo(gpus_[0], CL_DEVICE_AVAILABLE, sizeof available, &available, nullptr), CL_SUCCESS);
  EXPECT_FALSE(available);
  cl_int error = 0;
  EXPECT_EQ(clCreateContext(nullptr, 1, gpus_.data(), nullptr, nullptr, &error), nullptr);
  EXPECT_EQ(error, CL_DEVICE_NOT_AVAILABLE);
  cl_command_queue cpu = make_queue(cpu_, 0);
  EXPECT_EQ(add(cpu, other, 1, 100), CL_SUCCESS);
  EXPECT_EQ(read(cpu, other, 100), std::vector<int>(100, 2));
  for (cl_event event : {before, fault, after})
    if (event) clReleaseEvent(event);
}

}  // namespace
}  // namespace upsweep::tests
