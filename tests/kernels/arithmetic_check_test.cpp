// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// UPSWEEP_CHECK=arithmetic reports undefined arithmetic with its operands, and leaves correct arithmetic alone.
#include "../spirv_translator.h"
#include "kernel_runner.h"

#include <gtest/gtest.h>

#include <climits>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <nlohmann/json.hpp>
#include <unistd.h>

namespace upsweep::tests {
namespace {

using Json = nlohmann::json;

std::string arithmetic_log() {
  static const std::string path = testing::TempDir() + "upsweep_arithmetic_" + std::to_string(getpid()) + ".json";
  return path;
}

// The driver reads its environment when it is loaded.
const bool is_checked = [] {
  return setenv("UPSWEEP_CHECK", "arithmetic", 1) == 0 && setenv("UPSWEEP_CHECK_LOG", arithmetic_log().c_str(), 1) == 0;
}();

struct Operands {
  cl_int a = 1, b = 1;
  cl_float f = 1;
  cl_double d = 1;
};

class ArithmeticCheck : public KernelRunner {
protected:
  void SetUp() override {
    if (tested_device_type() != CL_DEVICE_TYPE_CPU) GTEST_SKIP() << "only the CPU device checks kernels";
    KernelRunner::SetUp();
    std::remove(arithmetic_log().c_str());
  }
  void TearDown() override {
    if (out_) clReleaseMemObject(out_);
    std::remove(arithmetic_log().c_str());
    KernelRunner::TearDown();
  }

  /// The findings of a case, which 32 work-items run.
  Json run_case(const std::string &which, const Operands &operands) {
    static int number = 0;
    release();
    const std::string name = "kernel_" + std::to_string(number++);
    build("arithmetic_check.cl", name.c_str(), ("-cl-std=CL3.0 -D " + which + " -D NAME=" + name).c_str());
    if (!out_) out_ = clCreateBuffer(context_, CL_MEM_READ_WRITE, 32 * sizeof(cl_int), nullptr, nullptr);
    set(0, out_);
    set(1, operands.a);
    set(2, operands.b);
    set(3, operands.f);
    set(4, operands.d);
    return launch();
  }

  Json launch() {
    const size_t items = 32, local = 16;
    EXPECT_EQ(clEnqueueNDRangeKernel(queue_, kernel_, 1, nullptr, &items, &local, 0, nullptr, nullptr), CL_SUCCESS);
    EXPECT_EQ(clFinish(queue_), CL_SUCCESS);
    Json found = Json::array();
    std::ifstream file(arithmetic_log());
    for (std::string line; std::getline(file, line);) found.push_back(Json::parse(line));
    std::remove(arithmetic_log().c_str());
    return found;
  }

  /// The findings of a kernel of SPIR-V with two ints as its last arguments.
  Json run_spirv(const std::string &module, const std::string &name, cl_int a, cl_int b) {
    release();
    program_ = clCreateProgramWithIL(context_, module.data(), module.size(), nullptr);
    EXPECT_EQ(clBuildProgram(program_, 0, nullptr, "", nullptr, nullptr), CL_SUCCESS);
    kernel_ = clCreateKernel(program_, name.c_str(), nullptr);
    if (!out_) out_ = clCreateBuffer(context_, CL_MEM_READ_WRITE, 32 * sizeof(cl_int), nullptr, nullptr);
    set(0, out_);
    set(1, a);
    set(2, b);
    return launch();
  }

  void expect(const std::string &which, const Operands &operands, const std::string &kind, const std::string &text) {
    SCOPED_TRACE(which);
    const Json found = run_case(which, operands);
    ASSERT_EQ(found.size(), 1U) << found.dump(1);
    EXPECT_EQ(found[0]["kind"], kind);
    EXPECT_EQ(found[0]["value"], text);
    EXPECT_EQ(found[0]["global_id"], (Json{5, 0, 0}));
    EXPECT_GT(found[0]["line"], 0);
    EXPECT_EQ(found[0]["count"], 1);
  }

  cl_mem out_ = nullptr;
};

TEST_F(ArithmeticCheck, GivenSignedNumbers_WhenAResultDoesNotFit_ThenItsOperandsAreReported) {
  expect("ADD", {.a = INT_MAX, .b = 1}, "signed-overflow", "2147483647 + 1, which does not fit in 32 bits");
  expect("SUBTRACT", {.a = INT_MIN, .b = 7}, "signed-overflow", "-2147483648 - 7, which does not fit in 32 bits");
  expect("MULTIPLY", {.a = 65536, .b = 32768}, "signed-overflow", "65536 * 32768, which does not fit in 32 bits");
  expect("NEGATE", {.a = INT_MIN}, "signed-overflow", "0 - -2147483648, which does not fit in 32 bits");
  expect("DIVIDE", {.a = INT_MIN, .b = -1}, "signed-overflow", "-2147483648 / -1, which does not fit in 32 bits");
  expect("DIVIDE_LONG", {.a = 0, .b = -1}, "signed-overflow", "-9223372036854775808 / -1, which does not fit in 64 bits");
}

TEST_F(ArithmeticCheck, GivenADivision_WhenTheDivisorIsZero_ThenItIsReported) {
  expect("DIVIDE", {.a = 7, .b = 0}, "division-by-zero", "7 / 0");
  expect("REMAINDER", {.a = -7, .b = 0}, "division-by-zero", "-7 % 0");
  expect("DIVIDE_UNSIGNED", {.a = -1, .b = 0}, "division-by-zero", "4294967295 / 0");
  expect("DIVIDE_VECTOR", {.a = 3, .b = 0}, "division-by-zero", "3 / 0");
}

TEST_F(ArithmeticCheck, GivenAShift_WhenItsAmountIsTooLarge_ThenTheAmountThatCountsIsReported) {
  expect("SHIFT", {.a = 3, .b = 33}, "large-shift", "3 << 33 of 32 bits, which OpenCL C shifts by 1");
  expect("SHIFT", {.a = 3, .b = -1}, "large-shift", "3 << -1 of 32 bits, which OpenCL C shifts by 31");
  expect("SHIFT_UNSIGNED", {.a = 3, .b = 32}, "large-shift", "3 >> 32 of 32 bits, which OpenCL C shifts by 0");
}

TEST_F(ArithmeticCheck, GivenAConversion_WhenTheNumberIsOutOfRange_ThenItIsReported) {
  const std::string kind = "conversion-out-of-range";
  expect("CONVERT", {.f = 3e9F}, kind, "3e+09, which does not fit in 32 bits with a sign");
  expect("CONVERT", {.f = NAN}, kind, "nan, which does not fit in 32 bits with a sign");
  expect("CONVERT_UNSIGNED", {.f = -1}, kind, "-1, which does not fit in 32 bits without a sign");
  expect("CONVERT_CHAR", {.f = 128}, kind, "128, which does not fit in 8 bits with a sign");
  expect("CONVERT_CALL", {.f = -3e9F}, kind, "-3e+09, which does not fit in 32 bits with a sign");
  expect("CONVERT_DOUBLE", {.d = 2147483648.0}, kind, "2147483648, which does not fit in 32 bits with a sign");
}

TEST_F(ArithmeticCheck, GivenCorrectArithmetic_WhenItRuns_ThenNothingIsReported) {
  const auto expect_none = [&](const std::string &which, const Operands &operands) {
    const Json found = run_case(which, operands);
    EXPECT_TRUE(found.empty()) << which << found.dump(1);
  };
  expect_none("ADD", {.a = INT_MAX, .b = 0});
  expect_none("ADD_UNSIGNED", {.a = INT_MAX, .b = 1});
  expect_none("MULTIPLY", {.a = 46340, .b = 46340});
  expect_none("DIVIDE", {.a = INT_MIN, .b = 1});
  expect_none("SHIFT", {.a = 1, .b = 31});
  expect_none("CONVERT", {.f = 2147483520.0F});
  expect_none("CONVERT", {.f = -2147483648.0F});
  expect_none("CONVERT_UNSIGNED", {.f = -0.9F});
  expect_none("CONVERT_CHAR", {.f = -128.9F});
  expect_none("CONVERT_CHAR", {.f = 127.9F});
  expect_none("CONVERT_DOUBLE", {.d = 2147483647.5});
  expect_none("CONVERT_DOUBLE", {.d = -2147483648.5});
  expect_none("CONVERT_SATURATED", {.f = 1e30F});
  expect_none("IN_LIBRARY", {.a = INT_MIN + 5, .b = INT_MAX});
  expect_none("GUARDED", {.a = 7, .b = 0});
}

TEST_F(ArithmeticCheck, GivenSpirv_WhenItsOperationsFail_ThenTheyAreReported) {
  const std::optional<SpirvTranslator> translator = SpirvTranslator::find();
  if (!translator) GTEST_SKIP() << SpirvTranslator::kMissing;
  std::string log;
  const std::optional<std::string> module = translator->translate(
      "kernel void divide(global int *out, int a, int b) {\n  out[get_global_id(0)] = get_global_id(0) == 5 ? a / b : 0;\n}\n"
      "kernel void add(global int *out, int a, int b) {\n  out[get_global_id(0)] = get_global_id(0) == 5 ? a + b : 0;\n}\n",
      "-cl-std=CL2.0 -gline-tables-only", "-O0", log);
  ASSERT_TRUE(module) << log;
  Json found = run_spirv(*module, "divide", 7, 0);
  ASSERT_EQ(found.size(), 1U) << found.dump(1);
  EXPECT_EQ(found[0]["kind"], "division-by-zero");
  EXPECT_EQ(found[0]["value"], "7 / 0");
  EXPECT_EQ(found[0]["line"], 2);
  found = run_spirv(*module, "add", INT_MAX, 1);
  ASSERT_EQ(found.size(), 1U) << found.dump(1);
  EXPECT_EQ(found[0]["value"], "2147483647 + 1, which does not fit in 32 bits");
  EXPECT_TRUE(run_spirv(*module, "divide", 7, 2).empty());
  EXPECT_TRUE(run_spirv(*module, "add", INT_MAX, -1).empty());
}

}  // namespace
}  // namespace upsweep::tests
