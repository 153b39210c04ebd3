// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Guards in every position of the limit relative to a sub-group.
#include "kernel_runner.h"

#include <limits>

namespace upsweep::tests {
namespace {

#include "guards.h"

using uint = cl_uint;
using ulong = cl_ulong;

constexpr size_t kItems = 96;

/// The values that a work-item stores in its places, which start at -1.
void run_on_host(cl_int *out, uint i, cl_int limit, cl_int start) {
  const cl_int value = -1;
  const uint up = static_cast<uint>(start) + i, far = static_cast<uint>(start) + 5 * i, down = static_cast<uint>(start) - i;
  const ulong wide = static_cast<ulong>(static_cast<cl_long>(start)) + i;
#define GUARD(place, condition) out[place] = (condition) ? 2 * value : 3 * value;
  EACH_GUARD
#undef GUARD
}

TEST_F(KernelRunner, GivenGuards_WhenAllSomeOrNoWorkItemsPass_ThenEachTakesItsSide) {
  build("guards.cl", "guards", "-cl-std=CL3.0 -I " UPSWEEP_TEST_KERNELS);
  constexpr cl_int kLeast = std::numeric_limits<cl_int>::min(), kMost = std::numeric_limits<cl_int>::max();
  for (const cl_int start : {0, 7, -20, -96, kMost - 40, kLeast + 3}) {
    for (const cl_int distance : {0, 1, 15, 16, 17, 31, 32, 47, 95, 96, 200, -1, -40}) {
      const auto limit = static_cast<cl_int>(static_cast<uint>(start) + static_cast<uint>(distance));
      set(1, limit);
      set(2, start);
      std::vector<cl_int> wanted(SLOTS * kItems);
      for (uint i = 0; i < kItems; ++i) run_on_host(&wanted[SLOTS * i], i, limit, start);
      EXPECT_EQ(run({{kItems, 1, 1}, {48, 1, 1}}, SLOTS * kItems), wanted) << start << ' ' << limit;
    }
  }
}

}  // namespace
}  // namespace upsweep::tests
