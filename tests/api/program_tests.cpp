// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Programs: creation, build, compile, link, binaries, queries, errors.
#include "object_fixture.h"
#include <condition_variable>
#include <mutex>

namespace {

using namespace upsweep::tests;

const char *const kTwoKernels =
    "kernel void first(global int *a) { *a = 1; } kernel void second(global int *a) { *a = VALUE; }";

class ProgramTest : public ObjectFixture {
protected:
  template <typename T>
  T build_info(cl_program program, cl_program_build_info name) {
    T value{};
    EXPECT_EQ(clGetProgramBuildInfo(program, device_, name, sizeof(T), &value, nullptr), CL_SUCCESS);
    return value;
  }

  /// The int that the kernel `name` stores through its only parameter.
  int result_of(cl_program program, const char *name) {
    cl_int value = -1;
    cl_mem buffer = make_buffer(sizeof value, CL_MEM_COPY_HOST_PTR, &value);
    cl_kernel kernel = make_kernel(program, name);
    EXPECT_EQ(set_argument(kernel, 0, buffer), CL_SUCCESS);
    run(kernel, 1);
    EXPECT_EQ(clEnqueueReadBuffer(in_order_, buffer, CL_TRUE, 0, sizeof value, &value, 0, nullptr, nullptr), CL_SUCCESS);
    return value;
  }

  std::vector<unsigned char> binary_of(cl_program program) {
    std::vector<unsigned char> binary(value_of<size_t>(clGetProgramInfo, program, CL_PROGRAM_BINARY_SIZES));
    unsigned char *to = binary.data();
    EXPECT_EQ(clGetProgramInfo(program, CL_PROGRAM_BINARIES, sizeof to, &to, nullptr), CL_SUCCESS);
    return binary;
  }

  cl_program from_binary(const std::vector<unsigned char> &binary, cl_int expected = CL_SUCCESS) {
    const unsigned char *bytes = binary.data();
    const size_t size = binary.size();
    cl_int status = -1;
    cl_int error = -1;
    cl_program program = clCreateProgramWithBinary(context_, 1, &device_, &size, &bytes, &status, &error);
    EXPECT_EQ(error, expected);
    EXPECT_EQ(status, expected);
    if (program) programs_.push_back(program);
    return program;
  }

  cl_program compile(const char *source, const char *options = "-cl-std=CL3.0") {
    cl_program program = make_program(source);
    EXPECT_EQ(clCompileProgram(program, 0, nullptr, options, 0, nullptr, nullptr, nullptr, nullptr), CL_SUCCESS)
        << log_of(program);
    return program;
  }

  cl_program link(std::vector<cl_program> inputs, const char *options = "", cl_int expected = CL_SUCCESS) {
    cl_int error = -1;
    cl_program program = clLinkProgram(context_, 0, nullptr, options, static_cast<cl_uint>(inputs.size()), inputs.data(),
                                       nullptr, nullptr, &error);
    EXPECT_EQ(error, expected) << (program ? log_of(program) : "");
    if (program) programs_.push_back(program);
    return program;
  }
};

TEST_F(ProgramTest, GivenSource_WhenBuilt_ThenKernelsRunAndQueriesAnswer) {
  cl_program program = build(kTwoKernels, "-DVALUE=7");
  EXPECT_EQ(result_of(program, "second"), 7);
  EXPECT_EQ(value_of<size_t>(clGetProgramInfo, program, CL_PROGRAM_NUM_KERNELS), 2U);
  EXPECT_EQ(text_of(clGetProgramInfo, program, CL_PROGRAM_KERNEL_NAMES), "first;second");
  EXPECT_EQ(text_of(clGetProgramInfo, program, CL_PROGRAM_SOURCE), kTwoKernels);
  EXPECT_EQ(value_of<cl_device_id>(clGetProgramInfo, program, CL_PROGRAM_DEVICES), device_);
  EXPECT_EQ(build_info<cl_build_status>(program, CL_PROGRAM_BUILD_STATUS), CL_BUILD_SUCCESS);
  EXPECT_EQ(build_info<cl_program_binary_type>(program, CL_PROGRAM_BINARY_TYPE),
            cl_program_binary_type{CL_PROGRAM_BINARY_TYPE_EXECUTABLE});
  char options[64];
  EXPECT_EQ(clGetProgramBuildInfo(program, device_, CL_PROGRAM_BUILD_OPTIONS, sizeof options, options, nullptr), CL_SUCCESS);
  EXPECT_STREQ(options, "-DVALUE=7");
}

TEST_F(ProgramTest, GivenAttributesOfAKernel_WhenItsProgramIsFromABinary_ThenOnlyThoseOfSourceAreText) {
  const char *source = "kernel __attribute__((reqd_work_group_size(4, 2, 1))) void f(global int *a) { a[0] = 1; }";
  cl_program text = build(source);
  cl_program binary = from_binary(binary_of(text));
  ASSERT_EQ(clBuildProgram(binary, 0, nullptr, "", nullptr, nullptr), CL_SUCCESS);
  cl_program linked = link({compile(source)});
  for (cl_program program : {text, linked, binary}) {
    cl_kernel kernel = make_kernel(program, "f");
    EXPECT_EQ(text_of(clGetKernelInfo, kernel, CL_KERNEL_ATTRIBUTES), program == binary ? "" : "reqd_work_group_size(4,2,1)");
    size_t size[3] = {};
    EXPECT_EQ(clGetKernelWorkGroupInfo(kernel, device_, CL_KERNEL_COMPILE_WORK_GROUP_SIZE, sizeof size, size, nullptr),
              CL_SUCCESS);
    EXPECT_EQ(size[0] * 100 + size[1] * 10 + size[2], 421u);
  }
}

TEST_F(ProgramTest, GivenRecursionAcrossPrograms_WhenLinked_ThenItFailsAndTheLogNamesTheFunctions) {
  cl_program odd = compile("int even(int n);\nint odd(int n) { return n == 0 ? 0 : even(n - 1); }\n"
                           "kernel void f(global int *a) { a[0] = odd(a[0]); }");
  cl_program even = compile("int odd(int n);\nint even(int n) { return n == 0 ? 1 : odd(n - 1); }");
  cl_program program = link({odd, even}, "", CL_LINK_PROGRAM_FAILURE);
  ASSERT_NE(program, nullptr);
  EXPECT_NE(log_of(program).find("'odd' and 'even' call each other"), std::string::npos) << log_of(program);
  link({odd, even}, "-Wno-error=recursion");
  EXPECT_EQ(clBuildProgram(make_program("kernel void f(global int *a) { f(a); }"), 0, nullptr, nullptr, nullptr, nullptr),
            CL_BUILD_PROGRAM_FAILURE);
}

TEST_F(ProgramTest, GivenAnOptionThatPermitsNothing_WhenUsed_ThenTheOptionsAreInvalid) {
  cl_program program = make_program("kernel void f(global int *a) {}");
  EXPECT_EQ(clBuildProgram(program, 0, nullptr, "-Wno-error=recursio", nullptr, nullptr), CL_INVALID_BUILD_OPTIONS);
  EXPECT_NE(log_of(program).find("'-Wno-error=recursio'"), std::string::npos) << log_of(program);
  EXPECT_EQ(clCompileProgram(program, 0, nullptr, "-Wno-", 0, nullptr, nullptr, nullptr, nullptr), CL_INVALID_COMPILER_OPTIONS);
}

TEST_F(ProgramTest, GivenStringsWithLengths_WhenCreated_ThenTheyAreJoined) {
  const char *strings[] = {"abcX", "def"};
  const size_t lengths[] = {3, 0};
  cl_int error = -1;
  cl_program program = clCreateProgramWithSource(context_, 2, strings, lengths, &error);
  ASSERT_EQ(error, CL_SUCCESS);
  EXPECT_EQ(text_of(clGetProgramInfo, program, CL_PROGRAM_SOURCE), "abcdef");
  EXPECT_EQ(clReleaseProgram(program), CL_SUCCESS);
  EXPECT_EQ(clCreateProgramWithSource(context_, 0, strings, nullptr, &error), nullptr);
  EXPECT_EQ(error, CL_INVALID_VALUE);
  strings[1] = nullptr;
  EXPECT_EQ(clCreateProgramWithSource(context_, 2, strings, nullptr, &error), nullptr);
  EXPECT_EQ(error, CL_INVALID_VALUE);
}

TEST_F(ProgramTest, GivenWrongSource_WhenBuilt_ThenTheLogNamesTheLine) {
  cl_program program = make_program("kernel void f() {\n  nonsense;\n}");
  EXPECT_EQ(clBuildProgram(program, 0, nullptr, nullptr, nullptr, nullptr), CL_BUILD_PROGRAM_FAILURE);
  EXPECT_EQ(build_info<cl_build_status>(program, CL_PROGRAM_BUILD_STATUS), CL_BUILD_ERROR);
  EXPECT_EQ(build_info<cl_program_binary_type>(program, CL_PROGRAM_BINARY_TYPE),
            cl_program_binary_type{CL_PROGRAM_BINARY_TYPE_NONE});
  EXPECT_NE(log_of(program).find("2:3"), std::string::npos) << log_of(program);
  cl_int error = 0;
  EXPECT_EQ(clCreateKernel(program, "f", &error), nullptr);
  EXPECT_EQ(error, CL_INVALID_PROGRAM_EXECUTABLE);
  EXPECT_EQ(clGetProgramInfo(program, CL_PROGRAM_NUM_KERNELS, 0, nullptr, nullptr), CL_INVALID_PROGRAM_EXECUTABLE);
}

TEST_F(ProgramTest, GivenBadArguments_WhenBuilt_ThenTheErrorSaysWhich) {
  cl_program program = make_program(kTwoKernels);
  int dummy = 0;
  EXPECT_EQ(clBuildProgram(nullptr, 0, nullptr, nullptr, nullptr, nullptr), CL_INVALID_PROGRAM);
  EXPECT_EQ(clBuildProgram(program, 1, nullptr, nullptr, nullptr, nullptr), CL_INVALID_VALUE);
  EXPECT_EQ(clBuildProgram(program, 0, &device_, nullptr, nullptr, nullptr), CL_INVALID_VALUE);
  EXPECT_EQ(clBuildProgram(program, 0, nullptr, nullptr, nullptr, &dummy), CL_INVALID_VALUE);
  cl_device_id none = nullptr;
  EXPECT_EQ(clBuildProgram(program, 1, &none, nullptr, nullptr, nullptr), CL_INVALID_DEVICE);
  EXPECT_EQ(clBuildProgram(program, 0, nullptr, "-no-such-option", nullptr, nullptr), CL_INVALID_BUILD_OPTIONS);
  EXPECT_EQ(clCompileProgram(program, 0, nullptr, "-no-such-option", 0, nullptr, nullptr, nullptr, nullptr),
            CL_INVALID_COMPILER_OPTIONS);
}

TEST_F(ProgramTest, GivenKernels_WhenBuiltAgain_ThenInvalidOperationUntilTheyAreGone) {
  cl_program program = build(kTwoKernels, "-DVALUE=1");
  cl_kernel kernel = clCreateKernel(program, "first", nullptr);
  EXPECT_EQ(clBuildProgram(program, 0, nullptr, "-DVALUE=2", nullptr, nullptr), CL_INVALID_OPERATION);
  EXPECT_EQ(clReleaseKernel(kernel), CL_SUCCESS);
  EXPECT_EQ(clBuildProgram(program, 0, nullptr, "-DVALUE=2", nullptr, nullptr), CL_SUCCESS);
  EXPECT_EQ(result_of(program, "second"), 2);
}

struct Signal {
  std::mutex mutex;
  std::condition_variable changed;
  cl_program program = nullptr;
};

void CL_CALLBACK signal_built(cl_program program, void *user_data) {
  auto &signal = *static_cast<Signal *>(user_data);
  std::lock_guard lock(signal.mutex);
  signal.program = program;
  signal.changed.notify_one();
}

TEST_F(ProgramTest, GivenACallback_WhenBuilt_ThenItIsCalledWhenTheBuildIsDone) {
  Signal signal;
  cl_program program = make_program(kTwoKernels);
  ASSERT_EQ(clBuildProgram(program, 0, nullptr, "-DVALUE=3", signal_built, &signal), CL_SUCCESS);
  std::unique_lock lock(signal.mutex);
  signal.changed.wait(lock, [&] { return signal.program != nullptr; });
  EXPECT_EQ(signal.program, program);
  EXPECT_EQ(build_info<cl_build_status>(program, CL_PROGRAM_BUILD_STATUS), CL_BUILD_SUCCESS);
}

TEST_F(ProgramTest, GivenABinary_WhenLoaded_ThenItRuns) {
  const std::vector<unsigned char> binary = binary_of(build(kTwoKernels, "-DVALUE=9"));
  cl_program program = from_binary(binary);
  EXPECT_EQ(build_info<cl_build_status>(program, CL_PROGRAM_BUILD_STATUS), CL_BUILD_NONE);
  EXPECT_EQ(build_info<cl_program_binary_type>(program, CL_PROGRAM_BINARY_TYPE),
            cl_program_binary_type{CL_PROGRAM_BINARY_TYPE_EXECUTABLE});
  cl_int error = 0;
  EXPECT_EQ(clCreateKernel(program, "second", &error), nullptr);
  EXPECT_EQ(error, CL_INVALID_PROGRAM_EXECUTABLE);
  ASSERT_EQ(clBuildProgram(program, 0, nullptr, nullptr, nullptr, nullptr), CL_SUCCESS);
  EXPECT_EQ(result_of(program, "second"), 9);
  EXPECT_EQ(binary_of(program), binary);
}

TEST_F(ProgramTest, GivenADamagedBinary_WhenLoaded_ThenInvalidBinary) {
  std::vector<unsigned char> binary = binary_of(build(kTwoKernels, "-DVALUE=9"));
  binary[binary.size() / 2] ^= 1;
  from_binary(binary, CL_INVALID_BINARY);
  binary.resize(100);
  from_binary(binary, CL_INVALID_BINARY);
  from_binary({1, 2, 3}, CL_INVALID_BINARY);
}

TEST_F(ProgramTest, GivenObjectsAndALibrary_WhenLinked_ThenTheExecutableHasAll) {
  cl_program library = link({compile("int twice(int x) { return 2 * x; }")}, "-create-library");
  EXPECT_EQ(build_info<cl_program_binary_type>(library, CL_PROGRAM_BINARY_TYPE),
            cl_program_binary_type{CL_PROGRAM_BINARY_TYPE_LIBRARY});
  cl_program object = compile("int twice(int); kernel void f(global int *a) { *a = twice(21); }");
  EXPECT_EQ(build_info<cl_program_binary_type>(object, CL_PROGRAM_BINARY_TYPE),
            cl_program_binary_type{CL_PROGRAM_BINARY_TYPE_COMPILED_OBJECT});
  cl_program program = link({object, library});
  EXPECT_EQ(result_of(program, "f"), 42);
  EXPECT_EQ(result_of(link({from_binary(binary_of(object)), library}), "f"), 42);
  EXPECT_EQ(clBuildProgram(program, 0, nullptr, nullptr, nullptr, nullptr), CL_INVALID_OPERATION);
}

TEST_F(ProgramTest, GivenInlineKernels_WhenCompiledAndLinked_ThenEachPartHasThem) {
  const char *source = "inline kernel void first(global int *a) { *a = 1; }\n"
                       "kernel __attribute__((always_inline)) void second(global int *a) { *a = 2; }";
  cl_program library = link({compile(source)}, "-create-library");
  cl_program caller =
      compile("kernel void first(global int *a);\nkernel inline void third(global int *a) { first(a); *a += 2; }");
  cl_program program = link({caller, library});
  EXPECT_EQ(result_of(program, "first"), 1);
  EXPECT_EQ(result_of(program, "second"), 2);
  EXPECT_EQ(result_of(program, "third"), 3);
  EXPECT_EQ(value_of<size_t>(clGetProgramInfo, program, CL_PROGRAM_NUM_KERNELS), 3U);
  cl_program loaded = from_binary(binary_of(program));
  ASSERT_EQ(clBuildProgram(loaded, 0, nullptr, nullptr, nullptr, nullptr), CL_SUCCESS);
  EXPECT_EQ(result_of(loaded, "third"), 3);
}

TEST_F(ProgramTest, GivenAMissingFunction_WhenLinked_ThenTheProgramCarriesTheLog) {
  cl_program object = compile("int missing(int); kernel void f(global int *a) { *a = missing(21); }");
  cl_program program = link({object}, "", CL_LINK_PROGRAM_FAILURE);
  ASSERT_NE(program, nullptr);
  EXPECT_NE(log_of(program).find("missing"), std::string::npos) << log_of(program);
  EXPECT_EQ(link({make_program("")}, "", CL_INVALID_OPERATION), nullptr);
  EXPECT_EQ(link({object}, "-no-such-option", CL_INVALID_LINKER_OPTIONS), nullptr);
  EXPECT_EQ(link({nullptr}, "", CL_INVALID_PROGRAM), nullptr);
  EXPECT_EQ(link({}, "", CL_INVALID_VALUE), nullptr);
}

TEST_F(ProgramTest, GivenHeaders_WhenCompiled_ThenTheyAreFoundByName) {
  cl_program header = make_program("#define ANSWER 42\n");
  cl_program program = make_program("#include \"sub/answer.h\"\nkernel void f(global int *a) { *a = ANSWER; }");
  const char *name = "sub/answer.h";
  EXPECT_EQ(clCompileProgram(program, 0, nullptr, nullptr, 1, &header, nullptr, nullptr, nullptr), CL_INVALID_VALUE);
  EXPECT_EQ(clCompileProgram(program, 0, nullptr, nullptr, 0, &header, &name, nullptr, nullptr), CL_INVALID_VALUE);
  ASSERT_EQ(clCompileProgram(program, 0, nullptr, nullptr, 1, &header, &name, nullptr, nullptr), CL_SUCCESS) << log_of(program);
  EXPECT_EQ(result_of(link({program}), "f"), 42);
}

TEST_F(ProgramTest, GivenProgramScopeVariables_WhenTwoProgramsAreEqual_ThenEachHasItsOwn) {
  const char *source = "global int counter = 10; kernel void next(global int *a) { *a = ++counter; }";
  cl_program one = build(source);
  cl_program other = build(source);
  EXPECT_EQ(result_of(one, "next"), 11);
  EXPECT_EQ(result_of(one, "next"), 12);
  EXPECT_EQ(result_of(other, "next"), 11);
  EXPECT_EQ(build_info<size_t>(one, CL_PROGRAM_BUILD_GLOBAL_VARIABLE_TOTAL_SIZE), 4U);
}

TEST_F(ProgramTest, GivenNoSpirv_WhenCreatedFromIt_ThenAnInvalidValue) {
  const auto error_of = [&](const void *il, size_t bytes) {
    cl_int error = CL_SUCCESS;
    EXPECT_EQ(clCreateProgramWithIL(context_, il, bytes, &error), nullptr);
    return error;
  };
  constexpr cl_uint kMagic = 0x07230203, kVersion = 0x10000;
  const cl_uint header[] = {kMagic, kVersion, 0, 1, 0, 0};
  EXPECT_EQ(error_of(nullptr, 20), CL_INVALID_VALUE);
  EXPECT_EQ(error_of(header, 0), CL_INVALID_VALUE);
  EXPECT_EQ(error_of(header, 16), CL_INVALID_VALUE);
  EXPECT_EQ(error_of(header, 21), CL_INVALID_VALUE);
  const cl_uint other_magic[] = {kMagic + 1, kVersion, 0, 1, 0}, other_version[] = {kMagic, 0x20000, 0, 1, 0};
  EXPECT_EQ(error_of(other_magic, 20), CL_INVALID_VALUE);
  EXPECT_EQ(error_of(other_version, 20), CL_INVALID_VALUE);
  EXPECT_EQ(error_of("kernel void f(global int *a) {}", 20), CL_INVALID_VALUE);
  cl_int error = -1;
  EXPECT_EQ(clCreateProgramWithIL(nullptr, header, 20, &error), nullptr);
  EXPECT_EQ(error, CL_INVALID_CONTEXT);
  cl_program program = clCreateProgramWithIL(context_, header, 20, &error);
  EXPECT_EQ(error, CL_SUCCESS);
  EXPECT_EQ(clReleaseProgram(program), CL_SUCCESS);
}

TEST_F(ProgramTest, GivenWhatTheDeviceLacks_WhenAsked_ThenTheRightError) {
  cl_int error = 0;
  const char il[4] = {};
  EXPECT_EQ(clCreateProgramWithBuiltInKernels(context_, 1, &device_, "none", &error), nullptr);
  EXPECT_EQ(error, CL_INVALID_VALUE);
  cl_program program = make_program("");
  EXPECT_EQ(clSetProgramSpecializationConstant(program, 0, 4, il), CL_INVALID_PROGRAM);
  size_t bytes = 1;
  EXPECT_EQ(clGetProgramInfo(program, CL_PROGRAM_IL, 0, nullptr, &bytes), CL_SUCCESS);
  EXPECT_EQ(bytes, 0U);
}

}  // namespace
