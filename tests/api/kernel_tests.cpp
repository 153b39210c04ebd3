// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels: creation, arguments, cloning, queries.
#include "object_fixture.h"
#include <array>

namespace {

using namespace upsweep::tests;

const char *const kSource = R"(
  typedef struct { int a; long b; char c; } Mixed;
  kernel void values(global long *out, char c, short3 s, double d, Mixed m, long16 l) {
    out[0] = c; out[1] = s.z; out[2] = (long)(d * 2); out[3] = m.a + m.b + m.c; out[4] = l.sf;
  }
  kernel void locals(global int *out, local int *a, local char *b, local double2 *c) {
    local int fixed[3];
    fixed[0] = 1;
    a[0] = 2; b[0] = 3; c[0] = 4;
    out[0] = fixed[0] + a[0] + b[0] + (int)c[0].x;
    out[1] = (int)((size_t)c % sizeof(double2));
    out[2] = (local char *)a != b && b != (local char *)c && (local char *)fixed != b;
  }
  __attribute__((reqd_work_group_size(8, 2, 1))) kernel void required(const global float *restrict in, volatile global int *out) {}
)";

class KernelTest : public ObjectFixture {
protected:
  void SetUp() override {
    ObjectFixture::SetUp();
    program_ = build(kSource, "-cl-std=CL3.0 -cl-kernel-arg-info");
  }

  template <typename T>
  std::vector<T> read(cl_mem buffer) {
    const std::vector<unsigned char> bytes = content_of(buffer);
    std::vector<T> values(bytes.size() / sizeof(T));
    std::memcpy(values.data(), bytes.data(), bytes.size());
    return values;
  }

  template <typename T>
  T work_group_info(cl_kernel kernel, cl_kernel_work_group_info name) {
    T value{};
    EXPECT_EQ(clGetKernelWorkGroupInfo(kernel, device_, name, sizeof(T), &value, nullptr), CL_SUCCESS);
    return value;
  }

  size_t sub_group_info(cl_kernel kernel, cl_kernel_sub_group_info name, std::vector<size_t> input) {
    size_t value = 0;
    EXPECT_EQ(clGetKernelSubGroupInfo(kernel, device_, name, input.size() * sizeof(size_t), input.data(), sizeof value, &value,
                                      nullptr),
              CL_SUCCESS);
    return value;
  }

  cl_program program_ = nullptr;
};

TEST_F(KernelTest, GivenValuesOfAllShapes_WhenRun_ThenTheKernelSeesThem) {
  struct Mixed {
    cl_int a;
    cl_long b;
    cl_char c;
  };
  cl_kernel kernel = make_kernel(program_, "values");
  cl_mem out = make_buffer(5 * sizeof(cl_long));
  cl_long16 wide{};
  wide.s[15] = -77;
  EXPECT_EQ(set_argument(kernel, 0, out), CL_SUCCESS);
  EXPECT_EQ(set_argument(kernel, 1, cl_char{-5}), CL_SUCCESS);
  EXPECT_EQ(set_argument(kernel, 2, cl_short3{{1, 2, 300}}), CL_SUCCESS);
  EXPECT_EQ(set_argument(kernel, 3, cl_double{1.5}), CL_SUCCESS);
  EXPECT_EQ(set_argument(kernel, 4, Mixed{1, 20, 100}), CL_SUCCESS);
  EXPECT_EQ(set_argument(kernel, 5, wide), CL_SUCCESS);
  run(kernel, 1);
  EXPECT_EQ(read<cl_long>(out), (std::vector<cl_long>{-5, 300, 3, 121, -77}));
}

TEST_F(KernelTest, GivenLocalArguments_WhenRun_ThenTheyAreApartAndAligned) {
  cl_kernel kernel = make_kernel(program_, "locals");
  cl_mem out = make_buffer(3 * sizeof(cl_int));
  EXPECT_EQ(set_argument(kernel, 0, out), CL_SUCCESS);
  EXPECT_EQ(clSetKernelArg(kernel, 1, 4, nullptr), CL_SUCCESS);
  EXPECT_EQ(clSetKernelArg(kernel, 2, 1, nullptr), CL_SUCCESS);
  EXPECT_EQ(clSetKernelArg(kernel, 3, 16, nullptr), CL_SUCCESS);
  run(kernel, 1);
  EXPECT_EQ(read<cl_int>(out), (std::vector<cl_int>{10, 0, 1}));
  EXPECT_GE(work_group_info<cl_ulong>(kernel, CL_KERNEL_LOCAL_MEM_SIZE), 12U + 4 + 1 + 16);
}

TEST_F(KernelTest, GivenALocalArgumentOfSizeZero_WhenRun_ThenTheOthersHaveTheirMemory) {
  cl_kernel kernel = make_kernel(build("kernel void sum(global int *out, local int *none, local int *some, int uses_none) {"
                                       "  const int i = get_local_id(0), n = get_local_size(0);"
                                       "  some[i] = i + 1;"
                                       "  if (uses_none) none[i] = i;"
                                       "  barrier(CLK_LOCAL_MEM_FENCE);"
                                       "  out[get_global_id(0)] = some[n - 1 - i] + (uses_none ? none[i] : 0);"
                                       "}"),
                                 "sum");
  constexpr cl_int kLocal = 16;
  cl_mem out = make_buffer(2 * kLocal * sizeof(cl_int));
  const auto check = [&](cl_int uses_none) {
    EXPECT_EQ(set_argument(kernel, 3, uses_none), CL_SUCCESS);
    const cl_int poison = -99;
    EXPECT_EQ(clEnqueueFillBuffer(in_order_, out, &poison, sizeof poison, 0, 2 * kLocal * sizeof(cl_int), 0, nullptr, nullptr),
              CL_SUCCESS);
    run(kernel, 2 * kLocal, kLocal);
    const std::vector<cl_int> found = read<cl_int>(out);
    for (cl_int i = 0; i < 2 * kLocal; ++i)
      EXPECT_EQ(found[static_cast<size_t>(i)], kLocal - i % kLocal + (uses_none ? i % kLocal : 0)) << i;
  };
  EXPECT_EQ(set_argument(kernel, 0, out), CL_SUCCESS);
  EXPECT_EQ(clSetKernelArg(kernel, 1, 0, nullptr), CL_SUCCESS);
  EXPECT_EQ(clSetKernelArg(kernel, 2, kLocal * sizeof(cl_int), nullptr), CL_SUCCESS);
  check(0);
  EXPECT_LE(work_group_info<cl_ulong>(kernel, CL_KERNEL_LOCAL_MEM_SIZE), kLocal * sizeof(cl_int));
  EXPECT_EQ(clSetKernelArg(kernel, 1, kLocal * sizeof(cl_int), nullptr), CL_SUCCESS);
  check(1);
  EXPECT_EQ(clSetKernelArg(kernel, 1, 0, nullptr), CL_SUCCESS);  // a later size of 0 takes the memory away again
  check(0);
  const cl_int value = 0;
  EXPECT_EQ(clSetKernelArg(kernel, 1, 0, &value), CL_INVALID_ARG_VALUE);
}

TEST_F(KernelTest, GivenLocalArgumentsOfSizeZeroAlone_WhenRun_ThenTheKernelNeedsNoLocalMemory) {
  cl_kernel kernel = make_kernel(build("kernel void count(global int *out, local int *none, local double *neither) {"
                                       "  out[get_global_id(0)] = get_global_id(0) + 5;"
                                       "}"),
                                 "count");
  cl_mem out = make_buffer(8 * sizeof(cl_int));
  EXPECT_EQ(set_argument(kernel, 0, out), CL_SUCCESS);
  for (const cl_uint index : {1U, 2U}) EXPECT_EQ(clSetKernelArg(kernel, index, 0, nullptr), CL_SUCCESS);
  EXPECT_EQ(work_group_info<cl_ulong>(kernel, CL_KERNEL_LOCAL_MEM_SIZE), 0U);
  run(kernel, 8);
  EXPECT_EQ(read<cl_int>(out), (std::vector<cl_int>{5, 6, 7, 8, 9, 10, 11, 12}));
}

TEST_F(KernelTest, GivenBadArguments_WhenSet_ThenTheErrorSaysWhich) {
  cl_kernel kernel = make_kernel(program_, "values");
  cl_kernel locals = make_kernel(program_, "locals");
  const cl_char c = 1;
  cl_mem null = nullptr;
  EXPECT_EQ(clSetKernelArg(nullptr, 0, 8, nullptr), CL_INVALID_KERNEL);
  EXPECT_EQ(clSetKernelArg(kernel, 6, 1, &c), CL_INVALID_ARG_INDEX);
  EXPECT_EQ(clSetKernelArg(kernel, 1, 1, nullptr), CL_INVALID_ARG_VALUE);
  EXPECT_EQ(clSetKernelArg(kernel, 1, 2, &c), CL_INVALID_ARG_SIZE);
  EXPECT_EQ(clSetKernelArg(kernel, 0, 4, &null), CL_INVALID_ARG_SIZE);
  EXPECT_EQ(set_argument(kernel, 0, context_), CL_INVALID_MEM_OBJECT);
  EXPECT_EQ(set_argument(kernel, 0, null), CL_SUCCESS);
  EXPECT_EQ(clSetKernelArg(kernel, 0, sizeof(cl_mem), nullptr), CL_SUCCESS);
  EXPECT_EQ(clSetKernelArg(locals, 1, 4, &c), CL_INVALID_ARG_VALUE);
  EXPECT_EQ(clSetKernelArgSVMPointer(kernel, 1, &c), CL_INVALID_ARG_VALUE);
  const size_t one = 1;
  EXPECT_EQ(clEnqueueNDRangeKernel(in_order_, kernel, 1, nullptr, &one, nullptr, 0, nullptr, nullptr), CL_INVALID_KERNEL_ARGS);
}

TEST_F(KernelTest, GivenAKernel_WhenCloned_ThenItHasTheArgumentsOfThatMoment) {
  cl_kernel kernel = make_kernel(build("kernel void set(global int *a, int b) { *a = b; }"), "set");
  cl_mem one = make_buffer(4);
  cl_mem other = make_buffer(4);
  set_argument(kernel, 0, one);
  set_argument(kernel, 1, cl_int{5});
  cl_int error = -1;
  cl_kernel clone = clCloneKernel(kernel, &error);
  ASSERT_EQ(error, CL_SUCCESS);
  set_argument(kernel, 0, other);
  set_argument(kernel, 1, cl_int{6});
  run(clone, 1);
  run(kernel, 1);
  EXPECT_EQ(read<cl_int>(one).front(), 5);
  EXPECT_EQ(read<cl_int>(other).front(), 6);
  EXPECT_EQ(clReleaseKernel(clone), CL_SUCCESS);
}

TEST_F(KernelTest, GivenAnEnqueuedKernel_WhenArgumentsChange_ThenTheOldOnesCount) {
  cl_kernel kernel = make_kernel(build("kernel void set(global int *a, int b) { *a = b; }"), "set");
  cl_mem out = make_buffer(4);
  cl_event gate = make_user_event();
  const size_t one = 1;
  set_argument(kernel, 0, out);
  set_argument(kernel, 1, cl_int{5});
  EXPECT_EQ(clEnqueueNDRangeKernel(in_order_, kernel, 1, nullptr, &one, nullptr, 1, &gate, nullptr), CL_SUCCESS);
  set_argument(kernel, 1, cl_int{6});
  EXPECT_EQ(clSetUserEventStatus(gate, CL_COMPLETE), CL_SUCCESS);
  EXPECT_EQ(read<cl_int>(out).front(), 5);
  EXPECT_EQ(clReleaseEvent(gate), CL_SUCCESS);
}

TEST_F(KernelTest, GivenPendingLaunches_WhenArgumentsChangeAndTheKernelGoes_ThenEachReadsItsOwnAlignedBlock) {
  // Generated code may read a double16 with aligned instructions. Blocks of 136 to 1160 bytes are on both sides of the bytes
  // that a command holds without an allocation.
  for (int vectors : {0, 1, 2, 8}) {
    std::string source = "kernel void add(global double *out, int at", body;
    for (int i = 0; i < vectors; ++i) {
      source += ", double16 v" + std::to_string(i);
      body += " + v" + std::to_string(i) + ".sf";
    }
    source += ") { out[at] = at" + body + "; }";
    cl_kernel kernel = clCreateKernel(build(source.c_str()), "add", nullptr);
    constexpr int kLaunches = 50;
    cl_mem out = make_buffer(kLaunches * sizeof(double));
    cl_event gate = make_user_event();
    const size_t one = 1;
    set_argument(kernel, 0, out);
    for (int launch = 0; launch < kLaunches; ++launch) {
      set_argument(kernel, 1, launch);
      for (int i = 0; i < vectors; ++i) {
        cl_double16 value{};
        value.s[15] = 1000.0 * (launch + 1) * (i + 1);
        set_argument(kernel, static_cast<cl_uint>(2 + i), value);
      }
      ASSERT_EQ(clEnqueueNDRangeKernel(out_of_order_, kernel, 1, nullptr, &one, nullptr, 1, &gate, nullptr), CL_SUCCESS);
    }
    EXPECT_EQ(clReleaseKernel(kernel), CL_SUCCESS);
    EXPECT_EQ(clSetUserEventStatus(gate, CL_COMPLETE), CL_SUCCESS);
    ASSERT_EQ(clFinish(out_of_order_), CL_SUCCESS);
    const std::vector<double> sums = read<double>(out);
    for (int launch = 0; launch < kLaunches; ++launch)
      EXPECT_EQ(sums[static_cast<size_t>(launch)], launch + 500.0 * (launch + 1) * vectors * (vectors + 1)) << vectors;
    EXPECT_EQ(clReleaseEvent(gate), CL_SUCCESS);
  }
}

TEST_F(KernelTest, GivenManyArguments_WhenRun_ThenTheKernelSeesAll) {
  // Around the numbers of buffers and bytes that a command holds without an allocation.
  for (int count : {1, 5, 6, 7, 11, 12, 13, 40}) {
    std::string source = "kernel void many(", body;
    for (int i = 0; i < count; ++i) {
      source += (i ? ", " : "") + std::string("global int *a") + std::to_string(i);
      body += "a" + std::to_string(i) + "[0] += " + std::to_string(i + 1) + ";";
    }
    source += ") {" + body + "}";
    cl_kernel kernel = make_kernel(build(source.c_str()), "many");
    std::vector<cl_mem> buffers;
    for (int i = 0; i < count; ++i) {
      int value = 100 * i;
      buffers.push_back(make_buffer(sizeof value, CL_MEM_COPY_HOST_PTR, &value));
      ASSERT_EQ(clSetKernelArg(kernel, static_cast<cl_uint>(i), sizeof(cl_mem), &buffers.back()), CL_SUCCESS);
    }
    const size_t one = 1;
    for (int run = 0; run < 2; ++run)
      ASSERT_EQ(clEnqueueNDRangeKernel(in_order_, kernel, 1, nullptr, &one, nullptr, 0, nullptr, nullptr), CL_SUCCESS);
    for (int i = 0; i < count; ++i) {
      int value = -1;
      EXPECT_EQ(clEnqueueReadBuffer(in_order_, buffers[static_cast<size_t>(i)], CL_TRUE, 0, sizeof value, &value, 0, nullptr,
                                    nullptr),
                CL_SUCCESS);
      EXPECT_EQ(value, 100 * i + 2 * (i + 1)) << count;
    }
  }
}

TEST_F(KernelTest, GivenAProgram_WhenKernelsAreCreated_ThenAllAreThereInOrder) {
  cl_uint count = 0;
  EXPECT_EQ(clCreateKernelsInProgram(program_, 0, nullptr, &count), CL_SUCCESS);
  ASSERT_EQ(count, 3U);
  std::array<cl_kernel, 3> kernels{};
  EXPECT_EQ(clCreateKernelsInProgram(program_, 2, kernels.data(), nullptr), CL_INVALID_VALUE);
  EXPECT_EQ(clCreateKernelsInProgram(program_, 3, kernels.data(), nullptr), CL_SUCCESS);
  EXPECT_EQ(text_of(clGetKernelInfo, kernels[0], CL_KERNEL_FUNCTION_NAME), "values");
  EXPECT_EQ(text_of(clGetKernelInfo, kernels[2], CL_KERNEL_FUNCTION_NAME), "required");
  EXPECT_EQ(value_of<cl_uint>(clGetKernelInfo, kernels[0], CL_KERNEL_NUM_ARGS), 6U);
  EXPECT_EQ(value_of<cl_program>(clGetKernelInfo, kernels[0], CL_KERNEL_PROGRAM), program_);
  for (cl_kernel kernel : kernels) EXPECT_EQ(clReleaseKernel(kernel), CL_SUCCESS);
  cl_int error = 0;
  EXPECT_EQ(clCreateKernel(program_, "none", &error), nullptr);
  EXPECT_EQ(error, CL_INVALID_KERNEL_NAME);
  EXPECT_EQ(clCreateKernel(program_, nullptr, &error), nullptr);
  EXPECT_EQ(error, CL_INVALID_VALUE);
}

TEST_F(KernelTest, GivenArgumentInfo_WhenAsked_ThenItIsTheDeclaration) {
  cl_kernel kernel = make_kernel(program_, "required");
  char text[32];
  EXPECT_EQ(clGetKernelArgInfo(kernel, 0, CL_KERNEL_ARG_NAME, sizeof text, text, nullptr), CL_SUCCESS);
  EXPECT_STREQ(text, "in");
  EXPECT_EQ(clGetKernelArgInfo(kernel, 0, CL_KERNEL_ARG_TYPE_NAME, sizeof text, text, nullptr), CL_SUCCESS);
  EXPECT_STREQ(text, "float*");
  cl_kernel_arg_type_qualifier qualifier = 0;
  EXPECT_EQ(clGetKernelArgInfo(kernel, 0, CL_KERNEL_ARG_TYPE_QUALIFIER, sizeof qualifier, &qualifier, nullptr), CL_SUCCESS);
  EXPECT_EQ(qualifier, cl_kernel_arg_type_qualifier{CL_KERNEL_ARG_TYPE_CONST | CL_KERNEL_ARG_TYPE_RESTRICT});
  cl_kernel_arg_address_qualifier space = 0;
  EXPECT_EQ(clGetKernelArgInfo(kernel, 1, CL_KERNEL_ARG_ADDRESS_QUALIFIER, sizeof space, &space, nullptr), CL_SUCCESS);
  EXPECT_EQ(space, cl_kernel_arg_address_qualifier{CL_KERNEL_ARG_ADDRESS_GLOBAL});
  EXPECT_EQ(clGetKernelArgInfo(kernel, 2, CL_KERNEL_ARG_NAME, 0, nullptr, nullptr), CL_INVALID_ARG_INDEX);
  cl_kernel plain = make_kernel(build("kernel void f(int a) {}"), "f");
  EXPECT_EQ(clGetKernelArgInfo(plain, 0, CL_KERNEL_ARG_NAME, 0, nullptr, nullptr), CL_KERNEL_ARG_INFO_NOT_AVAILABLE);
}

TEST_F(KernelTest, GivenWorkGroupQueries_WhenAsked_ThenTheyFollowTheAttributes) {
  using Size3 = std::array<size_t, 3>;
  EXPECT_EQ(work_group_info<Size3>(make_kernel(program_, "required"), CL_KERNEL_COMPILE_WORK_GROUP_SIZE), (Size3{8, 2, 1}));
  EXPECT_EQ(work_group_info<Size3>(make_kernel(program_, "values"), CL_KERNEL_COMPILE_WORK_GROUP_SIZE), (Size3{0, 0, 0}));
  EXPECT_GE(work_group_info<size_t>(make_kernel(program_, "values"), CL_KERNEL_WORK_GROUP_SIZE), 256U);
  Size3 global;
  EXPECT_EQ(clGetKernelWorkGroupInfo(make_kernel(program_, "values"), device_, CL_KERNEL_GLOBAL_WORK_SIZE, sizeof global,
                                     &global, nullptr),
            CL_INVALID_VALUE);
}

TEST_F(KernelTest, GivenSubGroupQueries_WhenAsked_ThenCountsAndSizesAgree) {
  cl_kernel kernel = make_kernel(program_, "values");
  const size_t lanes = sub_group_info(kernel, CL_KERNEL_MAX_SUB_GROUP_SIZE_FOR_NDRANGE, {64});
  EXPECT_EQ(sub_group_info(kernel, CL_KERNEL_SUB_GROUP_COUNT_FOR_NDRANGE, {lanes * 3}), 3U);
  EXPECT_EQ(sub_group_info(kernel, CL_KERNEL_SUB_GROUP_COUNT_FOR_NDRANGE, {lanes, 3}), 3U);
  EXPECT_EQ(sub_group_info(kernel, CL_KERNEL_SUB_GROUP_COUNT_FOR_NDRANGE, {1, 1, 1}), 1U);
  EXPECT_EQ(sub_group_info(kernel, CL_KERNEL_LOCAL_SIZE_FOR_SUB_GROUP_COUNT, {2}), 2 * lanes);
  EXPECT_EQ(sub_group_info(kernel, CL_KERNEL_LOCAL_SIZE_FOR_SUB_GROUP_COUNT, {1u << 30}), 0U);
  const size_t most = sub_group_info(kernel, CL_KERNEL_MAX_NUM_SUB_GROUPS, {});
  EXPECT_EQ(sub_group_info(kernel, CL_KERNEL_LOCAL_SIZE_FOR_SUB_GROUP_COUNT, {most}), most * lanes);
  EXPECT_EQ(sub_group_info(kernel, CL_KERNEL_COMPILE_NUM_SUB_GROUPS, {}), 0U);
  size_t value = 0;
  EXPECT_EQ(clGetKernelSubGroupInfo(kernel, device_, CL_KERNEL_SUB_GROUP_COUNT_FOR_NDRANGE, 0, nullptr, sizeof value, &value,
                                    nullptr),
            CL_INVALID_VALUE);
}

// Doubles near the midpoint of two halves, which float cannot tell from the midpoint, and the ends of the range.
TEST_F(KernelTest, GivenTheDevicesSubGroupSizes_WhenAKernelRequiresEach_ThenItRunsWithIt) {
  size_t bytes = 0;
  ASSERT_EQ(clGetDeviceInfo(device_, CL_DEVICE_SUB_GROUP_SIZES_INTEL, 0, nullptr, &bytes), CL_SUCCESS);
  std::vector<size_t> sizes(bytes / sizeof(size_t));
  ASSERT_EQ(clGetDeviceInfo(device_, CL_DEVICE_SUB_GROUP_SIZES_INTEL, bytes, sizes.data(), nullptr), CL_SUCCESS);
  EXPECT_EQ(sizes, tests_a_gpu() ? (std::vector<size_t>{8, 16, 32}) : (std::vector<size_t>{4, 8, 16, 32}));
  for (const size_t size : sizes) {
    const std::string source = "__attribute__((intel_reqd_sub_group_size(" + std::to_string(size) +
                               "))) kernel void f(global int *out) { out[get_global_id(0)] = get_max_sub_group_size(); }";
    cl_kernel kernel = make_kernel(build(source.c_str()), "f");
    EXPECT_EQ(sub_group_info(kernel, CL_KERNEL_COMPILE_SUB_GROUP_SIZE_INTEL, {}), size);
    cl_mem out = make_buffer(64 * sizeof(cl_int));
    EXPECT_EQ(set_argument(kernel, 0, out), CL_SUCCESS);
    run(kernel, 64, 64);
    EXPECT_EQ(read<cl_int>(out), std::vector<cl_int>(64, static_cast<cl_int>(size)));
  }
  for (const int other : {0, 1, 3, 5, 64}) {
    const std::string source = "__attribute__((intel_reqd_sub_group_size(" + std::to_string(other) +
                               "))) kernel void f(global int *out) { *out = 1; }";
    EXPECT_EQ(clBuildProgram(make_program(source.c_str()), 0, nullptr, "", nullptr, nullptr), CL_BUILD_PROGRAM_FAILURE)
        << other;
  }
}

TEST_F(KernelTest, GivenDoublesNearHalfwayPoints_WhenConvertedToHalf_ThenTheyAreRoundedOnce) {
  struct {
    double value;
    cl_ushort half;
  } const cases[] = {{1.0 + 0x1p-11, 0x3c00},
                     {1.0 + 0x1p-11 + 0x1p-40, 0x3c01},
                     {1.0 + 3 * 0x1p-11 - 0x1p-40, 0x3c01},
                     {-1.0 - 3 * 0x1p-11, 0xbc02},
                     {65520.0, 0x7c00},
                     {65520.0 - 0x1p-30, 0x7bff},
                     {0x1p-25, 0x0000},
                     {0x1p-25 + 0x1p-60, 0x0001},
                     {-1e300, 0xfc00},
                     {1e-300, 0x0000}};
  std::vector<double> values;
  std::vector<cl_ushort> expected;
  for (const auto &test : cases) {
    values.push_back(test.value);
    expected.push_back(test.half);
  }
  cl_kernel kernel = make_kernel(build(R"(
    #pragma OPENCL EXTENSION cl_khr_fp16 : enable
    kernel void narrow(global const double *in, global half *out) {
      size_t i = get_global_id(0);
      out[i] = (half)in[i];
    })"),
                                 "narrow");
  cl_mem out = make_buffer(2 * values.size());
  set_argument(kernel, 0, make_buffer(8 * values.size(), CL_MEM_COPY_HOST_PTR, values.data()));
  set_argument(kernel, 1, out);
  run(kernel, values.size());
  EXPECT_EQ(read<cl_ushort>(out), expected);
}

}  // namespace
