// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Maps a sample to its bin: bins of equal width, bins between sorted levels, and bins that a function returns. A sample
// without a bin gets kNoBin.
#pragma once

#include <upsweep/cpu/numbers.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <type_traits>
#include <utility>

namespace upsweep::cpu::detail {

inline constexpr std::uint64_t kMostBins = std::uint64_t(1) << 24;
inline constexpr std::uint64_t kNoBin = ~std::uint64_t(0);

inline void require_bounds(bool is_right, const char *message) {
  if (!is_right) {
    throw std::invalid_argument(message);
  }
}

// floor((x - lower) * bins / (upper - lower)), exactly: the quotient of doubles differs by at most 1.
template <class Sample>
struct EvenIntegers {
  Int128 lower, upper;
  std::uint64_t bins;
  double bins_per_unit;

  EvenIntegers(Int128 from, Int128 to, std::uint64_t count) : lower(from), upper(to), bins(count), bins_per_unit(0) {
    require_bounds(lower < upper, "upsweep::cpu: the histogram's lower bound is not below its upper bound");
    require_bounds(upper - lower <= Int128(1) << 64, "upsweep::cpu: the histogram's bounds are more than 2^64 apart");
    bins_per_unit = static_cast<double>(bins) / static_cast<double>(upper - lower);
  }
  std::uint64_t operator()(Sample x) const {
    const Int128 sample = x;
    if (sample < lower || sample >= upper) {
      return kNoBin;
    }
    const auto offset = static_cast<std::uint64_t>(sample - lower);
    const auto width = static_cast<Uint128>(upper - lower), product = static_cast<Uint128>(offset) * bins;
    auto bin = static_cast<std::uint64_t>(static_cast<double>(offset) * bins_per_unit);
    if (width * bin > product) {
      --bin;
    } else if (width * (bin + 1) <= product) {
      ++bin;
    }
    return bin;
  }
};

// Bin b begins at the edge fma(b, (upper - lower) / bins, lower) in double precision. A product gives the bin; only near an
// integer, where its rounding may matter, is the sample compared with the edge. If the bounds' distance exceeds all doubles,
// bins are computed from halves of samples and distance. Halving rounds only near denormal numbers, by far less than the
// margin.
template <class Sample>
struct EvenFloats {
  double lower, upper, step, bins_per_unit, margin, share;
  std::uint64_t bins;

  EvenFloats(double from, double to, std::uint64_t count) : lower(from), upper(to), bins(count) {
    require_bounds(std::isfinite(lower) && std::isfinite(upper), "upsweep::cpu: the histogram's bounds must be finite");
    require_bounds(lower < upper, "upsweep::cpu: the histogram's lower bound is not below its upper bound");
    share = std::isfinite(upper - lower) ? 1 : 0.5;
    const double width = share * upper - share * lower, most = std::max(std::fabs(lower), std::fabs(upper));
    const double infinity = std::numeric_limits<double>::infinity();
    step = width / static_cast<double>(bins) / share;
    bins_per_unit = static_cast<double>(bins) / width;
    // Edges are at least as far apart as neighbouring numbers, so that rounding keeps their order.
    require_bounds(bins_per_unit < infinity && step >= most - std::nextafter(most, 0),
                   "upsweep::cpu: the histogram's bounds are too close for this many bins of equal width");
    // The rounding errors of the difference, the quotient and the product, each up to 2^-53, and of the edges.
    margin = static_cast<double>(bins) * 0x1p-48 + most * share * 0x1p-50 * bins_per_unit;
  }
  std::uint64_t operator()(const Sample &sample) const {
    const auto x = static_cast<double>(sample);
    if (!(x >= lower && x < upper)) {
      return kNoBin;
    }
    const double place = (share * x - share * lower) * bins_per_unit;
    auto b = static_cast<std::uint64_t>(place);
    const double past = place - static_cast<double>(b);
    return past > margin && past < 1 - margin && b < bins ? b : by_edges(x, std::min(b, bins - 1));
  }

private:
  double edge(std::uint64_t b) const {  // with one bin the step may exceed all doubles
    return b == bins ? upper : b == 0 ? lower : std::fma(static_cast<double>(b), step, lower);
  }
  std::uint64_t by_edges(double x, std::uint64_t b) const {
    while (b > 0 && x < edge(b)) {
      --b;
    }
    while (b + 1 < bins && x >= edge(b + 1)) {
      ++b;
    }
    return b;
  }
};

// Bin b begins at level b and ends before level b + 1, of bins + 1 levels in ascending order.
template <class Sample, class Level>
struct LevelBins {
  static constexpr bool kIntegers = is_integer<Sample> && is_integer<Level>;
  static_assert(kIntegers || (is_integer<Level> ? sizeof(Level) <= 4 : sizeof(Level) <= 8),
                "levels that are compared as doubles must be integers of up to 32 bits or floating-point numbers");
  static_assert(kIntegers || (is_integer<Sample> ? sizeof(Sample) <= 4 : sizeof(Sample) <= 8),
                "samples that are compared as doubles must be integers of up to 32 bits or floating-point numbers");
  const Level *levels;
  std::uint64_t bins;

  std::uint64_t operator()(const Sample &sample) const {
    // The number of levels that are not above the sample, by bisection without branches, since samples are unordered.
    const Level *from = levels;
    std::uint64_t count = bins + 1;
    while (count > 1) {
      const std::uint64_t half = count / 2;
      from += is_up_to(from[half - 1], sample) ? half : 0;
      count -= half;
    }
    const auto up_to = static_cast<std::uint64_t>(from - levels) + (is_up_to(*from, sample) ? 1 : 0);
    return up_to >= 1 && up_to <= bins ? up_to - 1 : kNoBin;
  }

private:
  static bool is_up_to(const Level &level, const Sample &sample) {
    if constexpr (kIntegers) {
      return std::cmp_less_equal(level, sample);
    } else {
      return static_cast<double>(level) <= static_cast<double>(sample);
    }
  }
};

// A result outside of 0 to bins - 1 means no bin.
template <class F>
struct BinsByFunction {
  F function;

  template <class Sample>
  std::uint64_t operator()(const Sample &x) const {
    const auto bin = function(x);
    static_assert(is_integer<std::decay_t<decltype(bin)>>, "the function of a sample must return its bin as an integer");
    return static_cast<std::uint64_t>(bin);  // a negative one becomes larger than all bins
  }
};

// The bins of all values of 8-bit samples.
template <class Sample>
struct BinsOfBytes {
  std::array<std::uint64_t, 256> bins;

  template <class Bins>
  explicit BinsOfBytes(const Bins &of) {
    for (unsigned value = 0; value < 256; ++value) {
      bins[value] = of(static_cast<Sample>(static_cast<std::uint8_t>(value)));
    }
  }
  std::uint64_t operator()(Sample x) const { return bins[static_cast<std::uint8_t>(x)]; }
};

}  // namespace upsweep::cpu::detail
