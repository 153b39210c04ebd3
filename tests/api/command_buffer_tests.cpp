// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// cl_khr_command_buffer: recording and running of kernels, in random graphs against a model on the host; lifetimes; threads.
#include "command_buffer_fixture.h"
#include <random>
#include <set>
#include <thread>

namespace upsweep::tests {
namespace {

constexpr const char *kSource = R"(
  kernel void mix(global uint *to, global const uint *from, uint k) {
    size_t i = get_global_id(0);
    to[i] = to[i] * 3 + from[i] + k;
  }
  kernel void count(global atomic_uint *counts) { atomic_fetch_add(&counts[get_global_id(0)], 1u); }
  // Each work-group waits until all have come.
  kernel void meet(global atomic_uint *come, uint groups) {
    if (get_local_id(0) == 0) {
      atomic_fetch_add(come, 1u);
      while (atomic_load(come) % groups != 0) {}
    }
    barrier(CLK_GLOBAL_MEM_FENCE);
  }
  kernel __attribute__((reqd_work_group_size(1, 1, 1))) void meet_alone(global atomic_uint *come, uint groups) {
    if (get_group_id(0) < groups) atomic_fetch_add(come, 1u);
    while (atomic_load(come) % groups != 0) {}
  }
  kernel void reverse(global uint *values, local uint *scratch) {
    size_t l = get_local_id(0), n = get_local_size(0), first = get_group_id(0) * n;
    scratch[l] = values[first + l];
    barrier(CLK_LOCAL_MEM_FENCE);
    values[first + l] = scratch[n - 1 - l] + 1;
  }
)";

constexpr const char *kEnqueueing = R"(
  kernel void child(global uint *to) {
    enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_WAIT_KERNEL, ndrange_1D(1), ^{ to[0] += 1; });
  }
)";

class CommandBufferTest : public CommandBufferFixture {
protected:
  void SetUp() override {
    CommandBufferFixture::SetUp();
    program_ = build(kSource);
  }
  cl_kernel make_mix(cl_mem to, cl_mem from, cl_uint k) {
    cl_kernel kernel = make_kernel(program_, "mix");
    set_argument(kernel, 0, to);
    set_argument(kernel, 1, from);
    set_argument(kernel, 2, k);
    return kernel;
  }
  void check_random_graph(unsigned seed, bool in_order, bool is_replayed);

  cl_program program_ = nullptr;
};

/// Buffers on the device and on the host; commands of three kinds.
void CommandBufferTest::check_random_graph(unsigned seed, bool in_order, bool is_replayed) {
  SCOPED_TRACE("seed " + std::to_string(seed));
  std::mt19937 random(seed);
  const size_t items = seed % 3 ? kItems : 64 * kItems;
  constexpr size_t kBuffers = 6, kCommands = 60;
  std::vector<Values> model(kBuffers, Values(items));
  std::vector<cl_mem> buffers;
  for (Values &values : model) {
    for (uint32_t &value : values) value = random();
    buffers.push_back(make_values(values));
  }
  cl_kernel mix = make_mix(buffers[0], buffers[1], 0);
  cl_command_buffer_khr graph = create(in_order ? in_order_ : out_of_order_, CL_COMMAND_BUFFER_SIMULTANEOUS_USE_KHR);
  cl_mem extra = make_values({7});
  if (is_replayed) {
    cl_kernel child = make_kernel(build(kEnqueueing), "child");
    set_argument(child, 0, extra);
    record(graph, child, 1);
  }
  struct Step {
    int kind;
    size_t to, from;
    uint32_t k;
  };
  std::vector<Step> steps;
  std::vector<cl_sync_point_khr> writer(kBuffers, 0);
  std::vector<std::vector<cl_sync_point_khr>> readers(kBuffers);
  std::vector<cl_sync_point_khr> points;
  for (size_t i = 0; i < kCommands; ++i) {
    Step step{static_cast<int>(random() % 4), random() % kBuffers, 0, static_cast<uint32_t>(random())};
    step.from = (step.to + 1 + random() % (kBuffers - 1)) % kBuffers;
    steps.push_back(step);
    // A step waits for the last writer of both buffers, and for the readers of its destination.
    std::set<cl_sync_point_khr> needed(readers[step.to].begin(), readers[step.to].end());
    needed.insert(writer[step.to]);
    if (step.kind != 0) needed.insert(writer[step.from]);
    needed.erase(0);
    // A barrier with a wait list orders later commands behind that list alone, and a barrier after it still waits for all.
    const cl_sync_point_khr listed = points.empty() ? 0 : points[random() % points.size()];
    if (!in_order && listed && random() % 6 == 0)
      EXPECT_EQ(cl_.clCommandBarrierWithWaitListKHR(graph, nullptr, nullptr, 1, &listed, nullptr, nullptr), CL_SUCCESS);
    if (!in_order && random() % 8 == 0) {
      EXPECT_EQ(cl_.clCommandBarrierWithWaitListKHR(graph, nullptr, nullptr, 0, nullptr, nullptr, nullptr), CL_SUCCESS);
      needed.clear();
    }
    const std::vector<cl_sync_point_khr> list(in_order ? needed.end() : needed.begin(), needed.end());
    const auto count = static_cast<cl_uint>(list.size());
    const cl_sync_point_khr *waits = list.empty() ? nullptr : list.data();
    cl_sync_point_khr point = 0;
    if (step.kind == 0) {
      EXPECT_EQ(cl_.clCommandFillBufferKHR(graph, nullptr, nullptr, buffers[step.to], &step.k, sizeof step.k, 0,
                                           items * sizeof(uint32_t), count, waits, &point, nullptr),
                CL_SUCCESS);
    } else if (step.kind == 1) {
      EXPECT_EQ(cl_.clCommandCopyBufferKHR(graph, nullptr, nullptr, buffers[step.from], buffers[step.to], 0, 0,
                                           items * sizeof(uint32_t), count, waits, &point, nullptr),
                CL_SUCCESS);
    } else {
      set_argument(mix, 0, buffers[step.to]);
      set_argument(mix, 1, buffers[step.from]);
      set_argument(mix, 2, step.k);
      point = record(graph, mix, items, list, random() % 2 ? 16 : 0);
    }
    EXPECT_NE(point, 0u);
    points.push_back(point);
    writer[step.to] = point;
    readers[step.to].clear();
    if (step.kind != 0) readers[step.from].push_back(point);
  }
  finalize(graph);
  constexpr int kRounds = 3;
  for (int round = 0; round < kRounds; ++round) {
    for (const auto &[kind, to, from, k] : steps)
      for (size_t i = 0; i < items; ++i)
        model[to][i] = kind == 0 ? k : kind == 1 ? model[from][i] : model[to][i] * 3 + model[from][i] + k;
    // Another queue of either kind may run the commands; their order stays.
    cl_command_queue queue = round == 1 ? out_of_order_ : in_order_;
    EXPECT_EQ(cl_.clEnqueueCommandBufferKHR(1, &queue, graph, 0, nullptr, nullptr), CL_SUCCESS);
    EXPECT_EQ(clFinish(queue), CL_SUCCESS);
  }
  for (size_t i = 0; i < kBuffers; ++i) EXPECT_EQ(values_of(buffers[i]), model[i]) << "buffer " << i;
  if (is_replayed) EXPECT_EQ(values_of(extra), Values{7 + kRounds});
  release(graph);
}

TEST_F(CommandBufferTest, GivenRandomGraphsOfAnOutOfOrderQueue_WhenRun_ThenResultsAreTheModels) {
  for (unsigned seed = 1; seed <= 12; ++seed) check_random_graph(seed, false, false);
}

TEST_F(CommandBufferTest, GivenRandomCommandsOfAnInOrderQueue_WhenRun_ThenResultsAreTheModels) {
  for (unsigned seed = 21; seed <= 26; ++seed) check_random_graph(seed, true, false);
}

TEST_F(CommandBufferTest, GivenAKernelThatEnqueues_WhenRun_ThenResultsAreTheModels) {
  if (!figure_of<cl_device_device_enqueue_capabilities>(device_, CL_DEVICE_DEVICE_ENQUEUE_CAPABILITIES))
    GTEST_SKIP() << "the device has no queues of its own";
  const cl_queue_properties properties[] = {
      CL_QUEUE_PROPERTIES, CL_QUEUE_ON_DEVICE | CL_QUEUE_ON_DEVICE_DEFAULT | CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE, 0};
  cl_int error = -1;
  cl_command_queue on_device = clCreateCommandQueueWithProperties(context_, device_, properties, &error);
  ASSERT_EQ(error, CL_SUCCESS);
  for (unsigned seed = 31; seed <= 34; ++seed) check_random_graph(seed, seed % 2, true);
  EXPECT_EQ(clReleaseCommandQueue(on_device), CL_SUCCESS);
}

TEST_F(CommandBufferTest, GivenNoCommands_WhenEnqueued_ThenTheEventCompletes) {
  cl_command_buffer_khr buffer = create(in_order_);
  finalize(buffer);
  cl_event event = nullptr;
  EXPECT_EQ(cl_.clEnqueueCommandBufferKHR(0, nullptr, buffer, 0, nullptr, &event), CL_SUCCESS);
  EXPECT_EQ(clWaitForEvents(1, &event), CL_SUCCESS);
  EXPECT_EQ(status_of(event), CL_COMPLETE);
  EXPECT_EQ(value_of<cl_command_type>(clGetEventInfo, event, CL_EVENT_COMMAND_TYPE),
            static_cast<cl_command_type>(CL_COMMAND_COMMAND_BUFFER_KHR));
  EXPECT_EQ(clReleaseEvent(event), CL_SUCCESS);
  release(buffer);
}

TEST_F(CommandBufferTest, GivenALaunchWithoutWorkItems_WhenRun_ThenLaterCommandsRun) {
  cl_mem counts = make_values(Values(4));
  cl_kernel kernel = make_kernel(program_, "count");
  set_argument(kernel, 0, counts);
  cl_command_buffer_khr buffer = create(in_order_);
  record(buffer, kernel, 0);
  record(buffer, kernel, 4);
  finalize(buffer);
  enqueue(buffer);
  EXPECT_EQ(values_of(counts), Values(4, 1));
  release(buffer);
}

TEST_F(CommandBufferTest, GivenAKernel_WhenItsArgumentsChangeLater_ThenTheRecordedOnesAreUsed) {
  cl_mem a = make_values(Values(kItems, 1)), b = make_values(Values(kItems, 5));
  cl_kernel kernel = make_mix(a, b, 10);
  cl_command_buffer_khr buffer = create(in_order_);
  record(buffer, kernel, kItems);
  set_argument(kernel, 0, b);
  set_argument(kernel, 2, cl_uint{1000});
  finalize(buffer);
  enqueue(buffer);
  EXPECT_EQ(values_of(a), Values(kItems, 1 * 3 + 5 + 10));
  EXPECT_EQ(values_of(b), Values(kItems, 5));
  release(buffer);
}

TEST_F(CommandBufferTest, GivenLongAndShortLaunches_WhenTheyAlternate_ThenEachSeesTheOneBefore) {
  // Long launches are shared among threads, short ones are not.
  constexpr size_t kMany = 1 << 18;
  cl_mem many = make_values(Values(kMany, 1)), one = make_values(Values(kMany, 2));
  cl_command_buffer_khr buffer = create(in_order_);
  Values model(kMany, 1);
  for (uint32_t i = 0; i < 40; ++i) {
    const size_t items = i % 3 ? 16 : kMany;
    record(buffer, make_mix(many, one, i), items);
    for (size_t item = 0; item < items; ++item) model[item] = model[item] * 3 + 2 + i;
  }
  finalize(buffer);
  enqueue(buffer);
  EXPECT_EQ(values_of(many), model);
  enqueue(buffer);
  for (uint32_t i = 0; i < 40; ++i)
    for (size_t item = 0; item < (i % 3 ? 16 : kMany); ++item) model[item] = model[item] * 3 + 2 + i;
  EXPECT_EQ(values_of(many), model);
  release(buffer);
}

TEST_F(CommandBufferTest, GivenWorkGroupsWithBarriersAndLocalMemory_WhenRunManyTimes_ThenResultsAreRight) {
  constexpr size_t kLocal = 32, kRounds = 101;
  Values values(kItems);
  std::iota(values.begin(), values.end(), 0u);
  cl_mem memory = make_values(values);
  cl_kernel kernel = make_kernel(program_, "reverse");
  set_argument(kernel, 0, memory);
  EXPECT_EQ(clSetKernelArg(kernel, 1, kLocal * sizeof(uint32_t), nullptr), CL_SUCCESS);
  cl_command_buffer_khr buffer = create(in_order_);
  for (size_t i = 0; i < kRounds; ++i) record(buffer, kernel, kItems, {}, kLocal);
  finalize(buffer);
  enqueue(buffer);
  for (size_t i = 0; i < kItems; ++i)
    values[i] = static_cast<uint32_t>(i / kLocal * kLocal + kLocal - 1 - i % kLocal + kRounds);
  EXPECT_EQ(values_of(memory), values);
  release(buffer);
}

TEST_F(CommandBufferTest, GivenWorkGroupsThatWaitForEachOther_WhenRun_ThenTheyMeet) {
  constexpr cl_uint kGroups = 2;
  if (figure_of<cl_uint>(device_, CL_DEVICE_MAX_COMPUTE_UNITS) < kGroups) GTEST_SKIP() << "the device has one compute unit";
  for (const auto &[name, local] : {std::pair("meet", size_t{8}), std::pair("meet_alone", size_t{1})}) {
    cl_mem come = make_values({0});
    cl_kernel kernel = make_kernel(program_, name);
    set_argument(kernel, 0, come);
    set_argument(kernel, 1, kGroups);
    cl_command_buffer_khr buffer = create(in_order_);
    for (int i = 0; i < 20; ++i) record(buffer, kernel, kGroups * local, {}, local);
    finalize(buffer);
    for (int i = 0; i < 5; ++i) {
      enqueue(buffer);
      EXPECT_EQ(clFinish(in_order_), CL_SUCCESS);
    }
    EXPECT_EQ(values_of(come), Values{20 * 5 * kGroups}) << name;
    release(buffer);
  }
}

TEST_F(CommandBufferTest, GivenSimultaneousUse_WhenEnqueuedWithoutOrder_ThenEachRuns) {
  cl_mem counts = make_values(Values(kItems));
  cl_kernel kernel = make_kernel(program_, "count");
  set_argument(kernel, 0, counts);
  cl_command_buffer_khr buffer = create(out_of_order_, CL_COMMAND_BUFFER_SIMULTANEOUS_USE_KHR);
  for (int i = 0; i < 10; ++i) record(buffer, kernel, kItems);
  finalize(buffer);
  for (int i = 0; i < 100; ++i) enqueue(buffer);
  EXPECT_EQ(clFinish(out_of_order_), CL_SUCCESS);
  EXPECT_EQ(values_of(counts), Values(kItems, 1000));
  release(buffer);
}

TEST_F(CommandBufferTest, GivenThreads_WhenTheyRecordAndEnqueue_ThenAllCommandsRun) {
  constexpr int kThreads = 4, kRounds = 25;
  cl_mem counts = make_values(Values(kItems));
  cl_kernel kernel = make_kernel(program_, "count");
  set_argument(kernel, 0, counts);
  cl_command_buffer_khr shared = create(in_order_);
  std::vector<std::thread> threads;
  for (int t = 0; t < kThreads; ++t)
    threads.emplace_back([&] {
      for (int i = 0; i < kRounds; ++i) record(shared, kernel, kItems);
    });
  for (std::thread &thread : threads) thread.join();
  finalize(shared);
  threads.clear();
  for (int t = 0; t < kThreads; ++t)
    threads.emplace_back([&, t] {
      for (int i = 0; i < kRounds; ++i) {
        cl_command_queue queue = t % 2 ? out_of_order_ : in_order_;
        cl_command_buffer_khr own = create(queue);
        record(own, kernel, kItems);
        finalize(own);
        enqueue(own);
        enqueue(shared);
        release(own);
        if (i % 8 == 0) EXPECT_EQ(clFinish(queue), CL_SUCCESS);
      }
    });
  for (std::thread &thread : threads) thread.join();
  EXPECT_EQ(clFinish(in_order_), CL_SUCCESS);
  EXPECT_EQ(clFinish(out_of_order_), CL_SUCCESS);
  EXPECT_EQ(values_of(counts), Values(kItems, kThreads * kRounds * (1 + kThreads * kRounds)));
  release(shared);
}

TEST_F(CommandBufferTest, GivenAPendingEnqueue_WhenEverythingIsReleased_ThenItRuns) {
  cl_mem result = make_values(Values(kItems, 2));
  cl_int error = -1;
  Values ones(kItems, 1);
  cl_mem from = clCreateBuffer(context_, CL_MEM_COPY_HOST_PTR, kItems * sizeof(uint32_t), ones.data(), &error);
  cl_kernel kernel = clCreateKernel(program_, "mix", &error);
  cl_command_queue queue = make_queue(0);
  set_argument(kernel, 0, result);
  set_argument(kernel, 1, from);
  set_argument(kernel, 2, cl_uint{4});
  cl_command_buffer_khr buffer = create(queue);
  record(buffer, kernel, kItems);
  finalize(buffer);
  cl_event gate = make_user_event(), done = nullptr;
  EXPECT_EQ(cl_.clEnqueueCommandBufferKHR(0, nullptr, buffer, 1, &gate, &done), CL_SUCCESS);
  EXPECT_EQ(clReleaseKernel(kernel), CL_SUCCESS);
  EXPECT_EQ(clReleaseMemObject(from), CL_SUCCESS);
  release(buffer);
  EXPECT_EQ(clReleaseCommandQueue(queue), CL_SUCCESS);
  EXPECT_EQ(clSetUserEventStatus(gate, CL_COMPLETE), CL_SUCCESS);
  EXPECT_EQ(clWaitForEvents(1, &done), CL_SUCCESS);
  EXPECT_EQ(values_of(result), Values(kItems, 2 * 3 + 1 + 4));
  EXPECT_EQ(clReleaseEvent(gate), CL_SUCCESS);
  EXPECT_EQ(clReleaseEvent(done), CL_SUCCESS);
}

TEST_F(CommandBufferTest, GivenAFailedWaitList_WhenEnqueued_ThenNothingRuns) {
  cl_mem counts = make_values(Values(4));
  cl_kernel kernel = make_kernel(program_, "count");
  set_argument(kernel, 0, counts);
  cl_command_buffer_khr buffer = create(in_order_);
  record(buffer, kernel, 4);
  finalize(buffer);
  cl_event gate = make_user_event(), done = nullptr;
  EXPECT_EQ(cl_.clEnqueueCommandBufferKHR(0, nullptr, buffer, 1, &gate, &done), CL_SUCCESS);
  EXPECT_EQ(clSetUserEventStatus(gate, -7), CL_SUCCESS);
  EXPECT_EQ(clWaitForEvents(1, &done), CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
  EXPECT_LT(status_of(done), 0);
  EXPECT_EQ(values_of(counts), Values(4, 0));
  EXPECT_EQ(clReleaseEvent(gate), CL_SUCCESS);
  EXPECT_EQ(clReleaseEvent(done), CL_SUCCESS);
  release(buffer);
}

TEST_F(CommandBufferTest, GivenProfiling_WhenRun_ThenTheTimesAreInOrder) {
  cl_mem a = make_values(Values(kItems)), b = make_values(Values(kItems));
  cl_command_buffer_khr buffer = create(in_order_);
  for (int i = 0; i < 10; ++i) record(buffer, make_mix(a, b, 1), kItems);
  finalize(buffer);
  cl_event done = nullptr;
  EXPECT_EQ(cl_.clEnqueueCommandBufferKHR(0, nullptr, buffer, 0, nullptr, &done), CL_SUCCESS);
  EXPECT_EQ(clWaitForEvents(1, &done), CL_SUCCESS);
  cl_ulong before = 1;
  for (const cl_profiling_info name : {CL_PROFILING_COMMAND_QUEUED, CL_PROFILING_COMMAND_SUBMIT, CL_PROFILING_COMMAND_START,
                                       CL_PROFILING_COMMAND_END, CL_PROFILING_COMMAND_COMPLETE}) {
    const auto time = value_of<cl_ulong>(clGetEventProfilingInfo, done, name);
    EXPECT_GE(time, before) << name;
    before = time;
  }
  EXPECT_EQ(clReleaseEvent(done), CL_SUCCESS);
  release(buffer);
}

}  // namespace
}  // namespace upsweep::tests
