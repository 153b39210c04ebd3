// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Histograms of floating-point samples, and between levels: edges, NaNs and infinities.
#include "histogram_check.h"

#include <cuda_fp16.h>

namespace upsweep::test {

namespace {

double number_of(double x) { return x; }
double number_of(float x) { return x; }
double number_of(__half x) { return static_cast<float>(x); }

// The last bin whose edge is not above the sample, by search among the edges that the header documents.
template <class T>
struct EvenEdges {
  std::vector<double> edges;
  EvenEdges(double lower, double upper, std::uint32_t bins) : edges(bins + 1) {
    const double width = upper - lower;
    const double step = std::isfinite(width) ? width / bins : 2 * ((upper / 2 - lower / 2) / bins);
    edges[0] = lower;
    for (std::uint32_t b = 1; b < bins; ++b) {
      edges[b] = std::fma(static_cast<double>(b), step, lower);
    }
    edges[bins] = upper;
  }
  std::int64_t operator()(T x) const {
    const double sample = number_of(x);
    if (!(sample >= edges.front() && sample < edges.back())) {
      return -1;
    }
    return std::upper_bound(edges.begin(), edges.end(), sample) - edges.begin() - 1;
  }
};

// Numbers in and around the range, each edge with its neighbours, infinities and NaN.
template <class T>
std::vector<T> floats_of(double lower, double upper, std::uint32_t bins) {
  std::vector<T> samples;
  const auto add = [&](double x) {
    if constexpr (std::is_same_v<T, double>) {
      samples.push_back(x);
    } else {
      samples.push_back(static_cast<T>(static_cast<float>(x)));
    }
  };
  std::uniform_real_distribution<double> inside(-0.1, 1.1);
  for (int i = 0; i < 50000; ++i) {
    const double place = inside(generator());
    add((1 - place) * lower + place * upper);
  }
  const EvenEdges<T> even(lower, upper, bins);
  for (std::size_t b = 0; b <= bins; b += bins / 20000 + 1) {
    const double edge = even.edges[b];
    const auto near = static_cast<float>(edge);
    add(near);
    add(std::nextafter(near, -INFINITY));
    add(std::nextafter(near, INFINITY));
    if constexpr (std::is_same_v<T, double>) {
      samples.insert(samples.end(), {edge, std::nextafter(edge, -INFINITY), std::nextafter(edge, INFINITY)});
    }
  }
  for (const float x : {0.0f, -0.0f, INFINITY, -INFINITY, NAN, -NAN, 1e-42f, -1e-42f, 3.4e38f, -3.4e38f}) {
    add(x);
  }
  return samples;
}

template <class T>
void check_floats(const char *type, double lower, double upper, std::uint32_t bins) {
  const std::vector<T> samples = floats_of<T>(lower, upper, bins);
  DeviceArray<T> in(samples);
  DeviceArray<int> counts(bins);
  UPSWEEP_CUDA(cuda::histogram_even(in.data(), counts.data(), samples.size(), bins, lower, upper));
  check_counts(counts, counts_of<int>(samples, bins, EvenEdges<T>(lower, upper, bins)),
               std::string(type) + " from " + std::to_string(lower) + " to " + std::to_string(upper) + ", bins " +
                   std::to_string(bins));
}

template <class T>
void check_floats(const char *type) {
  for (const std::uint32_t bins : {1u, 2u, 3u, 10u, 255u, 256u, 257u, 4096u, 100000u, 1u << 22}) {
    check_floats<T>(type, 0, 1, bins);
    check_floats<T>(type, -0.1, 0.7, bins);
    check_floats<T>(type, 0, bins, bins);
    check_floats<T>(type, -1e30, 2e30, bins);
    check_floats<T>(type, 1e-39, 3e-38, bins);
    check_floats<T>(type, 60000, 60001, bins);
    check_floats<T>(type, -3.4e38, 3.4e38, bins);
    check_floats<T>(type, -1e300, 1e300, bins);
    check_floats<T>(type, -1.7e308, 1.7e308, bins);  // the width overflows
  }
}

// Linear search.
template <class T, class Level>
void check_levels(const char *type, const std::vector<T> &samples, const std::vector<Level> &levels) {
  const std::size_t bins = levels.size() - 1;
  DeviceArray<T> in(samples);
  DeviceArray<Level> edges(levels);
  DeviceArray<std::uint64_t> counts(bins);
  UPSWEEP_CUDA(cuda::histogram_of_levels(in.data(), counts.data(), samples.size(), bins, edges.data()));
  const auto expected = counts_of<std::uint64_t>(samples, bins, [&](T x) {
    std::int64_t bin = -1;
    for (std::size_t b = 0; b < bins; ++b) {
      if (!(levels[b] > x) && x < levels[b + 1]) {
        bin = static_cast<std::int64_t>(b);
      }
    }
    return bin;
  });
  check_counts(counts, expected, std::string(type) + " between " + std::to_string(levels.size()) + " levels");
}

template <class Level>
std::vector<Level> levels_of(std::size_t count, double least, double most) {
  std::vector<Level> levels(count);
  std::uniform_real_distribution<double> any(least, most);
  for (std::size_t i = 0; i < count; ++i) {
    levels[i] = static_cast<Level>(any(generator()));
    levels[i] = i % 7 == 3 ? levels[i - 1] : levels[i];
  }
  std::sort(levels.begin(), levels.end());
  return levels;
}

}  // namespace

UPSWEEP_TEST(GivenFloats_WhenCounted_ThenAsBetweenTheEdges) { check_floats<float>("float"); }
UPSWEEP_TEST(GivenDoubles_WhenCounted_ThenAsBetweenTheEdges) { check_floats<double>("double"); }
UPSWEEP_TEST(GivenHalves_WhenCounted_ThenAsBetweenTheEdges) { check_floats<__half>("half"); }

UPSWEEP_TEST(GivenLevels_WhenCounted_ThenAsBetweenThem) {
  for (const std::size_t count : {2u, 3u, 4u, 9u, 255u, 256u, 257u, 258u, 5000u}) {
    check_levels("u8", samples_of<std::uint8_t>(3001, Samples::kRandom), levels_of<int>(count, -5, 270));
    std::vector<float> floats = floats_of<float>(-3, 5, 16);
    floats.erase(floats.begin(), floats.begin() + 48000);
    std::vector<float> levels = levels_of<float>(count, -3, 5);
    floats.insert(floats.end(), levels.begin(), levels.end());
    check_levels("float", floats, levels);
    levels.front() = -INFINITY;
    levels.back() = INFINITY;
    check_levels("float", floats, levels);
    check_levels("i64", samples_of<std::int64_t>(3001, Samples::kRandom), levels_of<std::int64_t>(count, -9e18, 9e18));
  }
  // More levels than shared memory has room for beside the counts.
  check_levels("i64", samples_of<std::int64_t>(500, Samples::kRandom), levels_of<std::int64_t>(30000, -9e18, 9e18));
}

}  // namespace upsweep::test
