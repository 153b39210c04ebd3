// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Runs, first elements and divisions over ranks that are GPUs of one process.
#include "ranks_more_calls.h"
#include "ranks_of_process.h"

using namespace upsweep;
using namespace upsweep::test;

UPSWEEP_TEST(GivenRunsOverBorders_WhenEncodedOrReduced_ThenTheirFirstRankHasThem) {
  over_ranks([](auto &ranks, std::uint32_t seed, std::uint64_t most) { check_runs(ranks, seed, most); });
}
UPSWEEP_TEST(GivenKeys_WhenTheFirstAreSelected_ThenAsInASort) {
  over_ranks([](auto &ranks, std::uint32_t seed, std::uint64_t most) { check_first_elements(ranks, seed, most); });
}
UPSWEEP_TEST(GivenParts_WhenRebalanced_ThenEqual) {
  over_ranks([](auto &ranks, std::uint32_t seed, std::uint64_t most) { check_divisions(ranks, seed, most); });
}
