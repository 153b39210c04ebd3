// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Many launches of random sizes from many threads: each work-item runs once, in the order that the queues promise.
// UPSWEEP_TEST_LAUNCHES=1000000 sets a larger number of launches, and UPSWEEP_TEST_ONE_CPU=1 keeps the process on one
// processor.
#include "../default_device.h"

#include <algorithm>
#include <cstdlib>
#include <gtest/gtest.h>
#include <random>
#include <sched.h>
#include <string>
#include <thread>
#include <vector>

namespace upsweep::tests {
namespace {

constexpr const char *kSource = R"(
// Not commutative, so that an order other than the queue's gives other values.
kernel void step(global uint *values, uint number) { values[get_global_id(0)] = values[get_global_id(0)] * 5 + number; }
kernel void meet(volatile global uint *flag, global uint *met, uint waits) {
  if (!waits) return;
  if (get_global_id(0) > 0) atomic_xchg(flag, 1);
  for (uint i = 0; i < 100000000 && !atomic_or(flag, 0); ++i) {
  }
  met[get_global_id(0)] = atomic_or(flag, 0);
}
kernel void count(global uint *values) { atomic_inc(&values[get_global_id(0)]); }
)";

size_t launches_of_all_threads() {
  const char *text = std::getenv("UPSWEEP_TEST_LAUNCHES");
  return text ? std::strtoull(text, nullptr, 10) : 32'000;
}

/// Set before the driver counts its processors.
const bool is_on_one_cpu = [] {
  cpu_set_t cpus;
  if (!std::getenv("UPSWEEP_TEST_ONE_CPU") || sched_getaffinity(0, sizeof cpus, &cpus) != 0) return false;
  int first = 0;
  while (!CPU_ISSET(first, &cpus)) ++first;
  CPU_ZERO(&cpus);
  CPU_SET(first, &cpus);
  return sched_setaffinity(0, sizeof cpus, &cpus) == 0;
}();

/// The launches of a thread on an in-order queue, and their expected results.
struct InOrder {
  std::mt19937 random;
  cl_command_queue queue;
  cl_kernel kernel;
  cl_mem buffer;
  std::vector<cl_uint> expected;

  void launch(size_t items, size_t local, cl_uint number) {
    ASSERT_EQ(clSetKernelArg(kernel, 1, sizeof number, &number), CL_SUCCESS);
    ASSERT_EQ(clEnqueueNDRangeKernel(queue, kernel, 1, nullptr, &items, &local, 0, nullptr, nullptr), CL_SUCCESS);
    for (size_t i = 0; i < items; ++i) expected[i] = expected[i] * 5 + number;
  }
  void check() {
    std::vector<cl_uint> got(expected.size());
    const size_t bytes = got.size() * sizeof(cl_uint);
    ASSERT_EQ(clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, bytes, got.data(), 0, nullptr, nullptr), CL_SUCCESS);
    ASSERT_EQ(got, expected);
  }
};

class LaunchStress : public DefaultDevice {
protected:
  static constexpr size_t kThreads = 16;
  static constexpr size_t kMostItems = 20'000;

  void SetUp() override {
    DefaultDevice::SetUp();
    const char *source = kSource;
    program_ = clCreateProgramWithSource(context_, 1, &source, nullptr, nullptr);
    ASSERT_EQ(clBuildProgram(program_, 0, nullptr, "", nullptr, nullptr), CL_SUCCESS);
  }
  void TearDown() override {
    clReleaseProgram(program_);
    DefaultDevice::TearDown();
  }

  cl_command_queue make_queue(cl_command_queue_properties order) const { return make_queue(device_, context_, order); }
  static cl_command_queue make_queue(cl_device_id device, cl_context context, cl_command_queue_properties order) {
    const cl_queue_properties properties[] = {CL_QUEUE_PROPERTIES, order, 0};
    return clCreateCommandQueueWithProperties(context, device, properties, nullptr);
  }

  /// Launches on an in-order queue, checked.
  void launch_in_order(cl_context context, cl_program program, cl_command_queue queue, unsigned seed, size_t launches) const {
    const std::vector<cl_uint> zeros(kMostItems + 64);
    cl_mem buffer = clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, zeros.size() * sizeof(cl_uint),
                                   const_cast<cl_uint *>(zeros.data()), nullptr);
    InOrder own{std::mt19937(seed), queue, clCreateKernel(program, "step", nullptr), buffer, zeros};
    clSetKernelArg(own.kernel, 0, sizeof buffer, &buffer);
    for (size_t i = 0; i < launches && !HasFatalFailure(); ++i) {
      const auto [items, local] = draw_size(own.random);
      own.launch(items, local, static_cast<cl_uint>(i));
      if (own.random() % 64 == 0) clFinish(own.queue);
      if (own.random() % 512 == 0) own.check();
    }
    own.check();
    clReleaseMemObject(buffer);
    clReleaseKernel(own.kernel);
    clReleaseCommandQueue(own.queue);
  }

  /// Mostly few work-items, sometimes many, of any work-group size.
  static std::pair<size_t, size_t> draw_size(std::mt19937 &random) {
    const size_t local = size_t{1} << random() % 7;
    const size_t most = random() % 16 ? 600 : kMostItems;
    return {(random() % most / local + 1) * local, local};
  }

  cl_program program_ = nullptr;
};

TEST_F(LaunchStress, GivenThreadsWithQueuesInOrder_WhenTheyLaunchRandomSizes_ThenEachRunsOnceAndInOrder) {
  const size_t launches = launches_of_all_threads() / kThreads;
  std::vector<std::jthread> threads;
  for (unsigned seed = 0; seed < kThreads; ++seed)
    threads.emplace_back([=, this] { launch_in_order(context_, program_, make_queue(0), seed, launches); });
}

TEST_F(LaunchStress, GivenSubDevicesThatOverlap_WhenThreadsLaunchRandomSizes_ThenEachRunsOnceAndInOrder) {
  const cl_device_partition_property properties[] = {CL_DEVICE_PARTITION_EQUALLY, 1, 0};
  std::vector<cl_device_id> parts(64);
  cl_uint count = 0;
  if (clCreateSubDevices(device_, properties, static_cast<cl_uint>(parts.size()), parts.data(), &count) != CL_SUCCESS)
    GTEST_SKIP() << "the device has no sub-devices, or too many";
  parts.resize(count);
  parts.push_back(device_);
  cl_context context = clCreateContext(nullptr, static_cast<cl_uint>(parts.size()), parts.data(), nullptr, nullptr, nullptr);
  const char *source = kSource;
  cl_program program = clCreateProgramWithSource(context, 1, &source, nullptr, nullptr);
  ASSERT_EQ(clBuildProgram(program, 0, nullptr, "", nullptr, nullptr), CL_SUCCESS);
  {
    std::vector<std::jthread> threads;
    for (unsigned seed = 0; seed < kThreads; ++seed)
      threads.emplace_back([=, &parts, this] {
        launch_in_order(context, program, make_queue(parts[seed % parts.size()], context, 0), seed,
                        launches_of_all_threads() / 4 / kThreads);
      });
  }
  clReleaseProgram(program);
  clReleaseContext(context);
  for (cl_device_id part : parts) clReleaseDevice(part);
}

// All threads share the queues, one buffer and its counters; more commands are open than the driver has places for.
TEST_F(LaunchStress, GivenThreadsThatShareQueues_WhenTheyLaunchRandomSizes_ThenEachWorkItemRunsOnce) {
  const size_t launches = launches_of_all_threads() / 4 / kThreads;
  const std::vector<cl_uint> zeros(kMostItems + 64);
  const size_t bytes = zeros.size() * sizeof(cl_uint);
  cl_mem buffer = clCreateBuffer(context_, CL_MEM_COPY_HOST_PTR, bytes, const_cast<cl_uint *>(zeros.data()), nullptr);
  const cl_command_queue queues[] = {make_queue(0), make_queue(CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE)};
  std::vector<std::vector<cl_uint>> launched(kThreads, zeros);
  const auto work = [&](unsigned seed) {
    std::mt19937 random(seed);
    cl_kernel kernel = clCreateKernel(program_, "count", nullptr);
    clSetKernelArg(kernel, 0, sizeof buffer, &buffer);
    for (size_t i = 0; i < launches; ++i) {
      const auto [items, local] = draw_size(random);
      cl_command_queue queue = queues[random() % 4 != 0];
      ASSERT_EQ(clEnqueueNDRangeKernel(queue, kernel, 1, nullptr, &items, &local, 0, nullptr, nullptr), CL_SUCCESS);
      // Work-item i runs in each launch of more than i items: differences, summed below.
      ++launched[seed][0];
      --launched[seed][items];
      if (random() % 256 == 0) clFinish(queue);
    }
    clReleaseKernel(kernel);
  };
  {
    std::vector<std::jthread> threads;
    for (unsigned seed = 0; seed < kThreads; ++seed) threads.emplace_back(work, seed);
  }
  std::vector<cl_uint> got(zeros.size());
  for (cl_command_queue queue : queues) clFinish(queue);
  ASSERT_EQ(clEnqueueReadBuffer(queues[0], buffer, CL_TRUE, 0, bytes, got.data(), 0, nullptr, nullptr), CL_SUCCESS);
  cl_uint expected = 0;
  for (size_t i = 0; i < got.size(); ++i) {
    for (const auto &own : launched) expected += own[i];
    ASSERT_EQ(got[i], expected) << "work-item " << i;
  }
  clReleaseMemObject(buffer);
  for (cl_command_queue queue : queues) clReleaseCommandQueue(queue);
}

// OpenCL does not promise it, but a few work-groups all run at the same time, as programs with their own barriers expect.
TEST_F(LaunchStress, GivenAKernelThatWasShort_WhenItsWorkGroupsWaitForEachOther_ThenMoreThreadsCome) {
  cl_uint units = 0;
  clGetDeviceInfo(device_, CL_DEVICE_MAX_COMPUTE_UNITS, sizeof units, &units, nullptr);
  if (units < 2) GTEST_SKIP() << "work-groups run one after the other";
  constexpr size_t kGroups = 2, kItems = 1;
  cl_mem buffers[] = {clCreateBuffer(context_, 0, sizeof(cl_uint), nullptr, nullptr),
                      clCreateBuffer(context_, 0, kGroups * sizeof(cl_uint), nullptr, nullptr)};
  cl_kernel kernel = clCreateKernel(program_, "meet", nullptr);
  for (cl_uint i = 0; i < 2; ++i) clSetKernelArg(kernel, i, sizeof(cl_mem), &buffers[i]);
  const cl_uint zero = 0;
  for (int round = 0; round < 20; ++round) {
    // After this many short launches the driver estimates that one worker is enough.
    for (cl_uint waits = 0, i = 0; i <= 100; ++i) {
      waits = i == 100;
      clSetKernelArg(kernel, 2, sizeof waits, &waits);
      clEnqueueFillBuffer(queue_, buffers[0], &zero, sizeof zero, 0, sizeof zero, 0, nullptr, nullptr);
      clFinish(queue_);
      ASSERT_EQ(clEnqueueNDRangeKernel(queue_, kernel, 1, nullptr, &kGroups, &kItems, 0, nullptr, nullptr), CL_SUCCESS);
      clFinish(queue_);
    }
    cl_uint met[kGroups] = {};
    clEnqueueReadBuffer(queue_, buffers[1], CL_TRUE, 0, sizeof met, met, 0, nullptr, nullptr);
    ASSERT_EQ(met[0], 1u);
    ASSERT_EQ(met[1], 1u);
  }
  for (cl_mem buffer : buffers) clReleaseMemObject(buffer);
  clReleaseKernel(kernel);
}

}  // namespace
}  // namespace upsweep::tests
