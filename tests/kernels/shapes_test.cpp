// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Arguments, calls, memory and ids.
#include "kernel_runner.h"

namespace upsweep::tests {
namespace {

struct Settings {
  cl_int weights[4];
  cl_double scale;
  cl_char tag;
};

TEST_F(KernelRunner, GivenStructsByValue_WhenOneIsWritten_ThenEachWorkItemHasItsOwn) {
  build("shapes.cl", "by_value", "-cl-std=CL2.0");
  const Settings fixed{{1, 2, 3, 4}, 50, 6}, own{{10, 20, 30, 40}, 0, 0};
  set(1, fixed);
  set(2, own);
  set(3, cl_short3{{0, 0, 7}});
  cl_float16 wide{};
  wide.s[15] = 8;
  set(4, wide);
  EXPECT_EQ(run({{40, 1, 1}, {20, 1, 1}}, 40), expected(40, [](size_t i) { return 6 + 50 + 7 + 8 + 300 + i * (i % 4 + 1); }));
}

TEST_F(KernelRunner, GivenCallsOfEveryKind_WhenRun_ThenIdsAreTheCallers) {
  build("shapes.cl", "outer", "-cl-std=CL2.0");
  auto collatz = [](size_t n) {
    size_t steps = 0;
    for (; n > 1; ++steps) n = n % 2 ? 3 * n + 1 : n / 2;
    return steps;
  };
  EXPECT_EQ(run({{60, 1, 1}, {20, 1, 1}}, 60), expected(60, [&](size_t i) { return 3 * (i + 1 + i % 20) + collatz(i) + 3; }));
}

TEST_F(KernelRunner, GivenGenericPointers_WhenAskedForTheirSpace_ThenTheyTell) {
  build("shapes.cl", "spaces", "-cl-std=CL2.0");
  const size_t primes[] = {2, 3, 5, 7};
  EXPECT_EQ(run({{48, 1, 1}, {24, 1, 1}}, 48),
            expected(48, [&](size_t i) { return 100 * (i % 3 + 1) + 10 * primes[i % 4] + 5; }));
}

TEST_F(KernelRunner, GivenThreeDimensionsThatDoNotDivide_WhenRun_ThenEdgesHaveSmallerWorkGroups) {
  build("shapes.cl", "ids", "-cl-std=CL2.0");
  const std::array<size_t, 3> global{21, 7, 5}, local{5, 3, 2};
  EXPECT_EQ(run({global, local}, 21 * 7 * 5), expected(21 * 7 * 5, [&](size_t at) {
              const size_t id[] = {at % 21, at / 21 % 7, at / 147};
              size_t in_group[3], size[3];
              for (int d = 0; d < 3; ++d) {
                in_group[d] = id[d] % local[d];
                size[d] = std::min(local[d], global[d] - id[d] / local[d] * local[d]);
              }
              const size_t linear = (in_group[2] * size[1] + in_group[1]) * size[0] + in_group[0];
              return in_group[0] + 10 * in_group[1] + 100 * in_group[2] + 1000 * linear % 7 + 10000 * size[0] +
                     100000 * (id[1] / local[1]) + 1000000 * local[0];
            }));
}

TEST_F(KernelRunner, GivenLargePrivateArrays_WhenRun_ThenWorkItemsDoNotShareThem) {
  build("shapes.cl", "private_memory", "-cl-std=CL2.0");
  set(1, cl_int{1});
  EXPECT_EQ(run({{64, 1, 1}, {32, 1, 1}}, 64), expected(64, [](size_t i) { return 64 * (31 * 32 / 2) + 32 * i; }));
}

// As in shapes.cl.
cl_int mix(cl_int x, cl_int y) {
  const cl_int own[5] = {x, y, x ^ y, 7, x - y};
  cl_int sum = 0;
  for (cl_int i = 0; i < x % 5 + 1; ++i) sum = sum * 3 + own[(i + y) % 5];
  return x > 4 * y ? sum : -sum;
}

TEST_F(KernelRunner, GivenRowsOfAnySize_WhenRun_ThenEachWorkItemRunsOnce) {
  build("shapes.cl", "plane", "-cl-std=CL2.0");
  using Size = std::array<size_t, 3>;
  for (const Size local : {Size{8, 8, 1}, Size{7, 5, 1}, Size{9, 3, 2}, Size{10, 10, 1}, Size{1, 40, 1}, Size{15, 2, 3},
                           Size{17, 3, 1}, Size{33, 2, 2}, Size{16, 4, 1}, Size{3, 3, 3}, Size{20, 1, 1}}) {
    const Size global{2 * local[0] + local[0] / 2, 2 * local[1], local[2]};
    const auto width = static_cast<cl_int>(global[0]);
    const size_t items = global[0] * global[1] * global[2];
    set(1, width);
    std::vector<cl_int> wanted(2 * items);
    for (size_t i = 0; i < items; ++i) {
      const auto x = static_cast<cl_int>(i % global[0]), y = static_cast<cl_int>(i / global[0] % global[1]);
      const auto z = static_cast<cl_int>(i / global[0] / global[1]);
      wanted[i] = mix(x, y + z);
      wanted[items + i - static_cast<size_t>(x) + static_cast<size_t>(width - 1 - x)] =
          mix(y, x) + y % static_cast<cl_int>(local[1]);
    }
    EXPECT_EQ(run({global, local}, 2 * items), wanted) << local[0] << ' ' << local[1] << ' ' << local[2];
  }
}

TEST_F(KernelRunner, GivenLinesOfAnySize_WhenRun_ThenEachWorkItemRunsOnce) {
  build("shapes.cl", "line", "-cl-std=CL2.0");
  for (const size_t local : {1, 2, 7, 8, 15, 16, 17, 31, 50, 100}) {
    const size_t width = 3 * local + local / 2;
    set(1, static_cast<cl_int>(width));
    std::vector<cl_int> wanted(3 * width, -1);
    for (size_t x = 0; x < width; ++x) {
      const size_t size = x < 3 * local ? local : width - 3 * local;
      wanted[x] = mix(static_cast<cl_int>(x), 3);
      wanted[width + 2 * x] = static_cast<cl_int>(x % local + 100 * size);
    }
    EXPECT_EQ(run({{width, 1, 1}, {local, 1, 1}}, 3 * width), wanted) << local;
  }
}

}  // namespace
}  // namespace upsweep::tests
