// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Scans by key and flag, of segments and rows, and along axes, against plain loops.
#include "check.h"

#include <upsweep/cpu/axis.h>

#include <stdexcept>

namespace upsweep::cpu::test {

template <class T, class Op>
std::vector<T> expected(const std::vector<T> &in, const std::vector<std::uint8_t> &heads, Op op, const T *initial) {
  std::vector<T> out(in.size());
  T total{};
  for (std::size_t i = 0; i < in.size(); ++i) {
    const bool is_head = i == 0 || heads[i] != 0;
    if (initial != nullptr) {
      const T before = is_head ? *initial : total;
      out[i] = before;
      total = op(before, in[i]);
    } else {
      total = is_head ? in[i] : op(total, in[i]);
      out[i] = total;
    }
  }
  return out;
}

template <class T, class Op>
void check_segments(Op op) {
  thread_pool pool(3);
  with_all_instructions([&] {
    for (const std::size_t n : lengths()) {
      for (const std::size_t run : {1, 33, 5000}) {
        SCOPED_TRACE(testing::Message() << n << " elements in segments of " << run);
        std::mt19937_64 random(n + run);
        const auto in = random_elements<T>(n, n);
        const T initial = random_element<T>(random);
        std::vector<std::uint8_t> heads(n), rows(n);
        std::vector<int> keys(n);
        std::vector<std::uint32_t> offsets;
        for (std::size_t i = 0; i < n; ++i) {
          heads[i] = random() % run == 0 ? 2 : 0;
          rows[i] = i % run == 0;
          keys[i] = i == 0 ? 0 : keys[i - 1] ^ (heads[i] != 0);
          for (int k = 0; heads[i] != 0 && k < 2; ++k) {
            offsets.push_back(static_cast<std::uint32_t>(i));
          }
        }
        const auto check = [&](Guarded<T> &out, const std::vector<T> &wanted) {
          EXPECT_TRUE(std::equal(wanted.begin(), wanted.end(), out.data()));
          EXPECT_TRUE(out.is_intact());
        };
        Guarded<T> out(n, run % 5);
        const auto inclusive = expected(in, heads, op, static_cast<const T *>(nullptr)),
                   exclusive = expected(in, heads, op, &initial);
        inclusive_scan_by_key(keys.data(), in.data(), out.data(), n, op, equal_to{}, pool);
        check(out, inclusive);
        exclusive_scan_by_key(keys.data(), in.data(), out.data(), n, op, initial, equal_to{}, pool);
        check(out, exclusive);
        inclusive_scan_by_flag(heads.data(), in.data(), out.data(), n, op, pool);
        check(out, inclusive);
        out.fill(in);
        exclusive_scan_by_flag(heads.data(), out.data(), out.data(), n, op, initial, pool);
        check(out, exclusive);
        inclusive_scan_of_segments(in.data(), out.data(), n, offsets.data(), offsets.size(), op, pool);
        check(out, inclusive);
        exclusive_scan_of_segments(in.data(), out.data(), n, offsets.data(), offsets.size(), op, initial, pool);
        check(out, exclusive);
        inclusive_scan_of_rows(in.data(), out.data(), n, run, op, pool);
        check(out, expected(in, rows, op, static_cast<const T *>(nullptr)));
        exclusive_scan_of_rows(in.data(), out.data(), n, run, op, initial, pool);
        check(out, expected(in, rows, op, &initial));
      }
    }
  });
}

TEST(CpuSegments, GivenNumbers_WhenScannedBySegments_ThenAsByALoop) {
  check_segments<std::uint32_t>(plus{});
  check_segments<std::uint8_t>(maximum{});
}
TEST(CpuSegments, GivenDoubles_WhenScannedBySegments_ThenAsByALoop) { check_segments<double>(plus{}); }
TEST(CpuSegments, GivenAnOperatorThatDoesNotCommute_WhenScannedBySegments_ThenAsByALoop) { check_segments<Affine>(Compose()); }

struct Shape {
  axis of;
  bool is_in_place = false;
};

template <class T, class Op>
void check_axis(const axis &of, Op op, thread_pool &pool) {
  SCOPED_TRACE(testing::Message() << of.batches << " x " << of.length << " x " << of.inner);
  const auto in_along = of.in.along != 0 ? of.in.along : of.inner, out_along = of.out.along != 0 ? of.out.along : of.inner;
  const auto in_batch = of.in.batch != 0 ? of.in.batch : of.length * in_along;
  const auto out_batch = of.out.batch != 0 ? of.out.batch : of.length * out_along;
  const auto extent = [&](std::uint64_t batch, std::uint64_t along) {
    return (of.batches - 1) * batch + (of.length - 1) * along + of.inner;
  };
  std::mt19937_64 random(of.inner);
  const auto in = random_elements<T>(extent(in_batch, in_along), of.length);
  const T initial = random_element<T>(random);
  const std::size_t out_extent = extent(out_batch, out_along);
  Guarded<T> out(out_extent, 3);
  const std::vector<T> filler(out_extent, T{});
  for (const bool is_inclusive : {true, false}) {
    for (const bool is_backward : {false, true}) {
      std::vector<T> wanted = filler;
      for (std::uint64_t b = 0; b < of.batches; ++b) {
        for (std::uint64_t i = 0; i < of.inner; ++i) {
          T total = initial;
          for (std::uint64_t step = 0; step < of.length; ++step) {
            const std::uint64_t l = is_backward ? of.length - 1 - step : step;
            const T x = in[b * in_batch + l * in_along + i];
            const T before = total;
            total = is_inclusive && step == 0 ? x : op(total, x);
            wanted[b * out_batch + l * out_along + i] = is_inclusive ? total : before;
          }
        }
      }
      out.fill(filler);
      if (is_inclusive && is_backward) {
        inclusive_scan_of_axis(in.data(), out.data(), of, op, pool, backward);
      } else if (is_inclusive) {
        inclusive_scan_of_axis(in.data(), out.data(), of, op, pool);
      } else if (is_backward) {
        exclusive_scan_of_axis(in.data(), out.data(), of, op, initial, pool, backward);
      } else {
        exclusive_scan_of_axis(in.data(), out.data(), of, op, initial, pool);
      }
      EXPECT_TRUE(std::equal(wanted.begin(), wanted.end(), out.data())) << is_inclusive << is_backward;
      EXPECT_TRUE(out.is_intact());
    }
  }
}

TEST(CpuAxis, GivenArraysOfManyShapes_WhenScannedAlongAnAxis_ThenAsByALoop) {
  thread_pool pool(3);
  with_all_instructions([&] {
    for (const std::uint64_t batches : {1, 3}) {
      for (const std::uint64_t length : {1, 2, 70}) {
        for (const std::uint64_t inner : {1, 15, 64, 65, 1000}) {
          check_axis<std::int32_t>({batches, length, inner, {}, {}}, plus{}, pool);
          check_axis<double>({batches, length, inner, {0, inner + 3}, {}}, maximum{}, pool);
          check_axis<Affine>({batches, length, inner, {}, {0, inner + 1}}, Compose(), pool);
        }
      }
    }
    check_axis<std::uint8_t>({5, 9, 7, {7, 40}, {63, 0}}, plus{}, pool);  // the rows of batches interlock
    check_axis<float>({1, 3, 20000, {}, {}}, plus{}, pool);
    check_axis<float>({40, 2000, 1, {}, {}}, maximum{}, pool);
  });
}

TEST(CpuAxis, GivenAnArrayBeyondTheCache_WhenScannedInPlaceAndNot_ThenTheSame) {
  const axis of{1, 3000, 3001, {}, {}};
  const auto in = random_elements<std::uint32_t>(of.length * of.inner, 1);
  auto in_place = in;
  std::vector<std::uint32_t> out(in.size());
  inclusive_sum_of_axis(in.data(), out.data(), of);
  inclusive_sum_of_axis(in_place.data(), in_place.data(), of);
  EXPECT_EQ(out, in_place);
  std::uint32_t total = 0;
  for (std::size_t l = 0; l < of.length; ++l) {
    total += in[l * of.inner + 1234];
    ASSERT_EQ(out[l * of.inner + 1234], total);
  }
}

TEST(CpuAxis, GivenStridesThatOverlap_WhenScanned_ThenInvalidArgument) {
  std::vector<int> in(100), out(100);
  EXPECT_THROW(inclusive_sum_of_axis(in.data(), out.data(), {2, 5, 4, {10, 4}, {}}), std::invalid_argument);
  EXPECT_THROW(inclusive_sum_of_axis(in.data(), in.data(), {2, 5, 4, {}, {0, 5}}), std::invalid_argument);
  EXPECT_THROW(inclusive_scan_of_rows(in.data(), out.data(), 100, 0, plus{}), std::invalid_argument);
}

}  // namespace upsweep::cpu::test
