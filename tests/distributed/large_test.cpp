// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Arrays of millions of elements, so that threads divide the parts, results are streamed past the caches, and reproducible
// scans have several groups of tiles on a rank.
#include "parts.h"

#include <gtest/gtest.h>

#include <upsweep/distributed/place.h>
#include <upsweep/distributed/scan.h>
#include <upsweep/distributed/sort.h>

namespace upsweep::distributed::test {

namespace {

// Calls call(ranks, begin, length, pool) on three ranks, of which the second has most elements.
template <class Call>
void on_three_ranks(std::size_t n, const Call &call) {
  run_ranks(3, [&](thread_communicator &ranks) {
    const std::size_t begins[] = {0, n / 90 + 3, n - n / 80, n};
    thread_pool pool(2);
    call(ranks, begins[ranks.rank()], begins[ranks.rank() + 1] - begins[ranks.rank()], pool);
  });
}

}  // namespace

TEST(DistributedLarge, GivenManyFloats_WhenScannedReproducibly_ThenTheBitsOfOneProcess) {
  constexpr std::size_t kElements = 8'900'001;  // more than 32 MiB on the second rank
  std::mt19937 random(5);
  std::vector<float> x(kElements), out(kElements), wanted(kElements);
  for (float &element : x) {
    element = static_cast<float>(random()) / 1000;
  }
  on_three_ranks(kElements, [&](thread_communicator &ranks, std::size_t begin, std::size_t length, thread_pool &pool) {
    inclusive_sum(ranks, x.data() + begin, out.data() + begin, length, pool, reproducible);
  });
  cpu::inclusive_sum(x.data(), wanted.data(), kElements, reproducible);
  EXPECT_EQ(std::memcmp(out.data(), wanted.data(), kElements * sizeof(float)), 0);
  on_three_ranks(kElements, [&](thread_communicator &ranks, std::size_t begin, std::size_t length, thread_pool &pool) {
    exclusive_sum(ranks, x.data() + begin, out.data() + begin, length, pool, reproducible, backward);
  });
  cpu::exclusive_sum(x.data(), wanted.data(), kElements, reproducible, backward);
  EXPECT_EQ(std::memcmp(out.data(), wanted.data(), kElements * sizeof(float)), 0);
}

TEST(DistributedLarge, GivenManyRuns_WhenScannedByKey_ThenAsAPlainLoop) {
  constexpr std::size_t kElements = 2'000'001;
  std::vector<std::uint32_t> keys(kElements), x(kElements), out(kElements);
  std::mt19937 random(6);
  for (std::size_t i = 0; i < kElements; ++i) {
    // A run of millions over two borders, and short runs elsewhere.
    keys[i] = i > 5'000 && i < kElements - 5'000 ? 7 : static_cast<std::uint32_t>(8 + i / 9);
    x[i] = static_cast<std::uint32_t>(random());
  }
  on_three_ranks(kElements, [&](thread_communicator &ranks, std::size_t begin, std::size_t length, thread_pool &pool) {
    inclusive_scan_by_key(ranks, keys.data() + begin, x.data() + begin, out.data() + begin, length, plus{}, pool);
  });
  std::uint32_t sum = 0;
  for (std::size_t i = 0; i < kElements; ++i) {
    sum = (i > 0 && keys[i] == keys[i - 1] ? sum : 0) + x[i];
    ASSERT_EQ(out[i], sum) << i;
  }
}

TEST(DistributedLarge, GivenManyKeys_WhenSortedIntoEqualParts_ThenSorted) {
  constexpr std::size_t kElements = 1'000'001;
  std::mt19937 random(7);
  std::vector<std::uint32_t> x(kElements), sorted;
  for (std::uint32_t &element : x) {
    element = static_cast<std::uint32_t>(random());
  }
  std::vector<std::uint32_t> parts[3];
  on_three_ranks(kElements, [&](thread_communicator &ranks, std::size_t begin, std::size_t length, thread_pool &pool) {
    std::vector<std::uint32_t> &part = parts[ranks.rank()];
    part.resize(equal_part(ranks, length));
    sort_keys(ranks, x.data() + begin, part.data(), length, pool, part_of(part.size()));
  });
  for (const std::vector<std::uint32_t> &part : parts) {
    EXPECT_NEAR(static_cast<double>(part.size()), kElements / 3.0, 1);
    sorted.insert(sorted.end(), part.begin(), part.end());
  }
  std::sort(x.begin(), x.end());
  EXPECT_EQ(sorted, x);
}

}  // namespace upsweep::distributed::test
