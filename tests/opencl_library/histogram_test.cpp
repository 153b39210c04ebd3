// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Histograms beside plain loops.
#include "check.h"

#include <upsweep/opencl/histogram.h>

#include <cmath>
#include <limits>

namespace upsweep::opencl::test {

class OpenclHistogram : public OpenclLibrary {
protected:
  std::vector<plan> shapes() const {
    std::vector<plan> all = {{}, {0, 0, -1, static_cast<unsigned>(known_.max_group < 64 ? 1 : 64), 3}};
    for (const int language : known_.languages) all.push_back({0, language, -1, 0, 0});
    return all;
  }
};

namespace {

constexpr std::size_t kLengths[] = {0, 1, 191, 192, 193, 5000, 300001};

}  // namespace

TEST_F(OpenclHistogram, GivenIntegers_WhenCountedEvenly_ThenAsALoop) {
  for (const plan &how : shapes()) {
    for (const std::size_t n : kLengths) {
      for (const std::uint64_t bins : {1, 7, 256, 100000}) {
        const auto in = random_elements<std::int16_t>(n, n + bins);
        std::vector<std::uint32_t> wanted(bins);
        for (const std::int16_t x : in) {
          if (x >= -20000 && x < 25000) ++wanted[std::uint64_t(x + 20000) * bins / 45000];
        }
        Guarded<std::int16_t> source(in, n % 5);
        Guarded<std::uint32_t> counts(bins, 2);
        EXPECT_CL(histogram_even(source.view(), counts.view(), n, bins, -20000, 25000, queue_, how));
        ASSERT_EQ(counts.read(), wanted) << n << ", " << bins << ", " << how;
      }
    }
  }
}

TEST_F(OpenclHistogram, GivenNumbersWithNans_WhenCounted_ThenThoseThatHaveABin) {
  const std::vector<float> edges = {-4, -1, 0, 0, 0.5F, 3};
  for (const plan &how : shapes()) {
    for (const std::size_t n : kLengths) {
      std::mt19937_64 random(n);
      std::vector<float> in(n);
      std::vector<std::uint64_t> even(64);
      std::vector<std::int32_t> of_levels(5);
      for (float &x : in) {
        x = static_cast<float>(static_cast<int>(random() % 161) - 80) / 16;
        if (random() % 50 == 0) x = random() % 2 == 0 ? std::numeric_limits<float>::quiet_NaN() : INFINITY;
        if (x >= -4 && x < 4) ++even[static_cast<std::size_t>((x + 4) * 8)];
        for (std::size_t b = 0; b < 5; ++b) of_levels[b] += x >= edges[b] && x < edges[b + 1];
      }
      Guarded<float> source(in, n % 3), levels(edges, 1);
      Guarded<std::uint64_t> a(64, 1);
      Guarded<std::int32_t> b(5, 1);
      if (known_.has_long_atomics) {
        EXPECT_CL(histogram_even(source.view(), a.view(), n, 64, -4.0, 4.0, queue_, how));
        ASSERT_EQ(a.read(), even) << n << ", " << how;
      }
      EXPECT_CL(histogram_of_levels(source.view(), b.view(), n, 5, levels.view(), queue_, how));
      ASSERT_EQ(b.read(), of_levels) << n << ", " << how;
    }
  }
}

TEST_F(OpenclHistogram, GivenPixels_WhenCountedByAText_ThenEachChannel) {
  const function bin_of("tenth", "long tenth(uchar x) { return x < 20 ? -1 : x / 10; }");
  for (const plan &how : shapes()) {
    const std::size_t n = 70001;
    const auto in = random_elements<std::uint8_t>(4 * n, 3);
    for (const std::uint32_t some : {0U, 1U, 50000U, 80000U}) {
      std::vector<std::uint32_t> wanted(60);
      for (std::size_t i = 0; i < std::min<std::size_t>(some, n); ++i) {
        for (std::size_t c = 0; c < 3; ++c) {
          const unsigned x = in[4 * i + c];
          if (x >= 20 && x / 10 < 20) ++wanted[20 * c + x / 10];
        }
      }
      Guarded<std::uint8_t> source(in, 1);
      Guarded<std::uint32_t> counts(60), number(std::vector<std::uint32_t>{some});
      EXPECT_CL(
          histogram_by(source.view(), counts.view(), count_at(number.view(), n), 20, bin_of, queue_, channels{4, 3}, how));
      ASSERT_EQ(counts.read(), wanted) << some << ", " << how;
    }
  }
}

TEST_F(OpenclHistogram, GivenWeights_WhenCounted_ThenTheSumsOfEachBin) {
  for (const plan &how : shapes()) {
    for (const std::size_t n : kLengths) {
      for (const std::uint64_t bins : {5, 3000, 200000}) {
        SCOPED_TRACE(testing::Message() << n << " samples, " << bins << " bins, " << how);
        const auto in = random_elements<std::uint16_t>(2 * n, n + bins);
        const auto whole = random_elements<std::int32_t>(n, bins);
        const auto numbers = random_elements<float>(n, bins + 1);
        std::vector<std::uint32_t> sums(2 * bins);
        std::vector<std::int64_t> long_sums(2 * bins);
        std::vector<float> float_sums(2 * bins);  // exact: below 2^24
        for (std::size_t i = 0; i < 2 * n; ++i) {
          const std::size_t bin = i % 2 * bins + in[i] * bins / 65536;
          sums[bin] += static_cast<std::uint32_t>(whole[i / 2]);
          long_sums[bin] += whole[i / 2];
          float_sums[bin] += numbers[i / 2];
        }
        Guarded<std::uint16_t> source(in, 1);
        Guarded<std::int32_t> integers(whole, 2);
        Guarded<float> floats(numbers), c(2 * bins);
        Guarded<std::uint32_t> a(2 * bins, 1);
        Guarded<std::int64_t> b(2 * bins);
        Guarded<double> d(2 * bins, 1);
        const auto count = [&](const array &counts, const array &pixels) {
          return histogram_even(source.view(), counts, n, bins, 0, 65536, queue_, channels{2, 2}, weights(pixels), how);
        };
        EXPECT_CL(count(a.view(), integers.view()));
        ASSERT_EQ(a.read(), sums);
        EXPECT_CL(count(c.view(), floats.view()));
        ASSERT_EQ(c.read(), float_sums);
        if (!known_.has_long_atomics) continue;
        EXPECT_CL(count(b.view(), integers.view()));
        ASSERT_EQ(b.read(), long_sums);
        if (!known_.has_double) continue;
        EXPECT_CL(count(d.view(), integers.view()));
        ASSERT_EQ(d.read(), std::vector<double>(long_sums.begin(), long_sums.end()));
      }
    }
  }
}

TEST_F(OpenclHistogram, GivenARegion_WhenCounted_ThenOnlyItsPixels) {
  for (const plan &how : shapes()) {
    for (const auto &[width, rows, pitch] : std::vector<std::array<std::size_t, 3>>{
             {1, 1, 1}, {1, 500, 3}, {3, 3000, 9}, {191, 33, 400}, {193, 200, 386}, {5000, 1, 0}, {0, 5, 7}, {5, 0, 10}}) {
      SCOPED_TRACE(testing::Message() << rows << " rows of " << width << ", " << pitch << " apart, " << how);
      const std::size_t size = width * rows == 0 ? 0 : (rows - 1) * pitch + 2 * width;
      const auto in = random_elements<std::int16_t>(size, width);
      const auto of_pixels = random_elements<std::int32_t>(width * rows, rows);
      std::vector<std::uint32_t> wanted(32), sums(32);
      for (std::size_t i = 0; i < 2 * width * rows; ++i) {
        const std::size_t pixel = i / 2, at = pixel / width * pitch + pixel % width * 2 + i % 2;
        const std::size_t bin = i % 2 * 16 + static_cast<std::size_t>(in[at] + 32768) / 4096;
        ++wanted[bin];
        sums[bin] += static_cast<std::uint32_t>(of_pixels[pixel]);
      }
      Guarded<std::int16_t> source(in, 3);
      Guarded<std::int32_t> each(of_pixels, 1);
      Guarded<std::uint32_t> counts(32, 2), weighed(32);
      const region of(width, rows, 2 * pitch);
      EXPECT_CL(histogram_even(source.view(), counts.view(), of, 16, -32768, 32768, queue_, channels{2, 2}, how));
      ASSERT_EQ(counts.read(), wanted);
      EXPECT_CL(histogram_even(source.view(), weighed.view(), of, 16, -32768, 32768, queue_, channels{2, 2},
                               weights(each.view()), how));
      ASSERT_EQ(weighed.read(), sums);
    }
  }
}

TEST_F(OpenclHistogram, GivenWrongArguments_WhenCounted_ThenAnError) {
  Guarded<std::int32_t> source(8), counts(8);
  Guarded<std::uint8_t> bytes(8);
  EXPECT_EQ(histogram_even(source.view(), counts.view(), 8, 0, 0, 4, queue_), CL_INVALID_VALUE);
  EXPECT_EQ(histogram_even(source.view(), counts.view(), 8, 4, 4, 4, queue_), CL_INVALID_VALUE);
  EXPECT_EQ(histogram_even(source.view(), counts.view(), 8, 4, 0.0, 4.0, queue_), CL_INVALID_VALUE);
  EXPECT_EQ(histogram_even(source.view(), bytes.view(), 8, 4, 0, 4, queue_), CL_INVALID_VALUE);
  EXPECT_EQ(histogram_even(source.view(), source.view(), 8, 4, 0, 4, queue_), CL_MEM_COPY_OVERLAP);
  EXPECT_EQ(histogram_even(source.view(), counts.view(), 2, 4, 0, 4, queue_, channels{5, 1}), CL_INVALID_VALUE);
  EXPECT_EQ(histogram_even(source.view(), counts.view(), region(2, 2, 7), 4, 0, 4, queue_), CL_INVALID_VALUE);
  EXPECT_EQ(histogram_even(source.view(), counts.view(), region(2, 2, 10), 4, 0, 4, queue_), CL_INVALID_VALUE);
  EXPECT_EQ(histogram_even(source.view(), counts.view(), region(2, 2, 400), 4, 0, 4, queue_), CL_INVALID_BUFFER_SIZE);
  EXPECT_EQ(
      histogram_even(source.view(), counts.view(), region(std::uint64_t(1) << 33, std::uint64_t(1) << 33, 4), 4, 0, 4, queue_),
      CL_INVALID_VALUE);
  EXPECT_EQ(histogram_of_levels(source.view(), counts.view(), 8, 4, bytes.view(), queue_), CL_INVALID_VALUE);
  Guarded<float> floats(8);
  EXPECT_EQ(histogram_even(source.view(), floats.view(), 8, 4, 0, 4, queue_), CL_INVALID_VALUE);
  EXPECT_EQ(histogram_even(source.view(), counts.view(), 8, 4, 0, 4, queue_, weights(floats.view())), CL_INVALID_VALUE);
  EXPECT_EQ(histogram_even(source.view(), counts.view(), 8, 4, 0, 4, queue_, weights(buffer<int>(source.memory(), 70))),
            CL_INVALID_BUFFER_SIZE);
  EXPECT_EQ(histogram_even(source.view(), counts.view(), 8, 4, 0, 4, queue_, weights(counts.view())), CL_MEM_COPY_OVERLAP);
  EXPECT_EQ(histogram_even(source.view(), counts.view(), 8, 1000, 0, 4, queue_), CL_INVALID_BUFFER_SIZE);
}

}  // namespace upsweep::opencl::test
