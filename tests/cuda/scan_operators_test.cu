// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Device-wide scans by operators without a warp instruction, with one, and by a user's own. That each operator of the library
// gives its values, alone and by its warp instruction, is for operators_test and warp_test; here the kernels are the same for
// all.
#include "scan_check.h"

using namespace upsweep::test;

namespace {

// A functor with a state, that has no identity and does not commute: the newest value that a mask accepts.
struct LastAccepted {
  std::uint32_t mask;
  __host__ __device__ std::uint32_t operator()(std::uint32_t a, std::uint32_t b) const { return (b & mask) != 0 ? b : a; }
};

}  // namespace

UPSWEEP_TEST(GivenWords_WhenMultiplied_ThenProductsWrap) { check_exclusive<std::uint32_t>("product", cuda::multiplies{}); }
UPSWEEP_TEST(GivenWords_WhenMinimumIsTaken_ThenItIsTheSmallest) { check_inclusive<std::int32_t>("min", cuda::minimum{}); }
UPSWEEP_TEST(GivenOperatorWithState_WhenScanned_ThenStateIsUsed) {
  check_scans<std::uint32_t>("last accepted", LastAccepted{0x11});
}
