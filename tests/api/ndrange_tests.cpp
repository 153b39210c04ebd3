// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// clEnqueueNDRangeKernel, clEnqueueTask, clEnqueueNativeKernel, clGetKernelSuggestedLocalWorkSizeKHR.
#include "fixture.h"
#include <array>
#include <atomic>
#include <numeric>
#include <thread>

namespace upsweep::tests {
namespace {

constexpr char kSource[] = R"(
kernel void record(global ulong *out, ulong width, ulong height) {
  ulong x = get_global_id(0) - get_global_offset(0), y = get_global_id(1) - get_global_offset(1);
  ulong z = get_global_id(2) - get_global_offset(2);
  ulong i = x + width * (y + height * z);
  out[i] = get_group_id(0) + 1000 * get_group_id(1) + 1000000 * get_group_id(2) + 1000000000ul * get_local_size(0) +
           1000000000000ul * get_global_id(0);
}
kernel __attribute__((reqd_work_group_size(8, 2, 1))) void required(global int *out) {
  out[get_global_id(0) + get_global_id(1) * get_global_size(0)] = get_local_size(0) * 100 + get_local_size(1) * 10;
}
kernel void count(global uint *counter) { atomic_inc(counter); }
kernel void sum_local(global int *out, local int *memory) { memory[get_local_id(0)] = 1; out[get_global_id(0)] = 1; }
)";

class NDRangeTest : public Fixture {
protected:
  void SetUp() override {
    Fixture::SetUp();
    program_ = build("-cl-std=CL3.0");
  }
  void TearDown() override {
    EXPECT_EQ(clReleaseProgram(program_), CL_SUCCESS);
    Fixture::TearDown();
  }

  cl_program build(const char *options) {
    const char *source = kSource;
    cl_int error = -1;
    cl_program program = clCreateProgramWithSource(context_, 1, &source, nullptr, &error);
    EXPECT_EQ(error, CL_SUCCESS);
    EXPECT_EQ(clBuildProgram(program, 0, nullptr, options, nullptr, nullptr), CL_SUCCESS);
    return program;
  }
  /// The counting kernel with its counter set.
  cl_kernel make_counting(cl_mem counter, cl_program program = nullptr) {
    cl_kernel kernel = clCreateKernel(program ? program : program_, "count", nullptr);
    EXPECT_EQ(clSetKernelArg(kernel, 0, sizeof(counter), &counter), CL_SUCCESS);
    return kernel;
  }
  cl_mem make_buffer(size_t bytes) {
    cl_int error = -1;
    cl_mem buffer = clCreateBuffer(context_, CL_MEM_READ_WRITE, bytes, nullptr, &error);
    EXPECT_EQ(error, CL_SUCCESS);
    const cl_uint zero = 0;
    EXPECT_EQ(clEnqueueFillBuffer(in_order_, buffer, &zero, 1, 0, bytes, 0, nullptr, nullptr), CL_SUCCESS);
    return buffer;
  }
  cl_uint read_counter(cl_mem counter) {
    cl_uint value = 0;
    EXPECT_EQ(clEnqueueReadBuffer(in_order_, counter, CL_TRUE, 0, sizeof(value), &value, 0, nullptr, nullptr), CL_SUCCESS);
    return value;
  }

  cl_program program_ = nullptr;
};

struct Range {
  cl_uint dims;
  std::array<size_t, 3> offset, global, local;
};

class NDRangeShapeTest : public NDRangeTest, public testing::WithParamInterface<Range> {};

TEST_P(NDRangeShapeTest, GivenRange_WhenRun_ThenEveryWorkItemHasItsIds) {
  const Range &range = GetParam();
  auto [width, height, depth] = range.global;
  if (range.local[0] > max_work_group_size()) GTEST_SKIP() << "the device has no work-groups of " << range.local[0];
  size_t items = width * height * depth;
  cl_mem out = make_buffer(items * sizeof(cl_ulong));
  cl_kernel kernel = clCreateKernel(program_, "record", nullptr);
  cl_ulong w = width, h = height;
  EXPECT_EQ(clSetKernelArg(kernel, 0, sizeof(out), &out), CL_SUCCESS);
  EXPECT_EQ(clSetKernelArg(kernel, 1, sizeof(w), &w), CL_SUCCESS);
  EXPECT_EQ(clSetKernelArg(kernel, 2, sizeof(h), &h), CL_SUCCESS);
  ASSERT_EQ(clEnqueueNDRangeKernel(in_order_, kernel, range.dims, range.offset.data(), range.global.data(), range.local.data(),
                                   0, nullptr, nullptr),
            CL_SUCCESS);
  std::vector<cl_ulong> result(items);
  ASSERT_EQ(clEnqueueReadBuffer(in_order_, out, CL_TRUE, 0, items * sizeof(cl_ulong), result.data(), 0, nullptr, nullptr),
            CL_SUCCESS);
  for (size_t i = 0; i < items; ++i) {
    size_t x = i % width, y = i / width % height, z = i / width / height;
    size_t group = x / range.local[0];
    size_t local_size = std::min(range.local[0], width - group * range.local[0]);
    cl_ulong expected = group + 1000 * (y / range.local[1]) + 1000000 * (z / range.local[2]) + 1000000000ul * local_size +
                        1000000000000ul * (x + range.offset[0]);
    ASSERT_EQ(result[i], expected) << x << ", " << y << ", " << z;
  }
  EXPECT_EQ(clReleaseKernel(kernel), CL_SUCCESS);
  EXPECT_EQ(clReleaseMemObject(out), CL_SUCCESS);
}

// Sizes around a sub-group, and sizes that the work-groups do not divide.
INSTANTIATE_TEST_SUITE_P(
    Shapes, NDRangeShapeTest,
    testing::Values(Range{1, {0, 0, 0}, {1, 1, 1}, {1, 1, 1}}, Range{1, {7, 0, 0}, {64, 1, 1}, {16, 1, 1}},
                    Range{1, {0, 0, 0}, {1000, 1, 1}, {17, 1, 1}}, Range{1, {0, 0, 0}, {5000, 1, 1}, {4096, 1, 1}},
                    Range{2, {3, 5, 0}, {33, 9, 1}, {16, 4, 1}}, Range{2, {0, 0, 0}, {1, 100, 1}, {1, 7, 1}},
                    Range{3, {1, 2, 3}, {10, 6, 5}, {4, 3, 2}}, Range{3, {0, 0, 0}, {64, 8, 8}, {8, 8, 8}}));

TEST_F(NDRangeTest, GivenNoLocalSize_WhenRun_ThenEveryWorkItemRunsOnce) {
  cl_mem counter = make_buffer(4);
  cl_kernel kernel = make_counting(counter);
  cl_uint expected = 0;
  // Primes, powers of two, and sizes around them.
  for (size_t size : {1, 2, 13, 16, 100, 1023, 1024, 1025, 10007, 65536}) {
    ASSERT_EQ(clEnqueueNDRangeKernel(in_order_, kernel, 1, nullptr, &size, nullptr, 0, nullptr, nullptr), CL_SUCCESS);
    expected += static_cast<cl_uint>(size);
    EXPECT_EQ(read_counter(counter), expected) << size;
  }
  ASSERT_EQ(clEnqueueTask(in_order_, kernel, 0, nullptr, nullptr), CL_SUCCESS);
  EXPECT_EQ(read_counter(counter), expected + 1);
  EXPECT_EQ(clReleaseKernel(kernel), CL_SUCCESS);
  EXPECT_EQ(clReleaseMemObject(counter), CL_SUCCESS);
}

TEST_F(NDRangeTest, GivenEmptyRange_WhenEnqueued_ThenItCompletesWithoutWork) {
  cl_mem counter = make_buffer(4);
  cl_kernel kernel = make_counting(counter);
  const size_t zero[] = {4, 0};
  cl_event event = nullptr;
  EXPECT_EQ(clEnqueueNDRangeKernel(in_order_, kernel, 2, nullptr, zero, nullptr, 0, nullptr, &event), CL_SUCCESS);
  EXPECT_EQ(clWaitForEvents(1, &event), CL_SUCCESS);
  EXPECT_EQ(clEnqueueNDRangeKernel(in_order_, kernel, 1, nullptr, nullptr, nullptr, 0, nullptr, nullptr), CL_SUCCESS);
  EXPECT_EQ(read_counter(counter), 0u);
  EXPECT_EQ(clReleaseEvent(event), CL_SUCCESS);
  EXPECT_EQ(clReleaseKernel(kernel), CL_SUCCESS);
  EXPECT_EQ(clReleaseMemObject(counter), CL_SUCCESS);
}

TEST_F(NDRangeTest, GivenBadSizes_WhenEnqueued_ThenErrors) {
  cl_mem counter = make_buffer(4);
  cl_kernel kernel = make_counting(counter);
  auto run = [&](cl_uint dims, std::vector<size_t> global, std::vector<size_t> local, std::vector<size_t> offset = {}) {
    return clEnqueueNDRangeKernel(in_order_, kernel, dims, offset.empty() ? nullptr : offset.data(), global.data(),
                                  local.empty() ? nullptr : local.data(), 0, nullptr, nullptr);
  };
  EXPECT_EQ(run(0, {1}, {}), CL_INVALID_WORK_DIMENSION);
  EXPECT_EQ(run(4, {1, 1, 1, 1}, {}), CL_INVALID_WORK_DIMENSION);
  EXPECT_EQ(run(1, {8}, {0}), CL_INVALID_WORK_GROUP_SIZE);
  const size_t most = max_work_group_size();
  EXPECT_EQ(run(1, {8192}, {most + 1}), CL_INVALID_WORK_ITEM_SIZE);
  EXPECT_EQ(run(2, {8192, 2}, {most, 2}), CL_INVALID_WORK_GROUP_SIZE);
  EXPECT_EQ(run(3, {1, 1, 1}, {SIZE_MAX, SIZE_MAX, SIZE_MAX}), CL_INVALID_WORK_ITEM_SIZE);
  EXPECT_EQ(run(1, {2}, {1}, {SIZE_MAX}), CL_INVALID_GLOBAL_OFFSET);
  EXPECT_EQ(run(3, {size_t{1} << 40, size_t{1} << 40, size_t{1} << 40}, {}), CL_OUT_OF_RESOURCES);
  EXPECT_EQ(clEnqueueNDRangeKernel(in_order_, nullptr, 1, nullptr, nullptr, nullptr, 0, nullptr, nullptr), CL_INVALID_KERNEL);
  EXPECT_EQ(read_counter(counter), 0u);
  EXPECT_EQ(clReleaseKernel(kernel), CL_SUCCESS);
  EXPECT_EQ(clReleaseMemObject(counter), CL_SUCCESS);
}

TEST_F(NDRangeTest, GivenUnsetArguments_WhenEnqueued_ThenInvalidKernelArgs) {
  cl_kernel kernel = clCreateKernel(program_, "count", nullptr);
  const size_t one = 1;
  EXPECT_EQ(clEnqueueNDRangeKernel(in_order_, kernel, 1, nullptr, &one, nullptr, 0, nullptr, nullptr), CL_INVALID_KERNEL_ARGS);
  EXPECT_EQ(clReleaseKernel(kernel), CL_SUCCESS);
}

TEST_F(NDRangeTest, GivenUniformWorkGroups_WhenTheRangeIsNotDivisible_ThenInvalidWorkGroupSize) {
  cl_mem counter = make_buffer(4);
  const size_t global = 10, local = 4;
  for (const char *options : {"-cl-std=CL1.2", "-cl-std=CL3.0 -cl-uniform-work-group-size"}) {
    cl_program program = build(options);
    cl_kernel kernel = make_counting(counter, program);
    EXPECT_EQ(clEnqueueNDRangeKernel(in_order_, kernel, 1, nullptr, &global, &local, 0, nullptr, nullptr),
              CL_INVALID_WORK_GROUP_SIZE);
    EXPECT_EQ(clEnqueueNDRangeKernel(in_order_, kernel, 1, nullptr, &global, nullptr, 0, nullptr, nullptr), CL_SUCCESS);
    EXPECT_EQ(clReleaseKernel(kernel), CL_SUCCESS);
    EXPECT_EQ(clReleaseProgram(program), CL_SUCCESS);
  }
  EXPECT_EQ(read_counter(counter), 20u);
  EXPECT_EQ(clReleaseMemObject(counter), CL_SUCCESS);
}

TEST_F(NDRangeTest, GivenRequiredWorkGroupSize_WhenAnotherIsGiven_ThenInvalidWorkGroupSize) {
  cl_mem out = make_buffer(16 * 4 * sizeof(cl_int));
  cl_kernel kernel = clCreateKernel(program_, "required", nullptr);
  EXPECT_EQ(clSetKernelArg(kernel, 0, sizeof(out), &out), CL_SUCCESS);
  const size_t global[] = {16, 4}, wrong[] = {4, 4}, right[] = {8, 2};
  EXPECT_EQ(clEnqueueNDRangeKernel(in_order_, kernel, 2, nullptr, global, wrong, 0, nullptr, nullptr),
            CL_INVALID_WORK_GROUP_SIZE);
  EXPECT_EQ(clEnqueueNDRangeKernel(in_order_, kernel, 2, nullptr, global, right, 0, nullptr, nullptr), CL_SUCCESS);
  EXPECT_EQ(clEnqueueNDRangeKernel(in_order_, kernel, 2, nullptr, global, nullptr, 0, nullptr, nullptr), CL_SUCCESS);
  std::vector<cl_int> result(64);
  EXPECT_EQ(clEnqueueReadBuffer(in_order_, out, CL_TRUE, 0, 256, result.data(), 0, nullptr, nullptr), CL_SUCCESS);
  for (cl_int value : result) EXPECT_EQ(value, 820);
  EXPECT_EQ(clReleaseKernel(kernel), CL_SUCCESS);
  EXPECT_EQ(clReleaseMemObject(out), CL_SUCCESS);
}

TEST_F(NDRangeTest, GivenTooMuchLocalMemory_WhenEnqueued_ThenOutOfResources) {
  cl_mem out = make_buffer(64);
  cl_kernel kernel = clCreateKernel(program_, "sum_local", nullptr);
  EXPECT_EQ(clSetKernelArg(kernel, 0, sizeof(out), &out), CL_SUCCESS);
  size_t bytes = value_of<cl_ulong>(clGetDeviceInfo, device_, CL_DEVICE_LOCAL_MEM_SIZE);
  const size_t items = 16;
  EXPECT_EQ(clSetKernelArg(kernel, 1, bytes, nullptr), CL_SUCCESS);
  EXPECT_EQ(clEnqueueNDRangeKernel(in_order_, kernel, 1, nullptr, &items, nullptr, 0, nullptr, nullptr), CL_SUCCESS);
  cl_int error = clSetKernelArg(kernel, 1, bytes + 1, nullptr);
  if (error == CL_SUCCESS)
    EXPECT_EQ(clEnqueueNDRangeKernel(in_order_, kernel, 1, nullptr, &items, nullptr, 0, nullptr, nullptr), CL_OUT_OF_RESOURCES);
  EXPECT_EQ(clFinish(in_order_), CL_SUCCESS);
  EXPECT_EQ(clReleaseKernel(kernel), CL_SUCCESS);
  EXPECT_EQ(clReleaseMemObject(out), CL_SUCCESS);
}

TEST_F(NDRangeTest, GivenLargePrivateArrays_WhenEnqueued_ThenTheyRunOrAreRefused) {
  // 400 KB times 16 lanes fit a worker's stack of 16 MiB. 4 MB do not, unless they are in a function that is called for one
  // lane at a time.
  const char *source = R"(
    #ifdef APART
    __attribute__((noinline))
    #endif
    int last(int step, int id) {
      int memory[SIZE];
      for (int i = 0; i < SIZE; i += step) memory[i] = i + id;
      return memory[(SIZE / step - 1) * step];
    }
    kernel void fill(global int *out, int step) {
      out[get_global_id(0)] = last(step, (int)get_global_id(0));
      #ifdef WAITS
      barrier(CLK_GLOBAL_MEM_FENCE);
      out[get_global_id(0)] += last(step, (int)get_global_id(0)) - last(step, 0) - (int)get_global_id(0);
      #endif
    })";
  cl_mem out = make_buffer(64 * sizeof(cl_int));
  auto run = [&](const char *options, cl_int step) {
    cl_program program = clCreateProgramWithSource(context_, 1, &source, nullptr, nullptr);
    EXPECT_EQ(clBuildProgram(program, 0, nullptr, options, nullptr, nullptr), CL_SUCCESS);
    cl_kernel kernel = clCreateKernel(program, "fill", nullptr);
    EXPECT_EQ(clSetKernelArg(kernel, 0, sizeof(out), &out), CL_SUCCESS);
    EXPECT_EQ(clSetKernelArg(kernel, 1, sizeof(step), &step), CL_SUCCESS);
    const size_t items = 64;
    cl_int error = clEnqueueNDRangeKernel(in_order_, kernel, 1, nullptr, &items, nullptr, 0, nullptr, nullptr);
    EXPECT_EQ(clFinish(in_order_), CL_SUCCESS);
    EXPECT_EQ(clReleaseKernel(kernel), CL_SUCCESS);
    EXPECT_EQ(clReleaseProgram(program), CL_SUCCESS);
    return error;
  };
  // A barrier makes three calls. The estimate counts the arrays of inlined calls side by side. A GPU has 512 KiB for each
  // work-item.
  const std::vector<const char *> fitting =
      tests_a_gpu() ? std::vector{"-DSIZE=30000", "-DSIZE=30000 -DAPART", "-DSIZE=30000 -DWAITS"}
                    : std::vector{"-DSIZE=100000", "-DSIZE=1000000 -DAPART", "-DSIZE=50000 -DWAITS",
                                  "-DSIZE=1000000 -DWAITS -DAPART", "-DSIZE=1000000 -cl-opt-disable -DAPART"};
  for (const char *options : fitting) {
    EXPECT_EQ(run(options, 1000), CL_SUCCESS) << options;
    std::vector<cl_int> result(64);
    EXPECT_EQ(clEnqueueReadBuffer(in_order_, out, CL_TRUE, 0, 256, result.data(), 0, nullptr, nullptr), CL_SUCCESS);
    const cl_int last = std::atoi(options + std::strlen("-DSIZE=")) - 1000;
    for (int i = 0; i < 64; ++i) EXPECT_EQ(result[i], last + i) << options;
  }
  for (const char *options :
       {"-DSIZE=1000000", "-DSIZE=1000000 -DWAITS", "-DSIZE=10000000 -DAPART", "-DSIZE=10000000 -DAPART -DWAITS"})
    EXPECT_EQ(run(options, 1000), CL_OUT_OF_RESOURCES) << options;
  EXPECT_EQ(clReleaseMemObject(out), CL_SUCCESS);
}

TEST_F(NDRangeTest, GivenSuggestion_WhenAsked_ThenItIsAValidLocalSize) {
  using Suggest = cl_int(CL_API_CALL *)(cl_command_queue, cl_kernel, cl_uint, const size_t *, const size_t *, size_t *);
  auto suggest =
      reinterpret_cast<Suggest>(clGetExtensionFunctionAddressForPlatform(platform_, "clGetKernelSuggestedLocalWorkSizeKHR"));
  ASSERT_NE(suggest, nullptr);
  cl_mem counter = make_buffer(4);
  cl_kernel kernel = make_counting(counter);
  const size_t global[] = {640, 480};
  size_t local[] = {0, 0};
  EXPECT_EQ(suggest(in_order_, kernel, 2, nullptr, global, local), CL_SUCCESS);
  EXPECT_GT(local[0], 0u);
  EXPECT_LE(local[0] * local[1], max_work_group_size());
  EXPECT_EQ(clEnqueueNDRangeKernel(in_order_, kernel, 2, nullptr, global, local, 0, nullptr, nullptr), CL_SUCCESS);
  EXPECT_EQ(read_counter(counter), 640u * 480u);
  EXPECT_EQ(suggest(in_order_, kernel, 2, nullptr, global, nullptr), CL_INVALID_VALUE);
  EXPECT_EQ(clReleaseKernel(kernel), CL_SUCCESS);
  EXPECT_EQ(clReleaseMemObject(counter), CL_SUCCESS);
}

TEST_F(NDRangeTest, GivenReleasedObjects_WhenTheirCommandIsPending_ThenItStillRuns) {
  cl_mem counter = make_buffer(4);
  cl_kernel kernel = make_counting(counter);
  cl_event user = make_user_event(), done = nullptr;
  const size_t items = 100;
  cl_uint value = 0;
  ASSERT_EQ(clEnqueueNDRangeKernel(in_order_, kernel, 1, nullptr, &items, nullptr, 1, &user, nullptr), CL_SUCCESS);
  ASSERT_EQ(clEnqueueReadBuffer(in_order_, counter, CL_FALSE, 0, sizeof(value), &value, 0, nullptr, &done), CL_SUCCESS);
  EXPECT_EQ(clReleaseKernel(kernel), CL_SUCCESS);
  EXPECT_EQ(clReleaseMemObject(counter), CL_SUCCESS);
  EXPECT_EQ(clSetUserEventStatus(user, CL_COMPLETE), CL_SUCCESS);
  EXPECT_EQ(clWaitForEvents(1, &done), CL_SUCCESS);
  EXPECT_EQ(value, 100u);
  EXPECT_EQ(clReleaseEvent(user), CL_SUCCESS);
  EXPECT_EQ(clReleaseEvent(done), CL_SUCCESS);
}

struct NativeArguments {
  cl_uint *memory;
  cl_uint value;
};

TEST_F(NDRangeTest, GivenNativeKernel_WhenRun_ThenItGetsThePointerOfTheBuffer) {
  if (!runs_native_kernels()) GTEST_SKIP() << "the device runs no functions of the host";
  cl_mem counter = make_buffer(4);
  NativeArguments arguments{nullptr, 77};
  const void *place = &arguments.memory;
  auto function = [](void *given) {
    auto *own = static_cast<NativeArguments *>(given);
    *own->memory = own->value;
  };
  auto run = [&](void(CL_CALLBACK * called)(void *), void *args, size_t bytes, cl_uint count, const cl_mem *list,
                 const void **places) {
    return clEnqueueNativeKernel(in_order_, called, args, bytes, count, list, places, 0, nullptr, nullptr);
  };
  EXPECT_EQ(run(function, &arguments, sizeof(arguments), 1, &counter, &place), CL_SUCCESS);
  EXPECT_EQ(read_counter(counter), 77u);
  EXPECT_EQ(run(nullptr, &arguments, sizeof(arguments), 1, &counter, &place), CL_INVALID_VALUE);
  EXPECT_EQ(run(function, nullptr, 8, 0, nullptr, nullptr), CL_INVALID_VALUE);
  EXPECT_EQ(run(function, &arguments, 0, 0, nullptr, nullptr), CL_INVALID_VALUE);
  EXPECT_EQ(run(function, &arguments, sizeof(arguments), 1, nullptr, &place), CL_INVALID_VALUE);
  EXPECT_EQ(run(function, &arguments, sizeof(arguments), 0, &counter, nullptr), CL_INVALID_VALUE);
  cl_mem bad = reinterpret_cast<cl_mem>(in_order_);
  EXPECT_EQ(run(function, &arguments, sizeof(arguments), 1, &bad, &place), CL_INVALID_MEM_OBJECT);
  EXPECT_EQ(clReleaseMemObject(counter), CL_SUCCESS);
}

TEST_F(NDRangeTest, GivenNativeKernel_WhenItThrows_ThenItsEventHasAnError) {
  if (!runs_native_kernels()) GTEST_SKIP() << "the device runs no functions of the host";
  auto function = [](void *) { throw 1; };
  cl_event event = nullptr;
  ASSERT_EQ(clEnqueueNativeKernel(in_order_, function, nullptr, 0, 0, nullptr, nullptr, 0, nullptr, &event), CL_SUCCESS);
  EXPECT_EQ(clWaitForEvents(1, &event), CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
  EXPECT_EQ(status_of(event), CL_OUT_OF_RESOURCES);
  EXPECT_EQ(clReleaseEvent(event), CL_SUCCESS);
}

std::atomic<int> arrived, met;

TEST_F(NDRangeTest, GivenOutOfOrderQueue_WhenTwoCommandsWaitForEachOther_ThenBothRun) {
  if (!runs_native_kernels()) GTEST_SKIP() << "the device runs no functions of the host";
  if (value_of<cl_uint>(clGetDeviceInfo, device_, CL_DEVICE_MAX_COMPUTE_UNITS) < 2) GTEST_SKIP() << "one worker";
  arrived = met = 0;
  // Each waits until the other has started, which only commands that overlap can do. The limit ends a test that fails.
  auto meet = [](void *) {
    ++arrived;
    for (int ms = 0; ms < 20000 && arrived < 2; ++ms) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    met += arrived == 2;
  };
  for (int i = 0; i < 2; ++i)
    ASSERT_EQ(clEnqueueNativeKernel(out_of_order_, meet, nullptr, 0, 0, nullptr, nullptr, 0, nullptr, nullptr), CL_SUCCESS);
  EXPECT_EQ(clFinish(out_of_order_), CL_SUCCESS);
  EXPECT_EQ(met, 2);
}

}  // namespace
}  // namespace upsweep::tests
