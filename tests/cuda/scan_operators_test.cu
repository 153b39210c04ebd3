// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Device-wide scans by operators without a warp instruction, with one, and by a user's operator. operators_test and warp_test
// check the values of each operator, alone and by its warp instruction; the kernels here are the same for all operators.
#include "scan_check.h"

using namespace upsweep::test;

namespace {

// A functor with a state, without an identity, that does not commute: the newest value that a mask accepts.
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
