// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Histograms of bins of equal width, between levels and by functions, with channels, regions and weights, against plain loops.
#include "check.h"

#include <upsweep/cpu/histogram.h>

#include <cmath>
#include <limits>
#include <stdexcept>

namespace upsweep::cpu::test {

// Counts by the definition: the bin of the last edge that is not above the sample.
template <class Sample, class Edge>
std::vector<std::uint64_t> by_edges(const std::vector<Sample> &in, const std::vector<Edge> &edges) {
  std::vector<std::uint64_t> counts(edges.size() - 1);
  for (const Sample &x : in) {
    for (std::size_t b = 0; b + 1 < edges.size(); ++b) {
      if (edges[b] <= x && x < edges[b + 1]) {
        ++counts[b];
      }
    }
  }
  return counts;
}

template <class Sample>
void check_even_integers(std::int64_t lower, std::int64_t upper, std::uint64_t bins) {
  SCOPED_TRACE(testing::Message() << sizeof(Sample) << " bytes, " << lower << " to " << upper << ", " << bins << " bins");
  thread_pool pool(3);
  auto in = random_elements<Sample>(3000, bins);
  std::mt19937_64 random(bins);
  for (std::size_t i = 0; i < in.size(); i += 2) {  // for most types the other values lie outside the range
    in[i] =
        static_cast<Sample>(lower + static_cast<std::int64_t>(random() % (static_cast<std::uint64_t>(upper - lower) + 3)) - 1);
  }
  std::vector<std::uint64_t> wanted(bins);
  for (const Sample x : in) {
    const auto value = static_cast<detail::Int128>(x);
    if (value >= lower && value < upper) {
      ++wanted[static_cast<std::size_t>((value - lower) * static_cast<detail::Int128>(bins) / (detail::Int128(upper) - lower))];
    }
  }
  Guarded<std::uint64_t> counts(bins);
  histogram_even(in.data(), counts.data(), in.size(), bins, lower, upper, pool);
  EXPECT_TRUE(std::equal(wanted.begin(), wanted.end(), counts.data()));
  EXPECT_TRUE(counts.is_intact());
}

TEST(CpuHistogramEven, GivenIntegers_WhenCounted_ThenByExactQuotients) {
  for (const std::uint64_t bins : {1, 3, 10, 256, 1000}) {
    check_even_integers<std::uint8_t>(0, 256, bins);
    check_even_integers<std::int8_t>(-100, 57, bins);
    check_even_integers<std::int16_t>(-7, 8, bins);
    check_even_integers<std::uint32_t>(10, 1000003, bins);
    check_even_integers<std::int64_t>(-(std::int64_t(1) << 62), std::int64_t(1) << 61, bins);
    check_even_integers<std::uint64_t>(5, std::numeric_limits<std::int64_t>::max(), bins);
  }
  std::vector<int> in(10);
  std::uint32_t counts[4];
  EXPECT_THROW(histogram_even(in.data(), counts, 10, 0, 0, 1), std::invalid_argument);
  EXPECT_THROW(histogram_even(in.data(), counts, 10, 4, 1, 1), std::invalid_argument);
  EXPECT_THROW(histogram_even(in.data(), static_cast<int *>(nullptr), 10, 4, 0, 1), std::invalid_argument);
  EXPECT_THROW(histogram_even(in.data(), in.data(), 10, 4, 0, 1), std::invalid_argument);
}

template <class Sample>
void check_even_floats(double lower, double upper, std::uint64_t bins) {
  SCOPED_TRACE(testing::Message() << sizeof(Sample) << " bytes, " << lower << " to " << upper << ", " << bins << " bins");
  std::vector<double> edges;
  for (std::uint64_t b = 0; b < bins; ++b) {
    edges.push_back(std::fma(static_cast<double>(b), (upper - lower) / static_cast<double>(bins), lower));
  }
  edges.push_back(upper);
  std::vector<Sample> in;
  std::mt19937_64 random(bins);
  for (int i = 0; i < 2000; ++i) {
    const double x = lower + (upper - lower) * (static_cast<double>(random() % 1100) / 1000 - 0.05);
    in.push_back(static_cast<Sample>(static_cast<float>(x)));
    // Samples on the edges and next to them.
    const double edge = edges[random() % edges.size()];
    if constexpr (std::is_same_v<Sample, double>) {
      in.push_back(edge);
      in.push_back(std::nextafter(edge, lower - 1));
    } else {
      in.push_back(static_cast<Sample>(static_cast<float>(edge)));
    }
  }
  in.push_back(static_cast<Sample>(std::numeric_limits<float>::quiet_NaN()));
  in.push_back(static_cast<Sample>(std::numeric_limits<float>::infinity()));
  std::vector<double> samples;
  for (const Sample x : in) {
    samples.push_back(static_cast<double>(x));
  }
  const auto wanted = by_edges(samples, edges);
  std::vector<std::uint64_t> counts(bins);
  histogram_even(in.data(), counts.data(), in.size(), bins, lower, upper);
  EXPECT_EQ(counts, wanted);
}

TEST(CpuHistogramEven, GivenFloats_WhenCounted_ThenByExactComparisonsWithEdges) {
  for (const std::uint64_t bins : {1, 3, 10, 1000}) {
    check_even_floats<float>(-1, 1, bins);
    check_even_floats<double>(0.1, 0.7, bins);
    check_even_floats<double>(1e15, 1e15 + 3000, bins);
    check_even_floats<bfloat16>(-3, 100, bins);
#ifdef __FLT16_MANT_DIG__
    check_even_floats<float16>(0, 5, bins);
#endif
  }
  std::vector<double> in(10);
  std::uint32_t counts[4];
  EXPECT_THROW(histogram_even(in.data(), counts, 10, 4, 1.0, std::nextafter(1.0, 2.0)), std::invalid_argument);
  EXPECT_THROW(histogram_even(in.data(), counts, 10, 4, 1.0, std::numeric_limits<double>::infinity()), std::invalid_argument);
}

TEST(CpuHistogramOfLevels, GivenLevels_WhenCounted_ThenAsByALoop) {
  thread_pool pool(3);
  for (const std::size_t bins : {1, 2, 7, 100}) {
    std::vector<std::int16_t> levels = random_elements<std::int16_t>(bins + 1, bins);
    levels[0] = levels[bins / 2];  // equal levels
    std::sort(levels.begin(), levels.end());
    const auto in = random_elements<std::int32_t>(5000, 1);
    std::vector<std::int32_t> small(in);
    for (std::int32_t &x : small) {
      x %= 40000;
    }
    std::vector<std::uint32_t> counts(bins);
    histogram_of_levels(small.data(), counts.data(), small.size(), bins, levels.data(), pool);
    const auto wanted = by_edges(small, std::vector<std::int32_t>(levels.begin(), levels.end()));
    EXPECT_TRUE(std::equal(counts.begin(), counts.end(), wanted.begin()));
    std::vector<float> halves(small.begin(), small.end()), float_levels(levels.begin(), levels.end());
    halves[0] = std::numeric_limits<float>::quiet_NaN();
    small[0] = 1 << 30;
    histogram_of_levels(halves.data(), counts.data(), halves.size(), bins, float_levels.data());
    const auto without = by_edges(small, std::vector<std::int32_t>(levels.begin(), levels.end()));
    EXPECT_TRUE(std::equal(counts.begin(), counts.end(), without.begin()));
  }
  // Integers of different signs are compared as numbers.
  const std::vector<std::uint64_t> large{~std::uint64_t(0), 3};
  const std::vector<std::int64_t> around{-1, 2, 4};
  std::uint32_t counts[2];
  histogram_of_levels(large.data(), counts, 2, 2, around.data());
  EXPECT_EQ(counts[0], 0U);
  EXPECT_EQ(counts[1], 1U);
}

TEST(CpuHistogramBy, GivenChannelsRegionsAndWeights_WhenCounted_ThenAsByALoop) {
  const std::uint64_t width = 301, rows = 200, pitch = 301 * 4 + 6, bins = 20;
  const auto image = random_elements<std::uint16_t>(rows * pitch, 1);
  const auto bin_of = [](std::uint16_t x) { return static_cast<int>(x % 23) - 1; };
  std::vector<float> weight(width * rows);
  std::vector<std::uint8_t> times(width * rows);
  for (std::size_t i = 0; i < weight.size(); ++i) {
    weight[i] = static_cast<float>(i % 100) / 7;
    times[i] = static_cast<std::uint8_t>(i);
  }
  std::vector<std::uint64_t> wanted(3 * bins), wanted_times(3 * bins);
  std::vector<double> wanted_weight(3 * bins);
  for (std::uint64_t y = 0; y < rows; ++y) {
    for (std::uint64_t x = 0; x < width; ++x) {
      for (std::uint64_t c = 0; c < 3; ++c) {
        const int bin = bin_of(image[y * pitch + x * 4 + c]);
        if (bin >= 0 && bin < 20) {
          const std::uint64_t at = c * bins + static_cast<std::uint64_t>(bin);
          ++wanted[at];
          wanted_times[at] += times[y * width + x];
          wanted_weight[at] += weight[y * width + x];
        }
      }
    }
  }
  std::vector<double> first;
  for (const unsigned threads : {1, 2, 16}) {
    thread_pool pool(threads);
    Guarded<std::uint32_t> counts(3 * bins, 1);
    Guarded<std::uint64_t> sums(3 * bins);
    std::vector<double> weighed(3 * bins);
    const region part(width, rows, pitch * 2);
    histogram_by(image.data(), counts.data(), part, bins, bin_of, pool, channels<4, 3>);
    histogram_by(image.data(), sums.data(), part, bins, bin_of, channels<4, 3>, weights(times.data()), pool);
    histogram_by(image.data(), weighed.data(), part, bins, bin_of, weights(weight.data()), pool, channels<4, 3>);
    EXPECT_TRUE(std::equal(wanted.begin(), wanted.end(), counts.data()) && counts.is_intact());
    EXPECT_TRUE(std::equal(wanted_times.begin(), wanted_times.end(), sums.data()) && sums.is_intact());
    for (std::size_t i = 0; i < weighed.size(); ++i) {
      ASSERT_NEAR(weighed[i], wanted_weight[i], 1e-9 * wanted_weight[i]);
    }
    first = first.empty() ? weighed : first;
    EXPECT_EQ(weighed, first);  // the same bits
  }
  std::uint32_t none[2] = {7, 7};
  histogram_by(image.data(), none, 0, 2, bin_of);
  EXPECT_EQ(none[0] + none[1], 0U);
  EXPECT_THROW(histogram_by(image.data(), none, region(10, 2, 19), 2, bin_of), std::invalid_argument);
  const std::vector<std::uint8_t> bytes{1, 2, 2, 255};
  std::uint32_t of_bytes[3];
  histogram_even(bytes.begin(), of_bytes, 4, 3, 0, 3);
  EXPECT_EQ(of_bytes[2], 2U);
}

// The reference computes edges of the whole range in long doubles, whose exponents suffice.
TEST(CpuHistogram, GivenTheWholeRangeOfDoubles_WhenBinned_ThenAsTheEdgesSay) {
  const double most = std::numeric_limits<double>::max();
  std::mt19937_64 random(4);
  for (const std::uint64_t bins : {1, 2, 3, 10, 1000}) {
    for (const auto &[lower, upper] :
         std::vector<std::pair<double, double>>{{-most, most}, {-most, most / 3}, {-1e308, 1.7e308}}) {
      const long double step = static_cast<long double>(static_cast<double>(
                                   (static_cast<long double>(upper) / 2 - static_cast<long double>(lower) / 2))) /
                               static_cast<long double>(bins);
      const long double rounded = static_cast<long double>(static_cast<double>(step)) * 2;
      std::vector<double> edges(bins + 1), in;
      for (std::uint64_t b = 0; b <= bins; ++b) {
        edges[b] = b == bins ? upper
                   : b == 0  ? lower
                             : static_cast<double>(static_cast<long double>(b) * rounded + static_cast<long double>(lower));
        in.insert(in.end(), {edges[b], std::nextafter(edges[b], -most), std::nextafter(edges[b], most)});
      }
      for (int i = 0; i < 5000; ++i) {
        in.push_back((static_cast<double>(random() >> 11) * 0x1p-52 - 1) * most);
      }
      in.insert(in.end(), {std::numeric_limits<double>::infinity(), std::numeric_limits<double>::quiet_NaN(), 0.0, 5e-324});
      std::vector<std::uint32_t> counts(bins), wanted(bins);
      for (const double x : in) {
        if (x >= lower && x < upper) {
          ++wanted[static_cast<std::size_t>(std::upper_bound(edges.begin(), edges.end(), x) - edges.begin() - 1)];
        }
      }
      histogram_even(in.data(), counts.data(), in.size(), bins, lower, upper);
      ASSERT_EQ(counts, wanted) << bins << " bins from " << lower << " to " << upper;
    }
  }
  const double x = 1;
  std::uint32_t count = 0;
  const auto message = [&](double lower, double upper) {
    try {
      histogram_even(&x, &count, 1, 1, lower, upper);
    } catch (const std::invalid_argument &error) {
      return std::string(error.what());
    }
    return std::string();
  };
  EXPECT_NE(message(2, 1).find("not below"), std::string::npos);
  EXPECT_NE(message(0, std::numeric_limits<double>::infinity()).find("finite"), std::string::npos);
  EXPECT_NE(message(0, 5e-324).find("too close"), std::string::npos);
}

}  // namespace upsweep::cpu::test
