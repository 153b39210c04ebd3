// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Control flow that diverges, against the same functions compiled for the host.
#include "kernel_runner.h"

#include <numeric>

namespace upsweep::tests {
namespace {

namespace host {
using uint = cl_uint;
#define NOINLINE
#include "control_flow.h"
}  // namespace host

constexpr const char *kOptions = "-cl-std=CL3.0 -I " UPSWEEP_TEST_KERNELS;
// Several sub-groups, the last of which is partial.
constexpr Range kRange{{1001, 1, 1}, {77, 1, 1}};

struct Function {
  const char *name;
  int (*reference)(cl_uint);
};
void PrintTo(const Function &function, std::ostream *out) { *out << function.name; }

class ControlFlow : public KernelRunner, public testing::WithParamInterface<Function> {};

TEST_P(ControlFlow, GivenWorkItemsThatPart_WhenRun_ThenEachGetsWhatTheHostGets) {
  build("control_flow.cl", (std::string("run_") + GetParam().name).c_str(), kOptions);
  EXPECT_EQ(run(kRange, 1001), expected(1001, [](size_t i) {
              return static_cast<size_t>(GetParam().reference(host::scramble(static_cast<cl_uint>(i))));
            }));
}

INSTANTIATE_TEST_SUITE_P(
    Functions, ControlFlow,
    testing::Values(Function{"nested_breaks", host::nested_breaks}, Function{"switch_in_loop", host::switch_in_loop},
                    Function{"jumps", host::jumps}, Function{"two_entries", host::two_entries},
                    Function{"counted_exits", host::counted_exits},
                    Function{"constant_from_a_nest", host::constant_from_a_nest},
                    Function{"early_returns", host::early_returns}, Function{"private_array", host::private_array},
                    Function{"guarded_division", host::guarded_division}, Function{"deep_calls", host::deep_calls}),
    [](const auto &test) { return std::string(test.param.name); });

using ControlFlowKernel = KernelRunner;

TEST_F(ControlFlowKernel, GivenDeepCallsThatAskForIds_WhenRun_ThenTheBottomKnowsItsWorkItem) {
  build("control_flow.cl", "deep_context", kOptions);
  auto levels = [](size_t depth, size_t x) {
    size_t steps = 0;
    for (; depth > 0; x += depth--) steps += x % depth == 0;
    return x + steps;
  };
  EXPECT_EQ(run(kRange, 1001), expected(1001, [&](size_t i) { return (i % 3 ? levels(8, i) : levels(5, 2 * i)) + i % 77; }));
}

TEST_F(ControlFlowKernel, GivenVectorsDividedByConstants_WhenTheConstantsDiffer_ThenEachElementHasItsOwn) {
  build("control_flow.cl", "vector_division", kOptions);
  EXPECT_EQ(run(kRange, 1001), expected(1001, [](size_t at) {
              const int i = static_cast<int>(at);
              const int sum = i / 7 + -i / 3 + 1000 * i / -11 + 15 + i % 10 + 2 * i % 3;
              return static_cast<size_t>(sum + (i & 1 ? 10000 / i : 0));
            }));
}

TEST_F(ControlFlowKernel, GivenALoopWhoseGuardIsNotItsEnd_WhenRun_ThenTheGuardHolds) {
  build("control_flow.cl", "rotated_pairs", kOptions);
  EXPECT_EQ(run(kRange, 1001), expected(1001, [](size_t at) {
              size_t sum = 0;
              const int n = static_cast<int>(at % 7);
              for (int rest = n; n > 1 && rest > 0; rest -= 2) sum += static_cast<size_t>(rest == n ? 100 : rest);
              return sum;
            }));
}

TEST_F(ControlFlowKernel, GivenAtomicsInBranches_WhenRun_ThenNoUpdateIsLostOrDoneTwice) {
  constexpr size_t kItems = 1001;
  build("control_flow.cl", "atomics", kOptions);
  set_local(1, 16 * sizeof(cl_int));
  std::vector<cl_int> wanted(16 + kItems, -1);  // as the buffer begins
  for (cl_uint i = 0; i < kItems; ++i) {
    const cl_uint x = host::scramble(i);
    if (x % 3 == 0) {
      wanted[x % 8] += static_cast<cl_int>(x % 5);
      wanted[16 + static_cast<size_t>(++wanted[15])] = 1;
    } else if (x % 3 == 1) {
      wanted[8 + x % 4] += static_cast<cl_int>(x % 4);
    } else if (x & 32) {
      wanted[12 + x % 2] = std::max(wanted[12 + x % 2], static_cast<cl_int>(x % 1000));
      wanted[14] ^= static_cast<cl_int>(x & 0xffff);
    }
  }
  EXPECT_EQ(run(kRange, wanted.size()), wanted);
}

TEST_F(ControlFlowKernel, GivenBarriersInLoopsOfOneLength_WhenRun_ThenRoundsDoNotMix) {
  constexpr int kRounds = 6;
  build("control_flow.cl", "barriers_in_uniform_loops", kOptions);
  set(2, cl_int{kRounds});
  for (size_t local : {1, 5, 16, 77, 256}) {
    set_local(1, local * sizeof(cl_int));
    std::vector<size_t> tile(local);
    std::iota(tile.begin(), tile.end(), size_t{1});
    for (size_t round = 0; round < kRounds; ++round) {
      for (size_t step = 0; step < (round % 2 ? 1 : round + 1); ++step) {
        const std::vector<size_t> before = tile;
        for (size_t i = 0; i < local; ++i)
          if (round % 2)
            tile[i] = before[(i + round) % local];
          else if (i % 3)
            tile[i] += before[(i + 1) % local] & 0xff;
      }
    }
    EXPECT_EQ(run({{3 * local, 1, 1}, {local, 1, 1}}, 3 * local),
              expected(3 * local, [&](size_t i) { return tile[i % local]; }))
        << local;
  }
}

}  // namespace
}  // namespace upsweep::tests
