// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Linear recurrences of types of 1 to 32 bytes, some of which do not commute.
#include "recurrence_places.h"

using namespace upsweep::test;

UPSWEEP_TEST(GivenBytes_WhenRun_ThenExact) { check_whole<false, std::uint8_t>("u8"); }
UPSWEEP_TEST(GivenThreeBytes_WhenRun_ThenExact) { check_whole<false, Bytes3>("3 bytes"); }
UPSWEEP_TEST(GivenMatrices_WhenRun_ThenFactorsAreInOrder) { check_whole<true, Matrix<std::uint32_t>>("matrices"); }
UPSWEEP_TEST(GivenLargeMatrices_WhenRun_ThenFactorsAreInOrder) { check_whole<false, Matrix<std::uint64_t>>("large matrices"); }
UPSWEEP_TEST(GivenRowsOfMatrices_WhenRun_ThenEachStartsAnew) { check_rows<false, Matrix<std::uint32_t>>("matrices"); }
