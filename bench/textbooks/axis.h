// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Logarithmic axes and their ticks.
#ifndef UPSWEEP_BENCH_TEXTBOOKS_AXIS_H
#define UPSWEEP_BENCH_TEXTBOOKS_AXIS_H

#include <string>
#include <string_view>
#include <vector>

namespace upsweep::cli::textbooks {

class LogAxis {
public:
  // From the least to the greatest value, both above 0, which lie at these pixels. Equal values get a factor of two on both
  // sides.
  LogAxis(double least, double greatest, double pixel_of_least, double pixel_of_greatest);

  [[nodiscard]] double place(double value) const;
  [[nodiscard]] double least() const;
  [[nodiscard]] double greatest() const;
  [[nodiscard]] bool has(double value) const;

private:
  double low_, high_;  // binary logarithms
  double pixel_low_, pixel_high_;
};

// Powers of two on the axis, at most `most`, with equal steps.
std::vector<double> binary_ticks(const LogAxis &axis, int most);

// Powers of ten on the axis, at most `most`, with equal steps; on a short axis also 2 and 5 times these.
std::vector<double> decimal_ticks(const LogAxis &axis, int most);

// The nearest of 1, 2 and 5 times powers of ten that is not greater, or not less.
double nice_below(double value);
double nice_above(double value);

// "2^20", and "50 GB/s" for a unit such as "B/s".
std::string binary_text(double power);
std::string decimal_text(double value, std::string_view unit);

}  // namespace upsweep::cli::textbooks
#endif
