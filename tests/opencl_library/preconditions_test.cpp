// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Calls with broken preconditions, totals of every pair of types, NaNs, and wait lists that fail.
#include "check.h"

#include <upsweep/opencl/compensated.h>
#include <upsweep/opencl/merge.h>
#include <upsweep/opencl/reduce.h>
#include <upsweep/opencl/run_length_decode.h>
#include <upsweep/opencl/segmented_reduce.h>
#include <upsweep/opencl/segments.h>
#include <upsweep/opencl/sort.h>

#include <cmath>
#include <limits>

namespace upsweep::opencl::test {

class OpenclPreconditions : public OpenclLibrary {};

// A single work-item as on a CPU, and work-groups as on a GPU.
std::vector<plan> shapes() {
  plan groups;
  groups.group = 64;
  groups.items = 4;
  return {plan{}, groups};
}

TEST_F(OpenclPreconditions, GivenRangesThatAreNotSorted_WhenMerged_ThenElementsOfThem) {
  std::mt19937_64 random(test_seed());
  for (int round = 0; round < 20; ++round) {
    const std::size_t a_count = random() % 30000, b_count = random() % 30000;
    auto a = random_elements<std::uint32_t>(a_count, random()), b = random_elements<std::uint32_t>(b_count, random());
    for (auto *range : {&a, &b}) {
      for (auto &x : *range) x %= 1000;  // poison is more
      if (random() % 2 == 0) std::sort(range->begin(), range->end(), std::greater<>());
    }
    Guarded<std::uint32_t> of_a(a, 3), of_b(b);
    for (const plan &how : shapes()) {
      Guarded<std::uint32_t> out(a_count + b_count, 5);
      EXPECT_CL(merge(of_a.view(), of_b.view(), out.view(), a_count, b_count, queue_, how));
      const auto merged = out.read();
      ASSERT_TRUE(std::all_of(merged.begin(), merged.end(), [](std::uint32_t x) { return x < 1000; }));
    }
  }
}

TEST_F(OpenclPreconditions, GivenFloatsThatSortKeysSorted_WhenMerged_ThenTheBitsOfOneSort) {
  std::mt19937_64 random(test_seed());
  for (int round = 0; round < 10; ++round) {
    const std::size_t a_count = random() % 20000, b_count = random() % 20000, n = a_count + b_count;
    std::vector<float> all(n);
    const float nan = std::numeric_limits<float>::quiet_NaN();
    for (float &x : all) {
      const unsigned kind = random() % 6;
      x = kind == 0 ? nan : kind == 1 ? -0.0F : kind == 2 ? 0.0F : kind == 3 ? -nan : static_cast<float>(random() % 100) - 50;
    }
    Guarded<float> keys(all), sorted(n), out(n);
    const array a = keys.view(), b = buffer<float>(keys.memory(), a_count);
    EXPECT_CL(sort_keys(keys.view(), sorted.view(), n, queue_));
    EXPECT_CL(sort_keys(a, a, a_count, queue_));
    EXPECT_CL(sort_keys(b, b, b_count, queue_));
    for (const plan &how : shapes()) {
      EXPECT_CL(merge(a, b, out.view(), a_count, b_count, queue_, how));
      const auto got = out.read(), wanted = sorted.read();
      ASSERT_TRUE(n == 0 || std::memcmp(got.data(), wanted.data(), n * sizeof(float)) == 0);
    }
  }
}

TEST_F(OpenclPreconditions, GivenOffsetsThatFall_WhenReducedScannedAndRepeated_ThenWithinTheArrays) {
  std::mt19937_64 random(test_seed());
  for (int round = 0; round < 20; ++round) {
    const std::size_t n = 1 + random() % 40000, segments = 1 + random() % 2000;
    std::vector<std::int64_t> offsets(segments + 1);
    for (auto &x : offsets) x = static_cast<std::int64_t>(random() % (2 * n)) - static_cast<std::int64_t>(n / 2);
    offsets[std::min(n, segments)] = static_cast<std::int64_t>(n);  // number of repeated elements
    Guarded<std::uint32_t> in(std::vector<std::uint32_t>(n, 1), 1);
    Guarded<std::int64_t> at(offsets);
    for (const plan &how : shapes()) {
      Guarded<std::uint32_t> totals(segments, 2), scanned(n), repeated(n, 1);
      EXPECT_CL(sum_of_segments(in.view(), totals.view(), at.view(), segments, queue_, how));
      EXPECT_CL(reduce_of_segments(in.view(), totals.view(), at.view(), segments,
                                   operation("last", "uint last(uint a, uint b) { return b; }"), 0U, queue_, how));
      totals.read();
      EXPECT_CL(inclusive_scan_of_segments(in.view(), scanned.view(), n, at.view(), segments, plus{}, queue_, how));
      for (const std::uint32_t x : scanned.read()) ASSERT_LE(x, n);
      EXPECT_CL(repeat(in.view(), at.view(), std::min(n, segments), repeated.view(), queue_, how));
      repeated.read();
    }
    std::vector<std::int32_t> lengths(std::min(n, segments));
    for (auto &x : lengths) x = static_cast<std::int32_t>(random() % 9) - 4;
    std::uint64_t wanted = 0;
    for (const std::int32_t x : lengths) wanted += x > 0 ? static_cast<std::uint64_t>(x) : 0;
    Guarded<std::int32_t> runs(lengths);
    Guarded<std::uint32_t> out(4 * lengths.size() + 1);
    Guarded<std::uint64_t> total(1);
    EXPECT_CL(run_length_decode(in.view(), runs.view(), lengths.size(), out.view(), total.view(), queue_));
    ASSERT_EQ(total.read()[0], wanted);
    for (const std::uint32_t x : out.read(wanted)) ASSERT_EQ(x, 1U);
  }
}

// The sum of integers: wrapped to the wider of both integer types, or exact.
template <class In, class Out>
void check_sums(cl_command_queue queue) {
  SCOPED_TRACE(testing::Message() << sizeof(In) << " to " << sizeof(Out) << " bytes");
  const std::size_t n = 3000;
  // The largest numbers of the type, so that a narrower total wraps.
  const In most = std::is_floating_point_v<Out>
                      ? static_cast<In>(std::min<std::uint64_t>(std::numeric_limits<In>::max(), 1 << 20))
                      : std::numeric_limits<In>::max();
  const std::vector<In> in(n, most);
  const unsigned __int128 all = static_cast<unsigned __int128>(most) * n;
  const auto near = [&](Out x, unsigned __int128 sum) {
    if constexpr (std::is_floating_point_v<Out>) {
      return std::abs(static_cast<double>(x) / static_cast<double>(sum) - 1) < 1e-6;
    } else {
      return x == static_cast<Out>(sum);
    }
  };
  Guarded<In> source(in), initial(std::vector<In>{0});
  Guarded<Out> total(1), out(n), columns(2);
  EXPECT_CL(sum(source.view(), total.view(), n, queue));
  EXPECT_TRUE(near(total.read()[0], all)) << "sum";
  EXPECT_CL(reduce(source.view(), total.view(), n, plus{}, In(0), queue));
  EXPECT_TRUE(near(total.read()[0], all)) << "reduce";
  EXPECT_CL(reduce(source.view(), total.view(), n, plus{}, initial_at(initial.view()), queue));
  EXPECT_TRUE(near(total.read()[0], all)) << "reduce from a place";
  EXPECT_CL(inclusive_sum(source.view(), out.view(), n, queue));
  EXPECT_TRUE(near(out.read()[n - 1], all)) << "inclusive_sum";
  EXPECT_CL(exclusive_scan(source.view(), out.view(), n, plus{}, In(0), queue));
  EXPECT_TRUE(near(out.read()[n - 1], all - most)) << "exclusive_scan";
  EXPECT_CL(reduce_of_rows(source.view(), total.view(), 1, n, plus{}, In(0), queue));
  EXPECT_TRUE(near(total.read()[0], all)) << "reduce_of_rows";
  EXPECT_CL(sum_of_axis(source.view(), columns.view(), axis{1, n / 2, 2}, queue));
  EXPECT_TRUE(near(columns.read()[1], all / 2)) << "sum_of_axis";
}

template <class In>
void check_sums_of(cl_command_queue queue, bool has_double) {
  check_sums<In, std::int8_t>(queue);
  check_sums<In, std::uint16_t>(queue);
  check_sums<In, std::int32_t>(queue);
  check_sums<In, std::uint32_t>(queue);
  check_sums<In, std::int64_t>(queue);
  check_sums<In, std::uint64_t>(queue);
  check_sums<In, float>(queue);
  if (has_double) check_sums<In, double>(queue);
}

TEST_F(OpenclPreconditions, GivenEveryPairOfTypes_WhenSummed_ThenTotalsAreWide) {
  check_sums_of<std::int8_t>(queue_, known_.has_double);
  check_sums_of<std::uint8_t>(queue_, known_.has_double);
  check_sums_of<std::uint16_t>(queue_, known_.has_double);
  check_sums_of<std::int32_t>(queue_, known_.has_double);
  check_sums_of<std::uint32_t>(queue_, known_.has_double);
  check_sums_of<std::int64_t>(queue_, known_.has_double);
}

TEST_F(OpenclPreconditions, GivenNans_WhenTheBestIsSearched_ThenTheFirstOfTheNumbers) {
  std::mt19937_64 random(test_seed());
  for (int round = 0; round < 20; ++round) {
    const std::size_t rows = 1 + random() % 20, length = 1 + random() % 3000, n = rows * length;
    std::vector<float> x(n);
    const unsigned nans = random() % 4;
    for (float &e : x) e = random() % 3 < nans ? std::numeric_limits<float>::quiet_NaN() : static_cast<float>(random() % 5);
    const auto least_of = [&](std::size_t begin, std::size_t end, std::size_t step) {
      std::size_t best = begin;
      for (std::size_t i = begin; i < end; i += step) {
        if (x[i] < x[best] || (std::isnan(x[best]) && !std::isnan(x[i]))) best = i;
      }
      return best;
    };
    const auto same = [&](const indexed<float> &got, std::size_t place, std::size_t index) {
      ASSERT_EQ(got.index, index);
      ASSERT_TRUE(got.value == x[place] || (std::isnan(got.value) && std::isnan(x[place])));
    };
    Guarded<float> in(x);
    Guarded<indexed<float>> one(1), of_rows(rows), of_columns(length);
    for (const plan &how : shapes()) {
      EXPECT_CL(arg_min(in.view(), one.view(), n, queue_, how));
      EXPECT_CL(arg_min_of_rows(in.view(), of_rows.view(), rows, length, queue_, how));
      EXPECT_CL(arg_min_of_axis(in.view(), of_columns.view(), axis{1, rows, length}, queue_, how));
      same(one.read()[0], least_of(0, n, 1), least_of(0, n, 1));
      const auto by_row = of_rows.read(), by_column = of_columns.read();
      for (std::size_t r = 0; r < rows; ++r) {
        const std::size_t place = least_of(r * length, (r + 1) * length, 1);
        same(by_row[r], place, place - r * length);
      }
      for (std::size_t c = 0; c < length; ++c) same(by_column[c], least_of(c, n, length), least_of(c, n, length) / length);
    }
  }
}

TEST_F(OpenclPreconditions, GivenInfinities_WhenSummedWithCompensation_ThenAsWithout) {
  const float infinity = std::numeric_limits<float>::infinity();
  for (const std::vector<float> &in : {std::vector<float>{1, infinity, 2, 3}, {3e38F, 3e38F, 1}, {infinity, -infinity, 1}}) {
    Guarded<float> source(in), out(in.size()), total(1);
    EXPECT_CL(inclusive_compensated_sum(source.view(), out.view(), in.size(), queue_));
    EXPECT_CL(compensated_sum(source.view(), total.view(), in.size(), queue_));
    float plain = 0;
    const auto got = out.read();
    for (std::size_t i = 0; i < in.size(); ++i) {
      plain += in[i];
      ASSERT_TRUE(std::isnan(plain) ? std::isnan(got[i]) : got[i] == plain) << i;
    }
    ASSERT_TRUE(std::isnan(plain) ? std::isnan(total.read()[0]) : total.read()[0] == plain);
  }
}

TEST_F(OpenclPreconditions, GivenAWaitListThatFails_WhenCalled_ThenTheCallFails) {
  const std::size_t n = 100000;
  Guarded<std::uint32_t> in(std::vector<std::uint32_t>(n, 1)), out(n);
  plan three;
  three.launches = 3;
  for (const plan &how : {plan{}, three}) {
    EXPECT_CL(inclusive_sum(in.view(), out.view(), n, queue_, how));
    cl_event never = clCreateUserEvent(context_, nullptr), done = nullptr;
    EXPECT_CL(inclusive_sum(in.view(), out.view(), n, queue_, wait_for{&never, 1}, signal(&done), how));
    clSetUserEventStatus(never, -5);
    EXPECT_EQ(clWaitForEvents(1, &done), CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
    cl_int status = CL_COMPLETE;
    clGetEventInfo(done, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, nullptr);
    EXPECT_LT(status, 0);
    clReleaseEvent(never);
    clReleaseEvent(done);
    // A failed call leaves no state that changes the next call.
    EXPECT_CL(inclusive_sum(in.view(), out.view(), n, queue_, how));
    EXPECT_EQ(out.read()[n - 1], n);
  }
}

}  // namespace upsweep::opencl::test
