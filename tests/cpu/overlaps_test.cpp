// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Arrays of a call at random places of one memory. A call either refuses forbidden overlaps before it writes, or gives the
// same results as for separate arrays.
#include "check.h"

#include <upsweep/cpu/adjacent.h>
#include <upsweep/cpu/axis.h>
#include <upsweep/cpu/histogram.h>
#include <upsweep/cpu/merge.h>
#include <upsweep/cpu/partition.h>
#include <upsweep/cpu/recurrence.h>
#include <upsweep/cpu/reduce_by_key.h>
#include <upsweep/cpu/run_length.h>
#include <upsweep/cpu/segmented_reduce.h>
#include <upsweep/cpu/segmented_sort.h>
#include <upsweep/cpu/select.h>
#include <upsweep/cpu/select_of_rows.h>
#include <upsweep/cpu/sort.h>
#include <upsweep/cpu/summed_area.h>
#include <upsweep/cpu/three_way_partition.h>
#include <upsweep/cpu/top_k.h>

#include <cstdlib>
#include <functional>

namespace upsweep::cpu::test {

using Word = std::uint32_t;

// An array of a call, of n elements. Arrays of one group (not 0) may be the same. For an open output, whose length depends on
// values, calls only compare the first element's place.
struct Role {
  std::size_t n;
  bool is_written;
  int group;
  bool is_open = false;

  std::size_t compared() const { return is_open ? 1 : n; }
};
struct CallOfWords {
  const char *name;
  std::vector<Role> roles;
  std::function<void(const std::vector<Word *> &, thread_pool &)> call;
};

constexpr bool kIn = false, kOut = true;
bool is_odd(Word x) { return x % 2 != 0; }

// All calls on n words. The memory's words are 0 and 1, so that each can be an offset, a flag or a key.
std::vector<CallOfWords> calls(std::size_t n) {
  const Role in{n, kIn, 1}, out{n, kOut, 1}, apart{n, kIn, 0}, written{n, kOut, 0}, one{1, kOut, 0};
  const Role values_in{n, kIn, 2}, values_out{n, kOut, 2};
  const Role some{n, kOut, 1, true}, some_values{n, kOut, 2, true}, some_apart{n, kOut, 0, true};
  using Arrays = const std::vector<Word *> &;
  return {
      {"inclusive_sum", {in, out}, [=](Arrays a, thread_pool &p) { inclusive_sum(a[0], a[1], n, p); }},
      {"total_to", {in, out, one}, [=](Arrays a, thread_pool &p) { inclusive_sum(a[0], a[1], n, p, total_to(a[2])); }},
      {"backward", {in, out}, [=](Arrays a, thread_pool &p) { inclusive_sum(a[0], a[1], n, p, backward); }},
      {"scan_by_key",
       {apart, in, out},
       [=](Arrays a, thread_pool &p) { inclusive_scan_by_key(a[0], a[1], a[2], n, plus{}, p); }},
      {"scan_by_flag",
       {apart, in, out},
       [=](Arrays a, thread_pool &p) { exclusive_scan_by_flag(a[0], a[1], a[2], n, plus{}, Word(0), p); }},
      {"scan_of_segments",
       {in, out, {9, kIn, 0}},
       [=](Arrays a, thread_pool &p) { inclusive_scan_of_segments(a[0], a[1], n, a[2], 9, plus{}, p); }},
      {"scan_of_rows", {in, out}, [=](Arrays a, thread_pool &p) { inclusive_scan_of_rows(a[0], a[1], n, 7, plus{}, p); }},
      {"scan_of_axis",
       {{n / 2 * 2, kIn, 1}, {n / 2 * 2, kOut, 1}},
       [=](Arrays a, thread_pool &p) { inclusive_sum_of_axis(a[0], a[1], axis{1, n / 2, 2}, p); }},
      {"select_if", {in, some, one}, [=](Arrays a, thread_pool &p) { select_if(a[0], a[1], a[2], n, is_odd, p); }},
      {"unique_by_key",
       {in, values_in, some, some_values, one},
       [=](Arrays a, thread_pool &p) { unique_by_key(a[0], a[1], a[2], a[3], a[4], n, p); }},
      {"partition_if", {apart, written, one}, [=](Arrays a, thread_pool &p) { partition_if(a[0], a[1], a[2], n, is_odd, p); }},
      {"stable_partition_by_flag",
       {apart, apart, some_apart, some_apart, one},
       [=](Arrays a, thread_pool &p) { stable_partition_by_flag(a[0], a[1], a[2], a[3], a[4], n, p); }},
      {"in_three",
       {apart, some_apart, some_apart, some_apart, {2, kOut, 0}},
       [=](Arrays a, thread_pool &p) {
         stable_partition_in_three(a[0], a[1], a[2], a[3], a[4], n, is_odd, [](Word x) { return x == 0; }, p);
       }},
      {"select_of_rows",
       {{n / 5 * 5, kIn, 1}, {n / 5 * 5, kOut, 1}, {5, kOut, 0}},
       [=](Arrays a, thread_pool &p) { select_if_of_rows(a[0], a[1], a[2], 5, n / 5, is_odd, p); }},
      {"run_length_encode",
       {in, some, some_apart, one},
       [=](Arrays a, thread_pool &p) { run_length_encode(a[0], a[1], a[2], a[3], n, p); }},
      {"reduce_by_key",
       {apart, apart, some_apart, some_apart, one},
       [=](Arrays a, thread_pool &p) { reduce_by_key(a[0], a[1], a[2], a[3], a[4], n, plus{}, p); }},
      {"sort_keys", {in, out}, [=](Arrays a, thread_pool &p) { sort_keys(a[0], a[1], n, p); }},
      {"sort_pairs",
       {in, out, values_in, values_out},
       [=](Arrays a, thread_pool &p) { sort_pairs(a[0], a[1], a[2], a[3], n, p); }},
      {"arg_sort", {in, out, written}, [=](Arrays a, thread_pool &p) { arg_sort(a[0], a[1], a[2], n, p); }},
      {"merge_sort", {in, out}, [=](Arrays a, thread_pool &p) { merge_sort(a[0], a[1], n, p); }},
      {"merge_sort_pairs",
       {in, out, values_in, values_out},
       [=](Arrays a, thread_pool &p) { merge_sort_pairs(a[0], a[1], a[2], a[3], n, p); }},
      {"merge", {apart, apart, {2 * n, kOut, 0}}, [=](Arrays a, thread_pool &p) { merge(a[0], a[1], a[2], n, n, p); }},
      {"merge_pairs",
       {apart, apart, apart, apart, {2 * n, kOut, 0}, {2 * n, kOut, 0}},
       [=](Arrays a, thread_pool &p) { merge_pairs(a[0], a[1], a[2], a[3], a[4], a[5], n, n, p); }},
      {"arg_sort_of_rows",
       {{n / 5 * 5, kIn, 1}, {n / 5 * 5, kOut, 1}, {n / 5 * 5, kOut, 0}},
       [=](Arrays a, thread_pool &p) { arg_sort_of_rows(a[0], a[1], a[2], 5, n / 5, p); }},
      {"top_k_pairs",
       {apart, {n / 3, kOut, 0}, apart, {n / 3, kOut, 0}},
       [=](Arrays a, thread_pool &p) { top_k_pairs(a[0], a[1], a[2], a[3], n, n / 3, p); }},
      {"arg_nth_element", {apart, one, one}, [=](Arrays a, thread_pool &p) { arg_nth_element(a[0], a[1], a[2], n, n / 2, p); }},
      {"adjacent_difference", {apart, written}, [=](Arrays a, thread_pool &p) { adjacent_difference(a[0], a[1], n, p); }},
      {"histogram",
       {apart, {2, kOut, 0}, apart},
       [=](Arrays a, thread_pool &p) { histogram(a[0], a[1], 2, n, p, weights(static_cast<const Word *>(a[2]))); }},
      {"linear_recurrence", {in, in, out}, [=](Arrays a, thread_pool &p) { linear_recurrence(a[0], a[1], a[2], n, p); }},
      {"sum_of_rows",
       {{n / 5 * 5, kIn, 0}, {5, kOut, 0}},
       [=](Arrays a, thread_pool &p) { sum_of_rows(a[0], a[1], 5, n / 5, p); }},
      {"arg_max_of_axis",
       {{n / 2 * 2, kIn, 0}, {8, kOut, 0}},  // two results of four words
       [=](Arrays a, thread_pool &p) { arg_max_of_axis(a[0], reinterpret_cast<indexed<Word> *>(a[1]), axis{1, n / 2, 2}, p); }},
      {"summed_area_table",
       {{n / 5 * 5, kIn, 1}, {n / 5 * 5, kOut, 1}},
       [=](Arrays a, thread_pool &p) { summed_area_table(a[0], a[1], image_shape{5, n / 5}, p); }},
  };
}

bool may_be_together(const CallOfWords &call, const std::vector<std::size_t> &places, bool is_of_compared) {
  for (std::size_t a = 0; a < places.size(); ++a) {
    for (std::size_t b = a + 1; b < places.size(); ++b) {
      const Role &x = call.roles[a], &y = call.roles[b];
      const std::size_t x_size = is_of_compared ? x.compared() : x.n, y_size = is_of_compared ? y.compared() : y.n;
      const bool overlap = places[a] < places[b] + y_size && places[b] < places[a] + x_size;
      const bool are_same = x.group != 0 && x.group == y.group && places[a] == places[b];
      if ((x.is_written || y.is_written) && overlap && !are_same) {
        return false;
      }
    }
  }
  return true;
}

TEST(CpuOverlaps, GivenArraysAtAnyPlaces_WhenCalled_ThenRefusedOrAsThoseApart) {
  const char *seed = std::getenv("UPSWEEP_TEST_SEED");
  std::mt19937_64 random(seed != nullptr ? std::strtoull(seed, nullptr, 10) : 1);
  thread_pool pool(4);
  int refused = 0, done = 0;
  for (int round = 0; round < 150; ++round) {
    const std::size_t n = round % 5 == 0 ? 40000 + random() % 30000 : 40 + random() % 400;
    for (const CallOfWords &call : calls(n)) {
      SCOPED_TRACE(testing::Message() << call.name << ", " << n << " elements, round " << round);
      // Arrays next to each other, some at the place of another array or a few words from it.
      std::vector<std::size_t> places;
      std::size_t end = 0;
      for (const Role &role : call.roles) {
        const unsigned kind = random() % 8;
        std::size_t place = end;
        if (!places.empty() && kind < 3) {
          const std::size_t other = random() % places.size();
          place = places[other] + (kind == 0 ? 0 : kind == 1 ? random() % 4 * 2 : random() % call.roles[other].n / 2 * 2);
        }
        places.push_back(place);
        end = std::max(end, (place + role.n + 3) / 2 * 2);
      }
      std::vector<Word> memory(end + 8), before;
      for (Word &x : memory) {
        x = random() % 2;
      }
      before = memory;
      std::vector<std::vector<Word>> apart(places.size());
      std::vector<Word *> together, alone;
      for (std::size_t a = 0; a < places.size(); ++a) {
        const auto from = memory.begin() + static_cast<std::ptrdiff_t>(places[a]);
        apart[a].assign(from, from + static_cast<std::ptrdiff_t>(call.roles[a].n));
        together.push_back(memory.data() + places[a]);
      }
      for (std::vector<Word> &array : apart) {
        alone.push_back(array.data());
      }
      if (!may_be_together(call, places, true)) {
        EXPECT_THROW(call.call(together, pool), std::invalid_argument);
        ASSERT_EQ(memory, before) << "written before the exception";
        ++refused;
        continue;
      }
      if (!may_be_together(call, places, false)) {
        continue;  // the results depend on the number of elements written
      }
      call.call(alone, pool);
      call.call(together, pool);
      for (std::size_t a = 0; a < places.size(); ++a) {
        if (call.roles[a].is_written) {
          ASSERT_TRUE(std::equal(apart[a].begin(), apart[a].end(), together[a])) << "array " << a;
        }
      }
      ++done;
    }
  }
  EXPECT_TRUE(refused > 500 && done > 500);
}

// The final state replaces the initial state, as in a filter that processes a stream in blocks.
TEST(CpuOverlaps, GivenInitialAndLastStateInOnePlace_WhenComputed_ThenAsApart) {
  thread_pool pool(4);
  for (const std::size_t n : {std::size_t(0), std::size_t(5), std::size_t(200000)}) {
    const std::vector<Word> a = random_elements<Word>(n, 1), b = random_elements<Word>(n, 2);
    std::vector<Word> x(n);
    Word state = 7, expected = 7;
    for (std::size_t i = 0; i < n; ++i) {
      expected = a[i] * expected + b[i];
    }
    linear_recurrence(a.data(), b.data(), x.data(), n, states<Word>(&state, &state), pool);
    EXPECT_EQ(state, expected) << n;
    EXPECT_TRUE(n == 0 || x.back() == expected);
  }
}
TEST(CpuOverlaps, GivenStatesOfAnAxisInOnePlace_WhenComputed_ThenAsApart) {
  thread_pool pool(4);
  for (const axis &of : {axis{3, 11, 5}, axis{3, 200000, 1}, axis{2, 9, 3000}}) {
    const std::size_t n = of.batches * of.length * of.inner, count = of.batches * of.inner;
    const std::vector<Word> a = random_elements<Word>(n, 3), b = random_elements<Word>(n, 4);
    std::vector<Word> x(n), ends = random_elements<Word>(count, 5), expected = ends;
    for (std::size_t i = 0; i < n; ++i) {
      Word &state = expected[i / (of.length * of.inner) * of.inner + i % of.inner];
      state = a[i] * state + b[i];
    }
    linear_recurrence_of_axis(a.data(), b.data(), x.data(), of, states<Word>(ends.data(), ends.data()), pool);
    EXPECT_EQ(ends, expected);
    EXPECT_THROW(linear_recurrence_of_axis(a.data(), b.data(), x.data(), axis{1, 2, 2},
                                           states<Word>(ends.data(), ends.data() + 1), pool),
                 std::invalid_argument);
  }
}

// Outputs next to each other, each with room for its own elements, and their numbers behind them.
struct Parts {
  std::vector<std::vector<Word>> parts;
  std::vector<Word> numbers;
};

template <class Call>
void expect_exact_room(const char *name, const Parts &expected, const Call &call) {
  SCOPED_TRACE(name);
  std::vector<Word> wanted;
  std::vector<std::size_t> begins;
  for (const std::vector<Word> &part : expected.parts) {
    ASSERT_FALSE(part.empty());
    begins.push_back(wanted.size());
    wanted.insert(wanted.end(), part.begin(), part.end());
  }
  begins.push_back(wanted.size());
  wanted.insert(wanted.end(), expected.numbers.begin(), expected.numbers.end());
  wanted.insert(wanted.end(), 8, 77);  // nothing is written here
  std::vector<Word> memory(wanted.size(), 77);
  std::vector<Word *> places;
  for (const std::size_t begin : begins) {
    places.push_back(memory.data() + begin);
  }
  ASSERT_NO_THROW(call(places));
  EXPECT_EQ(memory, wanted);
}

Parts parts_of(std::vector<std::vector<Word>> parts, std::size_t numbers) {
  Parts made{std::move(parts), {}};
  for (std::size_t i = 0; i < numbers; ++i) {
    made.numbers.push_back(static_cast<Word>(made.parts[i].size()));
  }
  return made;
}

void expect_exact_rooms(const std::vector<Word> &x, const std::vector<Word> &flags, thread_pool &pool) {
  using Places = const std::vector<Word *> &;
  const std::size_t n = x.size();
  const Word *in = x.data();
  std::vector<Word> odd, even, marked, unmarked, one, other, heads, lengths, totals;
  for (std::size_t i = 0; i < n; ++i) {
    (is_odd(x[i]) ? odd : even).push_back(x[i]);
    (flags[i] != 0 ? marked : unmarked).push_back(x[i]);
    if (!is_odd(x[i])) {
      (x[i] == 0 ? one : other).push_back(x[i]);
    }
    if (i == 0 || x[i] != x[i - 1]) {
      heads.push_back(x[i]);
      lengths.push_back(0);
      totals.push_back(0);
    }
    ++lengths.back();
    totals.back() += flags[i];
  }
  expect_exact_room("select_if", parts_of({odd}, 1), [&](Places p) { select_if(in, p[0], p[1], n, is_odd, pool); });
  expect_exact_room("select_by_flag", parts_of({marked}, 1),
                    [&](Places p) { select_by_flag(in, flags.data(), p[0], p[1], n, pool); });
  expect_exact_room("unique", parts_of({heads}, 1), [&](Places p) { unique(in, p[0], p[1], n, pool); });
  expect_exact_room("unique_by_key", parts_of({heads, heads}, 1),
                    [&](Places p) { unique_by_key(in, in, p[0], p[1], p[2], n, pool); });
  expect_exact_room("run_length_encode", parts_of({heads, lengths}, 1),
                    [&](Places p) { run_length_encode(in, p[0], p[1], p[2], n, pool); });
  expect_exact_room("reduce_by_key", parts_of({heads, totals}, 1),
                    [&](Places p) { reduce_by_key(in, flags.data(), p[0], p[1], p[2], n, plus{}, pool); });
  expect_exact_room("stable_partition_if", parts_of({odd, even}, 1),
                    [&](Places p) { stable_partition_if(in, p[0], p[1], p[2], n, is_odd, pool); });
  expect_exact_room("stable_partition_by_flag", parts_of({marked, unmarked}, 1),
                    [&](Places p) { stable_partition_by_flag(in, flags.data(), p[0], p[1], p[2], n, pool); });
  expect_exact_room("stable_partition_in_three", parts_of({odd, one, other}, 2), [&](Places p) {
    stable_partition_in_three(in, p[0], p[1], p[2], p[3], n, is_odd, [](Word value) { return value == 0; }, pool);
  });
}

TEST(CpuOverlaps, GivenOutputsWithRoomForTheirElementsAlone_WhenCalled_ThenAcceptedAndNothingBehind) {
  std::mt19937_64 random(2);
  thread_pool pool(4);
  for (const std::size_t n : {40, 1000, 5000, 70000, 300000, 9 << 20}) {  // the last one bypasses the caches
    for (const unsigned rare : n < 1000000 ? std::vector<unsigned>{2, 50} : std::vector<unsigned>{50}) {
      std::vector<Word> x(n), flags(n);
      for (std::size_t i = 0; i < n; ++i) {
        x[i] = random() % rare == 0 ? static_cast<Word>(random() % 4) : 2;
        flags[i] = random() % rare == 0;
      }
      x[0] = 0, x[1] = 1, x[2] = 2, flags[0] = 0, flags[1] = 1;  // of each kind
      SCOPED_TRACE(testing::Message() << n << " elements, one of " << rare);
      expect_exact_rooms(x, flags, pool);
    }
  }
}

}  // namespace upsweep::cpu::test
