// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Work-groups that may run together: every work-item runs once, with its own ids, for all sizes.
#include "kernel_runner.h"

namespace upsweep::tests {
namespace {

using Sizes = std::array<size_t, 3>;

// More and fewer work-groups in a row than a worker takes together (256); whole and divided rows; smaller last work-groups in
// each dimension; rows shorter than a sub-group.
const Range kRanges[] = {
    {{4096, 1, 1}, {64, 1, 1}},          {{5003, 1, 1}, {7, 1, 1}}, {{1000, 1, 1}, {1, 1, 1}},  {{70000, 1, 1}, {64, 1, 1}},
    {{130, 37, 1}, {16, 4, 1}},          {{2000, 9, 1}, {4, 2, 1}}, {{40, 30, 11}, {5, 3, 2}},  {{33, 40, 3}, {33, 1, 1}},
    {{96, 96, 1}, {8, 8, 1}, {5, 7, 0}}, {{300, 4, 2}, {1, 1, 2}},  {{64, 64, 2}, {64, 64, 1}},
};

class JoinedGroups : public KernelRunner {
protected:
  void check(const char *kernel, const std::function<size_t(const Range &, const Sizes &)> &value) {
    build("joined_groups.cl", kernel);
    for (const Range &range : kRanges) {
      if (!fits(range)) continue;
      const size_t items = range.global[0] * range.global[1] * range.global[2];
      const auto id = [&](size_t i) {
        return Sizes{i % range.global[0] + range.offset[0], i / range.global[0] % range.global[1] + range.offset[1],
                     i / range.global[0] / range.global[1] + range.offset[2]};
      };
      EXPECT_EQ(run(range, items), expected(items, [&](size_t i) { return value(range, id(i)) - 7; }))
          << range.global[0] << ' ' << range.global[1] << ' ' << range.global[2];
    }
  }
};

TEST_F(JoinedGroups, GivenKernelOfStraightCode_WhenRun_ThenEveryWorkItemRunsOnce) {
  check("in_rows", [](const Range &, const Sizes &id) { return id[0] + 100000 * id[1] + 10000000 * id[2]; });
}

TEST_F(JoinedGroups, GivenKernelWithLoop_WhenRun_ThenEveryWorkItemRunsOnce) {
  check("in_lines", [](const Range &, const Sizes &id) {
    const size_t rounds = id[0] % 2 ? id[1] + 3 : 1;
    return rounds * id[0] + rounds * (rounds - 1) / 2;
  });
}

TEST_F(JoinedGroups, GivenKernelThatAsksForItsGroup_WhenRun_ThenItIsTold) {
  check("never", [](const Range &range, const Sizes &id) {
    const size_t x = id[0] - range.offset[0], y = id[1] - range.offset[1], group = x / range.local[0];
    const size_t size = std::min(range.local[0], range.global[0] - group * range.local[0]);
    return x % range.local[0] + 1000 * size + 100000 * group + 10 * (y % range.local[1]);
  });
}

}  // namespace
}  // namespace upsweep::tests
