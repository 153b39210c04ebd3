// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Device-wide scans of floating-point numbers whose results are exact in any order.
#include "scan_check.h"

using namespace upsweep::test;

UPSWEEP_TEST(GivenHalves_WhenSummed_ThenSumsAreExact) { check_exclusive<__half>("sum half", cuda::plus{}); }
UPSWEEP_TEST(GivenBfloats_WhenSummed_ThenSumsAreExact) { check_inclusive<__nv_bfloat16>("sum bfloat16", cuda::plus{}); }
UPSWEEP_TEST(GivenFloats_WhenSummed_ThenSumsAreExact) { check_exclusive<float>("sum float", cuda::plus{}); }
UPSWEEP_TEST(GivenFloats_WhenMaximumIsTaken_ThenItIsTheLargest) { check_inclusive<float>("max float", cuda::maximum{}); }
UPSWEEP_TEST(GivenComplexUnits_WhenMultiplied_ThenProductsAreExact) { check_exclusive<float2>("complex", ComplexProduct{}); }
