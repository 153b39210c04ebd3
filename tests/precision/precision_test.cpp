// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Every math function in every type and mode: errors at special and some random arguments stay within the specification's
// bounds.
#include "inputs.h"
#include "measure.h"
#include "opened_device.h"

#include <gtest/gtest.h>

namespace upsweep::precision {
namespace {

constexpr size_t kRandom = 1500;

class Precision : public testing::TestWithParam<Function> {};

TEST_P(Precision, GivenSpecialAndRandomArguments_WhenCalled_ThenTheErrorIsInBounds) {
  for (const Format &format : {kHalf, kFloat, kDouble})
    for (const Mode mode : {Mode::Full, Mode::Relaxed, Mode::CorrectlyRounded}) {
      if (!is_specified(GetParam(), format, mode)) continue;
      auto measurement = Measurement::create(opened_device(), GetParam(), format, mode);
      ASSERT_TRUE(measurement) << measurement.error();
      Points points = chosen_points(format, GetParam().arguments, kRandom);
      const auto done = measurement->add(points);
      ASSERT_TRUE(done) << done.error();
      const Worst &worst = measurement->worst();
      EXPECT_GT(worst.count, kRandom / 4);
      EXPECT_LE(worst.excess, 1) << format.type << ", " << name_of(mode) << ": " << worst.error << " ulp, at most "
                                 << worst.bound << ", at " << std::hexfloat << worst.at.x << ", " << worst.at.y << ", "
                                 << worst.at.z << ", " << worst.at.n << ": " << worst.got << " instead of " << worst.wanted;
    }
}

INSTANTIATE_TEST_SUITE_P(Functions, Precision, testing::ValuesIn(functions().begin(), functions().end()),
                         [](const auto &info) { return std::string(info.param.name); });

}  // namespace
}  // namespace upsweep::precision
