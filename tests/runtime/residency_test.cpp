// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Buffers that move between the CPU and two devices with separate memory.
#include "separate_fixture.h"
#include <array>
#include <cstring>
#include <random>
#include <thread>

namespace upsweep::tests {
namespace {

class Residency : public SeparateFixture {};

constexpr size_t kNumInts = 1000;
constexpr size_t kBytes = kNumInts * sizeof(int);

std::vector<int> plus(std::vector<int> values, int value) {
  for (int &each : values) each += value;
  return values;
}

TEST_F(Residency, GivenTargetsOfTwoTypes_WhenDevicesAreChosen_ThenTheTypeDecidesAndTheCpuIsTheDefault) {
  cl_platform_id platform = devices().platform;
  auto found = [&](cl_device_type type) {
    std::array<cl_device_id, 4> list{};
    cl_uint count = 0;
    EXPECT_EQ(clGetDeviceIDs(platform, type, 4, list.data(), &count), CL_SUCCESS);
    return std::vector<cl_device_id>(list.begin(), list.begin() + count);
  };
  const std::vector<cl_device_id> all = found(CL_DEVICE_TYPE_ALL);
  ASSERT_EQ(all.size(), 3u);
  EXPECT_EQ(found(CL_DEVICE_TYPE_CPU), std::vector{all[0]});
  EXPECT_EQ(found(CL_DEVICE_TYPE_DEFAULT), std::vector{all[0]});
  EXPECT_EQ(found(CL_DEVICE_TYPE_GPU), (std::vector{all[1], all[2]}));
  EXPECT_EQ(found(CL_DEVICE_TYPE_GPU | CL_DEVICE_TYPE_DEFAULT), all);
  EXPECT_EQ(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ACCELERATOR, 4, nullptr, nullptr), CL_INVALID_VALUE);
}

TEST_F(Residency, GivenADeviceThatLacksThem_WhenPartsOrNativeKernelsAreWanted_ThenTheyAreRefused) {
  cl_device_id device = devices().platform->devices()[kFirst].get();
  const cl_device_partition_property equally[] = {CL_DEVICE_PARTITION_EQUALLY, 1, 0};
  EXPECT_EQ(clCreateSubDevices(device, equally, 0, nullptr, nullptr), CL_INVALID_VALUE);
  cl_device_partition_property kind = 1;
  EXPECT_EQ(clGetDeviceInfo(device, CL_DEVICE_PARTITION_PROPERTIES, sizeof kind, &kind, nullptr), CL_SUCCESS);
  EXPECT_EQ(kind, 0);
  EXPECT_EQ(clEnqueueNativeKernel(
                queues_[kFirst], [](void *) {}, nullptr, 0, 0, nullptr, nullptr, 0, nullptr, nullptr),
            CL_INVALID_OPERATION);
}

TEST_F(Residency, GivenAShallowDevice_WhenTheDriverChoosesTheLocalSize_ThenEachDimensionFits) {
  cl_kernel kernel = make_kernel("add");
  cl_mem buffer = make_buffer(64);
  const int value = 0;
  clSetKernelArg(kernel, 0, sizeof buffer, &buffer);
  clSetKernelArg(kernel, 1, sizeof value, &value);
  const std::array<size_t, 3> global{1, 1, 4096};
  std::array<size_t, 3> local{};
  EXPECT_EQ(clGetKernelSuggestedLocalWorkSizeKHR(queues_[kFirst], kernel, 3, nullptr, global.data(), local.data()), CL_SUCCESS);
  EXPECT_EQ(local[2], 64u);
  const std::array<size_t, 3> deep{1, 1, 128};
  EXPECT_EQ(clEnqueueNDRangeKernel(queues_[kFirst], kernel, 3, nullptr, global.data(), deep.data(), 0, nullptr, nullptr),
            CL_INVALID_WORK_ITEM_SIZE);
}

TEST_F(Residency, GivenOneDeviceWithOwnMemory_WhenItWorksAlone_ThenNothingGoesByWayOfTheHost) {
  open({kFirst});
  const std::vector<int> values = counting(kNumInts);
  cl_mem buffer = make_buffer(kBytes);
  cl_mem other = make_buffer(kBytes);
  EXPECT_EQ(clEnqueueWriteBuffer(queues_[kFirst], buffer, CL_FALSE, 0, kBytes, values.data(), 0, nullptr, nullptr), CL_SUCCESS);
  EXPECT_EQ(add(queues_[kFirst], buffer, 5), CL_SUCCESS);
  EXPECT_EQ(clEnqueueCopyBuffer(queues_[kFirst], buffer, other, 0, 0, kBytes, 0, nullptr, nullptr), CL_SUCCESS);
  EXPECT_EQ(read(queues_[kFirst], other), plus(values, 5));
  EXPECT_EQ(devices().first->bytes_up, 0u);
  EXPECT_EQ(devices().first->bytes_down, 0u);
  EXPECT_EQ(devices().first->allocations, 2u);
}

TEST_F(Residency, GivenAWriteThatRunsWhileTheDeviceAllocates_WhenAKernelFollowsIt_ThenItSeesWhatWasWritten) {
  const std::vector<int> values = counting(kNumInts);
  cl_mem buffer = make_buffer(kBytes);
  cl_event start = clCreateUserEvent(context_, nullptr), written = nullptr;
  EXPECT_EQ(clEnqueueWriteBuffer(queues_[kCpu], buffer, CL_FALSE, 0, kBytes, values.data(), 1, &start, &written), CL_SUCCESS);
  std::jthread starter;
  devices().first->during_allocation = [&] {
    starter = std::jthread([&] { clSetUserEventStatus(start, CL_COMPLETE); });
    while (status_of(written) > CL_RUNNING) std::this_thread::yield();
  };
  EXPECT_EQ(add(queues_[kFirst], buffer, 1, {written}), CL_SUCCESS);
  devices().first->during_allocation = nullptr;
  EXPECT_EQ(read(queues_[kFirst], buffer), plus(values, 1));
  for (cl_event event : {start, written}) clReleaseEvent(event);
}

TEST_F(Residency, GivenABufferOverSharedMemory_WhenADeviceUsesIt_ThenItWorksThere) {
  open({kFirst});
  void *shared = clSVMAlloc(context_, CL_MEM_READ_WRITE, kBytes, 0);
  ASSERT_NE(shared, nullptr);
  std::ranges::copy(counting(kNumInts), static_cast<int *>(shared));
  cl_mem buffer = make_buffer(kBytes, CL_MEM_USE_HOST_PTR, shared);
  cl_mem part = make_part(buffer, 0, kBytes / 2);
  EXPECT_EQ(add(queues_[kFirst], part, 1), CL_SUCCESS);
  EXPECT_EQ(clFinish(queues_[kFirst]), CL_SUCCESS);
  EXPECT_EQ(*static_cast<int *>(shared), 1);  // pointers in it are valid on the host and on the device
  EXPECT_EQ(devices().first->allocations, 0u);
  EXPECT_EQ(read(queues_[kFirst], buffer)[kNumInts - 1], int{kNumInts} - 1);
  cl_context context = context_;
  clRetainContext(context);
  close();
  clSVMFree(context, shared);
  clReleaseContext(context);
}

TEST_F(Residency, GivenHostDataAtCreation_WhenTheApplicationsCopyIsGone_ThenTheDeviceSeesIt) {
  open({kFirst});
  std::vector<int> values = counting(kNumInts);
  cl_mem buffer = make_ints(values);
  std::ranges::fill(values, -1);
  EXPECT_EQ(add(queues_[kFirst], buffer, 1), CL_SUCCESS);
  EXPECT_EQ(read(queues_[kFirst], buffer), counting(kNumInts, 1));
  EXPECT_EQ(devices().first->bytes_up, kBytes);
}

TEST_F(Residency, GivenABuffer_WhenThreeDevicesUseItInTurn_ThenEachSeesWhatTheLastOneWrote) {
  std::vector<int> expected = counting(kNumInts);
  cl_mem buffer = make_ints(expected);
  for (int round = 0; round < 30; ++round) {
    cl_command_queue queue = queues_[static_cast<size_t>(round) * 7 % 3];
    EXPECT_EQ(add(queue, buffer, round), CL_SUCCESS);
    EXPECT_EQ(clFinish(queue), CL_SUCCESS);
    expected = plus(expected, round);
    ASSERT_EQ(read(queues_[static_cast<size_t>(round) % 3], buffer), expected) << "round " << round;
  }
}

TEST_F(Residency, GivenAKernelThatOnlyReads_WhenDevicesShareItsInput_ThenItMovesOnce) {
  cl_mem from = make_ints(counting(kNumInts));
  std::array<cl_mem, 2> to = {make_buffer(kBytes), make_buffer(kBytes)};
  for (int round = 0; round < 3; ++round) {
    EXPECT_EQ(copy(queues_[kFirst], from, to[0]), CL_SUCCESS);
    EXPECT_EQ(copy(queues_[kCpu], from, to[1]), CL_SUCCESS);
    for (size_t i : {kFirst, kCpu}) EXPECT_EQ(clFinish(queues_[i]), CL_SUCCESS);
  }
  EXPECT_EQ(devices().first->bytes_up, kBytes);
  EXPECT_EQ(devices().first->bytes_down, 0u);
  EXPECT_EQ(read(queues_[kFirst], to[0]), counting(kNumInts));
  EXPECT_EQ(read(queues_[kCpu], to[1]), counting(kNumInts));
}

TEST_F(Residency, GivenPartsOfABuffer_WhenThreeDevicesWriteThemAtOnce_ThenNoneIsLost) {
  constexpr size_t kPart = 4096;
  for (int round = 0; round < 20; ++round) {
    cl_mem buffer = make_ints(counting(3 * kPart / sizeof(int)));
    for (size_t device : {kCpu, kFirst, kSecond}) {
      cl_mem part = make_part(buffer, device * kPart, kPart);
      for (int i = 0; i < 4; ++i) EXPECT_EQ(add(queues_[device], part, static_cast<int>(device) + 1), CL_SUCCESS);
    }
    for (cl_command_queue queue : queues_) EXPECT_EQ(clFinish(queue), CL_SUCCESS);
    const std::vector<int> result = read(queues_[static_cast<size_t>(round) % 3], buffer);
    for (size_t i = 0; i < result.size(); ++i)
      ASSERT_EQ(result[i], static_cast<int>(i + 4 * (i / (kPart / sizeof(int)) + 1))) << i;
  }
}

TEST_F(Residency, GivenABufferThatOneDeviceMostlyHasAlone_WhenOthersUseItNowAndThen_ThenEachSeesTheNewestBytes) {
  std::mt19937 random(7);
  std::vector<int> model = counting(kNumInts);
  constexpr size_t kBegin = 512;  // parts are aligned
  cl_mem buffer = make_ints(model), part = make_part(buffer, 4 * kBegin, kBytes - 4 * kBegin);
  for (int step = 0; step < 300; ++step) {
    // Six of ten commands are for the first device, so that it often has the only valid copy.
    const size_t device =
        std::array{kFirst, kFirst, kFirst, kFirst, kFirst, kFirst, kSecond, kSecond, kCpu, kCpu}[random() % 10];
    const bool is_part = random() % 2;
    const size_t first = is_part ? kBegin : 0;
    const int value = static_cast<int>(random() % 100);
    switch (random() % 4) {
    case 0:
    case 1:
      ASSERT_EQ(add(queues_[device], is_part ? part : buffer, value), CL_SUCCESS);
      for (size_t i = first; i < kNumInts; ++i) model[i] += value;
      break;
    case 2:
      ASSERT_EQ(clEnqueueFillBuffer(queues_[device], buffer, &value, 4, 4 * first, kBytes - 4 * first, 0, nullptr, nullptr),
                CL_SUCCESS);
      std::fill(model.begin() + static_cast<ptrdiff_t>(first), model.end(), value);
      break;
    default: ASSERT_EQ(read(queues_[device], buffer), model) << "step " << step;
    }
    ASSERT_EQ(clFinish(queues_[device]), CL_SUCCESS);
  }
  EXPECT_EQ(read(queues_[kCpu], buffer), model);
}

TEST_F(Residency, GivenTheApplicationsMemory_WhenADeviceWrites_ThenAMappingShowsIt) {
  std::vector<int> own = counting(kNumInts);
  cl_mem buffer = make_buffer(kBytes, CL_MEM_USE_HOST_PTR, own.data());
  EXPECT_EQ(add(queues_[kFirst], buffer, 3), CL_SUCCESS);
  cl_int error = -1;
  auto *mapped = static_cast<int *>(
      clEnqueueMapBuffer(queues_[kFirst], buffer, CL_TRUE, CL_MAP_READ | CL_MAP_WRITE, 400, 40, 0, nullptr, nullptr, &error));
  EXPECT_EQ(error, CL_SUCCESS);
  ASSERT_EQ(mapped, own.data() + 100);
  EXPECT_EQ(own[100], 103);
  EXPECT_EQ(devices().first->bytes_down, 40u);
  own[100] = -1;
  EXPECT_EQ(clEnqueueUnmapMemObject(queues_[kFirst], buffer, mapped, 0, nullptr, nullptr), CL_SUCCESS);
  EXPECT_EQ(add(queues_[kFirst], buffer, 1), CL_SUCCESS);
  EXPECT_EQ(clFinish(queues_[kFirst]), CL_SUCCESS);
  std::vector<int> expected = counting(kNumInts, 4);
  expected[100] = 0;
  EXPECT_EQ(read(queues_[kSecond], buffer), expected);
}

TEST_F(Residency, GivenAMappingThatInvalidates_WhenItIsUnmapped_ThenOnlyItsBytesChange) {
  cl_mem buffer = make_ints(counting(kNumInts));
  EXPECT_EQ(add(queues_[kFirst], buffer, 3), CL_SUCCESS);
  EXPECT_EQ(clFinish(queues_[kFirst]), CL_SUCCESS);
  cl_int error = -1;
  auto *mapped = static_cast<int *>(
      clEnqueueMapBuffer(queues_[kSecond], buffer, CL_TRUE, CL_MAP_WRITE_INVALIDATE_REGION, 0, 8, 0, nullptr, nullptr, &error));
  ASSERT_EQ(error, CL_SUCCESS);
  EXPECT_EQ(devices().first->bytes_down, 0u) << "nothing of it needs to be read";
  mapped[0] = 70;
  mapped[1] = 80;
  EXPECT_EQ(clEnqueueUnmapMemObject(queues_[kSecond], buffer, mapped, 0, nullptr, nullptr), CL_SUCCESS);
  std::vector<int> expected = counting(kNumInts, 3);
  expected[0] = 70;
  expected[1] = 80;
  EXPECT_EQ(read(queues_[kSecond], buffer), expected);
  EXPECT_EQ(read(queues_[kFirst], buffer), expected);
  EXPECT_EQ(read(queues_[kCpu], buffer), expected);
}

TEST_F(Residency, GivenTwoMappingsAtOnePointer_WhenUnmapped_ThenEachCountsOnce) {
  cl_mem buffer = make_ints(counting(kNumInts));
  std::array<void *, 2> mapped{};
  for (void *&pointer : mapped)
    pointer = clEnqueueMapBuffer(queues_[kFirst], buffer, CL_TRUE, CL_MAP_READ, 0, kBytes, 0, nullptr, nullptr, nullptr);
  EXPECT_EQ(mapped[0], mapped[1]);
  cl_uint count = 0;
  clGetMemObjectInfo(buffer, CL_MEM_MAP_COUNT, sizeof count, &count, nullptr);
  EXPECT_EQ(count, 2u);
  for (void *pointer : mapped)
    EXPECT_EQ(clEnqueueUnmapMemObject(queues_[kFirst], buffer, pointer, 0, nullptr, nullptr), CL_SUCCESS);
  EXPECT_EQ(clEnqueueUnmapMemObject(queues_[kFirst], buffer, mapped[0], 0, nullptr, nullptr), CL_INVALID_VALUE);
}

TEST_F(Residency, GivenRowsOfABuffer_WhenADeviceWritesThem_ThenWhatLiesBetweenStays) {
  cl_mem buffer = make_ints(counting(64));
  EXPECT_EQ(add(queues_[kFirst], buffer, 100), CL_SUCCESS);
  EXPECT_EQ(clFinish(queues_[kFirst]), CL_SUCCESS);
  const std::array<int, 4> ones{1, 1, 1, 1};
  const std::array<size_t, 3> origin{8, 1, 0}, host_origin{0, 0, 0}, region{8, 2, 1};
  EXPECT_EQ(clEnqueueWriteBufferRect(queues_[kSecond], buffer, CL_TRUE, origin.data(), host_origin.data(), region.data(), 32, 0,
                                     8, 0, ones.data(), 0, nullptr, nullptr),
            CL_SUCCESS);
  std::vector<int> expected = counting(64, 100);
  for (size_t i : {10, 11, 18, 19}) expected[i] = 1;
  EXPECT_EQ(read(queues_[kFirst], buffer), expected);
}

TEST_F(Residency, GivenABufferOnOneDevice_WhenItMigrates_ThenItsNextUseMovesNothing) {
  cl_mem buffer = make_ints(counting(kNumInts));
  EXPECT_EQ(add(queues_[kFirst], buffer, 3), CL_SUCCESS);
  EXPECT_EQ(clFinish(queues_[kFirst]), CL_SUCCESS);
  EXPECT_EQ(clEnqueueMigrateMemObjects(queues_[kSecond], 1, &buffer, 0, 0, nullptr, nullptr), CL_SUCCESS);
  EXPECT_EQ(clFinish(queues_[kSecond]), CL_SUCCESS);
  EXPECT_EQ(devices().second->bytes_up, kBytes);
  EXPECT_EQ(read(queues_[kSecond], buffer), counting(kNumInts, 3));
  EXPECT_EQ(devices().second->bytes_up, kBytes);
}

TEST_F(Residency, GivenNativeKernelsOnTheCpu_WhenADeviceWroteTheirBuffer_ThenTheySeeIt) {
  cl_mem buffer = make_ints(counting(kNumInts));
  EXPECT_EQ(add(queues_[kFirst], buffer, 3), CL_SUCCESS);
  EXPECT_EQ(clFinish(queues_[kFirst]), CL_SUCCESS);
  void *argument = nullptr;
  const void *place = &argument;
  auto negate = [](void *block) {
    int *values = *static_cast<int **>(block);
    for (size_t i = 0; i < kNumInts; ++i) values[i] = -values[i];
  };
  EXPECT_EQ(clEnqueueNativeKernel(queues_[kCpu], negate, &argument, sizeof argument, 1, &buffer, &place, 0, nullptr, nullptr),
            CL_SUCCESS);
  EXPECT_EQ(clFinish(queues_[kCpu]), CL_SUCCESS);
  std::vector<int> expected = counting(kNumInts, 3);
  for (int &value : expected) value = -value;
  EXPECT_EQ(read(queues_[kFirst], buffer), expected);
}

TEST_F(Residency, GivenADeviceWithoutRoom_WhenAKernelIsEnqueued_ThenItIsRefused) {
  cl_mem buffer = make_ints(counting(kNumInts));
  devices().first->refuses_memory = true;
  EXPECT_EQ(add(queues_[kFirst], buffer, 1), CL_MEM_OBJECT_ALLOCATION_FAILURE);
  devices().first->refuses_memory = false;
  EXPECT_EQ(add(queues_[kFirst], buffer, 1), CL_SUCCESS);
  EXPECT_EQ(read(queues_[kFirst], buffer), counting(kNumInts, 1));
}

}  // namespace
}  // namespace upsweep::tests
