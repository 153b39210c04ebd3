// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Compile time does not grow with the square of a kernel's length: four times the lines take at most nine times the processor
// time. Measured factors are 4 to 7. Each kernel took at least 11 times as long before the improvement that it tests.
#include "bench/child_seconds.h"
#include "bench/growth_shapes.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <unistd.h>

namespace upsweep::bench {
namespace {

struct Growth {
  const char *shape;
  const char *target;
};

void PrintTo(const Growth &growth, std::ostream *stream) { *stream << growth.shape << ' ' << growth.target; }

class GrowthTest : public testing::TestWithParam<Growth> {};

double seconds(const GrowthShape &shape, int lines, const char *target) {
  const auto path = std::filesystem::temp_directory_path() / ("upsweep-" + std::to_string(getpid()) + ".cl");
  std::ofstream(path) << shape.source(lines);
  const auto taken = child_seconds({UPSWEEPC, target, "-cl-std=CL3.0", "-w", "-o", "/dev/null", path.string()}, 60);
  std::filesystem::remove(path);
  EXPECT_TRUE(taken) << shape.name << " of " << lines << " lines does not compile in 60 s";
  return taken.value_or(60);
}

TEST_P(GrowthTest, GivenFourTimesTheLines_WhenCompiled_ThenTimeGrowsAlike) {
  constexpr int kLines = 300, kTimes = 4, kAttempts = 3;
  constexpr double kMostGrowth = 9;
  const auto shapes = growth_shapes();
  const auto shape = std::ranges::find(shapes, std::string_view(GetParam().shape), &GrowthShape::name);
  ASSERT_NE(shape, shapes.end());
  // If the first pair is too far apart, the least time of several runs counts: caches and the other thread of a core disturb
  // processor time.
  double few = 60, many = 60;
  for (int i = 0; i < kAttempts && (i == 0 || many > kMostGrowth * few); ++i) {
    few = std::min(few, seconds(*shape, kLines, GetParam().target));
    many = std::min(many, seconds(*shape, kTimes * kLines, GetParam().target));
  }
  EXPECT_LE(many, kMostGrowth * few) << few << " s for " << kLines << " lines, " << many << " s for " << kTimes * kLines;
}

constexpr const char *kVector = "--lanes=vector", *kScalar = "--lanes=scalar";

INSTANTIATE_TEST_SUITE_P(Shapes, GrowthTest,
                         testing::Values(Growth{"one_place", kVector}, Growth{"own_places", kVector},
                                         Growth{"private_table", kVector}, Growth{"barriers", kVector},
                                         Growth{"live_values", kVector}, Growth{"barriers_in_loops", kVector},
                                         Growth{"ifs", kVector}, Growth{"nested_loops", kVector}, Growth{"one_place", kScalar},
                                         Growth{"barriers", kScalar}),
                         [](const testing::TestParamInfo<Growth> &info) {
                           return std::string(info.param.shape) + (info.param.target == kVector ? "_vector" : "_scalar");
                         });

}  // namespace
}  // namespace upsweep::bench
