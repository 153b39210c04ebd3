// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The ratio of two times that are measured alternately, with a confidence interval.
#ifndef UPSWEEP_CLI_RATIO_H
#define UPSWEEP_CLI_RATIO_H

#include <cstddef>
#include <vector>

namespace upsweep::cli {

inline constexpr double kConfidence = 0.95;
// The fewest turns whose interval has this confidence: 1 - 2 / 2^6 is above 0.95, 1 - 2 / 2^5 is not.
inline constexpr size_t kLeastTurns = 6;

struct Ratio {
  double median = 1;
  double low = 1;
  double high = 1;
};

// The median of the turns' ratios. The interval's ends are ratios of turns, chosen by the binomial distribution of the number
// of ratios below the true median, so it assumes no distribution of times. Needs at least kLeastTurns ratios.
Ratio ratio_of(std::vector<double> ratios);

double median_of(std::vector<double> values);

// The rank of the ratio at each end of the interval, counted from 1, or 0 if there is none. It is the largest k for which
// `count` fair coins show fewer than k heads with a probability of at most (1 - kConfidence) / 2.
size_t outside_of_interval(size_t count);

}  // namespace upsweep::cli
#endif
