// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels with a required work-group size, in groups of that size and in smaller groups at the edges of a launch.
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

/// The results of kernel in_a_row for one work-group whose first item has the number `first`.
std::vector<cl_int> in_a_row(size_t first, size_t size, int rounds) {
  std::vector<cl_uint> x(size), y(size);
  std::vector<cl_ulong> z(size);
  for (size_t i = 0; i < size; ++i) {
    x[i] = static_cast<cl_uint>(first + i) * 2654435761U;
    y[i] = x[i] >> 7;
    z[i] = x[i] * 77777777777UL;
  }
  for (cl_uint round = 0; round < static_cast<cl_uint>(rounds); ++round) {
    for (size_t i = 0; i < size; ++i)
      for (size_t wait = (i / 32 * 37 + round * 11) % 64; wait > 0; --wait) x[i] = x[i] * 1664525 + 1013904223;
    const cl_uint given = x[round * 7 % size],
                  least = *std::min_element(y.begin(), y.end(), [](cl_uint a, cl_uint b) { return a + 1 < b + 1; }) + 1;
    cl_uint greatest = 0, sum = 0, most = 0;
    cl_ulong before = 0;
    const cl_ulong last = z[size - 1];
    for (const cl_uint value : x) greatest = std::max(greatest, value ^ round);
    for (size_t i = 0; i < size; ++i) {
      sum += y[i];
      x[i] = x[i] * 5 + given + sum;
      most = std::max(most, x[i]);
      y[i] = most ^ greatest;
      const cl_ulong own = z[i];
      z[i] = own * 3 + before + least + last;
      before += own;
    }
    if (round % 3 == 1)
      for (size_t i = 0; i < size; ++i) y[i] += x[(i + 1) % size];
  }
  std::vector<cl_int> result;
  for (size_t i = 0; i < size; ++i)
    result.insert(result.end(), {static_cast<cl_int>(x[i]), static_cast<cl_int>(y[i]), static_cast<cl_int>(z[i] ^ z[i] >> 32)});
  return result;
}

TEST_F(KernelRunner, GivenCollectivesInARow_WhenSomeNeedWhatOthersGive_ThenEachGetsItsOwn) {
  constexpr size_t kGroups = 40;
  for (const size_t size : {40, 64, 96, 128, 256, 1000})
    for (const int rounds : {1, 6, 43}) {
      build("whole_groups.cl", "in_a_row", ("-cl-std=CL3.0 -DGROUP=" + std::to_string(size)).c_str());
      set(1, cl_int{rounds});
      const Range range{{kGroups * size, 1, 1}, {size, 1, 1}};
      if (fits(range)) {
        const std::vector<cl_int> got = run(range, 3 * kGroups * size);
        for (size_t group = 0; group < kGroups; ++group) {
          const std::vector<cl_int> expected = in_a_row(group * size, size, rounds);
          ASSERT_TRUE(std::equal(expected.begin(), expected.end(), got.begin() + static_cast<std::ptrdiff_t>(3 * group * size)))
              << "groups of " << size << ", " << rounds << " rounds, group " << group;
        }
      }
      release();
    }
}

}  // namespace
}  // namespace upsweep::tests
