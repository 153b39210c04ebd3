// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Errors over ranks that are threads: all ranks throw, none hangs, and the ranks remain usable after the error of a call.
#include "parts.h"

#include <gtest/gtest.h>

#include <upsweep/distributed/histogram.h>
#include <upsweep/distributed/merge.h>
#include <upsweep/distributed/place.h>
#include <upsweep/distributed/reduce.h>
#include <upsweep/distributed/scan.h>
#include <upsweep/distributed/sort.h>
#include <upsweep/distributed/top_k.h>

#include <atomic>
#include <cstdlib>
#include <functional>
#include <new>

// The next allocations of a thread until one fails; negative: none fails.
static thread_local long allocations_left = -1;

static void *allocate(std::size_t bytes, std::size_t alignment) {
  if (allocations_left >= 0 && allocations_left-- == 0) {
    throw std::bad_alloc();
  }
  void *memory = alignment <= alignof(std::max_align_t)
                     ? std::malloc(bytes)
                     : std::aligned_alloc(alignment, (bytes + alignment - 1) / alignment * alignment);
  if (memory == nullptr) {
    throw std::bad_alloc();
  }
  return memory;
}
// Not inlined, since GCC would warn that memory of new is freed.
[[gnu::noinline]] static void release(void *memory) { std::free(memory); }
void *operator new(std::size_t bytes) { return allocate(bytes, 1); }
void *operator new[](std::size_t bytes) { return allocate(bytes, 1); }
void *operator new(std::size_t bytes, std::align_val_t alignment) {
  return allocate(bytes, static_cast<std::size_t>(alignment));
}
void *operator new[](std::size_t bytes, std::align_val_t alignment) {
  return allocate(bytes, static_cast<std::size_t>(alignment));
}
void operator delete(void *memory) noexcept { release(memory); }
void operator delete[](void *memory) noexcept { release(memory); }
void operator delete(void *memory, std::size_t) noexcept { release(memory); }
void operator delete[](void *memory, std::size_t) noexcept { release(memory); }
void operator delete(void *memory, std::align_val_t) noexcept { release(memory); }
void operator delete[](void *memory, std::align_val_t) noexcept { release(memory); }
void operator delete(void *memory, std::size_t, std::align_val_t) noexcept { release(memory); }
void operator delete[](void *memory, std::size_t, std::align_val_t) noexcept { release(memory); }

namespace upsweep::distributed::test {

namespace {

constexpr unsigned kRanks = 4;
constexpr std::size_t kElements = 100;

// A sum, which must work on all ranks.
void require_usable(thread_communicator &ranks) {
  const std::vector<int> in(kElements, 1);
  int total = 0;
  sum(ranks, in.data(), &total, in.size());
  if (total != static_cast<int>(ranks.size() * kElements)) {
    throw std::runtime_error("wrong sum");
  }
}

// The message of each rank's exception of a call, "" if there is none. The next call must work.
using RankCall = std::function<void(thread_communicator &)>;
std::vector<std::string> messages_of(const RankCall &call) {
  std::vector<std::string> messages(kRanks);
  run_ranks(kRanks, [&](thread_communicator &ranks) {
    try {
      call(ranks);
    } catch (const rank_error &error) {
      messages[ranks.rank()] = "of " + std::to_string(error.rank()) + ": " + error.what();
    } catch (const std::exception &error) {
      messages[ranks.rank()] = error.what();
    }
    require_usable(ranks);
  });
  return messages;
}

void expect_own(const std::vector<std::string> &messages, unsigned rank, const std::string &text) {
  for (unsigned r = 0; r < kRanks; ++r) {
    EXPECT_NE(messages[r].find(text), std::string::npos) << "rank " << r << " has '" << messages[r] << "'";
    const std::string begin = "of " + std::to_string(rank) + ": ";
    EXPECT_EQ(messages[r].compare(0, begin.size(), begin) == 0, r != rank) << "rank " << r << " has '" << messages[r] << "'";
  }
}

}  // namespace

TEST(DistributedErrors, GivenOperatorThatThrowsOnOneRank_WhenScanned_ThenAllRanksHaveItsMessage) {
  for (const bool is_first_pass : {true, false}) {
    const auto messages = messages_of([&](thread_communicator &ranks) {
      const std::vector<int> in(kElements, 1);
      std::vector<int> out(kElements);
      // An operator that throws when the part is reduced, or only when it is scanned.
      const bool is_thrower = ranks.rank() == 2;
      std::atomic<int> calls{0};
      exclusive_scan(
          ranks, in.data(), out.data(), in.size(),
          [&](int a, int b) {
            if (is_thrower && ++calls > (is_first_pass ? 1 : 110)) {
              throw std::runtime_error("no sum of these");
            }
            return a + b;
          },
          0);
    });
    expect_own(messages, 2, "no sum of these");
  }
}

TEST(DistributedErrors, GivenComparisonThatThrowsOnOneRank_WhenSorted_ThenAllRanksHaveItsMessage) {
  for (const int limit : {1, 400, 800, 1000, 1200}) {
    const auto messages = messages_of([&](thread_communicator &ranks) {
      std::vector<int> in(kElements), out(kElements);
      for (std::size_t i = 0; i < in.size(); ++i) {
        in[i] = static_cast<int>((i * 37 + ranks.rank()) % 101);
      }
      std::atomic<int> calls{0};
      merge_sort(ranks, in.data(), out.data(), in.size(), [&](int a, int b) {
        if (ranks.rank() == 1 && ++calls >= limit) {
          throw std::runtime_error("no order of these");
        }
        return a < b;
      });
    });
    expect_own(messages, 1, "no order of these");
  }
}

TEST(DistributedErrors, GivenNullPointerOnOneRank_WhenCalled_ThenAllRanksHaveItsMessage) {
  const std::vector<std::pair<std::string, std::function<void(thread_communicator &, int *)>>> calls{
      {"the output is null",
       [](thread_communicator &ranks, int *out) {
         const std::vector<int> in(kElements, 1);
         inclusive_sum(ranks, in.data(), out, in.size());
       }},
      {"the output is null",
       [](thread_communicator &ranks, int *out) {
         const std::vector<int> in(kElements, 1);
         sort_keys(ranks, in.data(), out, in.size());
       }},
      {"counts is null",
       [](thread_communicator &ranks, int *out) {
         const std::vector<int> in(kElements, 1);
         histogram(ranks, in.data(), out, 10, in.size());
       }},
      {"the result is null", [](thread_communicator &ranks, int *out) {
         const std::vector<int> in(kElements, 1);
         sum(ranks, in.data(), out, in.size());
       }}};
  for (const auto &[text, call] : calls) {
    const auto messages = messages_of([&, &make = call](thread_communicator &ranks) {
      std::vector<int> out(kElements);
      make(ranks, ranks.rank() == 3 ? nullptr : out.data());
    });
    expect_own(messages, 3, text);
  }
}

TEST(DistributedErrors, GivenDifferentCallsOrOptions_WhenCalled_ThenAllRanksSaySo) {
  std::vector<int> in(kElements, 1);
  const auto on_rank_1 = [&](const RankCall &other, const RankCall &usual) {
    return messages_of([&](thread_communicator &ranks) { ranks.rank() == 1 ? other(ranks) : usual(ranks); });
  };
  const auto with = [&](auto make) {
    return RankCall([&in, make](thread_communicator &ranks) {
      std::vector<int> out(kElements);
      make(ranks, in.data(), out.data());
    });
  };
  const auto usual = with([](auto &ranks, int *from, int *to) { inclusive_sum(ranks, from, to, kElements); });
  const std::vector<std::pair<RankCall, std::string>> others{
      {with([](auto &ranks, int *from, int *to) { inclusive_sum(ranks, from, to, kElements, backward); }),
       "other types or options"},
      {with([](auto &ranks, int *from, int *to) { inclusive_scan(ranks, from, to, kElements, maximum{}); }),
       "other types or options"},
      {with([](auto &ranks, int *from, int *to) { inclusive_sum(ranks, from, to, kElements, accumulator<double>); }),
       "other types or options"},
      {with([](auto &ranks, int *from, int *to) { sort_keys(ranks, from, to, kElements); }),
       "rank 0 calls inclusive_scan, but rank 1 calls sort_keys"},
  };
  for (const auto &[other, text] : others) {
    for (const std::string &message : on_rank_1(other, usual)) {
      EXPECT_NE(message.find(text), std::string::npos) << message;
    }
  }
  const auto top = [&](std::uint64_t k) {
    return with([k](auto &ranks, int *from, int *to) { top_k_keys(ranks, from, to, kElements, k); });
  };
  for (const std::string &message : on_rank_1(top(10), top(11))) {
    EXPECT_NE(message.find("other types or options"), std::string::npos) << message;
  }
}

TEST(DistributedErrors, GivenNumbersThatDoNotFit_WhenCalled_ThenAllRanksThrow) {
  const std::vector<int> in(kElements, 1);
  for (const std::string &message : messages_of([&](thread_communicator &ranks) {
         std::vector<int> out(kElements + 1);
         sort_keys(ranks, in.data(), out.data(), in.size(), part_of(in.size() + (ranks.rank() == 2 ? 1 : 0)));
       })) {
    EXPECT_NE(message.find("have 400 elements together, but ask for 401"), std::string::npos) << message;
  }
  for (const std::string &message : messages_of([&](thread_communicator &ranks) {
         std::vector<int> out(kElements);
         rebalance(ranks, in.data(), out.data(), in.size(), ranks.rank() == 2 ? 99 : 100);
       })) {
    EXPECT_NE(message.find("but ask for 399"), std::string::npos) << message;
  }
  for (const std::string &message : messages_of([&](thread_communicator &ranks) {
         std::vector<int> out(401);
         top_k_keys(ranks, in.data(), out.data(), in.size(), 401);
       })) {
    EXPECT_NE(message.find("k exceeds"), std::string::npos) << message;
  }
  for (const std::string &message : messages_of([&](thread_communicator &ranks) {
         int out = 0;
         nth_element(ranks, in.data(), &out, in.size(), 400);
       })) {
    EXPECT_NE(message.find("the place exceeds"), std::string::npos) << message;
  }
}

TEST(DistributedErrors, GivenRangesThatAreNotSorted_WhenMerged_ThenAllRanksThrowOrTheResultIsAPermutation) {
  for (std::uint64_t seed = 0; seed < 30; ++seed) {
    std::vector<std::vector<int>> given(kRanks), results(kRanks);
    const auto messages = messages_of([&](thread_communicator &ranks) {
      std::mt19937_64 random(seed * kRanks + ranks.rank());
      std::vector<int> a(random() % 50), b(random() % 50);
      for (std::vector<int> *range : {&a, &b}) {
        for (int &element : *range) {
          element = static_cast<int>(random() % 20);
        }
      }
      std::vector<int> out(a.size() + b.size());
      merge(ranks, a.data(), b.data(), out.data(), a.size(), b.size());
      given[ranks.rank()] = a;
      given[ranks.rank()].insert(given[ranks.rank()].end(), b.begin(), b.end());
      results[ranks.rank()] = out;
    });
    std::vector<int> all, merged;
    for (unsigned r = 0; r < kRanks; ++r) {
      EXPECT_EQ(messages[r].empty(), messages[0].empty());
      all.insert(all.end(), given[r].begin(), given[r].end());
      merged.insert(merged.end(), results[r].begin(), results[r].end());
    }
    std::sort(all.begin(), all.end());
    std::sort(merged.begin(), merged.end());
    EXPECT_EQ(all, merged);
  }
}

// Each allocation of rank 1 in a call fails once. A rank without memory for a report ends the others, else the call throws on
// all.
TEST(DistributedErrors, GivenMemoryThatIsRefusedOnOneRank_WhenCalled_ThenAllRanksThrow) {
  const std::vector<std::function<void(thread_communicator &, const std::vector<int> &, std::vector<int> &)>> calls{
      [](thread_communicator &ranks, const std::vector<int> &in, std::vector<int> &out) {
        sort_keys(ranks, in.data(), out.data(), in.size(), calling_thread());
      },
      [](thread_communicator &ranks, const std::vector<int> &in, std::vector<int> &out) {
        inclusive_sum(ranks, in.data(), out.data(), in.size(), calling_thread());
      },
      [](thread_communicator &ranks, const std::vector<int> &in, std::vector<int> &out) {
        inclusive_scan(ranks, in.data(), out.data(), in.size(), plus{}, calling_thread(), reproducible, accumulator<double>);
      },
      [](thread_communicator &ranks, const std::vector<int> &in, std::vector<int> &out) {
        top_k_keys(ranks, in.data(), out.data(), in.size(), 50, calling_thread());
      },
      [](thread_communicator &ranks, const std::vector<int> &in, std::vector<int> &out) {
        histogram(ranks, in.data(), out.data(), 10, in.size(), calling_thread());
      }};
  for (const auto &call : calls) {
    bool has_failed = true;
    for (long failing = 0; has_failed; ++failing) {
      ASSERT_LT(failing, 1000);
      std::vector<char> throws(kRanks);
      try {
        run_ranks(kRanks, [&](thread_communicator &ranks) {
          std::vector<int> in(kElements, 3), out(kElements);
          allocations_left = ranks.rank() == 1 ? failing : -1;
          try {
            call(ranks, in, out);
            allocations_left = -1;
          } catch (const std::exception &) {
            allocations_left = -1;
            throws[ranks.rank()] = 1;
          }
          require_usable(ranks);
        });
      } catch (const std::exception &) {
        EXPECT_EQ(throws[1], 1);  // rank 1 had no memory for a report
      }
      EXPECT_EQ(throws, std::vector<char>(kRanks, throws[0])) << "allocation " << failing;
      has_failed = throws[0] != 0;
    }
  }
}

TEST(DistributedErrors, GivenExceptionOutsideOfCalls_WhenOthersWait_ThenTheyEndAndItIsThrown) {
  std::atomic<unsigned> ended{0};
  try {
    run_ranks(kRanks, [&](thread_communicator &ranks) {
      if (ranks.rank() == 2) {
        throw std::out_of_range("outside of calls");
      }
      try {
        require_usable(ranks);
      } catch (const rank_error &error) {
        EXPECT_EQ(error.rank(), 2U);
        EXPECT_NE(std::string(error.what()).find("outside of calls"), std::string::npos);
        ++ended;
        throw;
      }
    });
    FAIL();
  } catch (const std::out_of_range &error) {
    EXPECT_EQ(std::string(error.what()), "outside of calls");
  }
  EXPECT_EQ(ended, kRanks - 1);
}

TEST(DistributedErrors, GivenRankThatReturnsEarly_WhenOthersWait_ThenTheyEnd) {
  EXPECT_THROW(run_ranks(kRanks,
                         [](thread_communicator &ranks) {
                           if (ranks.rank() != 0) {
                             require_usable(ranks);
                           }
                         }),
               rank_error);
  EXPECT_THROW(run_ranks(2,
                         [](thread_communicator &ranks) {
                           int message = 0;
                           if (ranks.rank() == 0) {
                             ranks.receive(1, &message, sizeof(message));
                           }
                         }),
               rank_error);
}

TEST(DistributedErrors, GivenRankThatDoesNotCome_WhenTheTimeIsOver_ThenAllEnd) {
  const auto begin = std::chrono::steady_clock::now();
  EXPECT_THROW(run_ranks(
                   kRanks,
                   [](thread_communicator &ranks) {
                     if (ranks.rank() == 1) {
                       std::this_thread::sleep_for(std::chrono::milliseconds(1500));
                     }
                     require_usable(ranks);
                   },
                   std::chrono::milliseconds(200)),
               rank_error);
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(30));
}

TEST(DistributedErrors, GivenMembersInOtherOrders_WhenCalled_ThenAllRanksEnd) {
  EXPECT_THROW(run_ranks(kRanks,
                         [](thread_communicator &ranks) {
                           std::uint64_t own = 1, all[kRanks];
                           if (ranks.rank() == 1) {
                             ranks.barrier();
                           } else {
                             ranks.all_gather(&own, all, sizeof(own));
                           }
                         }),
               rank_error);
  EXPECT_THROW(run_ranks(2,
                         [](thread_communicator &ranks) {
                           std::uint64_t word = 1;
                           if (ranks.rank() == 0) {
                             ranks.send(1, &word, sizeof(word));
                           } else {
                             ranks.receive(0, &word, 4);
                           }
                         }),
               rank_error);
  EXPECT_THROW(run_ranks(2,
                         [](thread_communicator &ranks) {
                           std::uint64_t from[2]{}, to[4]{}, send[2]{8, 8}, receive[2]{8, 8};
                           if (ranks.rank() == 0) {
                             receive[1] = 16;
                           }
                           ranks.all_to_all(from, send, to, receive);
                         }),
               rank_error);
  EXPECT_THROW(run_ranks(0, [](thread_communicator &) {}), std::invalid_argument);
}

TEST(DistributedErrors, GivenMessages_WhenReceived_ThenInTheirOrder) {
  run_ranks(3, [](thread_communicator &ranks) {
    for (unsigned i = 0; i < 20; ++i) {
      const unsigned sent = 100 * ranks.rank() + i;
      ranks.send((ranks.rank() + 1) % 3, &sent, sizeof(sent));
    }
    for (unsigned i = 0; i < 20; ++i) {
      unsigned received = 0;
      ranks.receive((ranks.rank() + 2) % 3, &received, sizeof(received));
      EXPECT_EQ(received, 100 * ((ranks.rank() + 2) % 3) + i);
    }
  });
}

}  // namespace upsweep::distributed::test
