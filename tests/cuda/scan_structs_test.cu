// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Device-wide scans of structs of 3 to 12 bytes, whose operators do not commute.
#include "scan_check.h"

using namespace upsweep::test;

UPSWEEP_TEST(GivenStructsOf3Bytes_WhenScanned_ThenOrderIsKept) { check_scans<Triple>("last triple", LastTriple{}); }
UPSWEEP_TEST(GivenStructsOf8Bytes_WhenScanned_ThenOrderIsKept) { check_scans<Affine<1>>("compose", Compose{}); }
UPSWEEP_TEST(GivenStructsOf12Bytes_WhenScanned_ThenOrderIsKept) { check_scans<Heisenberg>("product", HeisenbergProduct{}); }
