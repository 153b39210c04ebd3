// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Selections by rank in rows of floating-point numbers.
#include "top_k_of_rows_check.h"

namespace upsweep::test {

UPSWEEP_TEST(GivenRowsOfFloats_WhenSelectedByRank_ThenAsOnTheHost) {
  check_all_rows<float>("float descending", [](float a, float b) { return is_before(b, a); }, cuda::descending);
  check_all_rows<double>("double", is_before<double>);
}

}  // namespace upsweep::test
