// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels that enqueue kernels: each command runs once, after its waits, with the values that its block captured.
#include "kernel_runner.h"

#include <numeric>
#include <thread>

namespace upsweep::tests {
namespace {

class EnqueueTest : public KernelRunner {
protected:
  void SetUp() override {
    KernelRunner::SetUp();
    cl_device_device_enqueue_capabilities capabilities = 0;
    clGetDeviceInfo(device_, CL_DEVICE_DEVICE_ENQUEUE_CAPABILITIES, sizeof capabilities, &capabilities, nullptr);
    if (!capabilities) GTEST_SKIP() << "the device has no device-side enqueue";
    default_queue_ = device_queue(CL_QUEUE_ON_DEVICE_DEFAULT);
    const auto [status, log] = try_build("enqueue.cl", "-cl-std=CL3.0");
    ASSERT_EQ(status, CL_SUCCESS) << log;
  }
  void TearDown() override {
    for (cl_mem memory : memory_) clReleaseMemObject(memory);
    for (cl_command_queue queue : device_queues_) clReleaseCommandQueue(queue);
    KernelRunner::TearDown();
  }

  cl_command_queue device_queue(cl_command_queue_properties more = 0, cl_uint bytes = 0) {
    cl_queue_properties properties[] = {CL_QUEUE_PROPERTIES, CL_QUEUE_ON_DEVICE | CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE | more,
                                        CL_QUEUE_SIZE, bytes, 0};
    if (!bytes) properties[2] = 0;
    cl_int error = -1;
    device_queues_.push_back(clCreateCommandQueueWithProperties(context_, device_, properties, &error));
    EXPECT_EQ(error, CL_SUCCESS);
    return device_queues_.back();
  }

  template <typename T = cl_int>
  cl_mem zeros(size_t n) {
    std::vector<T> values(n);
    memory_.push_back(clCreateBuffer(context_, CL_MEM_COPY_HOST_PTR, n * sizeof(T), values.data(), nullptr));
    return memory_.back();
  }
  template <typename T = cl_int>
  std::vector<T> read(cl_mem buffer, size_t n) {
    std::vector<T> values(n);
    EXPECT_EQ(clEnqueueReadBuffer(queue_, buffer, CL_TRUE, 0, n * sizeof(T), values.data(), 0, nullptr, nullptr), CL_SUCCESS);
    return values;
  }

  /// The status of the launch's event.
  template <typename... Arguments>
  cl_int launch(const char *name, size_t global, size_t local, const Arguments &...arguments) {
    cl_kernel kernel = clCreateKernel(program_, name, nullptr);
    EXPECT_NE(kernel, nullptr) << name;
    cl_uint index = 0;
    for (cl_int error : {clSetKernelArg(kernel, index++, sizeof arguments, &arguments)...})
      EXPECT_EQ(error, CL_SUCCESS) << name;
    cl_event event = nullptr;
    EXPECT_EQ(clEnqueueNDRangeKernel(queue_, kernel, 1, nullptr, &global, local ? &local : nullptr, 0, nullptr, &event),
              CL_SUCCESS);
    clWaitForEvents(1, &event);
    cl_int status = 1;
    clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, nullptr);
    clReleaseEvent(event);
    clReleaseKernel(kernel);
    return status;
  }
  /// Runs a kernel whose first argument counts errors and whose second receives `outputs` numbers.
  template <typename... Arguments>
  std::vector<cl_int> run(const char *name, size_t global, size_t local, size_t outputs, const Arguments &...arguments) {
    cl_mem errors = zeros(1), out = zeros(outputs);
    EXPECT_EQ(launch(name, global, local, errors, out, arguments...), CL_COMPLETE);
    EXPECT_EQ(read(errors, 1)[0], 0) << name;
    return read(out, outputs);
  }

  std::vector<cl_mem> memory_;
  cl_command_queue default_queue_ = nullptr;
  std::vector<cl_command_queue> device_queues_;
};

TEST_F(EnqueueTest, GivenBlocks_WhenEnqueued_ThenTheyHaveTheValuesThatTheyCaptured) {
  const cl_long2 l = {{5, 7}};
  const cl_float3 f = {{1, 2, 3}};
  const std::vector<cl_int> out = run("captures", 50, 0, 200, cl_char(-4), l, f);
  for (int i = 0; i < 200; ++i) EXPECT_EQ(out[i], -4 + i / 4 + i / 4 + 7 + 3 + i / 4 * 3 + 4) << i;
}

TEST_F(EnqueueTest, GivenRangesOfEachForm_WhenABlockIsEnqueued_ThenItsWorkItemsAreThose) {
  for (cl_int which = 0; which < 10; ++which) {
    const std::vector<cl_int> out = run("ranges", 1, 1, 512, which);
    const int dimensions = which == 9 ? 0 : 1 + which / 3;
    const bool has_offset = which % 3 == 2, has_local = which % 3 != 0;
    const int offset[3] = {has_offset, dimensions > 1 && has_offset ? 2 : 0, dimensions > 2 && has_offset};
    const int size[3] = {dimensions ? 6 : 0, dimensions > 1 ? 4 : 1, dimensions > 2 ? 3 : 1};
    for (int i = 0; i < 512; ++i) {
      const int id[3] = {i % 8, i / 8 % 8, i / 64};
      bool is_inside = true;
      for (int dim = 0; dim < 3; ++dim) is_inside &= id[dim] >= offset[dim] && id[dim] < offset[dim] + size[dim];
      if (!is_inside)
        EXPECT_EQ(out[i], 0) << which << " " << i;
      else if (has_local)
        EXPECT_EQ(out[i], 1 + 3 * 16 + (dimensions > 1 ? 2 : 1) * 256 + 4096 + dimensions * 65536) << which << " " << i;
      else
        EXPECT_EQ(out[i] & 15, 1) << which << " " << i;
    }
  }
}

TEST_F(EnqueueTest, GivenLocalArgumentsAndCollectives_WhenABlockIsEnqueued_ThenItsWorkGroupsHaveThem) {
  for (cl_uint size : {1u, 3u, 16u, 100u}) {
    const std::vector<cl_int> out = run("local_arguments", 1, 1, 7 * size, cl_uint(7), size);
    for (cl_uint i = 0; i < 7 * size; ++i)
      EXPECT_EQ(out[i], cl_int(size * (size - 1) + size * (i / size) + i % size + 1)) << size << " " << i;
  }
}

TEST_F(EnqueueTest, GivenAChainOfEvents_WhenAUserEventIsSet_ThenItRunsInOrder) {
  const std::vector<cl_int> out = run("chain", 1, 1, 1000, cl_int(1000));
  for (int i = 0; i < 1000; ++i) EXPECT_EQ(out[i], i + 1);
}

TEST_F(EnqueueTest, GivenAMarker_WhenACommandWaitsForIt_ThenTheMarkersEventsAreComplete) {
  EXPECT_EQ(run("markers", 1, 1, 4), (std::vector<cl_int>{64, 64, 64, 192}));
}

TEST_F(EnqueueTest, GivenFlags_WhenBlocksAreEnqueued_ThenTheyWaitForTheKernelOrTheWorkGroup) {
  cl_mem errors = zeros(1), out = zeros(512), seen = zeros(64);
  EXPECT_EQ(launch("flags", 512, 16, errors, out, seen), CL_COMPLETE);
  EXPECT_EQ(read(errors, 1)[0], 0);
  const std::vector<cl_int> sums = read(seen, 64);
  for (int i = 0; i < 64; ++i) EXPECT_EQ(sums[i], i % 2 ? 16 : 512) << i;
}

TEST_F(EnqueueTest, GivenATree_WhenKernelsEnqueueThemselves_ThenAllOfItRuns) {
  cl_command_queue other = device_queue();
  EXPECT_EQ(run("tree", 3, 1, 1, cl_int(10), cl_int(2), other)[0], 3 * 2047);
  EXPECT_EQ(run("tree", 1, 1, 1, cl_int(2), cl_int(60), default_queue_)[0], 3661);
  EXPECT_EQ(run("tree", 1, 1, 1, cl_int(200), cl_int(1), default_queue_)[0], 201);
}

TEST_F(EnqueueTest, GivenAnEndlessRecursion_WhenTheQueueIsFull_ThenItEnds) {
  EXPECT_EQ(run("endless", 1, 1, 1, cl_int(100000))[0], 100000);
  cl_command_queue small = device_queue(0, 1 << 16);
  ASSERT_EQ(clSetDefaultDeviceCommandQueue(context_, device_, small), CL_SUCCESS);
  cl_mem errors = zeros(1), count = zeros(1);
  EXPECT_EQ(launch("endless_with_events", 1, 1, errors, count), CL_COMPLETE);
  EXPECT_GT(read(count, 1)[0], 10);
  EXPECT_LT(read(count, 1)[0], 300);
  EXPECT_NE(read(errors, 1)[0], 0);
  EXPECT_EQ(run("tree", 1, 1, 1, cl_int(3), cl_int(2), small)[0], 15);  // the whole queue is free again
}

TEST_F(EnqueueTest, GivenAnEventOfAParent_WhenItIsComplete_ThenAllBelowItAre) {
  EXPECT_EQ(run("completion", 1, 1, 2, cl_int(50)), (std::vector<cl_int>{800, 800}));
}

TEST_F(EnqueueTest, GivenABlock_WhenAskedAboutIt_ThenTheAnswersAreTheDevices) {
  size_t most = 0;
  clGetDeviceInfo(device_, CL_DEVICE_MAX_WORK_GROUP_SIZE, sizeof most, &most, nullptr);
  cl_mem out = zeros(7);
  EXPECT_EQ(launch("queries", 1, 1, out, zeros(1)), CL_COMPLETE);
  const std::vector<cl_int> answers = read(out, 7);
  EXPECT_EQ(answers[0], cl_int(most));
  EXPECT_EQ(answers[1], cl_int(most));
  EXPECT_GT(answers[2], 0);
  EXPECT_EQ(answers[2], answers[5]);
  EXPECT_EQ(answers[2], answers[3]);
  EXPECT_EQ(answers[4], (100 + answers[5] - 1) / answers[5]);
  EXPECT_EQ(answers[6], answers[4]);
}

TEST_F(EnqueueTest, GivenAnEvent_WhenItsTimesAreCaptured_ThenCompletionIsNotBeforeTheEnd) {
  cl_mem errors = zeros(1), times = zeros<cl_ulong>(4);
  EXPECT_EQ(launch("profiling", 1, 1, errors, times), CL_COMPLETE);
  EXPECT_EQ(read(errors, 1)[0], 0);
  const std::vector<cl_ulong> ns = read<cl_ulong>(times, 4);
  EXPECT_GT(ns[0], 0u);
  EXPECT_GE(ns[1], ns[0]);
  EXPECT_LT(ns[1], 10'000'000'000u);
  EXPECT_EQ(ns[3], 1000u);
}

TEST_F(EnqueueTest, GivenACompleteEvent_WhenItsTimesAreCaptured_ThenTheCommandThatAsksHasThem) {
  cl_mem errors = zeros(1), times = zeros<cl_ulong>(400);
  EXPECT_EQ(launch("complete_times", 100, 10, errors, times), CL_COMPLETE);
  EXPECT_EQ(read(errors, 1)[0], 0);
  const std::vector<cl_ulong> values = read<cl_ulong>(times, 400);
  for (size_t i = 0; i < 100; ++i) EXPECT_EQ(values[4 * i + 3], 1u) << i << " " << values[4 * i] << " " << values[4 * i + 1];
}

TEST_F(EnqueueTest, GivenImages_WhenBlocksCaptureThem_ThenTheyReadAndWriteThem) {
  constexpr size_t kWidth = 19, kHeight = 7;
  cl_bool has_images = CL_FALSE;
  clGetDeviceInfo(device_, CL_DEVICE_IMAGE_SUPPORT, sizeof has_images, &has_images, nullptr);
  if (!has_images) GTEST_SKIP() << "the device has no images";
  const cl_image_format format = {CL_RGBA, CL_SIGNED_INT32};
  cl_image_desc desc = {};
  desc.image_type = CL_MEM_OBJECT_IMAGE2D;
  desc.image_width = kWidth;
  desc.image_height = kHeight;
  std::vector<cl_int> colours(4 * kWidth * kHeight), got(colours.size());
  std::iota(colours.begin(), colours.end(), 5);
  cl_mem from = clCreateImage(context_, CL_MEM_COPY_HOST_PTR, &format, &desc, colours.data(), nullptr);
  cl_mem to = clCreateImage(context_, 0, &format, &desc, nullptr, nullptr);
  memory_.insert(memory_.end(), {from, to});
  const cl_sampler_properties properties[] = {CL_SAMPLER_NORMALIZED_COORDS, CL_FALSE, CL_SAMPLER_FILTER_MODE, CL_FILTER_NEAREST,
                                              0};
  cl_sampler nearest = clCreateSamplerWithProperties(context_, properties, nullptr);
  EXPECT_EQ(run("captured_images", 1, 1, 1, from, to, nearest, cl_int(1000))[0], kWidth * kWidth * kHeight);
  const size_t origin[3] = {}, region[3] = {kWidth, kHeight, 1};
  EXPECT_EQ(clEnqueueReadImage(queue_, to, CL_TRUE, origin, region, 0, 0, got.data(), 0, nullptr, nullptr), CL_SUCCESS);
  for (size_t i = 0; i < got.size(); ++i) ASSERT_EQ(got[i], 2 * colours[i] + 1000) << i;
  clReleaseSampler(nearest);
}

TEST_F(EnqueueTest, GivenUserEvents_WhenReleased_ThenTheyAreNotValidAnyMore) {
  cl_mem out = zeros(4);
  EXPECT_EQ(launch("events", 1, 1, out, cl_int(0)), CL_COMPLETE);
  EXPECT_EQ(read(out, 4), (std::vector<cl_int>{1, 0, 1, 0}));
}

TEST_F(EnqueueTest, GivenSmallQueues_WhenTheyAreFull_ThenNothingIsLostAndTheNextLaunchWorks) {
  for (const cl_uint bytes : {1u, 1u << 10, 1u << 14}) {
    cl_command_queue queue = device_queue(0, bytes);
    for (int time = 0; time < 2; ++time) {
      cl_mem out = zeros(2), ran = zeros(1);
      EXPECT_EQ(launch("fill", 1, 1, out, ran, queue, cl_int(100000)), CL_COMPLETE);
      const std::vector<cl_int> results = read(out, 2);
      EXPECT_EQ(read(ran, 1)[0], results[0]);
      EXPECT_EQ(results[0] > 0, bytes > 1);
      EXPECT_LE(results[0], int(bytes / 256));
      EXPECT_NE(results[1], CL_SUCCESS);
    }
  }
}

TEST_F(EnqueueTest, GivenMistakes_WhenBuiltWithDebugInformation_ThenTheReasonIsReturned) {
  constexpr cl_int kFailure = -101, kQueue = -102, kRange = -160, kEvents = -57, kSize = -51, kResources = -5;
  const std::vector<cl_int> reasons = {kQueue, kRange,     kRange,  kEvents, kEvents, kEvents,
                                       kSize,  kResources, kEvents, kEvents, kQueue,  CL_SUCCESS};
  for (const bool debug : {false, true}) {
    release();
    const auto [status, log] = try_build("enqueue.cl", debug ? "-cl-std=CL3.0 -g" : "-cl-std=CL3.0");
    ASSERT_EQ(status, CL_SUCCESS) << log;
    const char *more = std::getenv("UPSWEEP_TEST_BUILD_OPTIONS");
    const bool says_why = debug || (more && std::string(more).find("-g") != std::string::npos);
    cl_mem out = zeros(64);
    EXPECT_EQ(launch("mistakes", 1, 1, out, default_queue_), CL_COMPLETE);
    const std::vector<cl_int> results = read(out, 64);
    for (size_t i = 0; i < reasons.size(); ++i)
      EXPECT_EQ(results[i], says_why || reasons[i] == CL_SUCCESS ? reasons[i] : kFailure) << i;
    EXPECT_EQ(results[63], 0);
  }
}

TEST_F(EnqueueTest, GivenAnEventWithAnError_WhenCommandsWaitForIt_ThenTheyAndTheirParentFailAlone) {
  for (const cl_int status : {-7, 1}) {  // 1: it is never set
    cl_mem errors = zeros(1), out = zeros(3);
    EXPECT_LT(launch("failing", 1, 1, errors, out, status), 0);
    EXPECT_EQ(read(errors, 1)[0], 0);
    EXPECT_EQ(read(out, 3), (std::vector<cl_int>{0, 0, 1}));
  }
  EXPECT_EQ(run("failing", 1, 1, 3, cl_int(0)), (std::vector<cl_int>{1, 1, 1}));
}

TEST_F(EnqueueTest, GivenACommandThatWaitsForOneAboveIt_WhenNothingElseRuns_ThenItFailsAndTheLaunchSaysSo) {
  for (int time = 0; time < 3; ++time) {
    cl_mem errors = zeros(1), out = zeros(3), handle = zeros<cl_ulong>(1);
    EXPECT_LT(launch("waits_for_parent", 1, 1, errors, out, handle), 0);
    EXPECT_EQ(read(errors, 1)[0], 0);
    EXPECT_EQ(read(out, 3), (std::vector<cl_int>{1, 0, 0}));
  }
}

TEST_F(EnqueueTest, GivenManyWorkItems_WhenSomeEnqueueInBranches_ThenEachDoesOnce) {
  const std::vector<cl_int> out = run("divergent", 1000, 100, 1000);
  for (int i = 0; i < 1000; ++i) EXPECT_EQ(out[i], i % 3 == 0 ? i % 5 + 1 : i % 3 == 1 ? 20 : 0) << i;
}

TEST_F(EnqueueTest, GivenThreadsOfTheApplication_WhenTheyLaunchAtOnce_ThenEachTreeIsWhole) {
  std::vector<std::thread> threads;
  std::vector<cl_int> counts(8);
  for (int t = 0; t < 8; ++t)
    threads.emplace_back([this, t, &counts] {
      cl_command_queue queue = clCreateCommandQueueWithProperties(context_, device_, nullptr, nullptr);
      cl_kernel kernel = clCreateKernel(program_, "tree", nullptr);
      cl_mem memory = clCreateBuffer(context_, 0, 2 * sizeof(cl_int), nullptr, nullptr);
      const cl_int zero = 0, depth = 6, width = 2;
      for (int i = 0; i < 10; ++i) {
        clEnqueueFillBuffer(queue, memory, &zero, sizeof zero, 0, 2 * sizeof(cl_int), 0, nullptr, nullptr);
        clSetKernelArg(kernel, 0, sizeof memory, &memory);
        clSetKernelArg(kernel, 1, sizeof memory, &memory);
        clSetKernelArg(kernel, 2, sizeof depth, &depth);
        clSetKernelArg(kernel, 3, sizeof width, &width);
        clSetKernelArg(kernel, 4, sizeof default_queue_, &default_queue_);
        const size_t global = 4;
        clEnqueueNDRangeKernel(queue, kernel, 1, nullptr, &global, nullptr, 0, nullptr, nullptr);
        cl_int count = 0;
        clEnqueueReadBuffer(queue, memory, CL_TRUE, 0, sizeof count, &count, 0, nullptr, nullptr);
        counts[t] += count;
      }
      clReleaseMemObject(memory);
      clReleaseKernel(kernel);
      clReleaseCommandQueue(queue);
    });
  for (std::thread &thread : threads) thread.join();
  EXPECT_EQ(counts, std::vector<cl_int>(8, 10 * 4 * 127));
}

}  // namespace
}  // namespace upsweep::tests
