// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels that require a work-group size: queries and results are those of the same kernels without it.
#include "kernel_runner.h"

namespace upsweep::tests {
namespace {

using Sizes = std::array<size_t, 3>;

std::string defines(const Sizes &size, const std::string &more = "") {
  return "-cl-std=CL3.0 -DSX=" + std::to_string(size[0]) + " -DSY=" + std::to_string(size[1]) +
         " -DSZ=" + std::to_string(size[2]) + more;
}

// A single work-item; fewer than any device's lanes, as many, and more; powers of two and other numbers; along each axis.
const Sizes kSizes[] = {{1, 1, 1}, {2, 1, 1}, {3, 1, 1}, {4, 1, 1},  {8, 1, 1},  {1, 8, 1}, {1, 1, 4},
                        {2, 2, 2}, {1, 5, 1}, {7, 1, 1}, {16, 1, 1}, {24, 1, 1}, {8, 8, 1}, {64, 1, 1}};

class RequiredSizes : public KernelRunner {
protected:
  void check_queries(const Sizes &size, const char *kernel, const std::string &options) {
    release();
    build("required_sizes.cl", kernel, options.c_str());
    // Whole work-groups, and smaller ones at all edges where these are permitted.
    check_queries({{3 * size[0], 2 * size[1], 2 * size[2]}, size});
    const bool may_differ = options.find("uniform") == std::string::npos;
    if (may_differ) check_queries({{2 * size[0] + (size[0] - 1), size[1] + size[1] / 2, size[2] + size[2] / 2}, size});
  }

  void check_queries(Range range) {
    if (range.dimensions() < 3) range.global[2] = 2 * range.local[2];
    const Sizes &global = range.global, &local = range.local;
    const size_t lanes = sub_group_size(range), items = global[0] * global[1] * global[2];
    const auto num = [&](const Sizes &size) { return (size[0] * size[1] * size[2] + lanes - 1) / lanes; };
    const auto value = [&](size_t i) {
      const size_t linear = i / 20, field = i % 20;
      const Sizes id{linear % global[0], linear / global[0] % global[1], linear / global[0] / global[1]};
      Sizes at{}, size{};
      for (size_t d : {0, 1, 2}) at[d] = id[d] % local[d], size[d] = std::min(local[d], global[d] - (id[d] - at[d]));
      const size_t place = at[0] + size[0] * (at[1] + size[1] * at[2]), count = size[0] * size[1] * size[2];
      const size_t fields[] = {at[0],         at[1],
                               at[2],         size[0],
                               size[1],       size[2],
                               local[0],      local[1],
                               local[2],      at[0],
                               at[1],         at[2],
                               place,         std::min(lanes, count - place / lanes * lanes),
                               lanes,         num(size),
                               num(local),    place / lanes,
                               place % lanes, count * (count + 1) / 2};
      return fields[field];
    };
    EXPECT_EQ(run(range, 20 * items), expected(20 * items, value))
        << local[0] << " x " << local[1] << " x " << local[2] << " of " << global[0] << " x " << global[1];
  }
};

TEST_F(RequiredSizes, GivenQueries_WhenRun_ThenSizesAndIdsAreTheLaunchs) {
  for (const Sizes &size : kSizes) check_queries(size, "queries", defines(size));
}

TEST_F(RequiredSizes, GivenQueriesOfUniformGroups_WhenRun_ThenSizesAndIdsAreTheLaunchs) {
  for (const Sizes &size : kSizes) check_queries(size, "queries", defines(size, " -cl-uniform-work-group-size"));
}

TEST_F(RequiredSizes, GivenRequiredSubGroupSizes_WhenRun_ThenSubGroupsHaveThem) {
  for (const size_t lanes : {tests_a_gpu() ? 8 : 4, 16}) {
    for (const Sizes &size : kSizes) {
      check_queries(size, "queries_of_lanes", defines(size, " -DLANES=" + std::to_string(lanes)));
      EXPECT_EQ(sub_group_size({size, size}), lanes);
    }
  }
}

TEST_F(RequiredSizes, GivenRequiredSize_WhenAskedForSubGroups_ThenTheyAreThoseOfIt) {
  for (const Sizes &size : kSizes) {
    release();
    build("required_sizes.cl", "queries", defines(size).c_str());
    const size_t lanes = sub_group_size({size, size});
    size_t most = 0, count = 0;
    EXPECT_EQ(clGetKernelSubGroupInfo(kernel_, device_, CL_KERNEL_MAX_NUM_SUB_GROUPS, 0, nullptr, sizeof most, &most, nullptr),
              CL_SUCCESS);
    EXPECT_EQ(clGetKernelSubGroupInfo(kernel_, device_, CL_KERNEL_SUB_GROUP_COUNT_FOR_NDRANGE, sizeof size, size.data(),
                                      sizeof count, &count, nullptr),
              CL_SUCCESS);
    EXPECT_EQ(most, count);
    EXPECT_EQ(count, (size[0] * size[1] * size[2] + lanes - 1) / lanes);
    Sizes back{};
    EXPECT_EQ(clGetKernelSubGroupInfo(kernel_, device_, CL_KERNEL_LOCAL_SIZE_FOR_SUB_GROUP_COUNT, sizeof count, &count,
                                      sizeof back, back.data(), nullptr),
              CL_SUCCESS);
    EXPECT_EQ(back, size);
  }
}

TEST_F(RequiredSizes, GivenBarriers_WhenRun_ThenWorkItemsSeeEachOthersValues) {
  for (const Sizes &size : kSizes) {
    release();
    build("required_sizes.cl", "reversed", defines(size).c_str());
    const Range range{{5 * size[0], size[1], size[2]}, size};
    const size_t row = range.global[0], plane = row * size[1];
    EXPECT_EQ(run({range.global, size}, plane * size[2]), expected(plane * size[2], [&](size_t i) {
                const size_t x = i % row, y = i / row % size[1], z = i / plane, first = x / size[0] * size[0];
                const size_t opposite = first + size[0] - 1 - x % size[0] + row * (size[1] - 1 - y) + plane * (size[2] - 1 - z);
                return 3 * opposite + 3;
              }));
  }
}

TEST_F(RequiredSizes, GivenOneWorkItem_WhenItCallsCollectives_ThenTheyAreItsOperands) {
  build("required_sizes.cl", "collectives", defines({1, 1, 1}).c_str());
  constexpr size_t kGroups = 50;
  const auto value = [](size_t i) -> size_t {
    const size_t x = i / 20 * 37 + 5, odd = x & 1;
    const size_t fields[] = {x,       x, 0,     1,           x,          3 * odd, x, 1, x, odd, x, x, x, 0, size_t{0x80000000},
                             3 * odd, 1, 2 * x, 2 * (x + 1), 2 * (x + 2)};
    return fields[i % 20];
  };
  EXPECT_EQ(run({{kGroups, 1, 1}, {1, 1, 1}}, 20 * kGroups), expected(20 * kGroups, value));
}

TEST_F(RequiredSizes, GivenOneWorkItem_WhenItLoops_ThenEveryLengthIsRight) {
  build("required_sizes.cl", "loops", defines({1, 1, 1}).c_str());
  constexpr cl_int kMost = 150;
  set(1, kMost);
  const std::vector<cl_int> out = run({{kMost, 1, 1}, {1, 1, 1}}, 4 * kMost * kMost);
  std::vector<cl_int> right(out.size(), -1);
  for (int n = 0; n < kMost; ++n) {
    cl_int *mine = right.data() + 4 * kMost * n, total = 0;
    std::fill_n(mine + kMost, 16, 0);
    for (int i = 0; i < n; ++i) {
      mine[i] = i * i - 7 * n;
      total += mine[i] ^ i;
      ++mine[kMost + ((mine[i] >> 2) & 15)];
    }
    for (int i = 1; i < n; ++i) mine[i] += mine[i - 1];
    mine[2 * kMost] = total;
    for (int i = 0; i < n; ++i) mine[3 * kMost + i] = static_cast<cl_int>(static_cast<float>(mine[n - 1 - i]) * 0.5F);
  }
  EXPECT_EQ(out, right);
}

TEST_F(RequiredSizes, GivenOneWorkItem_WhenItWaitsForAnotherWorkGroup_ThenItSeesItsTotal) {
  build("required_sizes.cl", "chain", defines({1, 1, 1}).c_str());
  constexpr size_t kGroups = 500;
  size_t total = 0;
  const auto value = [&](size_t group) { return group == kGroups ? kGroups : total += 1 + (group & 3); };
  EXPECT_EQ(run({{kGroups, 1, 1}, {1, 1, 1}}, kGroups + 1, 0), expected(kGroups + 1, value));
}

}  // namespace
}  // namespace upsweep::tests
