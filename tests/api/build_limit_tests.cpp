// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Programs that crash the compiler, never finish compiling or exhaust its memory: the application gets an error and a log, and
// its next program builds.
#include "base/sanitizer.h"
#include "object_fixture.h"
#include <cstdlib>
#include <unistd.h>

namespace upsweep::tests {
namespace {

/// The driver reads its options once, at its first use.
const bool limits_are_set = [] {
  setenv("UPSWEEP_COMPILE_MEMORY_MIB", "384", 1);
  return true;
}();

const std::string kCrash = "#pragma clang __debug crash\nkernel void f(global int *a) {}";
/// Above the compiler's limit of memory, and below 4 GiB, where code for GPUs is refused for another reason.
const std::string kTooLarge = "constant char big[1ul << 31] = {1};\nkernel void f(global int *a) { a[0] = big[a[1]]; }";

/// Long constant evaluation that stays below Clang's own limit of steps.
std::string endless() {
  std::string text =
      "constexpr unsigned spin(unsigned n) { unsigned s = 0; for (unsigned i = 0; i < n; ++i) s += i; return s; }\n";
  for (int i = 0; i < 1000; ++i) text += "constant unsigned v" + std::to_string(i) + " = spin(300000);\n";
  return text;
}

class BuildLimitTest : public ObjectFixture {
protected:
  void expect_failure(const std::string &source, const char *options, const char *reason) {
    cl_program program = make_program(source.c_str());
    EXPECT_EQ(clBuildProgram(program, 1, &device_, options, nullptr, nullptr), CL_BUILD_PROGRAM_FAILURE);
    expect_error_state(program, reason);
    EXPECT_EQ(clCreateKernel(program, "f", nullptr), nullptr);
    expect_that_builds_work();
  }

  void expect_error_state(cl_program program, const char *reason) {
    cl_build_status status = CL_BUILD_NONE;
    EXPECT_EQ(clGetProgramBuildInfo(program, device_, CL_PROGRAM_BUILD_STATUS, sizeof(status), &status, nullptr), CL_SUCCESS);
    EXPECT_EQ(status, CL_BUILD_ERROR);
    EXPECT_NE(log_of(program).find(reason), std::string::npos) << log_of(program);
  }

  void expect_that_builds_work() {
    // The text differs in each process, so that no cache answers.
    const std::string source =
        "// " + std::to_string(getpid()) + "\nkernel void add(global int *a) { a[get_global_id(0)] += 7; }";
    cl_mem buffer = make_counting_buffer(64);
    cl_kernel kernel = make_kernel(build(source.c_str()), "add");
    EXPECT_EQ(set_argument(kernel, 0, buffer), CL_SUCCESS);
    run(kernel, 16);
    EXPECT_EQ(content_of(buffer)[4], 4 + 7);
  }
};

/// The short limit may also end builds of the other tests on a busy machine, so this test is first, or alone where each test
/// is a process.
class BuildTimeLimitTest : public BuildLimitTest {
protected:
  static void SetUpTestSuite() { setenv("UPSWEEP_COMPILE_TIMEOUT_S", "3", 1); }
};

TEST_F(BuildTimeLimitTest, GivenAnEndlessProgram_WhenBuilt_ThenItFailsInTime) {
  expect_failure(endless(), "-cl-std=CLC++2021", "UPSWEEP_COMPILE_TIMEOUT_S");
}

TEST_F(BuildLimitTest, GivenACrashOfTheCompiler_WhenBuilt_ThenTheProgramFails) {
  expect_failure(kCrash, "", "the compiler crashed with signal");
}

TEST_F(BuildLimitTest, GivenAProgramThatTakesAllMemory_WhenBuilt_ThenItFails) {
  if (kNeedsHugeAddressSpace) GTEST_SKIP() << "the limit is one of address space";
  expect_failure(kTooLarge, "", "UPSWEEP_COMPILE_MEMORY_MIB");
}

TEST_F(BuildLimitTest, GivenACrashOfTheCompiler_WhenCompiled_ThenTheErrorIsCompilesOwn) {
  cl_program program = make_program(kCrash.c_str());
  EXPECT_EQ(clCompileProgram(program, 1, &device_, "", 0, nullptr, nullptr, nullptr, nullptr), CL_COMPILE_PROGRAM_FAILURE);
  expect_error_state(program, "the compiler crashed with signal");
  expect_that_builds_work();
}

TEST_F(BuildLimitTest, GivenACallback_WhenTheCompilerCrashes_ThenItIsCalledAllTheSame) {
  cl_program program = make_program(kCrash.c_str());
  cl_event called = make_user_event();
  auto callback = [](cl_program, void *event) { clSetUserEventStatus(static_cast<cl_event>(event), CL_COMPLETE); };
  clBuildProgram(program, 1, &device_, "", callback, called);
  EXPECT_EQ(clWaitForEvents(1, &called), CL_SUCCESS);
  expect_error_state(program, "the compiler crashed with signal");
  EXPECT_EQ(clReleaseEvent(called), CL_SUCCESS);
}

}  // namespace
}  // namespace upsweep::tests
