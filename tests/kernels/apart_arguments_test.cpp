// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Arguments that are the same memory, overlap, or are separate: reads through one argument must see writes through the other.
#include "kernel_runner.h"

#include <cstring>
#include <random>

namespace upsweep::tests {
namespace {

constexpr size_t kItems = 37;
using Ints = std::vector<cl_int>;

/// In ints: the kernel's begin in a work-item's part of an argument, the number of ints it processes, and the part's length.
struct Places {
  int out_at, in_at, n, stride = 48;
  [[nodiscard]] size_t ints() const { return kItems * static_cast<size_t>(stride); }
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
  static cl_mem part_of(cl_mem buffer, size_t first, const Places &at) {
    const cl_buffer_region region{first * sizeof(cl_int), at.ints() * sizeof(cl_int)};
    return clCreateSubBuffer(buffer, CL_MEM_READ_WRITE, CL_BUFFER_CREATE_TYPE_REGION, &region, nullptr);
  }
  Ints contents(cl_mem buffer, size_t count) {
    Ints ints(count);
    EXPECT_EQ(clEnqueueReadBuffer(queue_, buffer, CL_TRUE, 0, count * sizeof(cl_int), ints.data(), 0, nullptr, nullptr),
              CL_SUCCESS);
    return ints;
  }

  void launch(const Places &at) {
    const cl_int values[] = {at.out_at, at.in_at, at.stride, at.n};
    for (cl_uint i = 0; i < 4; ++i) set(2 + i, values[i]);
    const size_t items = kItems;
    ASSERT_EQ(clEnqueueNDRangeKernel(queue_, kernel_, 1, nullptr, &items, nullptr, 0, nullptr, nullptr), CL_SUCCESS);
  }

  template <typename Loop>
  static void run_on_host(Loop loop, cl_int *out, cl_int *in, const Places &at) {
    for (size_t item = 0; item < kItems; ++item) {
      const size_t first = item * static_cast<size_t>(at.stride);
      loop(out + first + at.out_at, in + first + at.in_at, at.n, item);
    }
  }

  /// The arguments are in one buffer; `in` begins at its int `in_first`.
  template <typename Loop>
  void expect_in_one_buffer(Loop loop, cl_mem buffer, cl_mem out, cl_mem in, Ints ints, size_t in_first, const Places &at) {
    set(0, out);
    set(1, in);
    launch(at);
    run_on_host(loop, ints.data(), ints.data() + in_first, at);
    EXPECT_EQ(contents(buffer, ints.size()), ints);
  }

  /// Calls `test` for both kernels, with overlapping and separate places in one memory, and with loops that do not run.
  template <typename Test>
  void for_kernels(Test test) {
    for_kernels({{2, 4, 30}, {12, 4, 30}, {36, 1, 33}, {3, 3, 40}, {5, 9, 0}}, test);
  }
  template <typename Test>
  void for_kernels(const std::vector<Places> &places, Test test) {
    const auto run_at = [&](const char *kernel, auto loop) {
      release();
      build("apart_arguments.cl", kernel);
      for (const Places &at : places) {
        SCOPED_TRACE(testing::Message() << kernel << ' ' << at.out_at << ' ' << at.in_at << ' ' << at.n);
        test(loop, at);
      }
    };
    run_at("sums", sums);
    run_at("searches", searches);
  }
};

TEST_F(ApartArguments, GivenTwoBuffers_WhenALoopUsesBoth_ThenEachHasItsOwn) {
  for_kernels([&](auto loop, const Places &at) {
    Ints a = random_ints(at.ints()), b = random_ints(at.ints() + 9);
    cl_mem out = buffer_of(a), in = buffer_of(b);
    set(0, out);
    set(1, in);
    launch(at);
    run_on_host(loop, a.data(), b.data(), at);
    EXPECT_EQ(contents(out, a.size()), a);
    EXPECT_EQ(contents(in, b.size()), b);
    clReleaseMemObject(out);
    clReleaseMemObject(in);
  });
}

TEST_F(ApartArguments, GivenOneBufferTwiceOrAPartOfIt_WhenALoopUsesBoth_ThenEachSeesTheOthersStores) {
  for_kernels([&](auto loop, const Places &at) {
    const Ints ints = random_ints(at.ints());
    cl_mem buffer = buffer_of(ints), again = buffer_of(ints), part = part_of(again, 0, at);
    expect_in_one_buffer(loop, buffer, buffer, buffer, ints, 0, at);
    expect_in_one_buffer(loop, again, part, again, ints, 0, at);
    for (cl_mem memory : {part, again, buffer}) clReleaseMemObject(memory);
  });
}

TEST_F(ApartArguments, GivenTwoPartsOfABuffer_WhenTheyOverlapOrNot_ThenEachSeesTheOthersStores) {
  cl_uint align = 0;  // bits
  clGetDeviceInfo(device_, CL_DEVICE_MEM_BASE_ADDR_ALIGN, sizeof align, &align, nullptr);
  const size_t step = std::max<size_t>(1, align / 8 / sizeof(cl_int));
  const int later = static_cast<int>(step);
  // If `first` is `step`, a work-item reads ints before and behind the ints that it writes, and before the ints of the next
  // work-item.
  for_kernels({{later + 8, 2, 12, later + 16}, {3, 2, 12, later + 16}}, [&](auto loop, const Places &at) {
    const size_t behind = (at.ints() + step - 1) / step * step;
    for (const size_t first : {step, behind}) {  // of the second part; the last is separate
      const Ints ints = random_ints(behind + at.ints());
      cl_mem buffer = buffer_of(ints), out = part_of(buffer, 0, at), in = part_of(buffer, first, at);
      expect_in_one_buffer(loop, buffer, out, in, ints, first, at);
      for (cl_mem memory : {out, in, buffer}) clReleaseMemObject(memory);
    }
  });
}

TEST_F(ApartArguments, GivenSvmPointers_WhenTheyAreTheSame_ThenEachSeesTheOthersStores) {
  for_kernels([&](auto loop, const Places &at) {
    Ints ints = random_ints(at.ints());
    const size_t bytes = ints.size() * sizeof(cl_int);
    auto *memory = static_cast<cl_int *>(clSVMAlloc(context_, CL_MEM_READ_WRITE, bytes, 0));
    ASSERT_NE(memory, nullptr);
    EXPECT_EQ(clEnqueueSVMMemcpy(queue_, CL_TRUE, memory, ints.data(), bytes, 0, nullptr, nullptr), CL_SUCCESS);
    for (const cl_uint i : {0U, 1U}) EXPECT_EQ(clSetKernelArgSVMPointer(kernel_, i, memory), CL_SUCCESS);
    launch(at);
    Ints got(ints.size());
    EXPECT_EQ(clEnqueueSVMMemcpy(queue_, CL_TRUE, got.data(), memory, bytes, 0, nullptr, nullptr), CL_SUCCESS);
    run_on_host(loop, ints.data(), ints.data(), at);
    EXPECT_EQ(got, ints);
    clSVMFree(context_, memory);
  });
}

}  // namespace
}  // namespace upsweep::tests
