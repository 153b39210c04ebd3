// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Arguments that are the same memory, overlap, or are apart: what a loop reads through one is what it wrote through the other.
#include "kernel_runner.h"

#include <cstring>
#include <random>

namespace upsweep::tests {
namespace {

constexpr int kStride = 48;
constexpr size_t kItems = 37;
constexpr size_t kInts = kItems * kStride;
using Ints = std::vector<cl_int>;

/// Where the two arguments begin, in ints, and where in a work-item's part they are read.
struct Places {
  int out_at, in_at, n;
};

void sums(cl_int *out, cl_int *in, int n, size_t) {
  for (int k = 0; k < n; ++k) {
    out[1] = static_cast<cl_int>(static_cast<cl_uint>(out[1]) + 3U * static_cast<cl_uint>(in[k]));
    in[k + 1] = static_cast<cl_int>(static_cast<cl_uint>(in[k + 1]) + static_cast<cl_uint>(out[0]));
  }
}

void searches(cl_int *out, cl_int *in, int n, size_t item) {
  for (int k = static_cast<int>(item % 3) * 2; k < n; ++k) {
    out[0] = static_cast<cl_int>(static_cast<cl_uint>(out[0]) * 5U + static_cast<cl_uint>(in[k]));
    if ((in[k] & 15) == 7) break;
    for (int l = 0; l < (in[k] & 3); ++l)
      out[1] ^= static_cast<cl_int>(static_cast<cl_uint>(in[l]) + static_cast<cl_uint>(out[0]));
  }
}

class ApartArguments : public KernelRunner {
protected:
  static Ints random_ints(size_t count) {
    std::minstd_rand generator(1);
    Ints ints(count);
    for (cl_int &value : ints) value = static_cast<cl_int>(generator());
    return ints;
  }

  cl_mem buffer_of(const Ints &ints) {
    return clCreateBuffer(context_, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, ints.size() * sizeof(cl_int),
                          const_cast<cl_int *>(ints.data()), nullptr);
  }
  static cl_mem part_of(cl_mem buffer, size_t first) {
    const cl_buffer_region region{first * sizeof(cl_int), kInts * sizeof(cl_int)};
    return clCreateSubBuffer(buffer, CL_MEM_READ_WRITE, CL_BUFFER_CREATE_TYPE_REGION, &region, nullptr);
  }
  Ints contents(cl_mem buffer, size_t count) {
    Ints ints(count);
    EXPECT_EQ(clEnqueueReadBuffer(queue_, buffer, CL_TRUE, 0, count * sizeof(cl_int), ints.data(), 0, nullptr, nullptr),
              CL_SUCCESS);
    return ints;
  }

  void launch(const Places &at) {
    set(2, cl_int{at.out_at});
    set(3, cl_int{at.in_at});
    set(4, cl_int{kStride});
    set(5, cl_int{at.n});
    const size_t items = kItems;
    ASSERT_EQ(clEnqueueNDRangeKernel(queue_, kernel_, 1, nullptr, &items, nullptr, 0, nullptr, nullptr), CL_SUCCESS);
  }

  template <typename Loop>
  static void expect(Loop loop, cl_int *out, cl_int *in, const Places &at) {
    for (size_t item = 0; item < kItems; ++item)
      loop(out + item * kStride + at.out_at, in + item * kStride + at.in_at, at.n, item);
  }

  /// Calls `test` for both kernels, at places that overlap in one memory and do not, and for loops that do not run.
  template <typename Test>
  void for_kernels(Test test) {
    for_places("sums", [&](const Places &at) { test(sums, at); });
    for_places("searches", [&](const Places &at) { test(searches, at); });
  }

private:
  template <typename Test>
  void for_places(const char *kernel, Test test) {
    release();
    build("apart_arguments.cl", kernel);
    for (const Places &at : {Places{2, 4, 30}, Places{12, 4, 30}, Places{36, 1, 33}, Places{3, 3, 40}, Places{5, 9, 0}}) {
      SCOPED_TRACE(testing::Message() << kernel << ' ' << at.out_at << ' ' << at.in_at << ' ' << at.n);
      test(at);
    }
  }
};

TEST_F(ApartArguments, GivenTwoBuffers_WhenALoopUsesBoth_ThenEachHasItsOwn) {
  for_kernels([&](auto loop, const Places &at) {
    Ints a = random_ints(kInts), b = random_ints(kInts + 9);
    cl_mem out = buffer_of(a), in = buffer_of(b);
    set(0, out);
    set(1, in);
    launch(at);
    expect(loop, a.data(), b.data(), at);
    EXPECT_EQ(contents(out, a.size()), a);
    EXPECT_EQ(contents(in, b.size()), b);
    clReleaseMemObject(out);
    clReleaseMemObject(in);
  });
}

TEST_F(ApartArguments, GivenOneBufferTwice_WhenALoopUsesBoth_ThenEachSeesTheOthersStores) {
  for_kernels([&](auto loop, const Places &at) {
    Ints a = random_ints(kInts);
    cl_mem buffer = buffer_of(a);
    set(0, buffer);
    set(1, buffer);
    launch(at);
    expect(loop, a.data(), a.data(), at);
    EXPECT_EQ(contents(buffer, a.size()), a);
    clReleaseMemObject(buffer);
  });
}

TEST_F(ApartArguments, GivenPartsOfABuffer_WhenTheyOverlapOrNot_ThenEachSeesTheOthersStores) {
  cl_uint align = 0;  // bits
  clGetDeviceInfo(device_, CL_DEVICE_MEM_BASE_ADDR_ALIGN, sizeof align, &align, nullptr);
  const size_t step = std::max<size_t>(1, align / 8 / sizeof(cl_int));
  const size_t behind = (kInts + step - 1) / step * step;
  for (const size_t first : {size_t{0}, step, behind})  // of the second part; the last is apart
    for_kernels([&](auto loop, const Places &at) {
      // Parts that overlap at another work-item's place would be a race.
      if (first % kStride != 0 && first < kInts) return;
      Ints a = random_ints(behind + kInts);
      cl_mem buffer = buffer_of(a), out = part_of(buffer, 0), in = part_of(buffer, first);
      set(0, out);
      set(1, in);
      launch(at);
      expect(loop, a.data(), a.data() + first, at);
      EXPECT_EQ(contents(buffer, a.size()), a) << first;
      for (cl_mem memory : {out, in, buffer}) clReleaseMemObject(memory);
    });
}

TEST_F(ApartArguments, GivenABufferAndAPartOfIt_WhenALoopUsesBoth_ThenEachSeesTheOthersStores) {
  for_kernels([&](auto loop, const Places &at) {
    Ints a = random_ints(kInts);
    cl_mem buffer = buffer_of(a), part = part_of(buffer, 0);
    set(0, part);
    set(1, buffer);
    launch(at);
    expect(loop, a.data(), a.data(), at);
    EXPECT_EQ(contents(buffer, a.size()), a);
    clReleaseMemObject(part);
    clReleaseMemObject(buffer);
  });
}

TEST_F(ApartArguments, GivenSvmPointers_WhenOneIsWithinTheOthers_ThenEachSeesTheOthersStores) {
  for_kernels([&](auto loop, const Places &at) {
    Ints a = random_ints(kInts);
    auto *memory = static_cast<cl_int *>(clSVMAlloc(context_, CL_MEM_READ_WRITE, kInts * sizeof(cl_int), 0));
    ASSERT_NE(memory, nullptr);
    const size_t bytes = kInts * sizeof(cl_int);
    EXPECT_EQ(clEnqueueSVMMemcpy(queue_, CL_TRUE, memory, a.data(), bytes, 0, nullptr, nullptr), CL_SUCCESS);
    EXPECT_EQ(clSetKernelArgSVMPointer(kernel_, 0, memory), CL_SUCCESS);
    EXPECT_EQ(clSetKernelArgSVMPointer(kernel_, 1, memory), CL_SUCCESS);
    launch(at);
    Ints got(kInts);
    EXPECT_EQ(clEnqueueSVMMemcpy(queue_, CL_TRUE, got.data(), memory, bytes, 0, nullptr, nullptr), CL_SUCCESS);
    expect(loop, a.data(), a.data(), at);
    EXPECT_EQ(got, a);
    clSVMFree(context_, memory);
  });
}

}  // namespace
}  // namespace upsweep::tests
