// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Queues, transfers and events of GPU devices: with the CUDA driver in software (fake_cuda.cpp), or with
// UPSWEEP_TEST_DEVICE=gpu on the GPUs that there are, where what only the software can do is skipped.
#include "../../tested_device.h"
#include "fake_cuda.h"
#include <CL/cl.h>
#include <CL/cl_ext.h>
#include <algorithm>
#include <array>
#include <atomic>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <gtest/gtest.h>
#include <numeric>
#include <random>
#include <thread>
#include <vector>

namespace upsweep::tests {
namespace {

constexpr const char *kSource = R"(
kernel void add(global int *data, int value) { data[get_global_id(0)] += value; }
kernel void copy(global const int *from, global int *to) { to[get_global_id(0)] = from[get_global_id(0)]; }
kernel void trap(global int *data) { __builtin_trap(); }
)";

/// The driver reads its options once, at its first use.
const bool gpus_are_listed = setenv("UPSWEEP_CUDA", "1", 1) == 0;

/// Null on a real GPU. The first call comes before the driver looks for libcuda.so.1, and then finds this one.
FakeCuda *fake() {
  static FakeCuda *const the = [] {
    if (tested_device_type() == CL_DEVICE_TYPE_GPU) return static_cast<FakeCuda *>(nullptr);
    void *library = dlopen(FAKE_CUDA, RTLD_NOW);
    void *symbol = library ? dlsym(library, kFakeCudaSymbol) : nullptr;
    return symbol ? reinterpret_cast<FakeCuda *(*)()>(symbol)() : nullptr;
  }();
  return the;
}

class GpuQueues : public testing::Test {
protected:
  void SetUp() override {
    ASSERT_TRUE(fake() || tested_device_type() == CL_DEVICE_TYPE_GPU) << "there is no " << FAKE_CUDA;
    cl_platform_id platform = nullptr;
    ASSERT_EQ(clGetPlatformIDs(1, &platform, nullptr), CL_SUCCESS);
    cl_uint count = 0;
    ASSERT_EQ(clGetDeviceIDs(platform, CL_DEVICE_TYPE_GPU, 0, nullptr, &count), CL_SUCCESS) << "there is no GPU";
    gpus_.resize(count);
    ASSERT_EQ(clGetDeviceIDs(platform, CL_DEVICE_TYPE_GPU, count, gpus_.data(), nullptr), CL_SUCCESS);
    ASSERT_EQ(clGetDeviceIDs(platform, CL_DEVICE_TYPE_CPU, 1, &cpu_, nullptr), CL_SUCCESS);
    std::vector<cl_device_id> all = gpus_;
    all.push_back(cpu_);
    cl_int error = -1;
    context_ = clCreateContext(nullptr, static_cast<cl_uint>(all.size()), all.data(), nullptr, nullptr, &error);
    ASSERT_EQ(error, CL_SUCCESS);
    program_ = clCreateProgramWithSource(context_, 1, const_cast<const char **>(&kSource), nullptr, &error);
    ASSERT_EQ(error, CL_SUCCESS);
    ASSERT_EQ(clBuildProgram(program_, 0, nullptr, "-cl-std=CL3.0", nullptr, nullptr), CL_SUCCESS);
    queue_ = make_queue(gpus_[0], 0);
  }

  void TearDown() override {
    for (cl_mem buffer : buffers_) clReleaseMemObject(buffer);
    for (cl_command_queue queue : queues_) {
      clFinish(queue);
      clReleaseCommandQueue(queue);
    }
    clReleaseProgram(program_);
    clReleaseContext(context_);
  }

  cl_command_queue make_queue(cl_device_id device, cl_command_queue_properties properties) {
    const cl_queue_properties list[] = {CL_QUEUE_PROPERTIES, properties, 0};
    cl_int error = -1;
    queues_.push_back(clCreateCommandQueueWithProperties(context_, device, list, &error));
    EXPECT_EQ(error, CL_SUCCESS);
    return queues_.back();
  }

  cl_mem make_buffer(size_t bytes, cl_mem_flags flags = 0, void *host = nullptr) {
    cl_int error = -1;
    buffers_.push_back(clCreateBuffer(context_, flags, bytes, host, &error));
    EXPECT_EQ(error, CL_SUCCESS);
    return buffers_.back();
  }
  cl_mem make_ints(std::vector<int> values) {
    return make_buffer(values.size() * sizeof(int), CL_MEM_COPY_HOST_PTR, values.data());
  }

  cl_int add(cl_command_queue queue, cl_mem data, int value, size_t count, const std::vector<cl_event> &waits = {},
             cl_event *event = nullptr) {
    cl_kernel kernel = clCreateKernel(program_, "add", nullptr);
    clSetKernelArg(kernel, 0, sizeof data, &data);
    clSetKernelArg(kernel, 1, sizeof value, &value);
    return launch(queue, kernel, count, waits, event);
  }
  cl_int copy(cl_command_queue queue, cl_mem from, cl_mem to, size_t count, const std::vector<cl_event> &waits,
              cl_event *event) {
    cl_kernel kernel = clCreateKernel(program_, "copy", nullptr);
    clSetKernelArg(kernel, 0, sizeof from, &from);
    clSetKernelArg(kernel, 1, sizeof to, &to);
    return launch(queue, kernel, count, waits, event);
  }
  static cl_int launch(cl_command_queue queue, cl_kernel kernel, size_t count, const std::vector<cl_event> &waits,
                       cl_event *event) {
    const cl_int error = clEnqueueNDRangeKernel(queue, kernel, 1, nullptr, &count, nullptr, static_cast<cl_uint>(waits.size()),
                                                waits.empty() ? nullptr : waits.data(), event);
    clReleaseKernel(kernel);
    return error;
  }

  static std::vector<int> read(cl_command_queue queue, cl_mem buffer, size_t count, cl_bool blocking = CL_TRUE) {
    std::vector<int> values(count, -1);
    EXPECT_EQ(clEnqueueReadBuffer(queue, buffer, blocking, 0, count * sizeof(int), values.data(), 0, nullptr, nullptr),
              CL_SUCCESS);
    if (!blocking) EXPECT_EQ(clFinish(queue), CL_SUCCESS);
    return values;
  }

  static cl_int status_of(cl_event event) {
    cl_int status = 1000;
    EXPECT_EQ(clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, nullptr), CL_SUCCESS);
    return status;
  }

  static std::vector<int> counting(size_t count) {
    std::vector<int> values(count);
    std::iota(values.begin(), values.end(), 1);
    return values;
  }

  std::vector<cl_device_id> gpus_;
  cl_device_id cpu_ = nullptr;
  cl_context context_ = nullptr;
  cl_program program_ = nullptr;
  cl_command_queue queue_ = nullptr;
  std::vector<cl_command_queue> queues_;
  std::vector<cl_mem> buffers_;
};

TEST_F(GpuQueues, GivenGpusAndTheCpu_WhenAskedWhichTheyAre_ThenEachGpuIsAnotherAndTheCpuDoesNotSay) {
  std::vector<std::array<cl_uchar, CL_UUID_SIZE_KHR>> uuids(gpus_.size());
  for (size_t i = 0; i < gpus_.size(); ++i) {
    EXPECT_EQ(clGetDeviceInfo(gpus_[i], CL_DEVICE_UUID_KHR, sizeof uuids[i], uuids[i].data(), nullptr), CL_SUCCESS);
    for (size_t before = 0; before < i; ++before) EXPECT_NE(uuids[i], uuids[before]);
    cl_device_pci_bus_info_khr place{};
    EXPECT_EQ(clGetDeviceInfo(gpus_[i], CL_DEVICE_PCI_BUS_INFO_KHR, sizeof place, &place, nullptr), CL_SUCCESS);
  }
  EXPECT_EQ(clGetDeviceInfo(cpu_, CL_DEVICE_UUID_KHR, 0, nullptr, nullptr), CL_INVALID_VALUE);
  EXPECT_EQ(clGetDeviceInfo(cpu_, CL_DEVICE_PCI_BUS_INFO_KHR, 0, nullptr, nullptr), CL_INVALID_VALUE);
}

TEST_F(GpuQueues, GivenBuffersOfAllSizes_WhenWrittenAddedToAndRead_ThenTheValuesAreThere) {
  for (size_t count : {1, 7, 1000, 16384, 16385, 100000, 3000000}) {
    std::vector<int> values = counting(count);
    const std::vector<int> source = values;
    cl_mem buffer = make_buffer(count * sizeof(int));
    ASSERT_EQ(clEnqueueWriteBuffer(queue_, buffer, CL_FALSE, 0, count * sizeof(int), source.data(), 0, nullptr, nullptr),
              CL_SUCCESS);
    ASSERT_EQ(add(queue_, buffer, 5, count), CL_SUCCESS);
    for (int &value : values) value += 5;
    EXPECT_EQ(read(queue_, buffer, count), values) << count;
    ASSERT_EQ(add(queue_, buffer, 1, count), CL_SUCCESS);
    for (int &value : values) value += 1;
    EXPECT_EQ(read(queue_, buffer, count, CL_FALSE), values) << count;
  }
}

TEST_F(GpuQueues, GivenPatternsOfAllSizes_WhenFilled_ThenOnlyThoseBytesAreWritten) {
  std::mt19937 random(1);
  for (size_t pattern_bytes = 1; pattern_bytes <= 128; pattern_bytes *= 2)
    for (size_t count : {1, 3, 1000, 70000}) {
      std::vector<unsigned char> pattern(pattern_bytes), expected(pattern_bytes * (count + 2), 9);
      for (auto &byte : pattern) byte = static_cast<unsigned char>(random());
      cl_mem buffer = make_buffer(expected.size(), CL_MEM_COPY_HOST_PTR, expected.data());
      ASSERT_EQ(clEnqueueFillBuffer(queue_, buffer, pattern.data(), pattern_bytes, pattern_bytes, pattern_bytes * count, 0,
                                    nullptr, nullptr),
                CL_SUCCESS);
      for (size_t i = 0; i < pattern_bytes * count; ++i) expected[pattern_bytes + i] = pattern[i % pattern_bytes];
      std::vector<unsigned char> got(expected.size());
      ASSERT_EQ(clEnqueueReadBuffer(queue_, buffer, CL_TRUE, 0, got.size(), got.data(), 0, nullptr, nullptr), CL_SUCCESS);
      EXPECT_EQ(got, expected) << pattern_bytes << " * " << count;
    }
}

/// A box in a 3D array of bytes.
struct Box {
  std::array<size_t, 3> origin;
  size_t row, slice;
};

void copy_box(std::vector<char> &to, const Box &a, const std::vector<char> &from, const Box &b,
              const std::array<size_t, 3> &region) {
  for (size_t z = 0; z < region[2]; ++z)
    for (size_t y = 0; y < region[1]; ++y)
      for (size_t x = 0; x < region[0]; ++x)
        to[(a.origin[2] + z) * a.slice + (a.origin[1] + y) * a.row + a.origin[0] + x] =
            from[(b.origin[2] + z) * b.slice + (b.origin[1] + y) * b.row + b.origin[0] + x];
}

TEST_F(GpuQueues, GivenRandomBoxes_WhenWrittenCopiedAndRead_ThenTheyAreWhereTheyBelong) {
  std::mt19937 random(2);
  auto draw = [&](size_t last) { return std::uniform_int_distribution<size_t>(0, last)(random); };
  for (int round = 0; round < 60; ++round) {
    const std::array<size_t, 3> region{1 + draw(round % 3 ? 60 : 3000), 1 + draw(8), 1 + draw(5)};
    auto make_box = [&] {
      Box box{{draw(5), draw(3), draw(2)}, region[0] + 5 + draw(9), 0};
      box.slice = box.row * (region[1] + 3 + draw(3));
      return box;
    };
    const Box host = make_box(), a = make_box(), b = make_box();
    auto bytes = [&](const Box &box) { return box.slice * (region[2] + 3); };
    std::vector<char> from(bytes(host)), on_a(bytes(a), 1), on_b(bytes(b), 2), back(bytes(host), 3);
    for (char &byte : from) byte = static_cast<char>(random());
    cl_mem buffer_a = make_buffer(bytes(a), CL_MEM_COPY_HOST_PTR, on_a.data());
    cl_mem buffer_b = make_buffer(bytes(b), CL_MEM_COPY_HOST_PTR, on_b.data());
    ASSERT_EQ(clEnqueueWriteBufferRect(queue_, buffer_a, CL_FALSE, a.origin.data(), host.origin.data(), region.data(), a.row,
                                       a.slice, host.row, host.slice, from.data(), 0, nullptr, nullptr),
              CL_SUCCESS);
    ASSERT_EQ(clEnqueueCopyBufferRect(queue_, buffer_a, buffer_b, a.origin.data(), b.origin.data(), region.data(), a.row,
                                      a.slice, b.row, b.slice, 0, nullptr, nullptr),
              CL_SUCCESS);
    std::vector<char> expected = back;
    ASSERT_EQ(clEnqueueReadBufferRect(queue_, buffer_b, round % 2, b.origin.data(), host.origin.data(), region.data(), b.row,
                                      b.slice, host.row, host.slice, back.data(), 0, nullptr, nullptr),
              CL_SUCCESS);
    ASSERT_EQ(clFinish(queue_), CL_SUCCESS);
    copy_box(on_a, a, from, host, region);
    copy_box(on_b, b, on_a, a, region);
    copy_box(expected, host, on_b, b, region);
    ASSERT_EQ(back, expected) << "round " << round;
    std::vector<char> whole(bytes(b));
    ASSERT_EQ(clEnqueueReadBuffer(queue_, buffer_b, CL_TRUE, 0, whole.size(), whole.data(), 0, nullptr, nullptr), CL_SUCCESS);
    ASSERT_EQ(whole, on_b) << "round " << round;
  }
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

TEST_F(GpuQueues, GivenALongReadWithoutBlocking_WhenTheGpuStandsStill_ThenTheCallReturns) {
  if (!fake()) GTEST_SKIP() << "the driver in software alone can be stopped";
  constexpr size_t kCount = 1 << 20;
  cl_mem buffer = make_ints(std::vector<int>(kCount, 3));
  ASSERT_EQ(add(queue_, buffer, 1, kCount), CL_SUCCESS);
  ASSERT_EQ(clFinish(queue_), CL_SUCCESS);
  fake()->is_halted = true;
  std::vector<int> values(kCount, -1);
  ASSERT_EQ(clEnqueueReadBuffer(queue_, buffer, CL_FALSE, 0, kCount * 4, values.data(), 0, nullptr, nullptr), CL_SUCCESS);
  ASSERT_EQ(add(queue_, buffer, 1, kCount), CL_SUCCESS);
  fake()->is_halted = false;
  EXPECT_EQ(clFinish(queue_), CL_SUCCESS);
  EXPECT_EQ(values, std::vector<int>(kCount, 4));
  EXPECT_EQ(read(queue_, buffer, kCount), std::vector<int>(kCount, 5));
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
    EXPECT_LT(times[3] - times[0], 10'000'000'000u);
    last_end = times[3];
    clReleaseEvent(event);
  }
}

TEST_F(GpuQueues, GivenAMappedBuffer_WhenTheHostWritesIt_ThenTheGpuSeesThat) {
  for (cl_mem_flags flags : {cl_mem_flags{0}, cl_mem_flags{CL_MEM_ALLOC_HOST_PTR}}) {
    constexpr size_t kCount = 40000;
    cl_mem buffer = make_buffer(kCount * sizeof(int), flags);
    const int zero = 0;
    ASSERT_EQ(clEnqueueFillBuffer(queue_, buffer, &zero, 4, 0, kCount * 4, 0, nullptr, nullptr), CL_SUCCESS);
    for (int round = 1; round < 5; ++round) {
      ASSERT_EQ(add(queue_, buffer, 1, kCount), CL_SUCCESS);
      cl_int error = -1;
      auto *values = static_cast<int *>(
          clEnqueueMapBuffer(queue_, buffer, CL_TRUE, CL_MAP_READ | CL_MAP_WRITE, 0, kCount * 4, 0, nullptr, nullptr, &error));
      ASSERT_EQ(error, CL_SUCCESS);
      for (size_t i = 0; i < kCount; ++i) {
        ASSERT_EQ(values[i], round * 11 - 10);
        values[i] += 10;
      }
      ASSERT_EQ(clEnqueueUnmapMemObject(queue_, buffer, values, 0, nullptr, nullptr), CL_SUCCESS);
    }
    EXPECT_EQ(read(queue_, buffer, kCount), std::vector<int>(kCount, 44));
  }
}

TEST_F(GpuQueues, GivenTwoGpus_WhenABufferMovesBetweenThem_ThenItGoesThereDirectly) {
  if (gpus_.size() < 2) GTEST_SKIP() << "there is one GPU";
  constexpr size_t kCount = 1 << 20;
  cl_mem buffer = make_ints(counting(kCount));
  cl_command_queue other = make_queue(gpus_[1], 0);
  std::vector<int> expected = counting(kCount);
  ASSERT_EQ(add(queue_, buffer, 1, kCount), CL_SUCCESS);
  ASSERT_EQ(clFinish(queue_), CL_SUCCESS);
  const size_t before = fake() ? fake()->bytes_down.load() : 0;
  for (int round = 0; round < 4; ++round) {
    ASSERT_EQ(add(other, buffer, 10, kCount), CL_SUCCESS);
    ASSERT_EQ(clFinish(other), CL_SUCCESS);
    ASSERT_EQ(add(queue_, buffer, 100, kCount), CL_SUCCESS);
    ASSERT_EQ(clFinish(queue_), CL_SUCCESS);
  }
  if (fake()) EXPECT_EQ(fake()->bytes_down, before) << "by way of the host";
  for (int &value : expected) value += 441;
  EXPECT_EQ(read(other, buffer, kCount), expected);
}

/// Random commands on a few buffers, on queues of all devices; those on one buffer wait for each other by events.
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
  std::vector<std::vector<int>> sources;  // the host's memory lives until all is over
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
    // What comes next on the source may overwrite it.
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
  cl_event before = nullptr, fault = nullptr, after = nullptr;
  ASSERT_EQ(add(queue_, buffer, 1, 100, {}, &before), CL_SUCCESS);
  ASSERT_EQ(clWaitForEvents(1, &before), CL_SUCCESS);
  cl_kernel kernel = clCreateKernel(program_, "trap", nullptr);
  clSetKernelArg(kernel, 0, sizeof buffer, &buffer);
  ASSERT_EQ(launch(queue_, kernel, 1, {}, &fault), CL_SUCCESS);
  EXPECT_EQ(clWaitForEvents(1, &fault), CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
  EXPECT_EQ(status_of(fault), CL_OUT_OF_RESOURCES);
  // The GPU is lost to the process: commands fail, but they end.
  add(queue_, buffer, 1, 100, {}, &after);
  if (after) EXPECT_LT((clWaitForEvents(1, &after), status_of(after)), 0);
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
