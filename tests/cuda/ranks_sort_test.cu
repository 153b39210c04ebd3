// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sorts over ranks that are GPUs of one process.
#include "ranks_of_process.h"
#include "ranks_sort_calls.h"

using namespace upsweep;
using namespace upsweep::test;

UPSWEEP_TEST(GivenKeys_WhenSortedOverRanks_ThenAsTheWhole) {
  over_ranks([](auto &ranks, std::uint32_t seed, std::uint64_t most) { check_sorts(ranks, seed, most); });
}
UPSWEEP_TEST(GivenFloats_WhenSortedOverRanks_ThenInTheirOrder) {
  over_ranks([](auto &ranks, std::uint32_t seed, std::uint64_t most) { check_sorts_of_floats(ranks, seed, most); });
}

UPSWEEP_TEST(GivenPartsThatDoNotAddUp_WhenSorted_ThenAllThrow) {
  std::vector<std::string> errors(2);
  over::run_gpus(2, [&](over::peer_communicator &ranks) {
    DeviceArray<int> in(std::vector<int>(10, 1)), out(20);
    try {
      over::sort_keys(ranks, static_cast<const int *>(in.data()), out.data(), 10, over::part_of(11));
    } catch (const std::invalid_argument &error) {
      errors[ranks.rank()] = error.what();
    }
    over::sort_keys(ranks, static_cast<const int *>(in.data()), out.data(), 10);
    ranks.wait();
  });
  UPSWEEP_CHECK(errors[0].find("22") != std::string::npos && errors[1].find("22") != std::string::npos);
}
