// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Calls over ranks of a modelled cluster: their results, and clocks that follow the model.
#include "calls.h"
#include "simulated.h"

#include <gtest/gtest.h>

#include <atomic>

namespace upsweep::distributed::test {

TEST(Simulated, GivenRandomCalls_WhenSimulated_ThenResultsAreRight) {
  for (const unsigned size : {2U, 9U, 70U}) {  // 70: a sort's pivots have owners
    run_simulated(size, {}, [&](simulated_communicator &ranks) {
      for (std::uint64_t seed = 0; seed < 14; ++seed) {
        random_call(ranks, seed * 7919 + size);
      }
    });
  }
}

TEST(Simulated, GivenManyRanks_WhenScanned_ThenResultsAreRight) {
  constexpr unsigned kSize = 600;
  std::atomic<unsigned> wrong{0};
  run_simulated(kSize, {}, [&](simulated_communicator &ranks) {
    const std::uint64_t n = ranks.rank() % 5;  // also none
    std::vector<std::uint64_t> part(n, ranks.rank());
    inclusive_sum(ranks, part.data(), part.data(), n, calling_thread());
    std::uint64_t total = 0;
    for (std::uint64_t r = 0; r < ranks.rank(); ++r) {
      total += r % 5 * r;
    }
    for (const std::uint64_t sum : part) {
      total += ranks.rank();
      wrong += sum == total ? 0 : 1;
    }
  });
  EXPECT_EQ(wrong, 0U);
}

TEST(Simulated, GivenALink_WhenElementsFollowTheirLengths_ThenTheClockHasTheirTime) {
  Cluster cluster;
  cluster.near_speed = 1e6;
  cluster.weight = 10;
  double clocks[2]{};
  run_simulated(2, cluster, [&](simulated_communicator &ranks) {
    std::vector<char> from(2000), to(2000);
    const std::uint64_t lengths[2] = {1000, 1000}, eight[2] = {8, 8};
    ranks.all_to_all(from.data(), eight, to.data(), eight);
    ranks.all_to_all(from.data(), lengths, to.data(), lengths);
    clocks[ranks.rank()] = ranks.clock();
  });
  for (const double clock : clocks) {
    EXPECT_GT(clock, 0.01);  // 1000 bytes to the other rank, ten times
    EXPECT_LT(clock, 0.02);
  }
}

TEST(Simulated, GivenARankThatIsLate_WhenAllMeet_ThenAllClocksWait) {
  double clocks[3]{};
  run_simulated(3, {}, [&](simulated_communicator &ranks) {
    ranks.set_work([&](const Progress &progress) { return ranks.rank() == 1 && progress.messages == 0 ? 2.0 : 0.5; });
    ranks.barrier();
    ranks.barrier();
    clocks[ranks.rank()] = ranks.clock();
  });
  for (const double clock : clocks) {
    EXPECT_GT(clock, 2.5);
    EXPECT_LT(clock, 2.6);
  }
}

}  // namespace upsweep::distributed::test
