// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The host's part of device-side enqueue on GPUs, with kernels in software (enqueuing_kernels.h): commands are merged, wait
// for the right commands, and end. tests/kernels tests the code on GPUs.
#include "enqueuing_kernels.h"
#include "gpu_fixture.h"
#include <cstring>
#include <random>

namespace upsweep::tests {
namespace {

/// set_kernels() defines what its kernels do. The first block is plain, the second has a local argument.
constexpr const char *kEnqueuingSource = R"(
kernel void enqueues(global int *data, queue_t queue) {
  enqueue_kernel(queue, CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(1), ^{ data[0] = 1; });
  enqueue_kernel(queue, CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(1), ^(local void *p) { data[0] = *(local int *)p; }, 4u);
}
kernel void enqueue_fault(global int *data, queue_t queue) {
  enqueue_kernel(queue, CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(1), ^{ data[0] = 1; });
}
)";

class GpuEnqueue : public GpuFixture {
protected:
  void SetUp() override {
    if (!fake()) GTEST_SKIP() << "the driver in software alone has such kernels";
    GpuFixture::SetUp();
    fake()->run_enqueuing = run_enqueuing;
    enqueuing_ = clCreateProgramWithSource(context_, 1, const_cast<const char **>(&kEnqueuingSource), nullptr, nullptr);
    ASSERT_EQ(clBuildProgram(enqueuing_, 1, gpus_.data(), "-cl-std=CL3.0", nullptr, nullptr), CL_SUCCESS);
  }
  void TearDown() override {
    if (!fake()) return;
    for (cl_command_queue queue : device_queues_) clReleaseCommandQueue(queue);
    clReleaseProgram(enqueuing_);
    GpuFixture::TearDown();
  }
  /// A tree's memory is kept for the next tree.
  bool all_is_given_back() const override { return fake()->allocations % 5 == 0; }

  cl_command_queue device_queue(cl_uint bytes = 16 << 20) {
    const cl_queue_properties properties[] = {CL_QUEUE_PROPERTIES, CL_QUEUE_ON_DEVICE | CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE,
                                              CL_QUEUE_SIZE, bytes, 0};
    cl_int error = -1;
    device_queues_.push_back(clCreateCommandQueueWithProperties(context_, gpus_[0], properties, &error));
    EXPECT_EQ(error, CL_SUCCESS);
    return device_queues_.back();
  }

  cl_event start(cl_command_queue host, cl_command_queue on_device, size_t groups = 1, const char *name = "enqueues") {
    cl_mem data = make_ints({0});
    cl_kernel kernel = clCreateKernel(enqueuing_, name, nullptr);
    EXPECT_EQ(clSetKernelArg(kernel, 0, sizeof data, &data), CL_SUCCESS);
    EXPECT_EQ(clSetKernelArg(kernel, 1, sizeof on_device, &on_device), CL_SUCCESS);
    const size_t local = 1;
    cl_event event = nullptr;
    EXPECT_EQ(clEnqueueNDRangeKernel(host, kernel, 1, nullptr, &groups, &local, 0, nullptr, &event), CL_SUCCESS);
    clReleaseKernel(kernel);
    return event;
  }
  /// The launch's status.
  cl_int run(cl_command_queue on_device, KernelBody body, size_t groups = 1, const char *name = "enqueues") {
    set_kernels(std::move(body));
    cl_event event = start(queue_, on_device, groups, name);
    clWaitForEvents(1, &event);
    const cl_int status = status_of(event);
    clReleaseEvent(event);
    return status;
  }

  cl_program enqueuing_ = nullptr;
  std::vector<cl_command_queue> device_queues_;
};

TEST_F(GpuEnqueue, GivenManyChildrenOfOneKernel_WhenTheyRun_ThenFewGridsAreStarted) {
  constexpr uint64_t kChildren = 200'000;  // more slots than the ring has
  std::vector<std::atomic<int>> runs(kChildren);
  cl_command_queue queue = device_queue(128 << 20);
  for (int time = 1; time <= 3; ++time) {  // the queue has room for the children of one launch
    const size_t before = fake()->launches;
    const cl_int status = run(
        queue,
        [&](const KernelThread &thread, uint32_t) {
          if (thread.captured)
            ++runs[thread.captured[0]];
          else
            for (uint64_t i = 0; i < kChildren / 4; ++i)
              EXPECT_TRUE(thread.enqueue({.captured = {4 * i + thread.group, 7, 8}}));
        },
        4);
    EXPECT_EQ(status, CL_COMPLETE);
    EXPECT_LT(fake()->launches - before, kChildren / 20);
    for (const auto &count : runs) ASSERT_EQ(count, time);
  }
}

TEST_F(GpuEnqueue, GivenRangesOfManySizes_WhenTheyAreMerged_ThenEachHasItsWorkGroups) {
  constexpr int kChildren = 300;
  std::vector<std::vector<std::atomic<int>>> runs(kChildren);
  for (size_t i = 0; i < kChildren; ++i) runs[i] = std::vector<std::atomic<int>>(i % 50 + 2);
  const cl_int status = run(device_queue(), [&](const KernelThread &thread, uint32_t block) {
    if (thread.captured) {
      auto &groups = runs[thread.captured[0]];
      ASSERT_LT(thread.group, groups.size());
      ++groups[thread.group];
      EXPECT_EQ(thread.grid.global_offset[0], thread.captured[0]);
      EXPECT_EQ(thread.grid.num_groups[0], thread.captured[0] % 50 + 1 + (thread.captured[0] % 3 != 0));
      EXPECT_EQ(block, thread.captured[1]);
      return;
    }
    for (uint64_t i = 0; i < kChildren; ++i) {
      const bool has_local = i % 7 == 0;
      EnqueuedCommand command{.block = has_local ? 2u : 1u,
                              .global_size = (i % 50 + 1) * 8 + i % 3,  // with a smaller work-group at the edge, or without
                              .local_size = 8,
                              .offset = i,
                              .captured = {i, has_local ? 2u : 1u}};
      if (has_local) command.locals = {64};
      EXPECT_TRUE(thread.enqueue(command));
    }
  });
  EXPECT_EQ(status, CL_COMPLETE);
  for (size_t i = 0; i < kChildren; ++i)
    for (size_t k = 0; k < runs[i].size(); ++k) EXPECT_EQ(runs[i][k], k < i % 50 + 1 + (i % 3 != 0)) << i << " " << k;
}

TEST_F(GpuEnqueue, GivenAChain_WhenItIsLongerThanTheRing_ThenItEnds) {
  constexpr uint64_t kLength = 20'000;
  std::atomic<uint64_t> length{0};
  EXPECT_EQ(run(device_queue(),
                [&](const KernelThread &thread, uint32_t) {
                  if (thread.captured) ++length;
                  const uint64_t left = thread.captured ? thread.captured[0] : kLength;
                  if (left)
                    EXPECT_TRUE(thread.enqueue({.captured = {left - 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}}));
                }),
            CL_COMPLETE);
  EXPECT_EQ(length, kLength);
}

/// For the test below: the number of commands that its kernel has enqueued.
std::atomic<uint64_t> enqueued_while_blocked{0};

TEST_F(GpuEnqueue, GivenADriverThatBlocksLaunchesUntilAKernelEnds_WhenItFillsTheRing_ThenItEnds) {
  static constexpr uint64_t kChildren = 400'000;  // more than twice the ring's slots
  enqueued_while_blocked = 0;
  fake()->before_block = [] {
    while (enqueued_while_blocked < kChildren) std::this_thread::yield();
  };
  std::vector<std::atomic<int>> runs(kChildren);
  const cl_int status = run(device_queue(256 << 20), [&](const KernelThread &thread, uint32_t) {
    if (thread.captured) {
      ++runs[thread.captured[0]];
      return;
    }
    for (uint64_t i = 0; i < kChildren; ++i) {
      EXPECT_TRUE(thread.enqueue({.captured = {i}}));
      ++enqueued_while_blocked;
    }
  });
  fake()->before_block = nullptr;
  EXPECT_EQ(status, CL_COMPLETE);
  for (const auto &count : runs) ASSERT_EQ(count, 1);
}

TEST_F(GpuEnqueue, GivenFlagsThatWait_WhenTheParentEndsLate_ThenItsChildrenStartAfterIt) {
  std::atomic<int> ended{0}, seen{0}, early{0}, later{0};
  EXPECT_EQ(run(
                device_queue(),
                [&](const KernelThread &thread, uint32_t) {
                  if (thread.captured && thread.captured[0] == 0) {
                    ++early;
                  } else if (thread.captured && thread.captured[0] == 2) {
                    ++later;
                  } else if (thread.captured) {
                    EXPECT_EQ(ended, 3);
                    ++seen;
                  } else {
                    for (const uint32_t flags : {UPSWEEP_WAIT_KERNEL, UPSWEEP_WAIT_WORK_GROUP})
                      EXPECT_TRUE(thread.enqueue({.flags = flags, .captured = {1}}));
                    EXPECT_TRUE(thread.enqueue({.captured = {0}}));
                    // Commands without such a flag run before their parent ends, also behind commands that have one.
                    while (early == 0) std::this_thread::yield();
                    EXPECT_TRUE(thread.enqueue({.captured = {2}}));
                    while (later == 0) std::this_thread::yield();
                    ++ended;
                  }
                },
                3),
            CL_COMPLETE);
  EXPECT_EQ(seen, 6);
  EXPECT_EQ(early, 3);
  EXPECT_EQ(later, 3);
}

TEST_F(GpuEnqueue, GivenEvents_WhenCommandsWaitForThem_ThenTheyStartWhenAllBelowTheEarlierOnesIsComplete) {
  std::atomic<int> below{0}, seen{-1}, marked{-1};
  EXPECT_EQ(run(device_queue(),
                [&](const KernelThread &thread, uint32_t) {
                  switch (thread.captured ? thread.captured[0] : 9) {
                  case 9: {
                    const uint64_t gate = thread.new_event();
                    uint64_t first = 0, marker = 0;
                    EXPECT_TRUE(thread.enqueue({.waits = {gate}, .has_event = true, .captured = {0}}, &first));
                    EXPECT_TRUE(thread.enqueue({.waits = {first}, .captured = {2}}));
                    EXPECT_TRUE(thread.enqueue({.block = 0, .waits = {first, gate}, .has_event = true}, &marker));
                    EXPECT_TRUE(thread.enqueue({.waits = {marker, gate, first}, .captured = {3}}));
                    EXPECT_TRUE(thread.is_valid(gate) && thread.is_valid(marker));
                    thread.release(first);
                    thread.release(marker);
                    EXPECT_TRUE(thread.enqueue({.captured = {4, gate}}));
                    break;
                  }
                  case 0:
                    for (int i = 0; i < 20; ++i) thread.enqueue({.flags = UPSWEEP_WAIT_KERNEL, .captured = {1}});
                    break;
                  case 1:
                    std::this_thread::sleep_for(std::chrono::microseconds(100));
                    ++below;
                    break;
                  case 2: seen = below.load(); break;
                  case 3: marked = below.load(); break;
                  case 4:
                    thread.set_status(thread.captured[1], CL_COMPLETE);
                    thread.release(thread.captured[1]);
                    break;
                  default: break;
                  }
                }),
            CL_COMPLETE);
  EXPECT_EQ(seen, 20);
  EXPECT_EQ(marked, 20);
}

TEST_F(GpuEnqueue, GivenUserEventsWithErrorsOrThatAreNotSet_WhenCommandsWaitForThem_ThenTheyDoNotRunAndTheLaunchFails) {
  for (const int status : {-7, 1}) {
    std::atomic<int> runs{0};
    EXPECT_LT(run(device_queue(),
                  [&](const KernelThread &thread, uint32_t) {
                    if (thread.captured) {
                      runs += static_cast<int>(thread.captured[0]);
                      return;
                    }
                    const uint64_t gate = thread.new_event();
                    EXPECT_TRUE(thread.enqueue({.waits = {gate}, .captured = {100}}));
                    EXPECT_TRUE(thread.enqueue({.captured = {1}}));
                    if (status < 0) thread.set_status(gate, status);
                    thread.release(gate);
                  }),
              0);
    EXPECT_EQ(runs, 1);
  }
}

TEST_F(GpuEnqueue, GivenAFullQueue_WhenCommandsAreGone_ThenAllOfItIsFreeAgain) {
  cl_command_queue small = device_queue(4096);
  for (int time = 0; time < 3; ++time) {
    std::atomic<int> runs{0}, enqueued{0};
    EXPECT_EQ(run(small,
                  [&](const KernelThread &thread, uint32_t) {
                    if (thread.captured) {
                      ++runs;
                      return;
                    }
                    const uint64_t gate = thread.new_event();
                    while (thread.enqueue({.waits = {gate}, .captured = {1}})) ++enqueued;
                    thread.set_status(gate, CL_COMPLETE);
                    // The host frees records while the kernel runs. The limit of 20 s ends a test that fails.
                    int more = 0;
                    for (int i = 0; i < 200'000 && more < 5; ++i) {
                      more += thread.enqueue({.captured = {1}});
                      std::this_thread::sleep_for(std::chrono::microseconds(100));
                    }
                    enqueued += more;
                    thread.release(gate);
                    EXPECT_EQ(more, 5);
                  }),
              CL_COMPLETE);
    EXPECT_EQ(enqueued, 4096 / 320 + 5);
    EXPECT_EQ(runs, enqueued);
  }
}

TEST_F(GpuEnqueue, GivenMoreEventsThanThereArePlaces_WhenTheyAreReleased_ThenTheirPlacesAreUsedAgain) {
  std::atomic<int> runs{0};
  EXPECT_EQ(run(device_queue(),
                [&](const KernelThread &thread, uint32_t) {
                  if (thread.captured) {
                    ++runs;
                    return;
                  }
                  for (int i = 0; i < UPSWEEP_TREE_EVENTS + 1000; ++i) {
                    const uint64_t event = thread.new_event();
                    EXPECT_TRUE(thread.is_valid(event));
                    if (i % 1000 == 0) EXPECT_TRUE(thread.enqueue({.waits = {event}, .captured = {1}}));
                    if (i % 1000 == 0) thread.set_status(event, CL_COMPLETE);
                    thread.release(event);
                  }
                }),
            CL_COMPLETE);
  EXPECT_EQ(runs, UPSWEEP_TREE_EVENTS / 1000 + 2);
}

TEST_F(GpuEnqueue, GivenAnEvent_WhenItsTimesAreCaptured_ThenTheyAreInTheKernelsMemory) {
  cl_mem memory = make_ints(std::vector<int>(4, 0));
  ASSERT_EQ(add(queue_, memory, 0, 4), CL_SUCCESS);  // allocates it on the GPU
  // The kernel's argument is the address of the copy, the first address that the driver in software gives.
  std::array<cl_ulong, 2> times{};
  void *shared = clSVMAlloc(context_, CL_MEM_READ_WRITE | CL_MEM_SVM_FINE_GRAIN_BUFFER, sizeof times, 0);
  ASSERT_NE(shared, nullptr);
  EXPECT_EQ(run(device_queue(),
                [&](const KernelThread &thread, uint32_t) {
                  if (thread.captured) return std::this_thread::sleep_for(std::chrono::milliseconds(2));
                  uint64_t event = 0;
                  EXPECT_TRUE(thread.enqueue({.has_event = true, .captured = {1}}, &event));
                  thread.capture_times(event, reinterpret_cast<uint64_t>(shared));
                  thread.release(event);
                }),
            CL_COMPLETE);
  std::memcpy(times.data(), shared, sizeof times);
  EXPECT_GE(times[0], 2'000'000u);
  EXPECT_GE(times[1], times[0]);
  clSVMFree(context_, shared);
}

TEST_F(GpuEnqueue, GivenACompleteEvent_WhenItsTimesAreCaptured_ThenTheKernelHasThemAtOnce) {
  std::array<cl_ulong, 2> times{};
  EXPECT_EQ(run(device_queue(),
                [&](const KernelThread &thread, uint32_t) {
                  switch (thread.captured ? thread.captured[0] : 0) {
                  case 0: {
                    uint64_t event = 0;
                    EXPECT_TRUE(thread.enqueue({.has_event = true, .captured = {1}}, &event));
                    EXPECT_TRUE(thread.enqueue({.waits = {event}, .captured = {2, event}}));
                    break;
                  }
                  case 1: return std::this_thread::sleep_for(std::chrono::milliseconds(2));
                  default:
                    thread.capture_times(thread.captured[1], reinterpret_cast<uint64_t>(times.data()));
                    EXPECT_GE(times[0], 2'000'000u);
                    EXPECT_GE(times[1], times[0]);
                    thread.release(thread.captured[1]);
                  }
                }),
            CL_COMPLETE);
}

TEST_F(GpuEnqueue, GivenRandomTreesOnManyThreads_WhenTheyRun_ThenEachCommandRunsOnce) {
  constexpr int kThreads = 4, kTrees = 30;
  std::atomic<int> runs{0}, expected{kThreads * kTrees};
  // The number in a command's captured values determines the commands that it enqueues. Commands that wait for events come
  // last.
  set_kernels([&](const KernelThread &thread, uint32_t) {
    ++runs;
    const uint64_t depth = thread.captured ? thread.captured[0] : 0;
    std::mt19937 random(static_cast<unsigned>(thread.captured ? thread.captured[1] : thread.grid.command >> 6));
    if (depth == 5) return;
    std::vector<uint64_t> events;
    const unsigned count = random() % 5;
    for (unsigned i = 0; i < count; ++i) {
      EnqueuedCommand command{.flags = static_cast<uint32_t>(random() % 3),
                              .has_event = random() % 2 == 0,
                              .captured = std::vector<uint64_t>(2 + random() % 40)};
      command.captured[0] = depth + 1;
      command.captured[1] = random();
      if (!events.empty() && random() % 3 == 0) command.waits = events;
      uint64_t event = 0;
      ++expected;
      ASSERT_TRUE(thread.enqueue(command, &event));
      if (event) events.push_back(event);
    }
    for (const uint64_t event : events) thread.release(event);
  });
  cl_command_queue on_device = device_queue();
  std::vector<cl_command_queue> queues(kThreads);
  for (cl_command_queue &queue : queues) queue = make_queue(gpus_[0], CL_QUEUE_PROFILING_ENABLE);
  std::vector<cl_event> events;
  for (int i = 0; i < kTrees; ++i)
    for (cl_command_queue queue : queues) events.push_back(start(queue, on_device));
  EXPECT_EQ(clWaitForEvents(static_cast<cl_uint>(events.size()), events.data()), CL_SUCCESS);
  for (cl_event event : events) {
    cl_ulong end = 0, complete = 0;
    clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_END, sizeof end, &end, nullptr);
    clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_COMPLETE, sizeof complete, &complete, nullptr);
    EXPECT_GT(end, 0u);
    EXPECT_GE(complete, end);
    clReleaseEvent(event);
  }
  EXPECT_EQ(runs, expected);
}

// The last test: the process loses the GPU.
TEST_F(GpuEnqueue, GivenAKernelThatFaults_WhenOthersAreToFollow_ThenTheLaunchFails) {
  EXPECT_EQ(run(
                device_queue(),
                [&](const KernelThread &thread, uint32_t) {
                  if (!thread.captured) EXPECT_TRUE(thread.enqueue({.block = 3, .captured = {1}}));
                },
                1, "enqueue_fault"),
            CL_OUT_OF_RESOURCES);
  cl_bool available = CL_TRUE;
  EXPECT_EQ(clGetDeviceInfo(gpus_[0], CL_DEVICE_AVAILABLE, sizeof available, &available, nullptr), CL_SUCCESS);
  EXPECT_FALSE(available);
}

}  // namespace
}  // namespace upsweep::tests
