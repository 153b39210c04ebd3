// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The type of totals for every pair of types of inputs and outputs; sums and minima with infinities and NaNs.
#include "check.h"

#include <upsweep/cpu/axis.h>
#include <upsweep/cpu/compensated.h>
#include <upsweep/cpu/reduce_by_key.h>
#include <upsweep/cpu/segmented_reduce.h>

#include <cmath>
#include <limits>
#include <memory>

namespace upsweep::cpu::test {

using detail::Int128;
using detail::Uint128;

// The specified sum of integers: wrapped to the wider of both integer types, or exact.
template <class In, class Out>
Out wanted_sum(Int128 sum) {
  if constexpr (std::is_same_v<Out, bool>) {
    return static_cast<In>(static_cast<Uint128>(sum)) != 0;
  } else if constexpr (std::is_floating_point_v<Out>) {
    return static_cast<Out>(static_cast<long double>(sum));
  } else {
    return static_cast<Out>(static_cast<Uint128>(sum));
  }
}

// std::vector<bool> has no data().
template <class T>
class Array {
public:
  explicit Array(std::size_t n) : elements_(new T[n]()) {}
  T *data() { return elements_.get(); }
  T &operator[](std::size_t i) { return elements_[i]; }

private:
  std::unique_ptr<T[]> elements_;
};

template <class In, class Out>
void check_sums() {
  thread_pool pool(2);
  for (const std::size_t n : {3, 500, 40000}) {
    SCOPED_TRACE(testing::Message() << sizeof(In) << " to " << sizeof(Out) << " bytes, " << n << " elements");
    // The type's largest value, so that a narrower total would wrap. For floats a value small enough that some sums stay exact.
    const auto most =
        static_cast<In>(std::is_floating_point_v<Out> ? std::min<std::uint64_t>(std::numeric_limits<In>::max(), 1 << 20)
                                                      : std::numeric_limits<In>::max());
    Array<In> in(n);
    Array<Out> out(n), totals(n);
    std::vector<Int128> sums(n);
    Int128 all = 0;
    for (std::size_t i = 0; i < n; ++i) {
      in[i] = static_cast<In>(most - static_cast<In>(i % 7));
      sums[i] = all += in[i];
    }
    const auto near = [&](Out x, Int128 sum) {
      const Out wanted = wanted_sum<In, Out>(sum);
      return std::is_floating_point_v<Out> ? std::abs(static_cast<double>(x - wanted)) <= static_cast<double>(wanted) * 1e-6
                                           : x == wanted;
    };
    Out total{};
    sum(in.data(), &total, n, pool);
    EXPECT_TRUE(near(total, all)) << "sum " << +total;
    reduce(in.data(), &total, n, plus{}, In(0), pool);
    EXPECT_TRUE(near(total, all)) << "reduce " << +total;
    transform_reduce(in.data(), &total, n, plus{}, detail::Unchanged(), In(0), pool);
    EXPECT_TRUE(near(total, all)) << "transform_reduce " << +total;
    inclusive_sum(in.data(), out.data(), n, pool);
    EXPECT_TRUE(near(out[n - 1], all)) << "inclusive_sum " << +out[n - 1];
    exclusive_sum(in.data(), out.data(), n, pool);
    EXPECT_TRUE(near(out[n - 1], sums[n - 2])) << "exclusive_sum " << +out[n - 1];
    exclusive_scan(in.data(), out.data(), n, plus{}, In(0), pool);
    EXPECT_TRUE(near(out[n - 1], sums[n - 2])) << "exclusive_scan " << +out[n - 1];
    std::vector<std::uint8_t> keys(n, 1);
    std::uint64_t runs = 0;
    reduce_by_key(keys.data(), in.data(), keys.data() + 0, totals.data(), &runs, 0, plus{}, pool);
    std::vector<std::uint8_t> out_keys(n);
    reduce_by_key(keys.data(), in.data(), out_keys.data(), totals.data(), &runs, n, plus{}, pool);
    EXPECT_TRUE(near(totals[0], all)) << "reduce_by_key " << +totals[0];
    const std::uint64_t offsets[] = {0, n};
    sum_of_segments(in.data(), &total, offsets, 1, pool);
    EXPECT_TRUE(near(total, all)) << "sum_of_segments " << +total;
    sum_of_rows(in.data(), &total, 1, n, pool);
    EXPECT_TRUE(near(total, all)) << "sum_of_rows " << +total;
    sum_of_axis(in.data(), &total, axis{1, n, 1}, pool);
    EXPECT_TRUE(near(total, all)) << "sum_of_axis " << +total;
    Array<In> columns(2 * n);
    for (std::size_t i = 0; i < n; ++i) {
      columns[2 * i] = columns[2 * i + 1] = in[i];
    }
    Out both[2]{};
    sum_of_axis(columns.data(), both, axis{1, n, 2}, pool);
    EXPECT_TRUE(near(both[1], all)) << "sum_of_axis of columns " << +both[1];
    Array<Out> column_sums(2 * n);
    inclusive_sum_of_axis(columns.data(), column_sums.data(), axis{1, n, 2}, pool);
    EXPECT_TRUE(near(column_sums[2 * n - 1], all)) << "inclusive_sum_of_axis " << +column_sums[2 * n - 1];
    inclusive_scan_by_key(keys.data(), in.data(), out.data(), n, plus{}, pool);
    EXPECT_TRUE(near(out[n - 1], all)) << "inclusive_scan_by_key " << +out[n - 1];
  }
}

template <class In>
void check_sums_of() {
  check_sums<In, bool>();
  check_sums<In, std::int8_t>();
  check_sums<In, std::uint8_t>();
  check_sums<In, std::int16_t>();
  check_sums<In, std::uint16_t>();
  check_sums<In, std::int32_t>();
  check_sums<In, std::uint32_t>();
  check_sums<In, std::int64_t>();
  check_sums<In, std::uint64_t>();
  check_sums<In, float>();
  check_sums<In, double>();
}

TEST(CpuTotals, GivenBools_WhenSummedToEachType_ThenCounted) { check_sums_of<bool>(); }
TEST(CpuTotals, GivenBytes_WhenSummedToEachType_ThenTheWiderOne) {
  check_sums_of<std::int8_t>();
  check_sums_of<std::uint8_t>();
}
TEST(CpuTotals, GivenShorts_WhenSummedToEachType_ThenTheWiderOne) {
  check_sums_of<std::int16_t>();
  check_sums_of<std::uint16_t>();
}
TEST(CpuTotals, GivenWords_WhenSummedToEachType_ThenTheWiderOne) {
  check_sums_of<std::int32_t>();
  check_sums_of<std::uint32_t>();
}
TEST(CpuTotals, GivenLongs_WhenSummedToEachType_ThenTheWiderOne) {
  check_sums_of<std::int64_t>();
  check_sums_of<std::uint64_t>();
}

TEST(CpuTotals, GivenAnAccumulatorOrAnInitialValue_WhenReduced_ThenTotalsHaveItsType) {
  const std::vector<std::uint8_t> in(1000, 200);
  double total = 0;
  reduce(in.data(), &total, in.size(), plus{}, 0.5);
  EXPECT_EQ(total, 200000.5);
  std::uint64_t wide = 0;
  sum(in.data(), &wide, in.size(), accumulator<std::uint8_t>);
  EXPECT_EQ(wide, 200000 % 256);
  int narrow = 0;
  reduce(in.data(), &narrow, in.size(), maximum{}, std::uint8_t(0));
  EXPECT_EQ(narrow, 200);
}

// Sequential sums of doubles. Compensated sums have the same infinities and NaNs.
template <class T>
void check_compensated(const std::vector<T> &in) {
  std::vector<T> out(in.size());
  T sum{}, plain = 0;
  compensated_sum(in.data(), &sum, in.size());
  inclusive_compensated_sum(in.data(), out.data(), in.size());
  for (std::size_t i = 0; i < in.size(); ++i) {
    plain += in[i];
    ASSERT_EQ(std::isnan(out[i]), std::isnan(plain)) << i;
    ASSERT_EQ(std::isinf(out[i]), std::isinf(plain)) << i;
    ASSERT_TRUE(!std::isinf(plain) || out[i] == plain) << i;
  }
  ASSERT_TRUE(std::isnan(plain) ? std::isnan(sum) : !std::isinf(plain) || sum == plain);
}

TEST(CpuCompensated, GivenInfinitiesAndOverflow_WhenSummed_ThenAsWithoutCompensation) {
  const double infinity = std::numeric_limits<double>::infinity(), most = std::numeric_limits<double>::max();
  check_compensated<double>({1, infinity, 2, 3});
  check_compensated<double>({1e308, 1e308, 1});
  check_compensated<double>({most, most * 0x1p-53, most * 0x1p-53, most * 0x1p-53});
  check_compensated<double>({infinity, 1, -infinity, 2});
  check_compensated<float>({-std::numeric_limits<float>::infinity(), 1, 2});
  std::mt19937_64 random(1);
  for (int round = 0; round < 200; ++round) {
    std::vector<float> in(1 + random() % 3000, 1.5F);
    in[random() % in.size()] =
        random() % 2 == 0 ? std::numeric_limits<float>::infinity() : std::numeric_limits<float>::quiet_NaN();
    check_compensated(in);
  }
}

// The first of the least numbers; if all are NaNs, the first NaN.
std::size_t least_of(const std::vector<float> &x, std::size_t begin, std::size_t end, std::size_t step, float sign) {
  std::size_t best = begin;
  for (std::size_t i = begin; i < end; i += step) {
    if (sign * x[i] < sign * x[best] || (std::isnan(x[best]) && !std::isnan(x[i]))) {
      best = i;
    }
  }
  return best;
}

TEST(CpuTotals, GivenNans_WhenTheBestIsSearchedByEachCall_ThenTheFirstOfTheNumbers) {
  std::mt19937_64 random(7);
  thread_pool pool(3);
  for (int round = 0; round < 300; ++round) {
    const std::size_t rows = 1 + random() % 40, length = 1 + random() % (round % 10 == 0 ? 9000 : 50), n = rows * length;
    const unsigned nans = random() % 4;  // of 3
    std::vector<float> x(n);
    for (float &e : x) {
      e = random() % 3 < nans ? std::numeric_limits<float>::quiet_NaN() : static_cast<float>(random() % 5);
    }
    const auto same = [&](const indexed<float> &got, std::size_t place, std::size_t index) {
      ASSERT_EQ(got.index, index);
      ASSERT_TRUE(got.value == x[place] || (std::isnan(got.value) && std::isnan(x[place])));
    };
    std::vector<indexed<float>> least(rows), most(rows), columns(length);
    indexed<float> one{}, other{};
    arg_min(x.data(), &one, n, pool);
    same(one, least_of(x, 0, n, 1, 1), least_of(x, 0, n, 1, 1));
    arg_min(x.begin(), &other, n, pool);
    same(other, one.index, one.index);
    arg_max(x.begin(), &other, n, pool);
    same(other, least_of(x, 0, n, 1, -1), least_of(x, 0, n, 1, -1));
    arg_min_of_rows(x.data(), least.data(), rows, length, pool);
    arg_max_of_axis(x.data(), most.data(), axis{rows, length, 1}, pool);
    arg_min_of_axis(x.data(), columns.data(), axis{1, rows, length}, pool);
    for (std::size_t r = 0; r < rows; ++r) {
      const std::size_t low = least_of(x, r * length, (r + 1) * length, 1, 1),
                        high = least_of(x, r * length, (r + 1) * length, 1, -1);
      same(least[r], low, low - r * length);
      same(most[r], high, high - r * length);
    }
    for (std::size_t c = 0; c < length; ++c) {
      const std::size_t low = least_of(x, c, n, length, 1);
      same(columns[c], low, low / length);
    }
    float minimum_of_all = 0;
    reduce(x.data(), &minimum_of_all, n, minimum{}, std::numeric_limits<float>::quiet_NaN(), pool);
    ASSERT_TRUE(minimum_of_all == one.value || (std::isnan(minimum_of_all) && std::isnan(one.value)));
  }
}

TEST(CpuTotals, GivenRowsWithGaps_WhenTransformedWithTheIndex_ThenTheIndexOfRowsWithout) {
  const auto index = [](int, std::uint64_t i) { return static_cast<std::int64_t>(i); };
  const std::vector<int> x(40);
  for (const std::uint64_t pitch : {6, 8}) {
    std::vector<std::int64_t> last(4), wanted{5, 11, 17, 23};
    transform_reduce_of_axis(x.data(), last.data(), axis{4, 6, 1, {pitch, 1}}, maximum{}, index, std::int64_t(0));
    EXPECT_EQ(last, wanted);
  }
  std::vector<std::int64_t> columns(12), rows(12, 2);
  transform_reduce_of_axis(x.data(), columns.data(), axis{4, 3, 3}, maximum{}, index, std::int64_t(0));
  EXPECT_EQ(columns, rows);
}

}  // namespace upsweep::cpu::test
