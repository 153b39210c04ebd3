// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// 32-bit indices that wrap between two work-items of a sub-group, in objects of more than 4 GiB. Kernels touch only a small
// part, so that little memory is used.
#include "kernel_runner.h"

#include <numeric>
#include <sys/mman.h>

namespace upsweep::tests {
namespace {

constexpr size_t kItems = 64, kStart = 8, kBelow = size_t{1} << 32, kBytes = kBelow + 4096;
using Bytes = std::vector<cl_uchar>;

cl_uchar value(size_t item) { return static_cast<cl_uchar>(3 * item + 1); }

/// The last bytes below 4 GiB, the bytes from there on, and the first.
struct Ends {
  Bytes below, above, first;
  bool operator==(const Ends &) const = default;
};

Ends expected_ends(size_t items) {
  Ends ends{Bytes(kItems), Bytes(kItems), Bytes(kItems)};
  for (size_t item = 0; item < items; ++item)
    (item < kStart ? ends.below[kItems - kStart + item] : ends.first[item - kStart]) = value(item);
  return ends;
}

class Wrapping : public KernelRunner {
protected:
  void SetUp() override {
    KernelRunner::SetUp();
    if (IsSkipped()) return;
    cl_ulong most = 0;
    clGetDeviceInfo(device_, CL_DEVICE_MAX_MEM_ALLOC_SIZE, sizeof most, &most, nullptr);
    if (most < kBytes) GTEST_SKIP() << "the device has no buffer of more than 4 GiB";
  }
  void TearDown() override {
    if (large_) clReleaseMemObject(large_);
    KernelRunner::TearDown();
  }

  /// A buffer as the kernel's first argument, with zeros at the places that the test reads.
  void make_large() {
    large_ = clCreateBuffer(context_, CL_MEM_READ_WRITE, kBytes, nullptr, nullptr);
    ASSERT_NE(large_, nullptr);
    set(0, large_);
    const Bytes zeros(2 * kItems);
    for (const size_t place : {size_t{0}, kBelow - kItems})
      ASSERT_EQ(clEnqueueWriteBuffer(queue_, large_, CL_TRUE, place, zeros.size(), zeros.data(), 0, nullptr, nullptr),
                CL_SUCCESS);
  }

  void launch(const Range &range) {
    ASSERT_EQ(clEnqueueNDRangeKernel(queue_, kernel_, range.dimensions(), nullptr, range.global.data(), range.local.data(), 0,
                                     nullptr, nullptr),
              CL_SUCCESS);
    ASSERT_EQ(clFinish(queue_), CL_SUCCESS);
  }

  Bytes read(size_t place) {
    Bytes bytes(kItems);
    EXPECT_EQ(clEnqueueReadBuffer(queue_, large_, CL_TRUE, place, kItems, bytes.data(), 0, nullptr, nullptr), CL_SUCCESS);
    return bytes;
  }
  Ends ends() { return {read(kBelow - kItems), read(kBelow), read(0)}; }

  cl_mem large_ = nullptr;
};

TEST_F(Wrapping, GivenLargeBuffer_WhenIndicesWrapInSubGroup_ThenEachWorkItemWritesItsPlace) {
  for (const char *name : {"write_wrapped", "write_signed", "write_behind_barrier", "write_by_sub_groups"}) {
    build("wrapping.cl", name);
    make_large();
    for (const size_t local : {64, 21}) {
      if (local == 21 && std::string(name) != "write_wrapped") continue;
      launch({{local == 21 ? 63u : 64u, 1, 1}, {local, 1, 1}});
    }
    EXPECT_EQ(ends(), expected_ends(kItems)) << name;
    clReleaseMemObject(std::exchange(large_, nullptr));
    release();
  }
}

TEST_F(Wrapping, GivenLargeBuffer_WhenWorkGroupsAreSmallOrOfRows_ThenEachWorkItemWritesItsPlace) {
  for (const Range &range : {Range{{16, 4, 1}, {16, 2, 1}}, Range{{4, 16, 1}, {4, 8, 1}}, Range{{32, 2, 1}, {12, 2, 1}}}) {
    build("wrapping.cl", "write_rows");
    make_large();
    launch(range);
    EXPECT_EQ(ends(), expected_ends(kItems)) << range.local[0];
    clReleaseMemObject(std::exchange(large_, nullptr));
    release();
  }
}

TEST_F(Wrapping, GivenLargeBuffer_WhenSomeWorkItemsWrite_ThenEachWritesItsPlace) {
  build("wrapping.cl", "write_guarded");
  make_large();
  set(1, cl_uint{13});
  launch({{64, 1, 1}, {64, 1, 1}});
  EXPECT_EQ(ends(), expected_ends(13));
}

TEST_F(Wrapping, GivenLargeBuffer_WhenPointersAreUsedInLoop_ThenEachWorkItemWritesItsPlace) {
  build("wrapping.cl", "write_in_loop");
  make_large();
  set(1, cl_uint{5});
  launch({{64, 1, 1}, {64, 1, 1}});
  EXPECT_EQ(ends(), expected_ends(kItems));
}

TEST_F(Wrapping, GivenLargeBuffer_WhenWorkItemsRead_ThenEachReadsItsPlace) {
  build("wrapping.cl", "copy_wrapped");
  make_large();
  Bytes around(kItems);
  std::iota(around.begin(), around.end(), 1);
  EXPECT_EQ(clEnqueueWriteBuffer(queue_, large_, CL_TRUE, kBelow - kStart, kStart, around.data(), 0, nullptr, nullptr),
            CL_SUCCESS);
  EXPECT_EQ(clEnqueueWriteBuffer(queue_, large_, CL_TRUE, 0, kItems - kStart, around.data() + kStart, 0, nullptr, nullptr),
            CL_SUCCESS);
  cl_mem copies = clCreateBuffer(context_, CL_MEM_READ_WRITE, kItems, nullptr, nullptr);
  set(1, copies);
  launch({{64, 1, 1}, {64, 1, 1}});
  Bytes result(kItems);
  EXPECT_EQ(clEnqueueReadBuffer(queue_, copies, CL_TRUE, 0, kItems, result.data(), 0, nullptr, nullptr), CL_SUCCESS);
  EXPECT_EQ(result, around);
  clReleaseMemObject(copies);
}

Ends ends_of(const cl_uchar *data) {
  return {Bytes(data + kBelow - kItems, data + kBelow), Bytes(data + kBelow, data + kBelow + kItems),
          Bytes(data, data + kItems)};
}

TEST_F(Wrapping, GivenLargeSvmAllocation_WhenIndicesWrapInSubGroup_ThenEachWorkItemWritesItsPlace) {
  cl_device_svm_capabilities svm = 0;
  clGetDeviceInfo(device_, CL_DEVICE_SVM_CAPABILITIES, sizeof svm, &svm, nullptr);
  if (!(svm & CL_DEVICE_SVM_FINE_GRAIN_BUFFER)) GTEST_SKIP();
  auto *data = static_cast<cl_uchar *>(clSVMAlloc(context_, CL_MEM_READ_WRITE | CL_MEM_SVM_FINE_GRAIN_BUFFER, kBytes, 0));
  ASSERT_NE(data, nullptr);
  for (const size_t place : {size_t{0}, kBelow - kItems}) std::fill_n(data + place, 2 * kItems, 0);
  build("wrapping.cl", "write_wrapped");
  ASSERT_EQ(clSetKernelArgSVMPointer(kernel_, 0, data), CL_SUCCESS);
  launch({{64, 1, 1}, {64, 1, 1}});
  EXPECT_EQ(ends_of(data), expected_ends(kItems));
  clSVMFree(context_, data);
}

TEST_F(Wrapping, GivenLargeMappingOfHost_WhenIndicesWrapInSubGroup_ThenEachWorkItemWritesItsPlace) {
  cl_device_svm_capabilities svm = 0;
  clGetDeviceInfo(device_, CL_DEVICE_SVM_CAPABILITIES, sizeof svm, &svm, nullptr);
  if (!(svm & CL_DEVICE_SVM_FINE_GRAIN_SYSTEM)) GTEST_SKIP();
  void *mapping = mmap(nullptr, kBytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  ASSERT_NE(mapping, MAP_FAILED);
  build("wrapping.cl", "write_wrapped");
  ASSERT_EQ(clSetKernelArgSVMPointer(kernel_, 0, mapping), CL_SUCCESS);
  launch({{64, 1, 1}, {64, 1, 1}});
  EXPECT_EQ(ends_of(static_cast<cl_uchar *>(mapping)), expected_ends(kItems));
  munmap(mapping, kBytes);
}

}  // namespace
}  // namespace upsweep::tests
