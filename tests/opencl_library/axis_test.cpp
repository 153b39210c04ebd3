// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Scans, recurrences and summed-area tables along any axis, against plain loops.
#include "check.h"

#include <upsweep/opencl/axis.h>
#include <upsweep/opencl/recurrence.h>
#include <upsweep/opencl/summed_area.h>

namespace upsweep::opencl::test {

namespace {

const axis kShapes[] = {{1, 1, 1},
                        {3, 5, 1},
                        {1, 70000, 1},
                        {2, 9001, 1},
                        {70, 700, 1},
                        {500, 3, 1},
                        {1, 300, 2},
                        {2, 4000, 3},
                        {3, 333, 7},
                        {1, 5000, 32},
                        {5, 65, 33},
                        {1, 1200, 64},
                        {2, 97, 130},
                        {1, 17, 4097},
                        {1, 30000, 4},
                        {3, 40, 31, {1300, 32}, {1280, 31}},
                        {4, 50, 1, {60, 1}, {51, 1}},
                        {3, 20, 2, {2, 6}, {40, 2}},
                        {2, 30, 1, {100, 3}, {1, 2}}};

axis_strides whole(const axis &of, axis_strides s) {
  if (s.along == 0) s.along = of.inner;
  if (s.batch == 0) s.batch = of.length * s.along;
  return s;
}
std::size_t extent(const axis &of, const axis_strides &s) {
  return (of.batches - 1) * s.batch + (of.length - 1) * s.along + of.inner;
}

std::vector<plan> ways(const detail::Device &device) {
  const unsigned group = device.max_group < 64 ? 1 : 64;
  return {{}, {3, 120, 0, group, 3}, {0, 0, 0, group, 5}};
}

// f(from, to, column, is_first) for each element in the order of a scan.
template <class F>
void for_each(const axis &of, bool is_backward, const F &f) {
  const axis_strides in = whole(of, of.in), out = whole(of, of.out);
  for (std::size_t b = 0; b < of.batches; ++b) {
    for (std::size_t i = 0; i < of.inner; ++i) {
      for (std::size_t k = 0; k < of.length; ++k) {
        const std::size_t l = is_backward ? of.length - 1 - k : k;
        f(b * in.batch + l * in.along + i, b * out.batch + l * out.along + i, b * of.inner + i, k == 0);
      }
    }
  }
}

}  // namespace

class OpenclAxis : public OpenclLibrary {
protected:
  // Elements between rows keep their values.
  template <class T>
  std::vector<T> poison(std::size_t n) {
    std::vector<T> values(n);
    std::memset(static_cast<void *>(values.data()), 0x5a, n * sizeof(T));
    return values;
  }
};

TEST_F(OpenclAxis, GivenEveryShapeAndWay_WhenScanned_ThenAsALoop) {
  for (const axis &of : kShapes) {
    const std::size_t in_size = extent(of, whole(of, of.in)), out_size = extent(of, whole(of, of.out));
    const auto x = random_elements<std::int32_t>(in_size, in_size);
    for (const plan &how : ways(known_)) {
      SCOPED_TRACE(testing::Message() << of.batches << " x " << of.length << " x " << of.inner << ", " << how);
      auto inclusive = poison<std::int32_t>(out_size), exclusive = inclusive;
      Guarded<std::int32_t> in(x, 3), sums(inclusive, 1), maxima(exclusive);
      std::int32_t total = 0;
      for_each(of, false, [&](std::size_t from, std::size_t to, std::size_t, bool is_first) {
        total = static_cast<std::int32_t>(is_first ? x[from] : std::uint32_t(total) + std::uint32_t(x[from]));
        inclusive[to] = total;
      });
      for_each(of, true, [&](std::size_t from, std::size_t to, std::size_t, bool is_first) {
        if (is_first) total = -7;
        exclusive[to] = total;
        total = std::max(total, x[from]);
      });
      EXPECT_CL(inclusive_sum_of_axis(in.view(), sums.view(), of, queue_, how));
      EXPECT_CL(exclusive_scan_of_axis(in.view(), maxima.view(), of, maximum{}, -7, queue_, backward, how));
      ASSERT_EQ(sums.read(), inclusive);
      ASSERT_EQ(maxima.read(), exclusive);
    }
  }
}

// Composition of maps does not commute, and has no known identity.
TEST_F(OpenclAxis, GivenAnOperatorThatDoesNotCommute_WhenScannedInPlace_ThenInOrder) {
  const operation first("first_of", "uint first_of(uint a, uint b) { return a != 0 ? a : b; }");
  for (const axis &of : {axis{2, 3000, 5}, axis{1, 1000, 40}, axis{3, 5000, 1}}) {
    for (const plan &how : ways(known_)) {
      std::vector<std::uint32_t> x(of.batches * of.length * of.inner), wanted(x.size());
      for (std::size_t i = x.size() / 3; i < x.size(); ++i) x[i] = static_cast<std::uint32_t>(i);
      Guarded<std::uint32_t> both(x);
      std::uint32_t total = 0;
      for_each(of, false, [&](std::size_t from, std::size_t to, std::size_t, bool is_first) {
        total = is_first || total == 0 ? x[from] : total;
        wanted[to] = total;
      });
      EXPECT_CL(inclusive_scan_of_axis(both.view(), both.view(), of, first, queue_, how));
      ASSERT_EQ(both.read(), wanted) << of.length << ", " << how;
    }
  }
}

TEST_F(OpenclAxis, GivenRecurrences_WhenRun_ThenAsALoop) {
  std::mt19937_64 random(test_seed());
  for (const axis &of : kShapes) {
    const std::size_t in_size = extent(of, whole(of, of.in)), out_size = extent(of, whole(of, of.out)),
                      columns = of.batches * of.inner;
    const auto a = random_elements<std::uint32_t>(in_size, 1), b = random_elements<std::uint32_t>(in_size, 2),
               initial = random_elements<std::uint32_t>(columns, 3);
    for (const plan &how : ways(known_)) {
      SCOPED_TRACE(testing::Message() << of.batches << " x " << of.length << " x " << of.inner << ", " << how);
      const bool is_backward = random() % 2 == 0, has_ends = random() % 2 == 0;
      auto wanted = poison<std::uint32_t>(out_size);
      std::vector<std::uint32_t> last(columns);
      Guarded<std::uint32_t> as(a), bs(b, 2), starts(initial), ends(columns), x(wanted, 1);
      std::uint32_t state = 0;
      for_each(of, is_backward, [&](std::size_t from, std::size_t to, std::size_t column, bool is_first) {
        if (is_first) state = has_ends ? initial[column] : 0;
        last[column] = wanted[to] = state = a[from] * state + b[from];
      });
      const states both(has_ends ? starts.view() : array(), ends.view());
      if (is_backward) {
        EXPECT_CL(linear_recurrence_of_axis(as.view(), bs.view(), x.view(), of, queue_, both, backward, how));
      } else {
        EXPECT_CL(linear_recurrence_of_axis(as.view(), bs.view(), x.view(), of, queue_, both, how));
      }
      ASSERT_EQ(x.read(), wanted);
      ASSERT_EQ(ends.read(), last);
    }
  }
}

TEST_F(OpenclAxis, GivenAWholeArray_WhenARecurrenceRuns_ThenAsALoop) {
  for (const std::size_t n : {1, 191, 192, 193, 50001}) {
    std::vector<float> a(n), b(n), wanted(n);
    std::mt19937 random(1);
    for (std::size_t i = 0; i < n; ++i) {
      a[i] = random() % 3 == 0 ? 0.0F : random() % 2 == 0 ? 1.0F : -1.0F;  // sums stay exact
      b[i] = static_cast<float>(random() % 17);
      wanted[i] = a[i] * (i == 0 ? 5 : wanted[i - 1]) + b[i];
    }
    for (const plan &how : ways(known_)) {
      Guarded<float> as(a), bs(b, 1), five(std::vector<float>{5}), end(1);
      EXPECT_CL(linear_recurrence(as.view(), bs.view(), bs.view(), n, queue_, states(five.view(), end.view()), how));
      ASSERT_EQ(bs.read(), wanted);
      ASSERT_EQ(end.read()[0], wanted.back());
    }
  }
}

TEST_F(OpenclAxis, GivenImages_WhenSummed_ThenAsALoop) {
  const auto test = [&]<class In, class Sum>(In, Sum, const image_shape &of, const plan &how) {
    SCOPED_TRACE(testing::Message() << of.height << " x " << of.width << " x " << of.channels << ", " << how);
    const std::size_t row = of.width * of.channels, from = of.in_pitch != 0 ? of.in_pitch : row,
                      to = of.out_pitch != 0 ? of.out_pitch : row;
    const auto x = random_elements<In>((of.height - 1) * from + row, row);
    auto wanted = poison<Sum>((of.height - 1) * to + row);
    Guarded<In> in(x, 1);
    Guarded<Sum> out(wanted, 2);
    for (std::size_t y = 0; y < of.height; ++y) {
      std::vector<Sum> sums(of.channels);
      for (std::size_t i = 0; i < row; ++i) {
        Sum &sum = sums[i % of.channels];
        sum = static_cast<Sum>(sum + static_cast<Sum>(x[y * from + i]));
        wanted[y * to + i] = static_cast<Sum>(sum + (y > 0 ? wanted[(y - 1) * to + i] : Sum(0)));
      }
    }
    EXPECT_CL(summed_area_table(in.view(), out.view(), of, queue_, how));
    ASSERT_EQ(out.read(), wanted);
  };
  for (const plan &how : {plan{}, plan{0, 0, 0, static_cast<unsigned>(known_.max_group < 64 ? 1 : 64), 5}}) {
    for (std::uint64_t channels = 1; channels <= 4; ++channels) {
      test(std::uint8_t(), std::uint32_t(), {67, 129, channels, 0, 0}, how);
      test(float(), float(), {3, 1000, channels, 4001, 4100}, how);
    }
    test(std::uint32_t(), std::uint32_t(), {1500, 1, 1, 0, 0}, how);
    test(std::int16_t(), std::int64_t(), {1, 5000, 3, 0, 0}, how);
  }
}

TEST_F(OpenclAxis, GivenWrongShapes_WhenCalled_ThenErrors) {
  Guarded<std::int32_t> in(100), out(100);
  const array x = in.view(), y = out.view();
  EXPECT_EQ(inclusive_sum_of_axis(x, y, {2, 10, 5, {49, 5}, {}}, queue_), CL_INVALID_VALUE);
  EXPECT_EQ(inclusive_sum_of_axis(x, y, {20, 10, 5}, queue_), CL_INVALID_BUFFER_SIZE);
  EXPECT_EQ(inclusive_sum_of_axis(x, y, {std::uint64_t(1) << 60, 10, 5}, queue_), CL_INVALID_VALUE);
  EXPECT_EQ(inclusive_sum_of_axis(x, x, {2, 10, 2, {40, 4}, {}}, queue_), CL_MEM_COPY_OVERLAP);
  EXPECT_EQ(summed_area_table(x, y, {5, 5, 0, 0, 0}, queue_), CL_INVALID_VALUE);
  EXPECT_EQ(summed_area_table(x, y, {5, 5, 1, 4, 0}, queue_), CL_INVALID_VALUE);
  EXPECT_EQ(linear_recurrence(x, y, x, 10, queue_, states(buffer<float>(out.memory()), array())), CL_INVALID_VALUE);
  EXPECT_CL(inclusive_sum_of_axis(x, y, {0, 10, 5}, queue_));
  EXPECT_CL(summed_area_table(x, y, {0, 5, 1, 0, 0}, queue_));
  out.read(0);
}

}  // namespace upsweep::opencl::test
