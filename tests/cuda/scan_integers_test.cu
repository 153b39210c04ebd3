// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Device-wide scans of integers of 4 to 16 bytes, at every edge and placement.
#include "scan_check.h"

using namespace upsweep::test;

UPSWEEP_TEST(GivenWords_WhenSummed_ThenSumsWrap) { check_exclusive<std::uint32_t>("sum u32", cuda::plus{}); }
UPSWEEP_TEST(GivenLongs_WhenSummed_ThenSumsWrap) { check_inclusive<std::int64_t>("sum i64", cuda::plus{}); }
UPSWEEP_TEST(GivenIntegersOf128Bits_WhenSummed_ThenSumsWrap) { check_exclusive<unsigned __int128>("sum u128", cuda::plus{}); }
