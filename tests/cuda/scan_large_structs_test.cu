// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Device-wide scans of structs of 64 bytes, the largest elements there may be; apart since they take long to compile.
#include "scan_check.h"

using namespace upsweep::test;

UPSWEEP_TEST(GivenStructsOf64Bytes_WhenScanned_ThenOrderIsKept) { check_scans<Affine<8>>("compose 8", Compose{}); }
