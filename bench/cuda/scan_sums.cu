// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The benchmark of device-wide scans: sums of types of 4 and 8 bytes.
#include "scan_cases.h"

namespace upsweep::bench {

std::vector<ScanCase> sum_cases() {
  using Plus = ::cuda::std::plus<>;
  return {exclusive_case<float>("sum", "f32", true, cuda::plus{}, Plus{}),
          exclusive_case<std::uint32_t>("sum", "u32", false, cuda::plus{}, Plus{}),
          exclusive_case<double>("sum", "f64", true, cuda::plus{}, Plus{}),
          exclusive_case<std::uint64_t>("sum", "u64", false, cuda::plus{}, Plus{})};
}

}  // namespace upsweep::bench
