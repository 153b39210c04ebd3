// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sizes and offsets near 2^64: their sums and products must not wrap around and pass a check.
#include "object_fixture.h"
#include <array>

namespace upsweep::tests {
namespace {

constexpr size_t kMost = SIZE_MAX;

class OverflowTest : public ObjectFixture {
protected:
  using Size3 = std::array<size_t, 3>;

  /// A read and a write of a rectangle with these host parameters must return CL_INVALID_VALUE.
  void expect_refused(const Size3 &host_origin, const Size3 &region, size_t row_pitch, size_t slice_pitch) {
    cl_mem buffer = make_buffer(4096);
    std::vector<unsigned char> host(4096);
    const Size3 origin{0, 0, 0};
    EXPECT_EQ(clEnqueueReadBufferRect(in_order_, buffer, CL_TRUE, origin.data(), host_origin.data(), region.data(), 0, 0,
                                      row_pitch, slice_pitch, host.data(), 0, nullptr, nullptr),
              CL_INVALID_VALUE);
    EXPECT_EQ(clEnqueueWriteBufferRect(in_order_, buffer, CL_TRUE, origin.data(), host_origin.data(), region.data(), 0, 0,
                                       row_pitch, slice_pitch, host.data(), 0, nullptr, nullptr),
              CL_INVALID_VALUE);
  }
};

TEST_F(OverflowTest, GivenLocalArgumentsWhoseSumWraps_WhenEnqueued_ThenThereAreNoResources) {
  cl_kernel kernel = make_kernel(
      build("kernel void k(local int *a, local int *b, global int *out) { a[0] = 1; b[0] = 2; out[0] = a[0] + b[0]; }"), "k");
  cl_mem out = make_buffer(64);
  ASSERT_EQ(set_argument(kernel, 2, out), CL_SUCCESS);
  const size_t sizes[][2] = {
      {kMost - 15, 32}, {32, kMost - 15}, {kMost, kMost}, {kMost - 31, 16}, {size_t{1} << 63, size_t{1} << 63}};
  for (const auto &[first, second] : sizes) {
    // "CL_OUT_OF_RESOURCES if there is a failure to queue the execution instance of kernel on the command-queue because of
    // insufficient resources needed to execute the kernel"
    ASSERT_EQ(clSetKernelArg(kernel, 0, first, nullptr), CL_SUCCESS);
    ASSERT_EQ(clSetKernelArg(kernel, 1, second, nullptr), CL_SUCCESS);
    const size_t one = 1;
    EXPECT_EQ(clEnqueueNDRangeKernel(in_order_, kernel, 1, nullptr, &one, &one, 0, nullptr, nullptr), CL_OUT_OF_RESOURCES)
        << first << " and " << second;
    EXPECT_EQ(clFinish(in_order_), CL_SUCCESS);
    cl_ulong bytes = 0;
    EXPECT_EQ(clGetKernelWorkGroupInfo(kernel, device_, CL_KERNEL_LOCAL_MEM_SIZE, sizeof bytes, &bytes, nullptr), CL_SUCCESS);
    EXPECT_GE(bytes, kMost - 64);
  }
  ASSERT_EQ(clSetKernelArg(kernel, 0, 4, nullptr), CL_SUCCESS);
  ASSERT_EQ(clSetKernelArg(kernel, 1, 4, nullptr), CL_SUCCESS);
  run(kernel, 1);
  EXPECT_EQ(content_of(out)[0], 3);
}

TEST_F(OverflowTest, GivenHostRectanglesThatWrap_WhenReadOrWritten_ThenTheValueIsInvalid) {
  for (size_t x : {kMost, kMost - 3, kMost - 15, kMost - 4095}) expect_refused({x, 0, 0}, {16, 2, 1}, 0, 0);
  expect_refused({0, kMost, 0}, {16, 2, 1}, 0, 0);
  expect_refused({0, kMost / 16, 0}, {16, 2, 1}, 16, 0);
  expect_refused({0, size_t{1} << 60, 0}, {16, 2, 1}, 16, 0);
  expect_refused({0, 0, size_t{1} << 59}, {16, 2, 2}, 16, 32);
  expect_refused({0, 0, kMost}, {16, 2, 2}, 16, 32);
  expect_refused({0, 0, 0}, {16, 2, 1}, size_t{1} << 63, 0);
  expect_refused({0, 0, 0}, {16, 1, 2}, 16, kMost - 15);
  // The rectangle's end fits in size_t, but no pointer has that many bytes behind it.
  expect_refused({kMost - 65536, 0, 0}, {16, 1, 1}, 0, 0);
}

TEST_F(OverflowTest, GivenBufferRectanglesThatWrap_WhenCopied_ThenTheValueIsInvalid) {
  cl_mem from = make_buffer(4096), to = make_buffer(4096);
  const Size3 zero{0, 0, 0}, region{16, 2, 1};
  const Size3 origins[] = {{kMost - 15, 0, 0}, {0, kMost, 0}, {0, 0, kMost}, {0, size_t{1} << 60, 0}};
  for (const Size3 &origin : origins) {
    EXPECT_EQ(clEnqueueCopyBufferRect(in_order_, from, to, origin.data(), zero.data(), region.data(), 0, 0, 0, 0, 0, nullptr,
                                      nullptr),
              CL_INVALID_VALUE);
    EXPECT_EQ(clEnqueueCopyBufferRect(in_order_, from, to, zero.data(), origin.data(), region.data(), 0, 0, 0, 0, 0, nullptr,
                                      nullptr),
              CL_INVALID_VALUE);
  }
}

TEST_F(OverflowTest, GivenRangesOfBuffersThatWrap_WhenUsed_ThenTheValueIsInvalid) {
  cl_mem buffer = make_buffer(4096), other = make_buffer(4096);
  std::vector<unsigned char> host(64);
  const unsigned char pattern = 1;
  for (size_t offset : {kMost - 15, kMost}) {
    EXPECT_EQ(clEnqueueReadBuffer(in_order_, buffer, CL_TRUE, offset, 64, host.data(), 0, nullptr, nullptr), CL_INVALID_VALUE);
    EXPECT_EQ(clEnqueueWriteBuffer(in_order_, buffer, CL_TRUE, offset, 64, host.data(), 0, nullptr, nullptr), CL_INVALID_VALUE);
    EXPECT_EQ(clEnqueueFillBuffer(in_order_, buffer, &pattern, 1, offset, 64, 0, nullptr, nullptr), CL_INVALID_VALUE);
    EXPECT_EQ(clEnqueueCopyBuffer(in_order_, buffer, other, offset, 0, 64, 0, nullptr, nullptr), CL_INVALID_VALUE);
    EXPECT_EQ(clEnqueueCopyBuffer(in_order_, buffer, other, 0, offset, 64, 0, nullptr, nullptr), CL_INVALID_VALUE);
    cl_int error = 0;
    EXPECT_EQ(clEnqueueMapBuffer(in_order_, buffer, CL_TRUE, CL_MAP_READ, offset, 64, 0, nullptr, nullptr, &error), nullptr);
    EXPECT_EQ(error, CL_INVALID_VALUE);
    const cl_buffer_region region{offset, 64};
    EXPECT_EQ(clCreateSubBuffer(buffer, 0, CL_BUFFER_CREATE_TYPE_REGION, &region, &error), nullptr);
    EXPECT_EQ(error, CL_INVALID_VALUE);
  }
  auto *const last_page = reinterpret_cast<unsigned char *>(kMost - 63);
  EXPECT_EQ(clEnqueueReadBuffer(in_order_, buffer, CL_TRUE, 0, 128, last_page, 0, nullptr, nullptr), CL_INVALID_VALUE);
  cl_int error = 0;
  EXPECT_EQ(clCreateBuffer(context_, CL_MEM_USE_HOST_PTR, 128, last_page, &error), nullptr);
  EXPECT_EQ(error, CL_INVALID_HOST_PTR);
}

TEST_F(OverflowTest, GivenSvmRangesThatWrap_WhenUsed_ThenTheValueIsInvalid) {
  void *memory = clSVMAlloc(context_, CL_MEM_READ_WRITE, 4096, 0);
  ASSERT_NE(memory, nullptr);
  auto *const bytes = static_cast<unsigned char *>(memory);
  const unsigned char pattern = 1;
  for (size_t size : {kMost, kMost - 4096}) {
    EXPECT_EQ(clEnqueueSVMMemcpy(in_order_, CL_TRUE, bytes, bytes + 64, size, 0, nullptr, nullptr), CL_INVALID_VALUE);
    EXPECT_EQ(clEnqueueSVMMemFill(in_order_, bytes, &pattern, 1, size, 0, nullptr, nullptr), CL_INVALID_VALUE);
    EXPECT_EQ(clEnqueueSVMMap(in_order_, CL_TRUE, CL_MAP_READ, bytes, size, 0, nullptr, nullptr), CL_INVALID_VALUE);
    const void *pointer = bytes + 64;
    EXPECT_EQ(clEnqueueSVMMigrateMem(in_order_, 1, &pointer, &size, 0, 0, nullptr, nullptr), CL_INVALID_VALUE);
    EXPECT_EQ(clSVMAlloc(context_, CL_MEM_READ_WRITE, size, 0), nullptr);
  }
  EXPECT_EQ(clEnqueueSVMMemcpy(in_order_, CL_TRUE, bytes, bytes + 64, 65, 0, nullptr, nullptr), CL_MEM_COPY_OVERLAP);
  EXPECT_EQ(clEnqueueSVMMemcpy(in_order_, CL_TRUE, bytes + 64, bytes, 65, 0, nullptr, nullptr), CL_MEM_COPY_OVERLAP);
  EXPECT_EQ(clEnqueueSVMMemcpy(in_order_, CL_TRUE, bytes, bytes + 64, 64, 0, nullptr, nullptr), CL_SUCCESS);
  clSVMFree(context_, memory);
}

TEST_F(OverflowTest, GivenIndexSpacesThatWrap_WhenEnqueued_ThenTheErrorSaysWhich) {
  cl_kernel kernel = make_kernel(build("kernel void k(global int *out) { out[0] = 1; }"), "k");
  cl_mem out = make_buffer(64);
  ASSERT_EQ(set_argument(kernel, 0, out), CL_SUCCESS);
  auto enqueue = [&](cl_uint dimensions, const Size3 &offset, const Size3 &global, const Size3 &local) {
    return clEnqueueNDRangeKernel(in_order_, kernel, dimensions, offset.data(), global.data(), local.data(), 0, nullptr,
                                  nullptr);
  };
  EXPECT_EQ(enqueue(1, {kMost, 0, 0}, {1, 1, 1}, {1, 1, 1}), CL_INVALID_GLOBAL_OFFSET);
  EXPECT_EQ(enqueue(3, {0, 0, kMost - 3}, {1, 1, 4}, {1, 1, 1}), CL_INVALID_GLOBAL_OFFSET);
  EXPECT_EQ(enqueue(3, {0, 0, 0}, {kMost, kMost, kMost}, {1, 1, 1}), CL_OUT_OF_RESOURCES);
  EXPECT_EQ(enqueue(2, {0, 0, 0}, {size_t{1} << 32, size_t{1} << 32, 1}, {1, 1, 1}), CL_OUT_OF_RESOURCES);
  const cl_int refused = enqueue(2, {0, 0, 0}, {size_t{1} << 33, size_t{1} << 33, 1}, {size_t{1} << 32, size_t{1} << 32, 1});
  EXPECT_TRUE(refused == CL_INVALID_WORK_GROUP_SIZE || refused == CL_INVALID_WORK_ITEM_SIZE) << refused;
  EXPECT_EQ(clFinish(in_order_), CL_SUCCESS);
  const Size3 local{size_t{1} << 32, size_t{1} << 32, 1};
  size_t count = 0;
  EXPECT_EQ(clGetKernelSubGroupInfo(kernel, device_, CL_KERNEL_SUB_GROUP_COUNT_FOR_NDRANGE, 16, local.data(), sizeof count,
                                    &count, nullptr),
            CL_INVALID_VALUE);
}

}  // namespace
}  // namespace upsweep::tests
