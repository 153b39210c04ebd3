// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The same cases with another CUB, in a library that exports nothing else: both versions have functions of the same names.
#include "scan_cases.h"

namespace upsweep::bench {

__attribute__((visibility("default"))) OtherCub other_cub() {
  OtherCub cub;
  cub.version = cub_version();
  for (const ScanCase &scan : all_cases()) {
    cub.calls.push_back(scan.cub);
  }
  return cub;
}

}  // namespace upsweep::bench
