// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Device-wide scans of integers of 1 and 2 bytes, at every edge and placement. They are a program of their own, since a thread
// holds many of them and compilation takes long.
#include "scan_check.h"

using namespace upsweep::test;

UPSWEEP_TEST(GivenBytes_WhenSummed_ThenSumsWrap) { check_exclusive<std::uint8_t>("sum u8", cuda::plus{}); }
UPSWEEP_TEST(GivenShorts_WhenMaximumIsTaken_ThenItIsTheLargest) { check_inclusive<std::int16_t>("max i16", cuda::maximum{}); }
