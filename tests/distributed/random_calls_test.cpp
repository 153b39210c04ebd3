// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Random calls over ranks that are threads, each compared with plain loops. UPSWEEP_TEST_CALLS and UPSWEEP_TEST_SEED ask for
// other numbers of calls, and for other calls.
#include "calls.h"

#include <gtest/gtest.h>

#include <cstdlib>

namespace upsweep::distributed::test {

namespace {

std::uint64_t from_environment(const char *name, std::uint64_t otherwise) {
  const char *text = std::getenv(name);
  return text != nullptr ? std::strtoull(text, nullptr, 10) : otherwise;
}

// Several calls follow each other on the same ranks. Failures are exceptions of run_ranks.
void make_calls(std::uint64_t calls, unsigned most_ranks) {
  constexpr std::uint64_t kTogether = 14;
  const std::uint64_t seed = from_environment("UPSWEEP_TEST_SEED", 0);
  for (std::uint64_t i = 0; i < calls; i += kTogether) {
    const unsigned size = 1 + static_cast<unsigned>(std::mt19937_64(seed + i)() % most_ranks);
    run_ranks(size, [&](thread_communicator &ranks) {
      for (std::uint64_t k = 0; k < std::min(kTogether, calls - i); ++k) {
        random_call(ranks, seed + i + k);
      }
    });
  }
}

}  // namespace

TEST(DistributedRandomCalls, GivenUpToEightRanks_WhenCompared_ThenAsPlainLoops) {
  make_calls(from_environment("UPSWEEP_TEST_CALLS", 280), 8);
}

TEST(DistributedRandomCalls, GivenUpTo64Ranks_WhenCompared_ThenAsPlainLoops) {
  make_calls(from_environment("UPSWEEP_TEST_CALLS", 280) / 15, 64);
}

}  // namespace upsweep::distributed::test
