// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Transfers and mappings of GPU devices.
#include "gpu_fixture.h"
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
