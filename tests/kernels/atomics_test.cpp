// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Many work-items update one place: in any order, each reads a value that another one has written.
#include "kernel_runner.h"

namespace upsweep::tests {
namespace {

namespace host {
using uint = cl_uint;
#include "scramble.h"
}  // namespace host

struct Update {
  const char *name;
  cl_int (*after)(cl_int old, cl_int operand);
};
void PrintTo(const Update &update, std::ostream *out) { *out << update.name; }

cl_uint bits(cl_int value) { return static_cast<cl_uint>(value); }
cl_int number(cl_uint value) { return static_cast<cl_int>(value); }

class Atomics : public KernelRunner, public testing::WithParamInterface<Update> {
protected:
  static constexpr size_t kItems = 1001;

  /// The values that updates read, with the final value, and the values that they wrote, with the first value, are the same
  /// set in any order of updates.
  static void expect_chain(const std::vector<cl_int> &out, size_t first, cl_int start,
                           const std::function<bool(cl_uint)> &takes_part) {
    std::vector<cl_int> found{out[first + kItems]}, left{start};  // the host reads the final value
    for (size_t i = 0; i < kItems; ++i) {
      const cl_uint operand = host::scramble(static_cast<cl_uint>(i));
      if (!takes_part(operand)) continue;
      found.push_back(out[first + i]);
      left.push_back(GetParam().after(out[first + i], number(operand)));
    }
    std::ranges::sort(found);
    std::ranges::sort(left);
    EXPECT_EQ(found, left);
  }
};

TEST_P(Atomics, GivenOnePlace_WhenWorkItemsUpdateIt_ThenEachFindsWhatAnotherLeft) {
  build("atomics.cl", GetParam().name, "-cl-std=CL3.0 -I " UPSWEEP_TEST_KERNELS);
  for (cl_int start : {-1, 0})
    for (size_t local : {77, 7, 1001}) {
      const std::vector<cl_int> out = run({{kItems, 1, 1}, {local, 1, 1}}, 2 * (kItems + 1), start);
      expect_chain(out, 0, start, [](cl_uint) { return true; });
      expect_chain(out, kItems + 1, start, [](cl_uint operand) { return operand % 3 == 0; });
    }
}

TEST_P(Atomics, GivenOnePlaceInLocalMemory_WhenWorkItemsUpdateIt_ThenEachFindsWhatAnotherLeft) {
  build("atomics.cl", (std::string(GetParam().name) + "_local").c_str(), "-cl-std=CL3.0 -I " UPSWEEP_TEST_KERNELS);
  if (figure_of<size_t>(device_, CL_DEVICE_MAX_WORK_GROUP_SIZE) < kItems) GTEST_SKIP() << "one work-group has fewer work-items";
  for (cl_int start : {-1, 0}) {
    const std::vector<cl_int> out = run({{kItems, 1, 1}, {kItems, 1, 1}}, 2 * (kItems + 1), start);
    expect_chain(out, 0, start, [](cl_uint) { return true; });
    expect_chain(out, kItems + 1, start, [](cl_uint operand) { return operand % 3 == 0; });
  }
}

// A lock and a counter by compare-exchange, neither of which is a single instruction.
TEST_F(KernelRunner, GivenALocalSum_WhenWorkItemsAddByCompareExchange_ThenNoneIsLost) {
  constexpr size_t kItems = 200;
  build("atomics.cl", "add_by_exchange", "-cl-std=CL3.0 -I " UPSWEEP_TEST_KERNELS);
  std::vector<cl_int> sums(8, 0);
  for (size_t i = 0; i < kItems; ++i) sums[host::scramble(static_cast<cl_uint>(i)) % 8] += static_cast<cl_int>(i);
  EXPECT_EQ(run({{kItems, 1, 1}, {kItems, 1, 1}}, 8), sums);
}

INSTANTIATE_TEST_SUITE_P(
    Updates, Atomics,
    testing::Values(Update{"add", [](cl_int a, cl_int b) { return number(bits(a) + bits(b)); }},
                    Update{"sub", [](cl_int a, cl_int b) { return number(bits(a) - bits(b)); }},
                    Update{"and", [](cl_int a, cl_int b) { return a & b; }},
                    Update{"or", [](cl_int a, cl_int b) { return a | b; }},
                    Update{"xor", [](cl_int a, cl_int b) { return a ^ b; }},
                    Update{"min_signed", [](cl_int a, cl_int b) { return std::min(a, b); }},
                    Update{"max_signed", [](cl_int a, cl_int b) { return std::max(a, b); }},
                    Update{"min_unsigned", [](cl_int a, cl_int b) { return number(std::min(bits(a), bits(b))); }},
                    Update{"max_unsigned", [](cl_int a, cl_int b) { return number(std::max(bits(a), bits(b))); }},
                    Update{"exchange", [](cl_int, cl_int b) { return b; }}),
    [](const auto &test) { return std::string(test.param.name); });

}  // namespace
}  // namespace upsweep::tests
