// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The benchmark of device-wide scans: types of 1 and 2 bytes.
#include "scan_cases.h"

namespace upsweep::bench {

std::vector<ScanCase> small_type_cases() {
  using Plus = ::cuda::std::plus<>;
  return {exclusive_case<std::int16_t>("sum", "i16", true, cuda::plus{}, Plus{}),
          exclusive_case<std::uint8_t>("sum", "u8", true, cuda::plus{}, Plus{})};
}

}  // namespace upsweep::bench
