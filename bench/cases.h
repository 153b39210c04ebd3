// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The families of bench_kernels: each adds its cases.
#ifndef UPSWEEP_BENCH_CASES_H
#define UPSWEEP_BENCH_CASES_H

#include "bench/harness.h"

#include <cmath>
#include <cstdint>
#include <memory>

namespace upsweep::bench {

void add_peaks(std::vector<Case> &cases);
void add_streams(std::vector<Case> &cases);
void add_matrix(std::vector<Case> &cases);
void add_stencils(std::vector<Case> &cases);
void add_mandelbrot(std::vector<Case> &cases);

// Floats in 0 … 1, the same for the same count.
inline std::vector<float> make_floats(size_t count) {
  std::vector<float> values(count);
  uint32_t state = 1;
  for (float &value : values) {
    state = state * 1664525u + 1013904223u;  // Numerical Recipes' generator
    value = static_cast<float>(state >> 8) * 0x1p-24f;
  }
  return values;
}

// Fails with the first place where `got` is further than `tolerance` (relative, or absolute below 1) from `expected(i)`.
template <typename T, typename F>
Result<void> compare(const std::vector<T> &got, F expected, double tolerance) {
  for (size_t i = 0; i < got.size(); ++i) {
    const auto want = static_cast<double>(expected(i));
    // The negation catches NaN as well.
    if (!(std::abs(static_cast<double>(got[i]) - want) <= tolerance * std::max(1.0, std::abs(want))))
      return cli::fail("element {} is {}, and should be {}", i, got[i], want);
  }
  return {};
}

}  // namespace upsweep::bench
#endif
