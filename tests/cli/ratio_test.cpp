// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The interval of a ratio of times: its ends by exact counts, and how often it contains the true median.
#include "cli/ratio.h"

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <random>

using namespace upsweep::cli;

namespace {

// Pascal's triangle in whole numbers: the number of outcomes of `count` coins with fewer than k heads.
double fewer_than(size_t count, size_t k) {
  std::vector<double> row{1};
  for (size_t n = 0; n < count; ++n) {
    row.push_back(0);
    for (size_t i = row.size() - 1; i > 0; --i) row[i] += row[i - 1];
  }
  double sum = 0;
  for (size_t i = 0; i < k; ++i) sum += row[i];
  return sum;
}

}  // namespace

TEST(Ratio, GivenACount_WhenTheIntervalIsChosen_ThenItIsTheNarrowestOfItsConfidence) {
  for (size_t count = kLeastTurns; count <= 50; ++count) {  // counts of outcomes up to 2^50 are exact in a double
    const size_t k = outside_of_interval(count);
    const double outcomes = std::exp2(static_cast<double>(count));
    ASSERT_GE(k, 1U) << count;
    EXPECT_LE(2 * fewer_than(count, k), (1 - kConfidence) * outcomes) << count;
    EXPECT_GT(2 * fewer_than(count, k + 1), (1 - kConfidence) * outcomes) << count;
  }
  EXPECT_EQ(outside_of_interval(kLeastTurns - 1), 0U);
}

TEST(Ratio, GivenAMillionTurns_WhenTheIntervalIsChosen_ThenItIsTheNormalDistributions) {
  const double expected = 1e6 / 2 - 1.959964 * std::sqrt(1e6) / 2;
  EXPECT_NEAR(static_cast<double>(outside_of_interval(1'000'000)), expected, 1.5);
}

TEST(Ratio, GivenSkewedRandomRatios_WhenIntervalsAreMade_ThenTheyContainTheTrueMedianAsOftenAsTheyPromise) {
  const unsigned seed = std::random_device{}();
  std::mt19937 random(seed);
  std::lognormal_distribution<double> ratios(std::log(1.25), 0.7);
  for (const size_t count : {kLeastTurns, size_t{7}, size_t{50}, size_t{101}}) {
    constexpr int kTrials = 4000;
    int contained = 0;
    for (int trial = 0; trial < kTrials; ++trial) {
      std::vector<double> drawn(count);
      std::ranges::generate(drawn, [&] { return ratios(random); });
      const Ratio ratio = ratio_of(drawn);
      ASSERT_TRUE(ratio.low <= ratio.median && ratio.median <= ratio.high);
      contained += ratio.low <= 1.25 && 1.25 <= ratio.high;
    }
    // Five standard deviations of the count below its promise.
    EXPECT_GT(contained, kTrials * kConfidence - 5 * std::sqrt(kTrials * kConfidence * (1 - kConfidence)))
        << count << " turns, seed " << seed;
  }
}

TEST(Ratio, GivenValues_WhenTheMedianIsTaken_ThenEvenCountsTakeTheMean) {
  EXPECT_EQ(median_of({3, 1, 2}), 2);
  EXPECT_EQ(median_of({4, 1, 3, 2}), 2.5);
  EXPECT_EQ(median_of({7}), 7);
}
