// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The sign test's interval of a median.
#include "cli/ratio.h"

#include <algorithm>
#include <cassert>
#include <cmath>

namespace upsweep::cli {

size_t outside_of_interval(size_t count) {
  const double n = static_cast<double>(count);
  double log_term = -n * std::log(2.0);  // of no heads
  double sum = 0;
  for (size_t k = 0; k < count / 2; ++k) {
    sum += std::exp(log_term);
    if (sum > (1 - kConfidence) / 2) return k;
    log_term += std::log((n - static_cast<double>(k)) / (static_cast<double>(k) + 1));
  }
  return count / 2;
}

double median_of(std::vector<double> values) {
  assert(!values.empty());
  std::ranges::sort(values);
  const size_t half = values.size() / 2;
  return values.size() % 2 ? values[half] : (values[half - 1] + values[half]) / 2;
}

Ratio ratio_of(std::vector<double> ratios) {
  assert(ratios.size() >= kLeastTurns);
  std::ranges::sort(ratios);
  // The k-th smallest and largest ratios, counted from 1, contain the median unless fewer than k ratios lie on one side of it.
  const size_t k = outside_of_interval(ratios.size());
  return {median_of(ratios), ratios[k - 1], ratios[ratios.size() - k]};
}

}  // namespace upsweep::cli
