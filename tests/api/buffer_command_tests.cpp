// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Commands on buffers: read, write, copy, fill, their rectangles, map, unmap, migrate.
#include "object_fixture.h"
#include <atomic>
#include <chrono>
#include <cstdint>
#include <thread>

namespace {

using namespace upsweep::tests;
using BufferCommandTest = ObjectFixture;

TEST_F(BufferCommandTest, GivenAWrite_WhenReadBack_ThenTheRangeIsThere) {
  cl_mem buffer = make_counting_buffer(64);
  const std::vector<unsigned char> written(16, 99);
  cl_event event = nullptr;
  EXPECT_EQ(clEnqueueWriteBuffer(in_order_, buffer, CL_FALSE, 8, 16, written.data(), 0, nullptr, &event), CL_SUCCESS);
  EXPECT_EQ(clWaitForEvents(1, &event), CL_SUCCESS);
  std::vector<unsigned char> expected = counting(64);
  std::fill(expected.begin() + 8, expected.begin() + 24, 99);
  EXPECT_EQ(content_of(buffer), expected);
  EXPECT_EQ(clReleaseEvent(event), CL_SUCCESS);
}

TEST_F(BufferCommandTest, GivenRangesOutside_WhenEnqueued_ThenInvalidValue) {
  cl_mem buffer = make_buffer(64);
  char host[128];
  const char pattern[4] = {};
  EXPECT_EQ(clEnqueueReadBuffer(in_order_, buffer, CL_TRUE, 1, 64, host, 0, nullptr, nullptr), CL_INVALID_VALUE);
  EXPECT_EQ(clEnqueueReadBuffer(in_order_, buffer, CL_TRUE, SIZE_MAX, 2, host, 0, nullptr, nullptr), CL_INVALID_VALUE);
  EXPECT_EQ(clEnqueueReadBuffer(in_order_, buffer, CL_TRUE, 0, 64, nullptr, 0, nullptr, nullptr), CL_INVALID_VALUE);
  EXPECT_EQ(clEnqueueWriteBuffer(in_order_, buffer, CL_TRUE, 0, 65, host, 0, nullptr, nullptr), CL_INVALID_VALUE);
  EXPECT_EQ(clEnqueueCopyBuffer(in_order_, buffer, make_buffer(32), 0, 0, 33, 0, nullptr, nullptr), CL_INVALID_VALUE);
  EXPECT_EQ(clEnqueueFillBuffer(in_order_, buffer, pattern, 4, 62, 4, 0, nullptr, nullptr), CL_INVALID_VALUE);
  EXPECT_EQ(clEnqueueFillBuffer(in_order_, buffer, pattern, 4, 2, 4, 0, nullptr, nullptr), CL_INVALID_VALUE);
  EXPECT_EQ(clEnqueueFillBuffer(in_order_, buffer, pattern, 3, 0, 3, 0, nullptr, nullptr), CL_INVALID_VALUE);
  EXPECT_EQ(clEnqueueFillBuffer(in_order_, buffer, pattern, 0, 0, 4, 0, nullptr, nullptr), CL_INVALID_VALUE);
  EXPECT_EQ(clEnqueueFillBuffer(in_order_, buffer, nullptr, 4, 0, 4, 0, nullptr, nullptr), CL_INVALID_VALUE);
}

TEST_F(BufferCommandTest, GivenHostAccessFlags_WhenTheHostDoesOtherwise_ThenInvalidOperation) {
  char host[64] = {};
  cl_mem write_only = make_buffer(64, CL_MEM_HOST_WRITE_ONLY);
  cl_mem read_only = make_buffer(64, CL_MEM_HOST_READ_ONLY);
  cl_mem no_access = make_buffer(64, CL_MEM_HOST_NO_ACCESS);
  EXPECT_EQ(clEnqueueReadBuffer(in_order_, write_only, CL_TRUE, 0, 64, host, 0, nullptr, nullptr), CL_INVALID_OPERATION);
  EXPECT_EQ(clEnqueueWriteBuffer(in_order_, read_only, CL_TRUE, 0, 64, host, 0, nullptr, nullptr), CL_INVALID_OPERATION);
  EXPECT_EQ(clEnqueueReadBuffer(in_order_, no_access, CL_TRUE, 0, 64, host, 0, nullptr, nullptr), CL_INVALID_OPERATION);
  cl_int error = 0;
  clEnqueueMapBuffer(in_order_, write_only, CL_TRUE, CL_MAP_READ, 0, 64, 0, nullptr, nullptr, &error);
  EXPECT_EQ(error, CL_INVALID_OPERATION);
  clEnqueueMapBuffer(in_order_, read_only, CL_TRUE, CL_MAP_WRITE_INVALIDATE_REGION, 0, 64, 0, nullptr, nullptr, &error);
  EXPECT_EQ(error, CL_INVALID_OPERATION);
}

TEST_F(BufferCommandTest, GivenOverlappingCopies_WhenEnqueued_ThenRefused) {
  cl_mem buffer = make_counting_buffer(512);
  const cl_buffer_region region{128, 128};
  cl_mem part = keep(clCreateSubBuffer(buffer, 0, CL_BUFFER_CREATE_TYPE_REGION, &region, nullptr));
  EXPECT_EQ(clEnqueueCopyBuffer(in_order_, buffer, buffer, 0, 63, 64, 0, nullptr, nullptr), CL_MEM_COPY_OVERLAP);
  EXPECT_EQ(clEnqueueCopyBuffer(in_order_, buffer, part, 100, 0, 64, 0, nullptr, nullptr), CL_MEM_COPY_OVERLAP);
  EXPECT_EQ(clEnqueueCopyBuffer(in_order_, buffer, part, 64, 0, 64, 0, nullptr, nullptr), CL_SUCCESS);
  EXPECT_EQ(clEnqueueCopyBuffer(in_order_, buffer, buffer, 0, 64, 64, 0, nullptr, nullptr), CL_SUCCESS);
  EXPECT_EQ(content_of(buffer)[64], 0);
  EXPECT_EQ(content_of(buffer)[128], 64);
}

TEST_F(BufferCommandTest, GivenRectangles_WhenWrittenCopiedAndRead_ThenRowsLandWhereThePitchesSay) {
  cl_mem image = make_buffer(16 * 8);  // rows of 16 bytes
  const unsigned char zero = 0;
  ASSERT_EQ(clEnqueueFillBuffer(in_order_, image, &zero, 1, 0, 16 * 8, 0, nullptr, nullptr), CL_SUCCESS);
  const std::vector<unsigned char> host = counting(6);  // 3 × 2
  const size_t at[] = {4, 1, 0}, copy_at[] = {9, 5, 0}, none[] = {0, 0, 0}, region[] = {3, 2, 1};
  ASSERT_EQ(
      clEnqueueWriteBufferRect(in_order_, image, CL_TRUE, at, none, region, 16, 0, 0, 0, host.data(), 0, nullptr, nullptr),
      CL_SUCCESS);
  ASSERT_EQ(clEnqueueCopyBufferRect(in_order_, image, image, at, copy_at, region, 16, 0, 16, 0, 0, nullptr, nullptr),
            CL_SUCCESS);
  std::vector<unsigned char> read(6);
  ASSERT_EQ(
      clEnqueueReadBufferRect(in_order_, image, CL_TRUE, copy_at, none, region, 16, 0, 0, 0, read.data(), 0, nullptr, nullptr),
      CL_SUCCESS);
  EXPECT_EQ(read, host);
  std::vector<unsigned char> expected(16 * 8, 0);
  for (size_t i = 0; i < 6; ++i) expected[16 * (1 + i / 3) + 4 + i % 3] = expected[16 * (5 + i / 3) + 9 + i % 3] = host[i];
  EXPECT_EQ(content_of(image), expected);
}

TEST_F(BufferCommandTest, GivenBadRectangles_WhenEnqueued_ThenInvalidValue) {
  cl_mem buffer = make_buffer(128);
  char host[128];
  const size_t none[] = {0, 0, 0}, region[] = {4, 4, 1}, empty[] = {4, 0, 1}, far[] = {0, 0, SIZE_MAX};
  auto read = [&](const size_t *origin, const size_t *extent, size_t row_pitch, void *to) {
    return clEnqueueReadBufferRect(in_order_, buffer, CL_TRUE, origin, none, extent, row_pitch, 0, 0, 0, to, 0, nullptr,
                                   nullptr);
  };
  EXPECT_EQ(read(none, region, 3, host), CL_INVALID_VALUE);
  EXPECT_EQ(read(none, empty, 0, host), CL_INVALID_VALUE);
  EXPECT_EQ(read(none, nullptr, 0, host), CL_INVALID_VALUE);
  EXPECT_EQ(read(nullptr, region, 0, host), CL_INVALID_VALUE);
  EXPECT_EQ(read(far, region, 0, host), CL_INVALID_VALUE);
  EXPECT_EQ(read(none, region, 64, host), CL_INVALID_VALUE);
  EXPECT_EQ(read(none, region, 0, nullptr), CL_INVALID_VALUE);
  const size_t near[] = {2, 0, 0};
  EXPECT_EQ(clEnqueueCopyBufferRect(in_order_, buffer, buffer, none, near, region, 16, 0, 16, 0, 0, nullptr, nullptr),
            CL_MEM_COPY_OVERLAP);
  EXPECT_EQ(clEnqueueCopyBufferRect(in_order_, buffer, buffer, none, near, region, 16, 0, 8, 0, 0, nullptr, nullptr),
            CL_INVALID_VALUE);
}

TEST_F(BufferCommandTest, GivenMaps_WhenUnmapped_ThenTheCountFollows) {
  cl_mem buffer = make_counting_buffer(64);
  cl_int error = -1;
  auto *first = static_cast<unsigned char *>(
      clEnqueueMapBuffer(in_order_, buffer, CL_TRUE, CL_MAP_WRITE, 0, 64, 0, nullptr, nullptr, &error));
  ASSERT_EQ(error, CL_SUCCESS);
  void *second = clEnqueueMapBuffer(in_order_, buffer, CL_TRUE, CL_MAP_READ, 0, 8, 0, nullptr, nullptr, &error);
  ASSERT_EQ(error, CL_SUCCESS);
  EXPECT_EQ(value_of<cl_uint>(clGetMemObjectInfo, buffer, CL_MEM_MAP_COUNT), 2U);
  first[5] = 200;
  EXPECT_EQ(clEnqueueUnmapMemObject(in_order_, buffer, first + 1, 0, nullptr, nullptr), CL_INVALID_VALUE);
  EXPECT_EQ(clEnqueueUnmapMemObject(in_order_, buffer, first, 0, nullptr, nullptr), CL_SUCCESS);
  EXPECT_EQ(clEnqueueUnmapMemObject(in_order_, buffer, second, 0, nullptr, nullptr), CL_SUCCESS);
  EXPECT_EQ(value_of<cl_uint>(clGetMemObjectInfo, buffer, CL_MEM_MAP_COUNT), 0U);
  EXPECT_EQ(clEnqueueUnmapMemObject(in_order_, buffer, second, 0, nullptr, nullptr), CL_INVALID_VALUE);
  EXPECT_EQ(content_of(buffer)[5], 200);
}

TEST_F(BufferCommandTest, GivenAMigration_WhenArgumentsAreBad_ThenTheErrorSaysWhich) {
  cl_mem buffer = make_buffer(64);
  EXPECT_EQ(clEnqueueMigrateMemObjects(in_order_, 1, &buffer, CL_MIGRATE_MEM_OBJECT_HOST, 0, nullptr, nullptr), CL_SUCCESS);
  EXPECT_EQ(clEnqueueMigrateMemObjects(in_order_, 0, nullptr, 0, 0, nullptr, nullptr), CL_INVALID_VALUE);
  EXPECT_EQ(clEnqueueMigrateMemObjects(in_order_, 1, &buffer, 1 << 10, 0, nullptr, nullptr), CL_INVALID_VALUE);
  cl_mem null = nullptr;
  EXPECT_EQ(clEnqueueMigrateMemObjects(in_order_, 1, &null, 0, 0, nullptr, nullptr), CL_INVALID_MEM_OBJECT);
}

TEST_F(BufferCommandTest, GivenABufferThatACommandUses_WhenReleased_ThenItLivesUntilTheCommandEnds) {
  cl_mem buffer = clCreateBuffer(context_, 0, 64, nullptr, nullptr);
  std::atomic<bool> gone = false;
  clSetMemObjectDestructorCallback(buffer, [](cl_mem, void *flag) { *static_cast<std::atomic<bool> *>(flag) = true; }, &gone);
  cl_event gate = make_user_event();
  const unsigned char value = 1;
  EXPECT_EQ(clEnqueueFillBuffer(in_order_, buffer, &value, 1, 0, 64, 1, &gate, nullptr), CL_SUCCESS);
  EXPECT_EQ(clReleaseMemObject(buffer), CL_SUCCESS);
  EXPECT_FALSE(gone);
  EXPECT_EQ(clSetUserEventStatus(gate, CL_COMPLETE), CL_SUCCESS);
  EXPECT_EQ(clFinish(in_order_), CL_SUCCESS);
  // A thread of the driver calls back.
  for (int ms = 0; ms < 20000 && !gone; ++ms) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  EXPECT_TRUE(gone);
  EXPECT_EQ(clReleaseEvent(gate), CL_SUCCESS);
}

}  // namespace
