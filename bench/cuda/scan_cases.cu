// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The benchmark of device-wide scans: all its cases, with the CUB that this is compiled with.
#include "scan_cases.h"

#include <cub/version.cuh>

namespace upsweep::bench {

std::vector<ScanCase> all_cases() {
  std::vector<ScanCase> all;
  for (const auto &part : {sum_cases(), operator_cases(), small_type_cases(), segment_cases(), axis_cases(), option_cases()}) {
    all.insert(all.end(), part.begin(), part.end());
  }
  return all;
}

std::string cub_version() {
  return std::to_string(CUB_MAJOR_VERSION) + "." + std::to_string(CUB_MINOR_VERSION) + "." +
         std::to_string(CUB_SUBMINOR_VERSION);
}

}  // namespace upsweep::bench
