// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Histograms, summed-area tables and box filters against plain loops.
#include "check.h"

#include <upsweep/cpu/histogram.h>
#include <upsweep/cpu/summed_area.h>

#include <cmath>
#include <stdexcept>

namespace upsweep::cpu::test {

TEST(CpuHistogram, GivenElements_WhenCounted_ThenAsByALoop) {
  thread_pool pool(3);
  for (const std::size_t n : {0, 1, 5, 1000, 300001}) {
    for (const std::uint64_t bins : {1, 200, 256, 5000}) {
      const auto in = random_elements<std::uint16_t>(n, n);
      std::vector<std::uint64_t> wanted(bins);
      for (const std::uint16_t x : in) {
        if (x / 3U < bins) {
          ++wanted[x / 3];
        }
      }
      Guarded<std::uint64_t> counts(bins);
      histogram(in.data(), counts.data(), bins, n, [](std::uint16_t x) { return x / 3U; }, pool);
      EXPECT_TRUE(std::equal(wanted.begin(), wanted.end(), counts.data())) << n << " " << bins;
      EXPECT_TRUE(counts.is_intact());
    }
  }
  const std::vector<std::uint8_t> bytes(100000, 7);
  std::uint32_t counts[256];
  histogram(bytes.begin(), counts, 256, bytes.size());
  EXPECT_EQ(counts[7], 100000U);
}

template <class In, class T>
void check_table(const image_shape &shape, thread_pool &pool) {
  SCOPED_TRACE(testing::Message() << shape.height << " x " << shape.width << " x " << shape.channels);
  const std::uint64_t row = shape.width * shape.channels;
  const std::uint64_t in_pitch = shape.in_pitch != 0 ? shape.in_pitch : row,
                      out_pitch = shape.out_pitch != 0 ? shape.out_pitch : row;
  const auto in = random_elements<In>(shape.height * in_pitch, row);
  std::vector<T> wanted(shape.height * out_pitch, T(77));
  for (std::uint64_t y = 0; y < shape.height; ++y) {
    for (std::uint64_t x = 0; x < row; ++x) {
      T sum = static_cast<T>(in[y * in_pitch + x]);
      sum = static_cast<T>(sum + (x >= shape.channels ? wanted[y * out_pitch + x - shape.channels] : T(0)));
      sum = static_cast<T>(sum + (y > 0 ? wanted[(y - 1) * out_pitch + x] : T(0)));
      sum = static_cast<T>(sum - (x >= shape.channels && y > 0 ? wanted[(y - 1) * out_pitch + x - shape.channels] : T(0)));
      wanted[y * out_pitch + x] = sum;
    }
  }
  Guarded<T> out(wanted.size(), 3);
  out.fill(std::vector<T>(wanted.size(), T(77)));
  summed_area_table(in.data(), out.data(), shape, pool);
  EXPECT_TRUE(std::equal(wanted.begin(), wanted.end(), out.data()));
  EXPECT_TRUE(out.is_intact());
}

TEST(CpuSummedArea, GivenImages_WhenSummed_ThenAsByALoop) {
  thread_pool pool(3);
  with_all_instructions([&] {
    for (const std::uint64_t height : {1, 7, 200}) {
      for (const std::uint64_t width : {1, 33, 1500}) {
        check_table<std::uint8_t, std::uint32_t>({height, width, 1, 0, 0}, pool);
        check_table<std::uint8_t, std::uint32_t>({height, width, 3, width * 3 + 5, 0}, pool);
        check_table<float, double>({height, width, 1, 0, width + 2}, pool);
        check_table<std::uint32_t, std::uint32_t>({height, width, 2, 0, 0}, pool);
        check_table<std::int16_t, double>({height, width, 4, 0, 0}, pool);
        check_table<std::int8_t, std::int32_t>({height, width, 5, 0, width * 5 + 1}, pool);
      }
    }
  });
  check_table<std::uint32_t, std::uint32_t>({3001, 3001, 1, 0, 0}, pool);  // results past the caches
  check_table<std::uint8_t, std::uint32_t>({2003, 2005, 3, 0, 2005 * 3 + 1}, pool);
}

TEST(CpuBoxFilter, GivenImages_WhenFiltered_ThenMeansOfWindows) {
  thread_pool pool(3);
  const image_shape shape{90, 70, 2, 0, 0};
  const auto in = random_elements<std::uint8_t>(90 * 70 * 2, 1);
  for (const std::uint64_t radius : {0, 1, 5, 40, 1000}) {
    std::vector<float> out(in.size());
    std::vector<std::uint8_t> bytes(in.size());
    box_filter(in.data(), out.data(), shape, radius, pool);
    box_filter(in.data(), bytes.data(), shape, radius, pool);
    const auto r = static_cast<std::int64_t>(radius);
    for (std::int64_t y = 0; y < 90; ++y) {
      for (std::int64_t x = 0; x < 70; ++x) {
        std::int64_t sum = 0, count = 0;
        for (std::int64_t v = std::max<std::int64_t>(0, y - r); v <= std::min<std::int64_t>(89, y + r); ++v) {
          for (std::int64_t u = std::max<std::int64_t>(0, x - r); u <= std::min<std::int64_t>(69, x + r); ++u) {
            sum += in[(v * 70 + u) * 2 + 1];
            ++count;
          }
        }
        const double mean = static_cast<double>(sum) / static_cast<double>(count);
        ASSERT_NEAR(out[(y * 70 + x) * 2 + 1], mean, 1e-4) << y << " " << x << " " << radius;
        ASSERT_NEAR(bytes[(y * 70 + x) * 2 + 1], mean, 0.5001);
      }
    }
  }
  std::vector<float> out(4);
  EXPECT_THROW(box_filter(out.data(), out.data(), {2, 2, 1, 0, 0}, 1, repeated(0)), std::invalid_argument);
  EXPECT_THROW(box_filter(out.data(), out.data() + 1, {1, 1, 1, 0, 0, 2}, 1), std::invalid_argument);
  EXPECT_THROW(summed_area_table(in.data(), out.data(), {2, 2, 1, 1, 0}), std::invalid_argument);
}

TEST(CpuBoxFilter, GivenARadiusOfEachPixel_WhenFiltered_ThenMeansOfWindows) {
  thread_pool pool(3);
  const image_shape shape{60, 500, 3, 500 * 3 + 4, 0};
  const auto in = random_elements<std::uint8_t>(60 * (500 * 3 + 4), 1);
  const auto numbers = random_elements<std::uint16_t>(60 * 500, 2);
  std::vector<std::uint8_t> radii(numbers.size());
  std::vector<float> out(60 * 500 * 3), same(out.size()), wanted(out.size());
  for (std::size_t i = 0; i < radii.size(); ++i) {
    radii[i] = static_cast<std::uint8_t>(numbers[i] % 9 * (numbers[i] % 7));
  }
  box_filter(in.data(), out.data(), shape, radii.data(), pool);
  for (std::int64_t y = 0; y < 60; ++y) {
    for (std::int64_t x = 0; x < 500; ++x) {
      const std::int64_t r = radii[static_cast<std::size_t>(y * 500 + x)];
      std::int64_t sum = 0, count = 0;
      for (std::int64_t v = std::max<std::int64_t>(0, y - r); v <= std::min<std::int64_t>(59, y + r); ++v) {
        for (std::int64_t u = std::max<std::int64_t>(0, x - r); u <= std::min<std::int64_t>(499, x + r); ++u) {
          sum += in[static_cast<std::size_t>(v * 1504 + u * 3 + 2)];
          ++count;
        }
      }
      ASSERT_NEAR(out[static_cast<std::size_t>((y * 500 + x) * 3 + 2)], static_cast<double>(sum) / static_cast<double>(count),
                  1e-4);
    }
  }
  std::fill(radii.begin(), radii.end(), std::uint8_t(4));
  box_filter(in.data(), same.data(), shape, radii.data(), pool);
  box_filter(in.data(), wanted.data(), shape, 4, pool);
  EXPECT_EQ(same, wanted);
}

TEST(CpuSummedArea, GivenSeveralImages_WhenSummedExclusivelyOrInPlaceOrSquared_ThenAsByALoop) {
  for (const unsigned threads : {1, 3}) {
    thread_pool pool(threads);
    for (const std::uint64_t images : {1, 2, 9}) {
      const image_shape shape{31, 40, 3, 125, 130, images, 31 * 125 + 7, 32 * 130 + 9};
      const auto in = random_elements<std::uint32_t>(images * shape.in_stride, images);
      Guarded<std::uint32_t> out(images * shape.out_stride, 1), squares(images * shape.out_stride), in_place(in.size(), 2);
      const std::vector<std::uint32_t> sevens(images * shape.out_stride, 7);
      out.fill(sevens);
      squares.fill(sevens);
      in_place.fill(in);
      image_shape same = shape;
      same.out_pitch = shape.in_pitch;
      same.out_stride = shape.in_stride;
      exclusive_summed_area_table(in.data(), out.data(), shape, pool);
      summed_area_table(in.data(), squares.data(), shape, pool, transform_input([](std::uint32_t x) { return x * x; }));
      summed_area_table(in_place.data(), in_place.data(), same, pool);
      for (std::uint64_t image = 0; image < images; ++image) {
        std::vector<std::uint32_t> columns(40 * 3), square_columns(40 * 3);
        for (std::uint64_t y = 0; y <= 31; ++y) {
          const std::uint32_t *row = out.data() + image * shape.out_stride + y * 130;
          std::uint32_t before[3] = {}, of_squares[3] = {};
          for (std::uint64_t x = 0; x < 40 * 3; ++x) {
            ASSERT_EQ(row[x], before[x % 3]) << y << " " << x;
            before[x % 3] += columns[x];
            if (y < 31) {
              const std::uint32_t element = in[image * shape.in_stride + y * 125 + x];
              columns[x] += element;
              square_columns[x] += element * element;
              of_squares[x % 3] += square_columns[x];
              ASSERT_EQ(squares.data()[image * shape.out_stride + y * 130 + x], of_squares[x % 3]);
            }
          }
          for (std::uint64_t k = 0; k < 3; ++k) {
            ASSERT_EQ(row[120 + k], before[k]);
          }
          ASSERT_EQ(row[123], 7U);  // between rows
        }
        for (std::uint64_t y = 0; y < 31; ++y) {
          std::uint32_t sums[3] = {};
          for (std::uint64_t x = 0; x < 120; ++x) {
            const std::uint64_t at = image * shape.in_stride + y * 125 + x;
            sums[x % 3] += in[at];
            const std::uint32_t above = y > 0 ? in_place.data()[at - 125] : 0;
            ASSERT_EQ(in_place.data()[at], sums[x % 3] + above);
          }
        }
      }
      EXPECT_TRUE(out.is_intact() && squares.is_intact() && in_place.is_intact());
    }
  }
  std::vector<std::uint32_t> zeros(3, 5);
  exclusive_summed_area_table(static_cast<const std::uint8_t *>(nullptr), zeros.data(), {2, 0});
  EXPECT_EQ(zeros, std::vector<std::uint32_t>(3, 0));
}

TEST(CpuBoxFilter, GivenImagesAndRadiiOfPixels_WhenFilteredInAnyWay_ThenAllAgree) {
  thread_pool pool(3);
  const std::uint64_t images = 7, height = 20, width = 35;
  const image_shape shape{height, width, 2, 0, 0, images};
  const std::uint64_t pixels = images * height * width;
  const auto in = random_elements<std::int16_t>(pixels * 2, 1);
  std::vector<std::int16_t> once(in.size()), in_place = in, twice(in.size()), repeatedly(in.size()), each(in.size());
  box_filter(in.data(), once.data(), shape, 3, pool);
  box_filter(in_place.data(), in_place.data(), {height, width, 2}, 3, pool);  // the first image alone
  EXPECT_TRUE(std::equal(once.begin(), once.begin() + height * width * 2, in_place.begin()));
  box_filter(once.data(), twice.data(), shape, 3, pool);
  box_filter(in.data(), repeatedly.data(), shape, 3, pool, repeated(2));
  EXPECT_EQ(repeatedly, twice);
  std::vector<std::int32_t> radii(pixels, 3);
  box_filter(in.data(), each.data(), shape, radii.data(), pool);
  EXPECT_EQ(each, once);
  box_filter(in.data(), each.data(), shape, [](std::uint64_t) { return 3; }, pool, repeated(2));
  EXPECT_EQ(each, twice);
  std::fill(radii.begin(), radii.end(), -5);
  box_filter(in.data(), each.data(), shape, radii.data(), pool);
  EXPECT_EQ(each, in);

  // Means of negative numbers are rounded to the nearest number, too.
  const std::vector<std::int8_t> negative{-4, -4, -3};
  std::vector<std::int8_t> means(3);
  box_filter(negative.data(), means.data(), {1, 3}, 1);
  EXPECT_EQ(means, (std::vector<std::int8_t>{-4, -4, -3}));  // means -4, -3.67 and -3.5

  const std::vector<float> depth{1, 2, 0.5F, std::numeric_limits<float>::infinity(), std::numeric_limits<float>::quiet_NaN(),
                                 4};
  const circle_of_confusion<float> circle(depth.data(), 1, 10, 8);
  const std::uint64_t wanted[] = {0, 5, 8, 8, 0, 8};
  for (std::uint64_t i = 0; i < depth.size(); ++i) {
    EXPECT_EQ(circle(i), wanted[i]) << i;
  }
  const std::vector<std::uint8_t> picture{0, 10, 20, 30, 40, 50};
  std::vector<float> blurred(6);
  box_filter(picture.data(), blurred.data(), {1, 6}, circle);
  EXPECT_EQ(blurred, (std::vector<float>{0, 25, 25, 25, 40, 25}));
}

}  // namespace upsweep::cpu::test
