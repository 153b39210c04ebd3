// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Commands, callbacks and builds while memory or threads run out at every possible place: calls return errors, events end, and
// the queues work afterwards.
#include "failing_system.h"
#include "object_fixture.h"
#include <array>
#include <atomic>
#include <future>
#include <memory>
#include <thread>

namespace upsweep::tests {
namespace {

constexpr size_t kItems = 64;

bool is_shortage(cl_int error) { return error == CL_SUCCESS || error == CL_OUT_OF_HOST_MEMORY || error == CL_OUT_OF_RESOURCES; }

void CL_CALLBACK count_call(cl_event, cl_int, void *count) { ++*static_cast<std::atomic<int> *>(count); }

class FailureTest : public ObjectFixture {
protected:
  void SetUp() override {
    ObjectFixture::SetUp();
    if (HasFatalFailure()) return;
    kernel_ = make_kernel(build("kernel void increment(global int *data) { data[get_global_id(0)] += 1; }"), "increment");
    data_ = make_buffer(kItems * sizeof(int));
    EXPECT_EQ(set_argument(kernel_, 0, data_), CL_SUCCESS);
  }

  /// Waits with a limit, so that a lost command does not hang the test.
  static bool is_done(cl_event event) {
    for (int ms = 0; ms < 10000; ++ms) {
      if (status_of(event) <= CL_COMPLETE) return true;
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    return false;
  }

  /// Runs a kernel behind all commands of the queue and checks its results.
  void expect_usable(cl_command_queue queue) {
    cl_event before = nullptr, event = nullptr;
    ASSERT_EQ(clEnqueueBarrierWithWaitList(queue, 0, nullptr, &before), CL_SUCCESS);
    ASSERT_TRUE(is_done(before)) << "the queue does not come to its end";
    const int zero = 0;
    ASSERT_EQ(clEnqueueFillBuffer(queue, data_, &zero, sizeof zero, 0, kItems * sizeof(int), 1, &before, nullptr), CL_SUCCESS);
    ASSERT_EQ(clEnqueueBarrierWithWaitList(queue, 0, nullptr, nullptr), CL_SUCCESS);
    ASSERT_EQ(clEnqueueNDRangeKernel(queue, kernel_, 1, nullptr, &kItems, nullptr, 0, nullptr, &event), CL_SUCCESS);
    ASSERT_TRUE(is_done(event));
    EXPECT_EQ(status_of(event), CL_COMPLETE);
    std::vector<int> values(kItems);
    ASSERT_EQ(clEnqueueReadBuffer(queue, data_, CL_TRUE, 0, kItems * sizeof(int), values.data(), 1, &event, nullptr),
              CL_SUCCESS);
    EXPECT_EQ(values, std::vector<int>(kItems, 1));
    for (cl_event old : {before, event}) EXPECT_EQ(clReleaseEvent(old), CL_SUCCESS);
  }

  cl_kernel kernel_ = nullptr;
  cl_mem data_ = nullptr;
};

/// Calls to make while memory fails: each feature of the command graph, once.
struct Scenario {
  cl_command_queue queue;
  cl_kernel kernel;
  cl_mem data;
  cl_event gate;
  std::atomic<int> calls{0};
  int expected_calls = 0;
  std::array<cl_event, 12> events{};
  std::array<cl_int, 40> errors{};
  size_t num_errors = 0;

  void note(cl_int error) { errors[num_errors++] = error; }
  /// Waits for the gate and for at most two earlier events.
  void run() {
    size_t count = 0;
    auto waits = [&](std::array<cl_event, 4> &list) {
      cl_uint length = 0;
      list[length++] = gate;
      for (size_t i = 0; i < count && length < 4; ++i)
        if (events[i]) list[length++] = events[i];
      return length;
    };
    const int value = 5;
    for (; count < events.size(); ++count) {
      std::array<cl_event, 4> list{};
      const cl_uint length = count % 3 == 2 ? 0 : waits(list);
      const cl_event *first = length ? list.data() : nullptr;
      cl_event *event = &events[count];
      switch (count % 4) {
      case 0: note(clEnqueueNDRangeKernel(queue, kernel, 1, nullptr, &kItems, nullptr, length, first, event)); break;
      case 1: note(clEnqueueMarkerWithWaitList(queue, length, first, event)); break;
      case 2: note(clEnqueueFillBuffer(queue, data, &value, sizeof value, 0, 64, length, first, event)); break;
      default: note(clEnqueueBarrierWithWaitList(queue, length, first, event));
      }
      if (errors[num_errors - 1] != CL_SUCCESS) continue;
      note(clSetEventCallback(*event, CL_COMPLETE, count_call, &calls));
      expected_calls += errors[num_errors - 1] == CL_SUCCESS;
    }
    note(clSetUserEventStatus(gate, CL_COMPLETE));
    note(clFinish(queue));
  }
};

TEST_F(FailureTest, GivenAllocationsThatFail_WhenCommandsAreEnqueuedAndRun_ThenErrorsTellAndTheQueueWorksOn) {
  for (cl_command_queue queue : {in_order_, out_of_order_})
    for (bool for_good : {false, true})
      for (int64_t given = 0;; ++given) {
        Scenario scenario{.queue = queue, .kernel = kernel_, .data = data_, .gate = make_user_event()};
        bool has_struck = false;
        {
          FailingMemory failing(given, for_good);
          scenario.run();
          has_struck = failing.has_struck();
        }
        for (size_t i = 0; i < scenario.num_errors; ++i)
          EXPECT_TRUE(is_shortage(scenario.errors[i]))
              << "error " << scenario.errors[i] << " after " << given << " allocations";
        for (cl_event event : scenario.events)
          if (event) {
            EXPECT_TRUE(is_done(event)) << "after " << given << " allocations";
            EXPECT_EQ(clReleaseEvent(event), CL_SUCCESS);
          }
        expect_usable(queue);
        if (HasFatalFailure()) return;
        for (int ms = 0; ms < 5000 && scenario.calls < scenario.expected_calls; ++ms)
          std::this_thread::sleep_for(std::chrono::milliseconds(1));
        EXPECT_EQ(scenario.calls, scenario.expected_calls) << "after " << given << " allocations";
        EXPECT_EQ(clReleaseEvent(scenario.gate), CL_SUCCESS);
        ASSERT_TRUE(has_struck || given > 0) << "the driver does not use this program's operator new";
        if (!has_struck) break;
        ASSERT_LT(given, 2000) << "the scenario allocates without end";
      }
}

// Functions that kernels call fail too when memory runs out, and no exception passes through a kernel.
TEST_F(FailureTest, GivenAllocationsThatFail_WhenKernelsEnqueueCaptureTimesAndPrint_ThenTheLaunchEnds) {
  const cl_queue_properties on_device[] = {
      CL_QUEUE_PROPERTIES, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE | CL_QUEUE_ON_DEVICE | CL_QUEUE_ON_DEVICE_DEFAULT, 0};
  cl_command_queue queue = clCreateCommandQueueWithProperties(context_, device_, on_device, nullptr);
  ASSERT_NE(queue, nullptr) << "the device has queues for kernels";
  cl_kernel kernel = make_kernel(build(R"(
    kernel void captures(global ulong *times) {
      clk_event_t events[4];
      for (int i = 0; i < 4; ++i) {
        if (enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_WAIT_KERNEL, ndrange_1D(1), 0, NULL, &events[i], ^{
              if (times[0] == 77) printf("never\n");
            }))
          continue;
        for (int j = 0; j < 9; ++j) capture_event_profiling_info(events[i], CLK_PROFILING_COMMAND_EXEC_TIME, times + 2 * i);
        release_event(events[i]);
      }
    })"),
                                 "captures");
  cl_mem times = make_buffer(8 * sizeof(cl_ulong));
  EXPECT_EQ(set_argument(kernel, 0, times), CL_SUCCESS);
  for (bool for_good : {false, true})
    for (int64_t given = 0;; ++given) {
      const cl_ulong none = 0;
      const size_t one = 1;
      ASSERT_EQ(clEnqueueFillBuffer(in_order_, times, &none, sizeof none, 0, 8 * sizeof none, 0, nullptr, nullptr), CL_SUCCESS);
      ASSERT_EQ(clFinish(in_order_), CL_SUCCESS);
      cl_event event = nullptr;
      bool has_struck = false;
      cl_int error = CL_SUCCESS, status = CL_QUEUED;
      {
        FailingMemory failing(given, for_good);
        error = clEnqueueNDRangeKernel(in_order_, kernel, 1, nullptr, &one, &one, 0, nullptr, &event);
        if (error == CL_SUCCESS) clWaitForEvents(1, &event);
        has_struck = failing.has_struck();
      }
      EXPECT_TRUE(is_shortage(error)) << error << " after " << given << " allocations";
      if (error == CL_SUCCESS) {
        ASSERT_TRUE(is_done(event)) << "after " << given << " allocations";
        status = status_of(event);
        EXPECT_TRUE(is_shortage(status)) << status << " after " << given << " allocations";
        EXPECT_EQ(clReleaseEvent(event), CL_SUCCESS);
      }
      if (!has_struck) {
        ASSERT_EQ(status, CL_COMPLETE);
        break;
      }
      ASSERT_LT(given, 2000);
    }
  expect_usable(in_order_);
  EXPECT_EQ(clReleaseCommandQueue(queue), CL_SUCCESS);
}

/// Results of calls while memory fails. They are checked later, since GoogleTest's messages need memory too.
struct Objects {
  cl_int made_buffer = 0, made_queue = 0, mapped = 0, unmapped = 0, finished = 0, released_queue = 0, released_buffer = 0;
  cl_uint maps_when_mapped = 0, maps_when_unmapped = 0;

  void make(cl_context context, cl_device_id device) {
    cl_mem buffer = clCreateBuffer(context, 0, 4096, nullptr, &made_buffer);
    const cl_queue_properties properties[] = {CL_QUEUE_PROPERTIES, CL_QUEUE_PROFILING_ENABLE, 0};
    cl_command_queue queue = clCreateCommandQueueWithProperties(context, device, properties, &made_queue);
    if (buffer && queue) {
      void *pointer = clEnqueueMapBuffer(queue, buffer, CL_TRUE, CL_MAP_WRITE, 0, 64, 0, nullptr, nullptr, &mapped);
      clGetMemObjectInfo(buffer, CL_MEM_MAP_COUNT, sizeof(cl_uint), &maps_when_mapped, nullptr);
      if (pointer) unmapped = clEnqueueUnmapMemObject(queue, buffer, pointer, 0, nullptr, nullptr);
      clGetMemObjectInfo(buffer, CL_MEM_MAP_COUNT, sizeof(cl_uint), &maps_when_unmapped, nullptr);
      finished = clFinish(queue);
    }
    if (queue) released_queue = clReleaseCommandQueue(queue);
    if (buffer) released_buffer = clReleaseMemObject(buffer);
  }
};

TEST_F(FailureTest, GivenAllocationsThatFail_WhenObjectsAreMadeAndMapped_ThenErrorsTellAndNothingIsLeft) {
  for (bool for_good : {false, true})
    for (int64_t given = 0;; ++given) {
      Objects objects;
      bool has_struck = false;
      {
        FailingMemory failing(given, for_good);
        objects.make(context_, device_);
        has_struck = failing.has_struck();
      }
      // Allocation of a buffer's memory has its own error.
      EXPECT_TRUE(is_shortage(objects.made_buffer) || objects.made_buffer == CL_MEM_OBJECT_ALLOCATION_FAILURE)
          << objects.made_buffer << " after " << given << " allocations";
      for (cl_int error : {objects.made_queue, objects.mapped, objects.unmapped, objects.finished})
        EXPECT_TRUE(is_shortage(error)) << error << " after " << given << " allocations";
      const bool was_mapped =
          objects.made_buffer == CL_SUCCESS && objects.made_queue == CL_SUCCESS && objects.mapped == CL_SUCCESS;
      EXPECT_EQ(objects.maps_when_mapped, was_mapped ? 1U : 0U);
      EXPECT_EQ(objects.maps_when_unmapped, was_mapped && objects.unmapped != CL_SUCCESS ? 1U : 0U);
      EXPECT_EQ(objects.released_queue, CL_SUCCESS);
      EXPECT_EQ(objects.released_buffer, CL_SUCCESS);
      if (!has_struck) break;
      ASSERT_LT(given, 2000);
    }
}

// The error of a blocking map has a text, which needs memory too.
TEST_F(FailureTest, GivenAWaitThatFailed_WhenAMapHasNoMemory_ThenNothingIsMapped) {
  cl_int error = CL_SUCCESS;
  cl_event failed = clCreateUserEvent(context_, &error);
  ASSERT_EQ(clSetUserEventStatus(failed, -1), CL_SUCCESS);
  cl_command_queue queue = clCreateCommandQueueWithProperties(context_, device_, nullptr, &error);
  cl_mem buffer = clCreateBuffer(context_, 0, 4096, nullptr, &error);
  ASSERT_EQ(error, CL_SUCCESS);
  for (int64_t given = 0;; ++given) {
    void *pointer = nullptr;
    bool has_struck = false;
    {
      FailingMemory failing(given, true);
      pointer = clEnqueueMapBuffer(queue, buffer, CL_TRUE, CL_MAP_WRITE, 0, 64, 1, &failed, nullptr, &error);
      has_struck = failing.has_struck();
    }
    EXPECT_EQ(pointer, nullptr);
    EXPECT_NE(error, CL_SUCCESS);
    cl_uint maps = 7;
    EXPECT_EQ(clGetMemObjectInfo(buffer, CL_MEM_MAP_COUNT, sizeof maps, &maps, nullptr), CL_SUCCESS);
    EXPECT_EQ(maps, 0U) << "after " << given << " allocations";
    if (!has_struck) break;
    ASSERT_LT(given, 2000);
  }
  EXPECT_EQ(clReleaseMemObject(buffer), CL_SUCCESS);
  EXPECT_EQ(clReleaseCommandQueue(queue), CL_SUCCESS);
  EXPECT_EQ(clReleaseEvent(failed), CL_SUCCESS);
}

TEST_F(FailureTest, GivenAllocationsThatFail_WhenAProgramIsBuiltWithACallback_ThenTheBuildEnds) {
  cl_program program = make_program("kernel void nothing() {}");
  // Loads the parts of the compiler that later builds need.
  ASSERT_EQ(clBuildProgram(program, 0, nullptr, "", nullptr, nullptr), CL_SUCCESS);
  for (int64_t given = 0;; ++given) {
    bool has_struck = false;
    std::atomic<int> built{0};
    auto notify = [](cl_program, void *count) { ++*static_cast<std::atomic<int> *>(count); };
    cl_int error = CL_SUCCESS;
    {
      FailingMemory failing(given, false);
      error = clBuildProgram(program, 0, nullptr, "", notify, &built);
      for (int ms = 0; error == CL_SUCCESS && ms < 20000 && built == 0; ++ms)
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
      has_struck = failing.has_struck();
    }
    if (error == CL_SUCCESS) EXPECT_EQ(built, 1) << "after " << given << " allocations";
    cl_build_status status = CL_BUILD_IN_PROGRESS;
    EXPECT_EQ(clGetProgramBuildInfo(program, device_, CL_PROGRAM_BUILD_STATUS, sizeof status, &status, nullptr), CL_SUCCESS);
    EXPECT_NE(status, CL_BUILD_IN_PROGRESS) << "after " << given << " allocations";
    if (!has_struck) break;
    ASSERT_LT(given, 5000);
  }
}

}  // namespace
}  // namespace upsweep::tests
