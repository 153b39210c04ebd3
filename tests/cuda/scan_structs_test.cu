// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Device-wide scans of structs of 3 to 64 bytes, the largest size, whose operators do not commute.
#include "scan_check.h"

using namespace upsweep::test;

UPSWEEP_TEST(GivenStructsOf3Bytes_WhenScanned_ThenOrderIsKept) { check_inclusive<Triple>("last triple", LastTriple{}); }
UPSWEEP_TEST(GivenStructsOf8Bytes_WhenScanned_ThenOrderIsKept) { check_scans<Affine<1>>("compose", Compose{}); }
UPSWEEP_TEST(GivenStructsOf12Bytes_WhenScanned_ThenOrderIsKept) { check_exclusive<Heisenberg>("product", HeisenbergProduct{}); }
UPSWEEP_TEST(GivenStructsOf64Bytes_WhenScanned_ThenOrderIsKept) { check_exclusive<Affine<8>>("compose 8", Compose{}); }
