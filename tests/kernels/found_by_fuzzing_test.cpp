// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels for which tests/fuzz found faults.
#include "kernel_runner.h"

namespace upsweep::tests {
namespace {

constexpr Range kRange{{120, 1, 1}, {40, 1, 1}};

TEST_F(KernelRunner, GivenLoopsOnBothWaysOfABranch_WhenTheyEndTogether_ThenWorkItemsKeepTheirOwnResults) {
  build("found_by_fuzzing.cl", "loops_on_both_ways");
  set(1, cl_int{7});
  EXPECT_EQ(run(kRange, 120), expected(120, [](size_t i) { return i % 40 % 3 == 0 ? 2 * 1000 + 4 : 100 * 1000 + 7; }));
}

TEST_F(KernelRunner, GivenSumsBeyondTheirType_WhenWidened_ThenTheyHaveWrappedBefore) {
  constexpr cl_int kValue = 836785109;
  build("found_by_fuzzing.cl", "sums_that_wrap");
  set(1, kValue);
  auto sign_of = [](size_t terms) { return static_cast<cl_int>(static_cast<cl_uint>(terms * kValue)) < 0 ? -1 : 0; };
  EXPECT_EQ(run(kRange, 120),
            expected(120, [&](size_t i) { return static_cast<size_t>(sign_of(i % 40 + 1) + 10 * sign_of(40)); }));
}

TEST_F(KernelRunner, GivenUpperHalvesOfProducts_WhenNumbersAreTakenOff_ThenZeroTakesNothing) {
  constexpr cl_uint kFactor = 3'000'000'000;
  build("found_by_fuzzing.cl", "takes_off_high_words");
  set(1, kFactor);
  // Words of two numbers for each work-item.
  EXPECT_EQ(run(kRange, 4 * 120), expected(4 * 120, [](size_t word) {
              const size_t i = word / 4, number = i % 2 == 0 ? 0 : 5;
              const auto factor = static_cast<cl_uint>(i << 13);
              const auto difference = static_cast<int64_t>((uint64_t{factor} * kFactor >> 32) - number);
              const auto high =
                  static_cast<int64_t>((static_cast<__int128>(int64_t{0x98a49025} - (int64_t{1} << 32)) * number) >> 32);
              return static_cast<size_t>((word % 4 < 2 ? difference : high) >> (word % 2 * 32));
            }));
}

TEST_F(KernelRunner, GivenAChoiceOfMinusOneAndMinusZero_WhenMade_ThenZeroKeepsItsSign) {
  build("found_by_fuzzing.cl", "chooses_minus_zero");
  set(1, cl_int{50});
  EXPECT_EQ(run(kRange, 2 * 120),
            expected(2 * 120, [](size_t out) { return size_t{(out / 2 < 50) == (out % 2 == 0) ? 0xBF800000 : 0x80000000}; }));
}

TEST_F(KernelRunner, GivenShorts_WhenNegatedAndWidened_ThenTheLeastOneStaysNegative) {
  constexpr size_t kItems = 60;
  for (const cl_int least : {-32768, -30, 32767 - 59, -8192 - 30}) {
    build("found_by_fuzzing.cl", "negates_shorts");
    set(1, least);
    EXPECT_EQ(run({{kItems, 1, 1}, {20, 1, 1}}, 5 * kItems), expected(5 * kItems, [&](size_t i) {
                const int x = least + static_cast<int>(i / 5);
                const int values[] = {-x, x < 0 ? -x : x, -4 * x, -x, -16384 * x};
                const int wrapped = static_cast<cl_short>(values[i % 5]);
                return static_cast<size_t>(i % 5 == 3 ? wrapped >> 1 : wrapped);
              }));
    release();
  }
}

TEST_F(KernelRunner, GivenShorts_WhenClampedAndCompared_ThenOnlyTheirOwnBitsCount) {
  constexpr size_t kItems = 60;
  for (const cl_int least : {-32768, -30, 32767 - 59}) {
    build("found_by_fuzzing.cl", "clamps_shorts");
    set(1, least);
    EXPECT_EQ(run({{kItems, 1, 1}, {20, 1, 1}}, 4 * kItems), expected(4 * kItems, [&](size_t i) {
                const int x = least + static_cast<int>(i / 4);
                const bool values[] = {x <= 0, static_cast<cl_short>(x ^ 77) < -5, x >= -1, static_cast<cl_ushort>(x) >= 100};
                return static_cast<size_t>(values[i % 4]);
              }));
    release();
  }
}

TEST_F(KernelRunner, GivenBytes_WhenSaturatedAndCompared_ThenOnlyTheirOwnBitsCount) {
  build("found_by_fuzzing.cl", "clamps_chars");
  set(1, cl_int{-128});
  EXPECT_EQ(run({{256, 1, 1}, {32, 1, 1}}, 5 * 256), expected(5 * 256, [&](size_t i) {
              const int x = static_cast<int>(i / 5) - 128, byte = x & 255;
              const int turned = 1 << (byte & 7);
              const int values[] = {x + 15 >= 127, 2 * x <= -128, byte > 200, -((3 * byte & 255) >= 30), turned == 128};
              return static_cast<size_t>(values[i % 5]);
            }));
}

TEST_F(KernelRunner, GivenALoopThatCountsDown_WhenItGoesOnWhileLess_ThenItEndsWhereItShould) {
  for (const cl_uint limit : {0U, 1U, 5U}) {
    build("found_by_fuzzing.cl", "counts_down_below");
    set(1, limit);
    EXPECT_EQ(run({{40, 1, 1}, {20, 1, 1}}, 40), expected(40, [&](size_t i) {
                cl_uint v = static_cast<cl_uint>(i) + 2, before = v;
                do before = v;
                while (--v < limit);
                return static_cast<size_t>(before);
              }));
    release();
  }
}

TEST_F(KernelRunner, GivenComparisons_WhenTakenForNumbers_ThenTrueIsMinusOneInVectors) {
  build("found_by_fuzzing.cl", "converts_truth");
  set(1, cl_int{7});
  EXPECT_EQ(run({{20, 1, 1}, {10, 1, 1}}, 20),
            expected(20, [](size_t i) { return static_cast<size_t>(-11 * (i < 7) + 100 * (i > 3)); }));
}

int turn(int i) { return i * 7 % 3; }

/// One work-item of votes_after_divergence, without its votes.
struct Alone {
  int rounds = 0;
  std::array<int, 2> bins{};
};

Alone alone(int i, int seed) {
  Alone result;
  for (int k = 0; k < (i & 3); ++k) {
    if (turn(k + i + seed) == 2) {
      ++result.bins[0];
      continue;
    }
    int more = 4;
    do {
      result.bins[1] += 3;
      ++result.rounds;
    } while (--more > 0 && turn(more + i) != 0);
  }
  for (int k = 0; i % 3 == 1 && k < i; ++k) result.rounds += turn(k + i);
  return result;
}

/// The sub-groups of a work-group of one dimension.
struct SubGroups {
  size_t items, size;

  /// The sum of values over the items of i's sub-group for which `predicate` holds, up to item `last`.
  template <typename Predicate, typename Value>
  cl_uint sum(size_t i, Predicate predicate, Value value, size_t last = SIZE_MAX) const {
    cl_uint result = 0;
    for (size_t j = i / size * size; j < std::min(items, i / size * size + size) && j <= last; ++j)
      if (predicate(static_cast<int>(j))) result += value(j);
    return result;
  }
  template <typename Predicate>
  cl_uint ballot(size_t i, Predicate predicate) const {
    return sum(i, predicate, [&](size_t j) { return 1U << (j % size); });
  }
};

TEST_F(KernelRunner, GivenLanesThatHaveParted_WhenTheyVote_ThenThoseVoteThatTheProgramHasThere) {
  for (const size_t items : {64, 40, 7, 1}) {
    const cl_int seed = static_cast<cl_int>(items % 3);
    build("found_by_fuzzing.cl", "votes_after_divergence");
    set(1, seed);
    const Range range{{items, 1, 1}, {items, 1, 1}};
    const size_t size = sub_group_size(range);
    ASSERT_LE(size, 32U);
    const SubGroups groups{items, size};
    std::array<int, 2> bins{};
    for (size_t i = 0; i < items; ++i)
      for (size_t b = 0; b < 2; ++b) bins[b] += alone(static_cast<int>(i), seed).bins[b];
    EXPECT_EQ(run(range, 5 * items), expected(5 * items, [&](size_t index) -> size_t {
                const size_t at = index / 5;
                const int i = static_cast<int>(at);
                cl_uint in_loop = 0;
                for (int k = 0; k < (i & 7); ++k)
                  if (k % 2 != (i & 1))
                    in_loop = in_loop * 33 + groups.ballot(at, [&](int j) { return k < (j & 7) && k % 2 != (j & 1); });
                switch (index % 5) {
                case 0: return groups.ballot(at, [](int) { return true; });
                case 1: return in_loop;
                case 2:
                  return i % 3 != 1 ? 0
                                    : groups.sum(at, [](int j) { return j % 3 == 1; }, [](size_t j) { return 1U << (j % 7); });
                case 3: return static_cast<size_t>(alone(i, seed).rounds);
                default: return static_cast<size_t>(bins[at & 1]);
                }
              }));
    release();
  }
}

TEST_F(KernelRunner, GivenTangledBranches_WhenLanesVoteInThem_ThenThoseVoteThatTheProgramHasThere) {
  for (const size_t items : {64, 37, 5}) {
    const int seed = static_cast<int>(items % 3);
    build("found_by_fuzzing.cl", "votes_in_tangles");
    set(1, cl_int{seed});
    const Range range{{items, 1, 1}, {items, 1, 1}};
    const SubGroups groups{items, sub_group_size(range)};
    ASSERT_LE(groups.size, 32U);
    auto choice = [&](int j) { return (j + seed) % 4; };
    auto either = [&](int j) { return j % 5 == 0 || turn(j) == seed; };
    // The round, or 5 behind the loop.
    auto leaves_at = [&](int j) { return j >= 3 && j < 8 && turn(j + j - 3) == 0 ? j - 3 : 5; };
    EXPECT_EQ(run(range, 4 * items), expected(4 * items, [&](size_t index) -> size_t {
                const size_t at = index / 4;
                const int i = static_cast<int>(at);
                const cl_uint zeros = groups.ballot(at, [&](int j) { return choice(j) == 0; });
                const cl_uint low = groups.ballot(at, [&](int j) { return choice(j) < 2; });
                const cl_uint threes = groups.sum(at, [&](int j) { return choice(j) == 3; }, [](size_t j) { return j; });
                const cl_uint by_case[] = {zeros * 3 + low, low, 0, threes};
                cl_uint staying = 0;
                for (int k = 0; k < leaves_at(i); ++k)
                  staying = staying * 3 + groups.ballot(at, [&](int j) { return leaves_at(j) > k; });
                auto stays = [&](int j) { return leaves_at(j) == 5; };
                switch (index % 4) {
                case 0: return by_case[choice(i)];
                case 1: return either(i) ? groups.ballot(at, either) : 0;
                case 2: return staying;
                default: return stays(i) ? groups.sum(at, stays, [](size_t) { return 1; }, at) : 0;
                }
              }));
    release();
  }
}

TEST_F(KernelRunner, GivenDivisionsAroundABranch_WhenItPartsTheSubGroup_ThenBothWaysKeepWhatTheyHaveInCommon) {
  constexpr size_t kItems = 21, kAt = 17;
  constexpr cl_uint kSeed = 2356346379, kChosen = 0x268e899c;
  static_assert(static_cast<cl_short>(kChosen) < 0);  // the first work-item takes it, the others do not
  std::vector<cl_uint> greatest(kAt + 1);
  build("found_by_fuzzing.cl", "divides_around_a_branch");
  cl_mem buffer = clCreateBuffer(context_, CL_MEM_COPY_HOST_PTR, greatest.size() * sizeof(cl_uint), greatest.data(), nullptr);
  set(1, buffer);
  set(2, kSeed);
  // Words of one number for each work-item.
  EXPECT_EQ(run({{3, 7, 1}, {3, 7, 1}}, 2 * kItems), expected(2 * kItems, [](size_t word) -> size_t {
              const size_t number = (word / 2 + 35) % kItems;
              size_t quotient = 1;
              for (int round = 0; round < 4; ++round) quotient = number / ((quotient & 15) | 1);
              return quotient >> (word % 2 * 32);
            }));
  EXPECT_EQ(
      clEnqueueReadBuffer(queue_, buffer, CL_TRUE, 0, greatest.size() * sizeof(cl_uint), greatest.data(), 0, nullptr, nullptr),
      CL_SUCCESS);
  EXPECT_EQ(greatest[kAt], kChosen);
  clReleaseMemObject(buffer);
}

size_t continued_together(size_t i, uint32_t n) {
  auto a = static_cast<uint32_t>(i);
  uint32_t sum = 0;
  if (n <= 18 && i % 2 == 1)
    for (uint32_t round = 0; round < n; ++round) sum += round, a *= 3;
  return sum + a;
}

TEST_F(KernelRunner, GivenAUniformContinue_WhenADivergentBranchFollows_ThenTheLoopEnds) {
  build("found_by_fuzzing.cl", "continues_together");
  for (const cl_uint n : {0u, 1u, 2u, 18u, 19u, 40u}) {
    set(1, n);
    EXPECT_EQ(run(kRange, 120), expected(120, [&](size_t i) { return continued_together(i, n); })) << n;
  }
}

size_t left_two_loops(size_t i, uint32_t n) {
  auto a = static_cast<uint32_t>(i);
  while (n > 0) {
    n = n > 18 ? 18 : n - 1;
    for (size_t round = 0; round < i % 4; ++round) a = a * 5 + n;
  }
  return a;
}

TEST_F(KernelRunner, GivenTwoUniformLoops_WhenLeftAtOnce_ThenTheOuterOneEnds) {
  build("found_by_fuzzing.cl", "leaves_two_loops_together");
  for (const cl_uint n : {0u, 1u, 2u, 18u, 19u, 40u}) {
    set(1, n);
    EXPECT_EQ(run(kRange, 120), expected(120, [&](size_t i) { return left_two_loops(i, n); })) << n;
  }
}

size_t entered_a_cycle(uint32_t i, uint32_t local_id, uint32_t n) {
  uint32_t a = local_id, b = i;
  for (uint32_t round = n <= 18 ? n : 0; round-- > 0;) {
    if ((i & round) == 0) continue;
    uint32_t passes = 0;
    for (bool second = local_id >= 31;; second = false) {
      if (!second) {
        b ^= local_id;
        if (++passes > 3) break;
      }
      a *= i;
      if (i <= 3 || ++passes >= 2) break;
    }
  }
  return a + b;
}

TEST_F(KernelRunner, GivenACycleWithTwoEntries_WhenWorkItemsTakeBoth_ThenItEnds) {
  build("found_by_fuzzing.cl", "enters_a_cycle_twice");
  for (const cl_uint n : {0u, 2u, 7u, 19u}) {
    set(1, n);
    EXPECT_EQ(run(kRange, 120), expected(120, [&](size_t i) { return entered_a_cycle(i, i % 40, n); })) << n;
  }
}

size_t joined_at_a_way_back(size_t i, uint32_t n) {
  uint32_t rounds = 0, returns = 0;
  for (uint32_t round = 0; round < 3; ++round) {
    bool inner = i > 1;
    if (!inner && n == 0) rounds = 0;
    do {
      if (inner) ++rounds;
      while (inner && rounds < n % 4) ++rounds;
      inner = i != 0 && returns++ < 2;
    } while (inner);
  }
  return rounds * 100 + returns;
}

TEST_F(KernelRunner, GivenWaysThatJoinAtAWayBack_WhenLanesTakeBoth_ThenEachKeepsItsValues) {
  build("found_by_fuzzing.cl", "joins_at_a_way_back");
  for (const cl_uint n : {0u, 1u, 3u, 27u}) {
    set(1, n);
    EXPECT_EQ(run(kRange, 120), expected(120, [&](size_t i) { return joined_at_a_way_back(i, n); })) << n;
  }
}

}  // namespace
}  // namespace upsweep::tests
