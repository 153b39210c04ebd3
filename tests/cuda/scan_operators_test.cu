// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Device-wide scans by every operator of the library, and by a user's own.
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
UPSWEEP_TEST(GivenWords_WhenAnded_ThenBitsAreCommon) { check_inclusive<std::uint32_t>("and", cuda::bit_and{}); }
UPSWEEP_TEST(GivenWords_WhenOred_ThenBitsCollect) { check_exclusive<std::uint32_t>("or", cuda::bit_or{}); }
UPSWEEP_TEST(GivenWords_WhenXored_ThenBitsToggle) { check_inclusive<std::uint64_t>("xor", cuda::bit_xor{}); }
UPSWEEP_TEST(GivenOperatorWithState_WhenScanned_ThenStateIsUsed) {
  check_scans<std::uint32_t>("last accepted", LastAccepted{0x11});
}
