// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels with a required work-group size, in groups of that size and in those at the edges of a launch.
#include "kernel_runner.h"

namespace upsweep::tests {
namespace {

struct Case {
  const char *kernel;
  size_t x, y;  ///< of the required size
};

class WholeGroups : public KernelRunner, public ::testing::WithParamInterface<Case> {};

TEST_P(WholeGroups, GivenARequiredSize_WhenTheLastGroupsAreSmaller_ThenEachCombinesItsOwnItems) {
  const auto [name, x, y] = GetParam();
  constexpr int kWeight = 3;
  for (const auto &[width, height] :
       {std::pair<size_t, size_t>{3 * x, 2 * y}, {3 * x + 5, 2 * y}, {x - 1, y}, {2 * x + 1, 3 * y - y / 2}}) {
    build("whole_groups.cl", name);
    set(1, cl_int{kWeight});
    set_local(2, 4 * x * y);
    const Range range{{width, height, 1}, {x, y, 1}};
    const std::vector<cl_int> got = run(range, 4 * width * height);
    for (size_t i = 0; i < width * height; ++i) {
      const size_t column = i % width, row = i / width;
      const size_t size_x = std::min(x, width - column / x * x), size_y = std::min(y, height - row / y * y);
      const size_t size = size_x * size_y, item = row % y * size_x + column % x;
      auto sum = [](size_t items) { return static_cast<cl_int>(kWeight * items + items * (items - 1) / 2); };
      ASSERT_EQ(got[4 * i], sum(item)) << name << ", " << width << " x " << height << ", " << i;
      ASSERT_EQ(got[4 * i + 1], static_cast<cl_int>((size - 1) * 1000 + size_x - 1)) << name << ", " << i;
      ASSERT_EQ(got[4 * i + 2], sum(size - 1 - item)) << name << ", " << i;
      ASSERT_EQ(got[4 * i + 3] / 1000, static_cast<cl_int>(x)) << name << ", " << i;
      ASSERT_LE(got[4 * i + 3] % 1000, static_cast<cl_int>(size)) << name << ", " << i;
    }
    release();
  }
}

INSTANTIATE_TEST_SUITE_P(Sizes, WholeGroups,
                         ::testing::Values(Case{"of_64", 64, 1}, Case{"of_32", 32, 1}, Case{"of_8_by_6", 8, 6}),
                         [](const auto &info) { return std::string(info.param.kernel); });

}  // namespace
}  // namespace upsweep::tests
