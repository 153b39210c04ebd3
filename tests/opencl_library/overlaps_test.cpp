// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Arrays of a call at random places of one buffer. A call refuses arrays that must not overlap before it writes. The results
// of a call that is not refused equal the results for separate arrays.
#include "check.h"

#include <upsweep/opencl/adjacent.h>
#include <upsweep/opencl/axis.h>
#include <upsweep/opencl/find.h>
#include <upsweep/opencl/histogram.h>
#include <upsweep/opencl/merge.h>
#include <upsweep/opencl/partition.h>
#include <upsweep/opencl/recurrence.h>
#include <upsweep/opencl/reduce.h>
#include <upsweep/opencl/reduce_by_key.h>
#include <upsweep/opencl/run_length_decode.h>
#include <upsweep/opencl/scan.h>
#include <upsweep/opencl/segmented_reduce.h>
#include <upsweep/opencl/segmented_sort.h>
#include <upsweep/opencl/segments.h>
#include <upsweep/opencl/select.h>
#include <upsweep/opencl/select_of_rows.h>
#include <upsweep/opencl/sort.h>
#include <upsweep/opencl/summed_area.h>
#include <upsweep/opencl/three_way_partition.h>
#include <upsweep/opencl/top_k.h>
#include <upsweep/opencl/top_k_of_rows.h>

#include <functional>

namespace upsweep::opencl::test {

class OpenclOverlaps : public OpenclLibrary {};

using Word = std::uint32_t;
using Arrays = const std::vector<array> &;

// Marks that are the first array belong to its group.
constexpr int kAsTheFirst = -1;

// An array of a call, of n elements. Arrays of one group (not 0) may be the same. `compared` elements are known to be written.
struct Role {
  std::size_t n;
  bool is_written = false;
  int group = 0;
  std::size_t compared = n;
};
struct CallOfWords {
  const char *name;
  std::vector<Role> roles;
  std::function<cl_int(Arrays, cl_command_queue)> call;
};

// All calls on n words. The buffer's words are 0 and 1, so that each can be an offset, a flag or a key.
std::vector<CallOfWords> calls(std::size_t n) {
  const Role in{n, false, 1}, out{n, true, 1}, apart{n}, written{n, true}, one{1, true}, number{1};
  const Role values_in{n, false, 2}, values_out{n, true, 2}, marks{n, false, kAsTheFirst};
  const function is_odd("is_odd", "bool is_odd(uint x) { return (x & 1) != 0; }"),
      is_zero("is_zero", "bool is_zero(uint x) { return x == 0; }");
  using Queue = cl_command_queue;
  return {
      {"inclusive_sum", {in, out}, [=](Arrays a, Queue q) { return inclusive_sum(a[0], a[1], n, q); }},
      {"total_to", {in, out, one}, [=](Arrays a, Queue q) { return inclusive_sum(a[0], a[1], n, q, total_to(a[2])); }},
      {"initial_at",
       {{1, false, 1}, {1, true, 1}, {1, false, 2}, {1, true, 2}, number},
       [=](Arrays a, Queue q) {
         return exclusive_scan(a[0], a[1], count_at(a[4], 1), plus{}, initial_at(a[2]), q, total_to(a[3]));
       }},
      {"scan_by_key",
       {apart, in, out},
       [=](Arrays a, Queue q) { return inclusive_scan_by_key(a[0], a[1], a[2], n, plus{}, q); }},
      {"exclusive_scan_by_flag",
       {apart, in, out, number},
       [=](Arrays a, Queue q) { return exclusive_scan_by_flag(a[0], a[1], a[2], n, plus{}, initial_at(a[3]), q); }},
      {"scan_of_rows", {in, out}, [=](Arrays a, Queue q) { return inclusive_scan_of_rows(a[0], a[1], n, 7, plus{}, q); }},
      {"scan_of_axis",
       {{n / 2 * 2, false, 1}, {n / 2 * 2, true, 1}},
       [=](Arrays a, Queue q) { return inclusive_sum_of_axis(a[0], a[1], axis{1, n / 2, 2}, q); }},
      {"select_if", {in, out, one}, [=](Arrays a, Queue q) { return select_if(a[0], a[1], a[2], n, is_odd, q); }},
      {"select_by_flag",
       {in, marks, out, one},
       [=](Arrays a, Queue q) { return select_by_flag(a[0], a[1], a[2], a[3], n, q); }},
      {"select_by_stencil of a number",
       {{1, false, 1}, {1, false, kAsTheFirst}, {1, true, 1}, one, number},
       [=](Arrays a, Queue q) { return select_by_stencil(a[0], a[1], a[2], a[3], count_at(a[4], 1), is_odd, q); }},
      {"partition_by_flag",
       {apart, apart, written, one},
       [=](Arrays a, Queue q) { return partition_by_flag(a[0], a[1], a[2], a[3], n, q); }},
      {"stable_partition_by_flag",
       {apart, apart, written, written, one},
       [=](Arrays a, Queue q) { return stable_partition_by_flag(a[0], a[1], a[2], a[3], a[4], n, q); }},
      {"in_three",
       {apart, written, written, written, {2, true}},
       [=](Arrays a, Queue q) { return stable_partition_in_three(a[0], a[1], a[2], a[3], a[4], n, is_odd, is_zero, q); }},
      {"select_of_rows",
       {{n / 5 * 5, false, 1}, {n / 5 * 5, false, kAsTheFirst}, {n / 5 * 5, true, 1}, {5, true}},
       [=](Arrays a, Queue q) { return select_by_flag_of_rows(a[0], a[1], a[2], a[3], 5, n / 5, q); }},
      {"reduce_by_key",
       {values_in, apart, values_out, written, one},
       [=](Arrays a, Queue q) { return reduce_by_key(a[0], a[1], a[2], a[3], a[4], n, plus{}, q); }},
      {"repeat", {{9}, {10}, {9, true, 0, 1}}, [=](Arrays a, Queue q) { return repeat(a[0], a[1], 9, a[2], q); }},
      {"run_length_decode",
       {{9}, {9}, {9, true, 0, 1}, one},
       [=](Arrays a, Queue q) { return run_length_decode(a[0], a[1], 9, a[2], a[3], q); }},
      {"sort_keys", {in, out}, [=](Arrays a, Queue q) { return sort_keys(a[0], a[1], n, q); }},
      {"sort_pairs",
       {in, out, values_in, values_out},
       [=](Arrays a, Queue q) { return sort_pairs(a[0], a[1], a[2], a[3], n, q); }},
      {"arg_sort", {in, out, written}, [=](Arrays a, Queue q) { return arg_sort(a[0], a[1], a[2], n, q); }},
      {"merge_sort", {in, out}, [=](Arrays a, Queue q) { return merge_sort(a[0], a[1], n, q); }},
      {"merge_sort_pairs",
       {in, out, values_in, values_out},
       [=](Arrays a, Queue q) { return merge_sort_pairs(a[0], a[1], a[2], a[3], n, q); }},
      {"merge", {apart, apart, {2 * n, true}}, [=](Arrays a, Queue q) { return merge(a[0], a[1], a[2], n, n, q); }},
      {"merge_pairs",
       {apart, apart, apart, apart, {2 * n, true}, {2 * n, true}},
       [=](Arrays a, Queue q) { return merge_pairs(a[0], a[1], a[2], a[3], a[4], a[5], n, n, q); }},
      {"sort_pairs_of_segments",
       {in, out, values_in, values_out, {2}},
       [=](Arrays a, Queue q) { return sort_pairs_of_segments(a[0], a[1], a[2], a[3], n, a[4], 1, q); }},
      {"arg_sort_of_rows",
       {{n / 5 * 5, false, 1}, {n / 5 * 5, true, 1}, {n / 5 * 5, true}},
       [=](Arrays a, Queue q) { return arg_sort_of_rows(a[0], a[1], a[2], 5, n / 5, q); }},
      {"top_k_pairs",
       {apart, {n / 3, true}, apart, {n / 3, true}},
       [=](Arrays a, Queue q) { return top_k_pairs(a[0], a[1], a[2], a[3], n, n / 3, q); }},
      {"arg_nth_element", {apart, one, one}, [=](Arrays a, Queue q) { return arg_nth_element(a[0], a[1], a[2], n, n / 2, q); }},
      {"adjacent_difference", {apart, written}, [=](Arrays a, Queue q) { return adjacent_difference(a[0], a[1], n, q); }},
      {"find_if", {number, one, number}, [=](Arrays a, Queue q) { return find_if(a[0], a[1], count_at(a[2], 1), is_odd, q); }},
      {"histogram",
       {apart, {2, true}, apart},
       [=](Arrays a, Queue q) { return histogram_even(a[0], a[1], n, 2, 0U, 2U, q, weights(a[2])); }},
      {"linear_recurrence", {in, in, out}, [=](Arrays a, Queue q) { return linear_recurrence(a[0], a[1], a[2], n, q); }},
      {"sum_of_rows", {{n / 5 * 5}, {5, true}}, [=](Arrays a, Queue q) { return sum_of_rows(a[0], a[1], 5, n / 5, q); }},
      {"reduce_of_axis",
       {{n / 2 * 2}, {2, true}, number},
       [=](Arrays a, Queue q) { return reduce_of_axis(a[0], a[1], axis{1, n / 2, 2}, plus{}, initial_at(a[2]), q); }},
      {"summed_area_table",
       {{n / 5 * 5, false, 1}, {n / 5 * 5, true, 1}},
       [=](Arrays a, Queue q) { return summed_area_table(a[0], a[1], image_shape{5, n / 5}, q); }},
  };
}

int group_of(const CallOfWords &call, const std::vector<std::size_t> &places, std::size_t a) {
  if (call.roles[a].group != kAsTheFirst) return call.roles[a].group;
  return places[a] == places[0] ? call.roles[0].group : 0;
}

bool may_be_together(const CallOfWords &call, const std::vector<std::size_t> &places, bool is_of_compared) {
  for (std::size_t a = 0; a < places.size(); ++a) {
    for (std::size_t b = a + 1; b < places.size(); ++b) {
      const Role &x = call.roles[a], &y = call.roles[b];
      const std::size_t x_size = is_of_compared ? x.compared : x.n, y_size = is_of_compared ? y.compared : y.n;
      const bool overlap = places[a] < places[b] + y_size && places[b] < places[a] + x_size;
      const int group = group_of(call, places, a);
      const bool are_same = group != 0 && group == group_of(call, places, b) && places[a] == places[b];
      if ((x.is_written || y.is_written) && overlap && !are_same) return false;
    }
  }
  return true;
}

// Side by side, with some at the place of another one or a few words from it.
std::vector<std::size_t> random_places(const CallOfWords &call, std::mt19937_64 &random) {
  std::vector<std::size_t> places;
  std::size_t end = 0;
  for (const Role &role : call.roles) {
    const unsigned kind = random() % 8;
    std::size_t place = end;
    if (!places.empty() && kind < 3) {
      const std::size_t other = random() % places.size();
      place = places[other] + (kind == 0 ? 0 : kind == 1 ? random() % 8 : random() % call.roles[other].n);
    }
    places.push_back(place);
    end = std::max(end, place + role.n);
  }
  return places;
}

TEST_F(OpenclOverlaps, GivenArraysAtAnyPlaces_WhenCalled_ThenRefusedOrAsThoseApart) {
  std::mt19937_64 random(test_seed());
  int refused = 0, done = 0;
  for (int round = 0; round < 40; ++round) {
    const std::size_t n = round % 10 == 0 ? 30000 + random() % 30000 : 40 + random() % 400;
    for (const CallOfWords &call : calls(n)) {
      SCOPED_TRACE(testing::Message() << call.name << ", " << n << " elements, round " << round);
      const auto places = random_places(call, random);
      std::size_t end = 0;
      for (std::size_t a = 0; a < places.size(); ++a) end = std::max(end, places[a] + call.roles[a].n);
      std::vector<Word> words(end);
      for (Word &x : words) x = static_cast<Word>(random() % 2);
      Guarded<Word> memory(words);
      std::vector<std::unique_ptr<Guarded<Word>>> apart;
      std::vector<array> together, alone;
      for (std::size_t a = 0; a < places.size(); ++a) {
        const auto from = words.begin() + static_cast<std::ptrdiff_t>(places[a]);
        apart.push_back(
            std::make_unique<Guarded<Word>>(std::vector<Word>(from, from + static_cast<std::ptrdiff_t>(call.roles[a].n))));
        together.push_back(buffer<Word>(memory.memory(), places[a]));
        alone.push_back(apart.back()->view());
      }
      if (!may_be_together(call, places, true)) {
        ASSERT_EQ(call.call(together, queue_), CL_MEM_COPY_OVERLAP);
        ASSERT_EQ(memory.read(end), words) << "written before the error";
        ++refused;
        continue;
      }
      if (!may_be_together(call, places, false)) continue;  // the results depend on the number of elements written
      EXPECT_CL(call.call(alone, queue_));
      EXPECT_CL(call.call(together, queue_));
      const auto got = memory.read(end);
      for (std::size_t a = 0; a < places.size(); ++a) {
        if (!call.roles[a].is_written) continue;
        const auto wanted = apart[a]->read(call.roles[a].n);
        ASSERT_TRUE(std::equal(wanted.begin(), wanted.end(), got.begin() + static_cast<std::ptrdiff_t>(places[a])))
            << "array " << a;
      }
      ++done;
    }
  }
  EXPECT_GT(refused, 200);
  EXPECT_GT(done, 400);
}

// A selection in place reads the flags, stencil or keys after other work-groups have written over the input.
TEST_F(OpenclOverlaps, GivenMarksThatAreTheInput_WhenSelectedInPlace_ThenAsThoseApart) {
  std::mt19937_64 random(test_seed());
  const function is_odd("is_odd", "bool is_odd(uint x) { return (x & 1) != 0; }");
  for (const std::size_t n : {100, 40000, 1 << 20}) {
    std::vector<Word> words(n), odd, others;
    for (Word &x : words) {
      x = static_cast<Word>(random() % 5);
      if (x % 2 != 0) odd.push_back(x);
      if (x != 0) others.push_back(x);
    }
    Guarded<Word> stencil(words), flags(words), rows(words), number(1);
    EXPECT_CL(select_by_stencil(stencil.view(), stencil.view(), stencil.view(), number.view(), n, is_odd, queue_));
    ASSERT_EQ(number.read(1)[0], odd.size());
    const auto of_stencil = stencil.read(n);
    ASSERT_TRUE(std::equal(odd.begin(), odd.end(), of_stencil.begin()));
    EXPECT_CL(select_by_flag(flags.view(), flags.view(), flags.view(), number.view(), n, queue_));
    ASSERT_EQ(number.read(1)[0], others.size());
    EXPECT_CL(select_by_flag_of_rows(rows.view(), rows.view(), rows.view(), number.view(), 1, n, queue_));
    ASSERT_EQ(number.read(1)[0], others.size());
    const auto of_flags = flags.read(n), of_rows = rows.read(n);
    ASSERT_TRUE(std::equal(others.begin(), others.end(), of_flags.begin()));
    ASSERT_TRUE(std::equal(others.begin(), others.end(), of_rows.begin()));
  }
}

}  // namespace upsweep::opencl::test
