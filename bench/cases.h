// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The families of bench_kernels: each adds its cases.
#ifndef UPSWEEP_BENCH_CASES_H
#define UPSWEEP_BENCH_CASES_H

#include "bench/harness.h"

#include <cmath>
#include <cstdint>
#include <memory>

namespace upsweep::bench {

void add_peaks(std::vector<Case> &cases, const Options &options);
void add_launches(std::vector<Case> &cases);
void add_transfers(std::vector<Case> &cases, const Options &options);
void add_streams(std::vector<Case> &cases, const Options &options);
void add_double_streams(std::vector<Case> &cases, const Options &options);
void add_matrix(std::vector<Case> &cases, const Options &options);
void add_transposes(std::vector<Case> &cases, const Options &options);
void add_stencils(std::vector<Case> &cases, const Options &options);
void add_async_copies(std::vector<Case> &cases, const Options &options);
void add_atomics(std::vector<Case> &cases, const Options &options);
void add_locks(std::vector<Case> &cases, const Options &options);
void add_mandelbrot(std::vector<Case> &cases, const Options &options);

// Floats in 0 … 1; the same for the same count.
inline std::vector<float> make_floats(size_t count) {
  std::vector<float> values(count);
  uint32_t state = 1;
  for (float &value : values) {
    state = state * 1664525u + 1013904223u;  // Numerical Recipes' generator
    value = static_cast<float>(state >> 8) * 0x1p-24f;
  }
  return values;
}

// Fails with the first place at which `got` is further than `tolerance` (relative, or absolute below 1) from `expected(i)`.
// With a step other than 1 only some places are checked.
template <typename T, typename F>
Result<void> compare(const std::vector<T> &got, F expected, double tolerance, size_t step = 1) {
  for (size_t i = 0; i < got.size(); i += step) {
    const auto want = static_cast<double>(expected(i)), value = static_cast<double>(got[i]);
    // The negation makes NaN fail as well.
    if (!(std::abs(value - want) <= tolerance * std::max(1.0, std::abs(want))))
      return cli::fail("element {} is {}, and should be {}", i, value, want);
  }
  return {};
}

}  // namespace upsweep::bench
#endif
