// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Logarithmic axes and their ticks.
#include "bench/textbooks/axis.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace upsweep::cli::textbooks {
namespace {

constexpr double kTolerance = 1e-9;    // of a logarithm: a rounded end keeps its tick
constexpr double kShortDecades = 2.5;  // powers of ten alone would be three ticks at most

double multiple(int digit, int power) { return digit * std::pow(10.0, power); }

// The least step whose multiples from low to high are at most `most`.
int step_for(int low, int high, int most) {
  int step = 1;
  while ((high - low) / step + 1 > most) ++step;
  return step;
}

template <typename Power>
std::vector<double> powers(double low, double high, int most, Power power) {
  const int first = static_cast<int>(std::ceil(low - kTolerance)), last = static_cast<int>(std::floor(high + kTolerance));
  const int step = step_for(first, last, most);
  std::vector<double> ticks;
  for (int i = static_cast<int>(std::ceil(static_cast<double>(first) / step)) * step; i <= last; i += step)
    ticks.push_back(power(i));
  return ticks;
}

}  // namespace

LogAxis::LogAxis(double least, double greatest, double pixel_of_least, double pixel_of_greatest)
    : low_(std::log2(least)), high_(std::log2(greatest)), pixel_low_(pixel_of_least), pixel_high_(pixel_of_greatest) {
  if (high_ > low_) return;
  low_ -= 1;
  high_ += 1;
}

double LogAxis::place(double value) const {
  return pixel_low_ + (std::log2(value) - low_) / (high_ - low_) * (pixel_high_ - pixel_low_);
}

double LogAxis::least() const { return std::exp2(low_); }
double LogAxis::greatest() const { return std::exp2(high_); }
bool LogAxis::has(double value) const {
  const double log = std::log2(value);
  return log >= low_ - kTolerance && log <= high_ + kTolerance;
}

std::vector<double> binary_ticks(const LogAxis &axis, int most) {
  return powers(std::log2(axis.least()), std::log2(axis.greatest()), most, [](int i) { return std::exp2(i); });
}

std::vector<double> decimal_ticks(const LogAxis &axis, int most) {
  const double low = std::log10(axis.least()), high = std::log10(axis.greatest());
  if (high - low > kShortDecades) return powers(low, high, most, [](int i) { return multiple(1, i); });
  std::vector<double> ticks;
  for (int power = static_cast<int>(std::floor(low)); power <= high + 1; ++power)
    for (const int digit : {1, 2, 5})
      if (axis.has(multiple(digit, power))) ticks.push_back(multiple(digit, power));
  return ticks;
}

double nice_below(double value) {
  const int power = static_cast<int>(std::floor(std::log10(value) + kTolerance));
  for (const int digit : {5, 2})
    if (multiple(digit, power) <= value * (1 + kTolerance)) return multiple(digit, power);
  return multiple(1, power);
}

double nice_above(double value) {
  const int power = static_cast<int>(std::floor(std::log10(value) + kTolerance));
  for (const int digit : {1, 2, 5})
    if (multiple(digit, power) >= value * (1 - kTolerance)) return multiple(digit, power);
  return multiple(1, power + 1);
}

std::string binary_text(double power) { return fmt::format("2^{}", std::lround(std::log2(power))); }

std::string decimal_text(double value, std::string_view unit) {
  constexpr const char *kPrefixes[] = {"", "k", "M", "G", "T", "P"};
  const int group = static_cast<int>(std::floor((std::log10(value) + kTolerance) / 3));
  if (group < -1) return fmt::format("{:.3g} {}", value, unit);
  if (group > 5) {
    const long power = std::lround(std::log10(value));
    if (std::abs(std::log10(value) - static_cast<double>(power)) > kTolerance) return fmt::format("{:.3g} {}", value, unit);
    return fmt::format("10^{} {}", power, unit);
  }
  const int prefix = std::max(group, 0);
  return fmt::format("{:.3g} {}{}", value / std::pow(1000.0, prefix), kPrefixes[prefix], unit);
}

}  // namespace upsweep::cli::textbooks
