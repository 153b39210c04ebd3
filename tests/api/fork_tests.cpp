// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Children of fork(). They use the CPU device with new objects as if they had loaded the driver themselves, whatever the
// parent's threads were doing. The parent's objects are not valid in them. An alarm ends a child that hangs.
#include "../sanitizer.h"
#include "object_fixture.h"

#include <atomic>
#include <functional>
#include <sched.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

namespace {

using namespace upsweep::tests;

#if __has_feature(thread_sanitizer)
constexpr bool kMayFork = false;  // it ends children of processes with threads if they start threads
#else
constexpr bool kMayFork = true;
#endif

/// Seconds after which a child counts as hung.
constexpr unsigned kPatience = 60;
/// The exit status of a child whose `body` found no fault.
constexpr int kAllWell = 42;

/// The exit status of a child that runs `body`, which returns the number of the first fault, or 0.
int status_of_child(const std::function<int()> &body) {
  const pid_t child = fork();
  if (child == 0) {
    alarm(kPatience);
    const int wrong = body();
    _exit(wrong ? wrong : kAllWell);
  }
  int status = 0;
  waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

constexpr const char *kSource = "kernel void k(global int *o) { o[get_global_id(0)] = 7 + get_local_id(0) * 0; }";
constexpr size_t kItems = 1 << 18, kBytes = kItems * sizeof(cl_int);

enum class Wait { kFinish, kPoll, kCallback };

/// Creates a context and a program from source, launches a kernel and makes a long copy. Returns the line of the first fault,
/// or 0.
int use_device(cl_device_id device, Wait wait, const std::string &options = "") {
#define UPSWEEP_CHECK(condition)                                                                                               \
  if (!(condition)) return __LINE__ % 200 + 43
  cl_int error = -1;
  cl_context context = clCreateContext(nullptr, 1, &device, nullptr, nullptr, &error);
  UPSWEEP_CHECK(error == CL_SUCCESS);
  cl_command_queue queue = clCreateCommandQueueWithProperties(context, device, nullptr, &error);
  UPSWEEP_CHECK(error == CL_SUCCESS);
  const char *source = kSource;
  cl_program program = clCreateProgramWithSource(context, 1, &source, nullptr, &error);
  UPSWEEP_CHECK(clBuildProgram(program, 1, &device, options.c_str(), nullptr, nullptr) == CL_SUCCESS);
  cl_kernel kernel = clCreateKernel(program, "k", &error);
  cl_mem buffer = clCreateBuffer(context, 0, kBytes, nullptr, &error);
  UPSWEEP_CHECK(clSetKernelArg(kernel, 0, sizeof buffer, &buffer) == CL_SUCCESS);
  cl_event event = nullptr;
  UPSWEEP_CHECK(clEnqueueNDRangeKernel(queue, kernel, 1, nullptr, &kItems, nullptr, 0, nullptr, &event) == CL_SUCCESS);
  std::atomic<bool> is_told{false};
  if (wait == Wait::kCallback) {
    const auto tell = [](cl_event, cl_int, void *told) { *static_cast<std::atomic<bool> *>(told) = true; };
    UPSWEEP_CHECK(clSetEventCallback(event, CL_COMPLETE, tell, &is_told) == CL_SUCCESS);
    while (!is_told) sched_yield();
  } else if (wait == Wait::kPoll) {
    UPSWEEP_CHECK(clFlush(queue) == CL_SUCCESS);
    for (cl_int status = CL_QUEUED; status != CL_COMPLETE; sched_yield())
      UPSWEEP_CHECK(clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, nullptr) == CL_SUCCESS);
  } else {
    UPSWEEP_CHECK(clFinish(queue) == CL_SUCCESS);
  }
  std::vector<cl_int> got(kItems);
  UPSWEEP_CHECK(clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, kBytes, got.data(), 0, nullptr, nullptr) == CL_SUCCESS);
  UPSWEEP_CHECK(got == std::vector<cl_int>(kItems, 7));
  void *svm = clSVMAlloc(context, CL_MEM_READ_WRITE, 4096, 0);
  UPSWEEP_CHECK(svm);
  clSVMFree(context, svm);
  UPSWEEP_CHECK(clReleaseEvent(event) == CL_SUCCESS && clReleaseMemObject(buffer) == CL_SUCCESS &&
                clReleaseKernel(kernel) == CL_SUCCESS && clReleaseProgram(program) == CL_SUCCESS &&
                clReleaseCommandQueue(queue) == CL_SUCCESS && clReleaseContext(context) == CL_SUCCESS);
  return 0;
}

class ForkTest : public ObjectFixture {
protected:
  void SetUp() override {
    if (!kMayFork) GTEST_SKIP() << "the thread sanitizer ends children that start threads";
    ObjectFixture::SetUp();
    cl_device_type type = 0;
    clGetDeviceInfo(device_, CL_DEVICE_TYPE, sizeof type, &type, nullptr);
    if (type != CL_DEVICE_TYPE_CPU) GTEST_SKIP() << "GPUs do not survive a fork";
  }
  void TearDown() override {
    if (context_) ObjectFixture::TearDown();
  }
};

TEST_F(ForkTest, GivenAParentThatUsedTheDevice_WhenAChildDoes_ThenItWorksHoweverItWaits) {
  EXPECT_EQ(use_device(device_, Wait::kFinish), 0);
  for (const Wait wait : {Wait::kFinish, Wait::kPoll, Wait::kCallback}) {
    EXPECT_EQ(status_of_child([&] { return use_device(device_, wait); }), kAllWell) << static_cast<int>(wait);
    EXPECT_EQ(use_device(device_, wait), 0);
  }
}

// No cache has this source, so the child starts a compiler of its own.
TEST_F(ForkTest, GivenAChild_WhenItBuildsNewSource_ThenItWorks) {
  const std::string options = "-DUNIQUE=" + std::to_string(getpid()) + std::to_string(time(nullptr));
  EXPECT_EQ(use_device(device_, Wait::kFinish, options), 0);
  EXPECT_EQ(status_of_child([&] { return use_device(device_, Wait::kFinish, options + "1"); }), kAllWell);
}

TEST_F(ForkTest, GivenAChildOfAChild_WhenItUsesTheDevice_ThenItWorks) {
  const auto grandchild = [&] { return status_of_child([&] { return use_device(device_, Wait::kPoll); }); };
  EXPECT_EQ(status_of_child([&] { return grandchild() == kAllWell ? use_device(device_, Wait::kPoll) : 1; }), kAllWell);
}

// A sub-device has workers, too, which stay on their processors.
TEST_F(ForkTest, GivenASubDevice_WhenAChildUsesIt_ThenItWorks) {
  const cl_device_partition_property properties[] = {CL_DEVICE_PARTITION_EQUALLY, 1, 0};
  cl_uint units = 0, count = 0;
  clGetDeviceInfo(device_, CL_DEVICE_MAX_COMPUTE_UNITS, sizeof units, &units, nullptr);
  if (units == 1) GTEST_SKIP() << "a device of one compute unit has no parts";
  ASSERT_EQ(clCreateSubDevices(device_, properties, 0, nullptr, &count), CL_SUCCESS);
  std::vector<cl_device_id> parts(count);
  ASSERT_EQ(clCreateSubDevices(device_, properties, count, parts.data(), nullptr), CL_SUCCESS);
  parts.resize(count);
  EXPECT_EQ(status_of_child([&] { return use_device(parts.back(), Wait::kPoll); }), kAllWell);
  for (cl_device_id part : parts) EXPECT_EQ(clReleaseDevice(part), CL_SUCCESS);
}

TEST_F(ForkTest, GivenObjectsOfTheParent_WhenAChildUsesThem_ThenEachCallSaysSo) {
  cl_kernel kernel = make_kernel(build(kSource), "k");
  cl_mem buffer = make_buffer(kBytes);
  cl_sampler sampler = clCreateSamplerWithProperties(context_, nullptr, nullptr);
  cl_event event = make_user_event();
  set_argument(kernel, 0, buffer);
  const auto body = [&] {
    cl_int error = 0;
    cl_uint count = 0;
    char byte = 0;
    UPSWEEP_CHECK(clEnqueueNDRangeKernel(in_order_, kernel, 1, nullptr, &kItems, nullptr, 0, nullptr, nullptr) ==
                  CL_INVALID_COMMAND_QUEUE);
    UPSWEEP_CHECK(clFlush(in_order_) == CL_INVALID_COMMAND_QUEUE && clFinish(out_of_order_) == CL_INVALID_COMMAND_QUEUE);
    UPSWEEP_CHECK(clEnqueueReadBuffer(in_order_, buffer, CL_TRUE, 0, 1, &byte, 0, nullptr, nullptr) ==
                  CL_INVALID_COMMAND_QUEUE);
    UPSWEEP_CHECK(clWaitForEvents(1, &event) == CL_INVALID_EVENT);
    UPSWEEP_CHECK(clSetUserEventStatus(event, CL_COMPLETE) == CL_INVALID_EVENT);
    UPSWEEP_CHECK(clGetKernelInfo(kernel, CL_KERNEL_NUM_ARGS, sizeof count, &count, nullptr) == CL_INVALID_KERNEL);
    UPSWEEP_CHECK(clSetKernelArg(kernel, 0, sizeof buffer, &buffer) == CL_INVALID_KERNEL);
    UPSWEEP_CHECK(!clCreateKernel(programs_[0], "k", &error) && error == CL_INVALID_PROGRAM);
    UPSWEEP_CHECK(!clCreateBuffer(context_, 0, 16, nullptr, &error) && error == CL_INVALID_CONTEXT);
    UPSWEEP_CHECK(!clSVMAlloc(context_, CL_MEM_READ_WRITE, 16, 0));
    UPSWEEP_CHECK(clReleaseMemObject(buffer) == CL_INVALID_MEM_OBJECT && clReleaseSampler(sampler) == CL_INVALID_SAMPLER);
    UPSWEEP_CHECK(clReleaseEvent(event) == CL_INVALID_EVENT && clReleaseKernel(kernel) == CL_INVALID_KERNEL);
    UPSWEEP_CHECK(clReleaseProgram(programs_[0]) == CL_INVALID_PROGRAM && clReleaseContext(context_) == CL_INVALID_CONTEXT);
    return use_device(device_, Wait::kFinish);
  };
  EXPECT_EQ(status_of_child(body), kAllWell);
  // The parent's objects still work.
  run(kernel, kItems);
  EXPECT_EQ(clReleaseSampler(sampler), CL_SUCCESS);
  EXPECT_EQ(clReleaseEvent(event), CL_SUCCESS);
}

/// Makes, uses and releases objects until it is told to stop, so that it may hold any of the driver's locks when another
/// thread forks.
void keep_busy(cl_device_id device, const std::atomic<bool> &is_over, std::atomic<int> &wrong) {
  while (!is_over)
    for (const Wait wait : {Wait::kFinish, Wait::kPoll, Wait::kCallback})
      if (use_device(device, wait)) wrong = 1;
}

TEST_F(ForkTest, GivenThreadsInTheDriver_WhenAnotherOneForks_ThenNoChildWaitsForThem) {
  std::atomic<bool> is_over{false};
  std::atomic<int> wrong{0};
  {
    std::vector<std::jthread> threads;
    for (int i = 0; i < 3; ++i) threads.emplace_back(keep_busy, device_, std::cref(is_over), std::ref(wrong));
    const char *text = std::getenv("UPSWEEP_TEST_FORKS");
    const int forks = text ? std::atoi(text) : kSanitized ? 20 : 100;
    for (int i = 0; i < forks && !HasFailure(); ++i)
      EXPECT_EQ(status_of_child([&] { return use_device(device_, static_cast<Wait>(i % 3)); }), kAllWell) << "fork " << i;
    is_over = true;
  }
  EXPECT_EQ(wrong, 0);
}

// The driver starts nothing between fork and exec.
TEST_F(ForkTest, GivenAChildThatUsesNothing_WhenForked_ThenItHasOneThread) {
  const auto count_threads = [] {
    int count = 0;
    if (FILE *file = std::fopen("/proc/self/status", "r")) {
      char line[128];
      while (std::fgets(line, sizeof line, file)) std::sscanf(line, "Threads: %d", &count);
      std::fclose(file);
    }
    return count == 1 ? 0 : 1;
  };
  EXPECT_EQ(use_device(device_, Wait::kFinish), 0);
  EXPECT_EQ(status_of_child(count_threads), kAllWell);
}

void CL_CALLBACK fork_in_callback(cl_event, cl_int, void *result) {
  cl_platform_id platform = nullptr;
  cl_device_id device = nullptr;
  clGetPlatformIDs(1, &platform, nullptr);
  clGetDeviceIDs(platform, CL_DEVICE_TYPE_CPU, 1, &device, nullptr);
  *static_cast<std::atomic<int> *>(result) = status_of_child([&] { return use_device(device, Wait::kCallback); });
}

TEST_F(ForkTest, GivenACallback_WhenItForks_ThenItsChildHasCallbacksToo) {
  std::atomic<int> result{0};
  cl_event event = make_user_event();
  ASSERT_EQ(clSetEventCallback(event, CL_COMPLETE, fork_in_callback, &result), CL_SUCCESS);
  ASSERT_EQ(clSetUserEventStatus(event, CL_COMPLETE), CL_SUCCESS);
  while (result == 0) std::this_thread::yield();
  EXPECT_EQ(result, kAllWell);
  EXPECT_EQ(clReleaseEvent(event), CL_SUCCESS);
}

}  // namespace
