// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Calls of the CPU library for the test that compares its bits with the GPU's. They are a C++20 translation unit of their own.
#pragma once

#include <cstddef>

namespace upsweep::test {

// With the option `reproducible`.
template <class T>
struct OnCpu {
  static void inclusive_sum(const T *in, T *out, std::size_t n, bool is_backward);
  static void exclusive_sum(const T *in, T *out, std::size_t n, T initial, T *total);
  static void inclusive_compensated_sum(const T *in, T *out, std::size_t n);
  static void inclusive_sum_in_double(const T *in, double *out, std::size_t n);
  static T sum(const T *in, std::size_t n);
  static T compensated_sum(const T *in, std::size_t n);
};

}  // namespace upsweep::test
