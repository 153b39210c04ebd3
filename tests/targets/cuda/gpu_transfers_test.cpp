// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Transfers and mappings of GPU devices.
#include "../../sanitizer.h"
#include "gpu_fixture.h"
#include <algorithm>
#include <array>
#include <random>

namespace upsweep::tests {
namespace {

using GpuTransfers = GpuFixture;

TEST_F(GpuTransfers, GivenBuffersOfAllSizes_WhenWrittenAddedToAndRead_ThenTheValuesAreThere) {
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

TEST_F(GpuTransfers, GivenPatternsOfAllSizes_WhenFilled_ThenOnlyThoseBytesAreWritten) {
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

TEST_F(GpuTransfers, GivenRandomBoxes_WhenWrittenCopiedAndRead_ThenTheyAreWhereTheyBelong) {
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

TEST_F(GpuTransfers, GivenALongReadWithoutBlocking_WhenTheGpuStandsStill_ThenTheCallReturns) {
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

/// Writes random bytes to a random place of a buffer, copies the buffer on the GPU, and reads the bytes back to a random place
/// of other memory. Bytes outside of these places must not change.
void expect_round_trip(cl_context context, cl_command_queue queue, size_t bytes, cl_bool blocking, unsigned seed) {
  std::mt19937 random(seed);
  const size_t at = random() % 5000, from = random() % 5000, to = random() % 5000, room = bytes + 5000;
  std::vector<uint32_t> values(room / 4 + 1);
  for (uint32_t &value : values) value = static_cast<uint32_t>(random());
  const char *source = reinterpret_cast<const char *>(values.data()) + from;
  cl_mem written = clCreateBuffer(context, 0, room, nullptr, nullptr),
         copied = clCreateBuffer(context, 0, room, nullptr, nullptr);
  ASSERT_TRUE(written && copied);
  const char mark = 0x5c;
  std::vector<char> back(room, mark), whole(room);
  std::array<cl_event, 4> events{};
  ASSERT_EQ(clEnqueueFillBuffer(queue, written, &mark, 1, 0, room, 0, nullptr, &events[0]), CL_SUCCESS);
  ASSERT_EQ(clEnqueueWriteBuffer(queue, written, blocking, at, bytes, source, 1, &events[0], &events[1]), CL_SUCCESS);
  ASSERT_EQ(clEnqueueCopyBuffer(queue, written, copied, 0, 0, room, 1, &events[1], &events[2]), CL_SUCCESS);
  ASSERT_EQ(clEnqueueReadBuffer(queue, copied, blocking, at, bytes, &back[to], 1, &events[2], &events[3]), CL_SUCCESS);
  ASSERT_EQ(clWaitForEvents(1, &events[3]), CL_SUCCESS);
  cl_ulong last = 0;
  for (cl_event event : events) {
    for (cl_profiling_info what : {CL_PROFILING_COMMAND_START, CL_PROFILING_COMMAND_END}) {
      cl_ulong time = 0;
      if (clGetEventProfilingInfo(event, what, sizeof time, &time, nullptr) != CL_SUCCESS) continue;
      EXPECT_GE(time, last) << bytes;
      last = time;
    }
    clReleaseEvent(event);
  }
  EXPECT_TRUE(std::equal(source, source + bytes, &back[to])) << bytes;
  EXPECT_TRUE(std::all_of(back.begin(), back.begin() + static_cast<ptrdiff_t>(to), [&](char byte) { return byte == mark; }));
  EXPECT_TRUE(
      std::all_of(back.begin() + static_cast<ptrdiff_t>(to + bytes), back.end(), [&](char byte) { return byte == mark; }));
  ASSERT_EQ(clEnqueueReadBuffer(queue, written, CL_TRUE, 0, room, whole.data(), 0, nullptr, nullptr), CL_SUCCESS);
  EXPECT_TRUE(std::equal(source, source + bytes, &whole[at])) << bytes;
  std::fill_n(&whole[at], bytes, mark);
  EXPECT_TRUE(std::ranges::all_of(whole, [&](char byte) { return byte == mark; })) << bytes;
  clReleaseMemObject(written);
  clReleaseMemObject(copied);
}

// host_copies.cpp splits copies to the GPU of at least 16 MiB, and copies to the host of at least 4 MiB. The pieces have a half
// to one MiB, and their pinned memory is limited.
constexpr size_t kMiB = size_t{1} << 20, kLongBytes = 16 * kMiB, kMostPinned = 24 * kMiB;

TEST_F(GpuTransfers, GivenLongCopiesAroundThePiecesEdges_WhenWrittenAndRead_ThenOnlyTheyAreThere) {
  unsigned seed = 0;
  for (size_t bytes : {4 * kMiB, 9 * kMiB / 2, 6 * kMiB, 12 * kMiB, kLongBytes, 25 * kMiB})
    for (size_t size : {bytes - 1, bytes, bytes + 1, bytes + 4096 + seed})
      for (cl_bool blocking : {CL_TRUE, CL_FALSE}) {
        if (kSanitized && (size + blocking) % 4 != 0) continue;  // `bytes`, and `bytes - 1` with blocking calls, suffice there
        expect_round_trip(context_, queue_, size, blocking, ++seed);
      }
}

TEST_F(GpuTransfers, GivenQueuesOfAllKinds_WhenLongCopiesGoAtOnce_ThenEachIsRight) {
  std::vector<std::thread> threads;
  const cl_command_queue_properties kinds[] = {0, CL_QUEUE_PROFILING_ENABLE, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE,
                                               CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE | CL_QUEUE_PROFILING_ENABLE};
  unsigned seed = 100;
  for (cl_command_queue_properties kind : kinds)
    threads.emplace_back([this, queue = make_queue(gpus_[0], kind), first = seed += 100] {
      for (unsigned seed = first; seed < first + (kSanitized ? 3 : 10); ++seed)
        expect_round_trip(context_, queue, (3 + seed % 5 * 4) * kMiB + seed, seed % 2, seed);
    });
  for (std::thread &thread : threads) thread.join();
}

TEST_F(GpuTransfers, GivenManyLongWrites_WhenTheGpuStandsStill_ThenTheCallsReturnAndLittleIsPinned) {
  if (!fake()) GTEST_SKIP() << "the driver in software alone can be stopped";
  constexpr size_t kCount = 5 * kMiB;  // of four bytes
  const size_t before = fake()->pinned_bytes;
  std::vector<std::vector<int>> sources;
  std::vector<cl_mem> targets;
  std::vector<cl_event> events;
  std::vector<cl_mem> ones;
  for (int i = 0; i < 6; ++i) {
    ones.push_back(make_ints({1}));
    ASSERT_EQ(add(queue_, ones.back(), 1, 1), CL_SUCCESS);  // brings it there
  }
  ASSERT_EQ(clFinish(queue_), CL_SUCCESS);
  fake()->most_pinned_bytes = before;
  fake()->is_halted = true;
  for (int i = 0; i < 6; ++i) {
    cl_command_queue queue = make_queue(gpus_[0], 0);
    sources.emplace_back(kCount, i);
    targets.push_back(make_buffer(kCount * sizeof(int)));
    ASSERT_EQ(add(queue, ones[static_cast<size_t>(i)], 1, 1), CL_SUCCESS);  // the write follows it
    ASSERT_EQ(clEnqueueWriteBuffer(queue, targets.back(), CL_FALSE, 0, kCount * sizeof(int), sources.back().data(), 0, nullptr,
                                   &events.emplace_back()),
              CL_SUCCESS);
    ASSERT_EQ(clFlush(queue), CL_SUCCESS);
  }
  // The first pieces are in pinned memory. The limit of 20 s ends a test that fails.
  for (int ms = 0; ms < 20000 && fake()->pinned_bytes < before + kMiB; ++ms)
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  for (cl_event event : events) EXPECT_GT(status_of(event), CL_COMPLETE);
  fake()->is_halted = false;
  ASSERT_EQ(clWaitForEvents(static_cast<cl_uint>(events.size()), events.data()), CL_SUCCESS);
  for (cl_event event : events) clReleaseEvent(event);
  for (size_t i = 0; i < targets.size(); ++i) EXPECT_EQ(read(queue_, targets[i], kCount), sources[i]);
  EXPECT_GE(fake()->most_pinned_bytes, before + kMiB) << "long writes do not go through pinned memory";
  EXPECT_LE(fake()->most_pinned_bytes, before + kMostPinned);
  // Pinned memory is freed with the last queue.
  for (cl_command_queue queue : queues_) clReleaseCommandQueue(queue);
  queues_.clear();
  for (int ms = 0; ms < 20000 && fake()->pinned_bytes >= before + kMiB; ++ms)
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  EXPECT_LT(fake()->pinned_bytes, before + kMiB);
}

TEST_F(GpuTransfers, GivenNoPinnedMemory_WhenCopiesAreLong_ThenTheyAreMadeWithout) {
  if (!fake()) GTEST_SKIP() << "the driver in software alone refuses memory";
  constexpr size_t kCount = kLongBytes / sizeof(int);
  cl_mem buffer = make_ints(std::vector<int>(kCount, 0));
  ASSERT_EQ(add(queue_, buffer, 1, kCount), CL_SUCCESS);
  ASSERT_EQ(clFinish(queue_), CL_SUCCESS);
  fake()->refuses_memory = true;
  const std::vector<int> source = counting(kCount);
  EXPECT_EQ(clEnqueueWriteBuffer(queue_, buffer, CL_TRUE, 0, kCount * sizeof(int), source.data(), 0, nullptr, nullptr),
            CL_SUCCESS);
  EXPECT_EQ(read(queue_, buffer, kCount), source);
  fake()->refuses_memory = false;
}

TEST_F(GpuTransfers, GivenAMappedBuffer_WhenTheHostWritesIt_ThenTheGpuSeesThat) {
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

/// Maps ints of a buffer for reading, behind the commands in the queue.
const int *map_to_read(cl_command_queue queue, cl_mem buffer, cl_bool blocking, size_t first, size_t count) {
  cl_int error = -1;
  void *ints = clEnqueueMapBuffer(queue, buffer, blocking, CL_MAP_READ, first * sizeof(int), count * sizeof(int), 0, nullptr,
                                  nullptr, &error);
  EXPECT_EQ(error, CL_SUCCESS);
  return static_cast<const int *>(ints);
}

void unmap(cl_command_queue queue, cl_mem buffer, const int *ints) {
  EXPECT_EQ(clEnqueueUnmapMemObject(queue, buffer, const_cast<int *>(ints), 0, nullptr, nullptr), CL_SUCCESS);
}

TEST_F(GpuTransfers, GivenAKernelInTheQueue_WhenABufferIsMappedToBeRead_ThenItsResultsAreThere) {
  // Sizes on both sides of the limit for transfers through other memory.
  for (size_t count : {size_t{1}, size_t{1000}, size_t{16384}, size_t{16385}, size_t{40000}}) {
    std::vector<int> application(count, 0);
    for (cl_mem_flags flags : {cl_mem_flags{CL_MEM_COPY_HOST_PTR}, cl_mem_flags{CL_MEM_COPY_HOST_PTR | CL_MEM_ALLOC_HOST_PTR},
                               cl_mem_flags{CL_MEM_USE_HOST_PTR}}) {
      std::ranges::fill(application, 0);
      cl_mem buffer = make_buffer(count * sizeof(int), flags, application.data());
      for (int round = 1; round < 5; ++round) {
        ASSERT_EQ(add(queue_, buffer, 1, count), CL_SUCCESS);
        const int *ints = map_to_read(queue_, buffer, round % 2, 0, count);
        if (round % 2 == 0) ASSERT_EQ(clFinish(queue_), CL_SUCCESS);
        ASSERT_EQ(std::vector<int>(ints, ints + count), std::vector<int>(count, round)) << count << " with " << flags;
        if (flags == CL_MEM_USE_HOST_PTR) ASSERT_EQ(ints, application.data());
        unmap(queue_, buffer, ints);
      }
      EXPECT_EQ(read(queue_, buffer, count), std::vector<int>(count, 4));
    }
  }
}

TEST_F(GpuTransfers, GivenPartsOfABuffer_WhenMappedBetweenKernels_ThenWhatIsWrittenLaterIsNotTakenForOld) {
  constexpr size_t kCount = 4096, kPart = 1024;
  cl_mem buffer = make_ints(std::vector<int>(kCount, 0));
  const cl_buffer_region region{kPart * sizeof(int), 2 * kPart * sizeof(int)};
  cl_int error = -1;
  cl_mem part = clCreateSubBuffer(buffer, 0, CL_BUFFER_CREATE_TYPE_REGION, &region, &error);
  ASSERT_EQ(error, CL_SUCCESS);
  buffers_.push_back(part);
  cl_command_queue cpu = make_queue(cpu_, 0);
  for (int round = 0; round < 20; ++round) {
    ASSERT_EQ(add(queue_, buffer, 0, kCount), CL_SUCCESS);  // brings the buffer there
    ASSERT_EQ(clFinish(queue_), CL_SUCCESS);
    // No command has ended when the next is enqueued: a mapping is cancelled before its bytes arrive.
    if (fake()) fake()->is_halted = true;
    ASSERT_EQ(add(queue_, buffer, 1, kCount), CL_SUCCESS);
    unmap(queue_, part, map_to_read(queue_, part, CL_FALSE, 0, 2 * kPart));
    ASSERT_EQ(add(queue_, buffer, 10, kCount), CL_SUCCESS);
    const int *ints = map_to_read(queue_, part, CL_FALSE, kPart, kPart);
    if (fake()) fake()->is_halted = false;
    ASSERT_EQ(clFinish(queue_), CL_SUCCESS);
    ASSERT_EQ(std::vector<int>(ints, ints + kPart), std::vector<int>(kPart, 111 * round + 11));
    unmap(queue_, part, ints);
    // The CPU has some of the bytes already, and must get the others.
    cl_event ready = nullptr;
    ASSERT_EQ(clEnqueueMarkerWithWaitList(queue_, 0, nullptr, &ready), CL_SUCCESS);
    ASSERT_EQ(add(cpu, buffer, 100, kCount, {ready}), CL_SUCCESS);
    ASSERT_EQ(clFinish(cpu), CL_SUCCESS);
    clReleaseEvent(ready);
  }
  EXPECT_EQ(read(queue_, buffer, kCount), std::vector<int>(kCount, 20 * 111));
}

TEST_F(GpuTransfers, GivenABufferThatTheHostHas_WhenMappedBehindAKernelOfAnother_ThenNothingIsCopied) {
  constexpr size_t kCount = 1000;
  cl_mem busy = make_ints(std::vector<int>(kCount, 0)), idle = make_ints(counting(kCount));
  ASSERT_EQ(add(queue_, busy, 1, kCount), CL_SUCCESS);
  const size_t before = fake() ? fake()->bytes_down.load() : 0;
  const int *ints = map_to_read(queue_, idle, CL_TRUE, 0, kCount);
  EXPECT_EQ(std::vector<int>(ints, ints + kCount), counting(kCount));
  unmap(queue_, idle, ints);
  if (fake()) EXPECT_EQ(fake()->bytes_down, before);
}

TEST_F(GpuTransfers, GivenTwoGpus_WhenABufferMovesBetweenThem_ThenItGoesThereDirectly) {
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

}  // namespace
}  // namespace upsweep::tests
