// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The messages of calls, as docs/distributed.md states them, counted by a communicator of the user's own.
#include "parts.h"

#include <gtest/gtest.h>

#include <upsweep/distributed/place.h>
#include <upsweep/distributed/reduce.h>
#include <upsweep/distributed/scan.h>
#include <upsweep/distributed/sort.h>

namespace upsweep::distributed::test {

namespace {

// Counts the messages of one rank.
class CountingRanks {
public:
  using memory = host_memory;
  explicit CountingRanks(thread_communicator &ranks) : ranks_(ranks) {}

  unsigned size() const { return ranks_.size(); }
  unsigned rank() const { return ranks_.rank(); }
  void all_gather(const void *from, void *to, std::uint64_t bytes) {
    ++gathers;
    gathered += bytes;
    ranks_.all_gather(from, to, bytes);
  }
  void all_to_all(const void *from, const std::uint64_t *send, void *to, const std::uint64_t *receive) {
    ++exchanges;
    for (unsigned r = 0; r < size(); ++r) {
      sent += r != rank() ? send[r] : 0;
    }
    ranks_.all_to_all(from, send, to, receive);
  }
  void send(unsigned rank, const void *from, std::uint64_t bytes) { ranks_.send(rank, from, bytes); }
  void receive(unsigned rank, void *to, std::uint64_t bytes) { ranks_.receive(rank, to, bytes); }
  void barrier() { ranks_.barrier(); }
  void abort(const std::string &message) { ranks_.abort(message); }

  std::uint64_t gathers = 0, gathered = 0, exchanges = 0, sent = 0;

private:
  thread_communicator &ranks_;
};

constexpr std::size_t kElements = 30000;  // of a rank
constexpr unsigned kRanks = 5;

template <class Call>
void with_counts(const Call &call) {
  run_ranks(kRanks, [&](thread_communicator &ranks) {
    std::mt19937_64 random(ranks.rank());
    std::vector<float> in(kElements), out(kElements);
    for (float &x : in) {
      x = static_cast<float>(random() % 100000);
    }
    CountingRanks counting(ranks);
    call(counting, in.data(), out.data());
  });
}

}  // namespace

TEST(DistributedBounds, GivenScan_WhenCounted_ThenTwoSmallMessages) {
  with_counts([](CountingRanks &ranks, const float *in, float *out) {
    inclusive_sum(ranks, in, out, kElements);
    EXPECT_EQ(ranks.gathers, 2U);
    EXPECT_LE(ranks.gathered, 2U * 128);
    EXPECT_EQ(ranks.exchanges, 0U);
  });
}

TEST(DistributedBounds, GivenReduction_WhenCounted_ThenOneSmallMessage) {
  with_counts([](CountingRanks &ranks, const float *in, float *out) {
    sum(ranks, in, out, kElements);
    EXPECT_EQ(ranks.gathers, 1U);
    EXPECT_EQ(ranks.exchanges, 0U);
  });
}

TEST(DistributedBounds, GivenReproducibleScan_WhenCounted_ThenLessThanATileIsSentToANeighbourAndBack) {
  with_counts([](CountingRanks &ranks, const float *in, float *out) {
    inclusive_sum(ranks, in, out, kElements, reproducible);
    EXPECT_EQ(ranks.exchanges, 2U);
    EXPECT_LT(ranks.sent, 2U * 7168 * sizeof(float));
    EXPECT_LT(ranks.gathered, 2000U);
  });
}

TEST(DistributedBounds, GivenSort_WhenCounted_ThenEachElementIsSentOnceAtMost) {
  with_counts([](CountingRanks &ranks, const float *in, float *out) {
    sort_keys(ranks, in, out, kElements);
    EXPECT_EQ(ranks.exchanges, 2U);  // the lengths, and the elements
    EXPECT_LE(ranks.sent, kElements * sizeof(float) + 8 * kRanks);
    EXPECT_GT(ranks.sent, kElements * sizeof(float) / 2);
    EXPECT_LE(ranks.gathers, 70U);  // about log4(150,000) rounds of four messages, and ten more
  });
}

TEST(DistributedBounds, GivenManyEqualKeys_WhenSorted_ThenPartsKeepTheirLengthsAndMessagesAreFew) {
  with_counts([](CountingRanks &ranks, const float *, float *out) {
    const std::vector<float> equal(kElements, 1.0F);
    sort_keys(ranks, equal.data(), out, kElements);
    EXPECT_EQ(ranks.sent, 8U * (kRanks - 1));  // a stable division leaves each element where it is
    EXPECT_LE(ranks.gathers, 70U);             // about log4(150,000) rounds of four messages, and ten more
  });
}

TEST(DistributedBounds, GivenElementsInPlace_WhenRebalanced_ThenNoneIsSent) {
  with_counts([](CountingRanks &ranks, const float *in, float *out) {
    EXPECT_EQ(equal_part(ranks, kElements), kElements);
    rebalance(ranks, in, out, kElements, kElements);
    EXPECT_EQ(ranks.sent, 0U);
  });
}

}  // namespace upsweep::distributed::test
