// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The effects of FP_CONTRACT and of options about arithmetic. precision_test.cpp also tests -cl-fast-relaxed-math and
// -cl-fp32-correctly-rounded-divide-sqrt, as modes.
#include "opened_device.h"
#include "tests/precision/options.h"

#include <gtest/gtest.h>

#include <cmath>

namespace upsweep::precision {
namespace {

double run(const std::string &options, const char *name, float x, float y, float z) {
  const cli::Device &device = opened_device();
  const auto program = cli::build_program(device, kOptionsSource, "-cl-std=CL3.0 " + options);
  EXPECT_TRUE(program) << program.error();
  if (!program) return NAN;
  const cl::Buffer out(device.context, 0, sizeof(double));
  cl::Kernel kernel(*program, name);
  kernel.setArg(0, out);
  kernel.setArg(1, x);
  kernel.setArg(2, y);
  kernel.setArg(3, z);
  double result = NAN;
  EXPECT_EQ(device.queue.enqueueNDRangeKernel(kernel, cl::NullRange, cl::NDRange(1)), CL_SUCCESS);
  EXPECT_EQ(device.queue.enqueueReadBuffer(out, CL_TRUE, 0, sizeof(result), &result), CL_SUCCESS);
  return result;
}

// (1 + 2^-12)^2 - (1 + 2^-11): 2^-24 in one rounding, 0 in two.
constexpr float kFactor = 1 + 0x1p-12f, kTerm = -1 - 0x1p-11f;

TEST(OptionsTest, GivenContractionOff_WhenAProductIsAdded_ThenItIsRoundedFirst) {
  for (const char *options : {"", "-cl-opt-disable", "-cl-finite-math-only", "-cl-no-signed-zeros"})
    EXPECT_EQ(run(options, "not_contracted", kFactor, kFactor, kTerm), 0) << options;
}

TEST(OptionsTest, GivenContractionOn_WhenAProductIsAdded_ThenItIsRoundedOnceOrTwice) {
  for (const char *options : {"", "-cl-mad-enable", "-cl-unsafe-math-optimizations", "-cl-fast-relaxed-math"}) {
    const double result = run(options, "contracted", kFactor, kFactor, kTerm);
    EXPECT_TRUE(result == 0 || result == 0x1p-24) << options << ": " << result;
  }
}

TEST(OptionsTest, GivenSinglePrecisionConstants_WhenAConstantHasNoSuffix_ThenItIsAFloat) {
  EXPECT_EQ(run("", "constants", 0, 0, 0), 0.1);
  EXPECT_EQ(run("-cl-single-precision-constant", "constants", 0, 0, 0), static_cast<double>(0.1f));
}

TEST(OptionsTest, GivenNoOption_WhenResultsAreSubnormal_ThenTheyAreKept) {
  EXPECT_EQ(run("", "product", 0x1p-100f, 0x1.8p-40f, 0), 0x1.8p-140);
  EXPECT_EQ(run("", "product", 0x1p-149f, 2, 0), 0x1p-148);
}

TEST(OptionsTest, GivenDenormsAreZero_WhenResultsAreSubnormal_ThenTheyAreKeptOrZero) {
  const double result = run("-cl-denorms-are-zero", "product", 0x1p-100f, 0x1.8p-40f, 0);
  EXPECT_TRUE(result == 0x1.8p-140 || result == 0) << result;
  EXPECT_EQ(run("-cl-denorms-are-zero", "product", 0x1p-60f, 0x1.8p-60f, 0), 0x1.8p-120);
}

TEST(OptionsTest, GivenCorrectlyRoundedDivision_WhenDivided_ThenTheNearestNumberComes) {
  for (const float x : {1.0f, 5.0f, 0x1.fffffep+0f, 0x1.0d7ep-120f})
    for (const float y : {3.0f, 7.0f, 0x1.000002p+0f, 0x1.7p+20f})
      EXPECT_EQ(run("-cl-fp32-correctly-rounded-divide-sqrt", "quotient", x, y, 0), static_cast<double>(x / y))
          << x << "/" << y;
}

TEST(OptionsTest, GivenLooseArithmetic_WhenAllIsFinite_ThenResultsAreClose) {
  const double want = (1.5 * 2.5 + 7) / 2.5 - std::sqrt(7.0) + 2.5 * 3;
  for (const char *options : {"-cl-finite-math-only", "-cl-no-signed-zeros", "-cl-unsafe-math-optimizations", "-cl-mad-enable",
                              "-cl-fast-relaxed-math", "-cl-denorms-are-zero"})
    EXPECT_NEAR(run(options, "polynomial", 1.5f, 2.5f, 7.0f), want, 2e-6) << options;
}

TEST(OptionsTest, GivenNoOption_WhenNumbersAreClassified_ThenSpecialOnesAreSeen) {
  EXPECT_EQ(run("", "classes", 1, NAN, -0.0f), 1 + 2 + 8 + 16);
  EXPECT_EQ(run("", "classes", 0x1p-140f, -INFINITY, 1), 1 + 4);
  EXPECT_EQ(run("-cl-no-signed-zeros", "classes", 1, NAN, 1), 1 + 2 + 16);
}

}  // namespace
}  // namespace upsweep::precision
