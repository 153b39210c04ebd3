// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Work-groups whose lanes may follow y or z: every work-item runs once, with its own ids, for all sizes.
#include "kernel_runner.h"

namespace upsweep::tests {
namespace {

using Sizes = std::array<size_t, 3>;

// Columns of whole sub-groups, of several and of a part, in both directions; smaller last work-groups.
const Range kRanges[] = {
    {{5, 512, 1}, {1, 256, 1}}, {{5, 500, 1}, {1, 256, 1}}, {{9, 16, 1}, {1, 16, 1}},   {{3, 60, 1}, {1, 20, 1}},
    {{8, 64, 1}, {4, 64, 1}},   {{7, 100, 1}, {3, 32, 1}},  {{6, 64, 6}, {2, 32, 3}},   {{1, 6, 128}, {1, 1, 64}},
    {{3, 2, 100}, {1, 1, 32}},  {{4, 6, 64}, {2, 3, 32}},   {{32, 32, 1}, {16, 16, 1}}, {{40, 8, 2}, {20, 4, 1}},
};

class Columns : public KernelRunner {
protected:
  void check(const char *kernel, size_t fastest, const std::function<size_t(const Range &, const Sizes &)> &value) {
    build("columns.cl", kernel);
    for (const Range &range : kRanges) {
      if (!fits(range)) continue;
      const auto &[w, h, d] = range.global;
      const auto id = [&, w = w, h = h, d = d](size_t i) {
        return fastest == 1 ? Sizes{i / h % w, i % h, i / h / w} : Sizes{i / d / h, i / d % h, i % d};
      };
      EXPECT_EQ(run(range, w * h * d), expected(w * h * d, [&](size_t i) { return value(range, id(i)) - 7; }))
          << w << ' ' << h << ' ' << d << " by " << range.local[0] << ' ' << range.local[1] << ' ' << range.local[2];
    }
  }
  static size_t number(const Sizes &id) { return id[0] + 100 * id[1] + 10000 * id[2]; }
};

TEST_F(Columns, GivenKernelAlongY_WhenRun_ThenEveryWorkItemRunsOnce) {
  check("in_columns", 1, [](const Range &, const Sizes &id) { return number(id); });
}

// The application leaves the local size open.
TEST_F(Columns, GivenKernelAlongY_WhenAskedForALocalSize_ThenItIsLongThere) {
  const char *lanes = getenv("UPSWEEP_LANES");
  if (tests_a_gpu() || (lanes && std::string_view(lanes) == "scalar")) GTEST_SKIP() << "lanes lie along x alone";
  cl_platform_id platform = nullptr;
  ASSERT_EQ(clGetPlatformIDs(1, &platform, nullptr), CL_SUCCESS);
  using Suggest = cl_int(CL_API_CALL *)(cl_command_queue, cl_kernel, cl_uint, const size_t *, const size_t *, size_t *);
  auto suggest =
      reinterpret_cast<Suggest>(clGetExtensionFunctionAddressForPlatform(platform, "clGetKernelSuggestedLocalWorkSizeKHR"));
  ASSERT_NE(suggest, nullptr);
  build("columns.cl", "in_columns");
  set(0, cl_mem{});
  const size_t global[] = {96, 4096};
  size_t local[] = {0, 0};
  EXPECT_EQ(suggest(queue_, kernel_, 2, nullptr, global, local), CL_SUCCESS);
  EXPECT_EQ(local[1] % 4, 0U);
  EXPECT_GT(local[1], local[0]);
}

TEST_F(Columns, GivenKernelAlongZ_WhenRun_ThenEveryWorkItemRunsOnce) {
  check("in_depth", 2, [](const Range &, const Sizes &id) { return number(id); });
}

TEST_F(Columns, GivenBarriers_WhenRun_ThenWorkItemsSeeEachOthersValues) {
  check("behind_barrier", 1, [](const Range &range, const Sizes &id) {
    Sizes opposite = id, size{};
    for (size_t d : {0, 1, 2}) {
      const size_t first = id[d] / range.local[d] * range.local[d];
      size[d] = std::min(range.local[d], range.global[d] - first);
      opposite[d] = first + size[d] - 1 - (id[d] - first);
    }
    // The second exchange is along y: the sum is that of the work-item opposite along y.
    const Sizes source{opposite[0], opposite[1], opposite[2]};
    return (id[0] % range.local[0] + 1) * number(source);
  });
}

TEST_F(Columns, GivenSubGroupFunctions_WhenRun_ThenSubGroupsAreRunsOfLinearIds) {
  check("in_sub_groups", 1, [](const Range &, const Sizes &id) { return number(id); });
}

}  // namespace
}  // namespace upsweep::tests
