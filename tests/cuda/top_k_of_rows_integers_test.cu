// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Selections by rank in rows of short and long integers.
#include "top_k_of_rows_check.h"

namespace upsweep::test {

UPSWEEP_TEST(GivenRowsOfBytesAndHalves_WhenSelectedByRank_ThenAsOnTheHost) {
  check_all_rows<std::int8_t>("i8", is_before<std::int8_t>);
  check_all_rows<std::uint16_t>("u16 descending", [](std::uint16_t a, std::uint16_t b) { return b < a; }, cuda::descending);
}
UPSWEEP_TEST(GivenRowsOfLongWords_WhenSelectedByRank_ThenAsOnTheHost) {
  check_all_rows<std::uint64_t>("u64", is_before<std::uint64_t>);
}

}  // namespace upsweep::test
