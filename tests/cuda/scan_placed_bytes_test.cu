// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Elements of 1 and 2 bytes in arrays at any address.
#include "scan_placed.h"

using namespace upsweep::test;

UPSWEEP_TEST(GivenFewBytes_WhenSummed_ThenAllPlacesAreRight) { check_short<std::uint8_t>("u8 sum", cuda::plus{}); }
UPSWEEP_TEST(GivenFewShorts_WhenTheLargestIsFound_ThenAllPlacesAreRight) {
  check_short<std::int16_t>("i16 max", cuda::maximum{});
}
UPSWEEP_TEST(GivenBytesThatBeginAnywhere_WhenSummed_ThenAllPlacesAreRight) {
  check_shifts<std::uint8_t>("u8 sum", cuda::plus{});
}
UPSWEEP_TEST(GivenShortsThatBeginAnywhere_WhenTheLargestIsFound_ThenAllPlacesAreRight) {
  check_shifts<std::int16_t>("i16 max", cuda::maximum{});
}
