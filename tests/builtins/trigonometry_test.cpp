// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// sin, cos, tan and sincos of large arguments in each width, against the C library. Their reduction modulo pi/2 reads a table.
#include "kernel_runner.h"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <limits>
#include <random>
#include <sstream>

namespace upsweep::tests {
namespace {

constexpr size_t kItems = 48;  // three sub-groups of 16 lanes
// The full profile's bounds in ulp (specification: "Relative Error as ULPs") and the C library's own error.
constexpr double kBounds[] = {4.5, 4.5, 5.5, 4.5, 4.5};

/// Small and large magnitudes of both signs, infinities and NaNs, in an order in which neighbours differ.
template <typename T>
std::vector<T> arguments(size_t count) {
  std::mt19937 random(7);
  const bool is_double = sizeof(T) == 8;
  std::vector<T> values = {0,
                           T(-0.0),
                           T(1e5),
                           T(-1e5),
                           T(1e15),
                           T(-1e15),
                           T(1e22),
                           T(is_double ? 1e300 : 1e37),
                           T(is_double ? -1e300 : -1e37),
                           std::numeric_limits<T>::max(),
                           std::numeric_limits<T>::denorm_min(),
                           std::numeric_limits<T>::infinity(),
                           -std::numeric_limits<T>::infinity(),
                           std::numeric_limits<T>::quiet_NaN(),
                           T(0.5),
                           T(3.141592653589793)};
  std::uniform_real_distribution<double> exponents(-10, is_double ? 1023 : 127), fractions(1, 2);
  while (values.size() < count)
    values.push_back(
        static_cast<T>((values.size() & 1 ? -1 : 1) * std::ldexp(fractions(random), static_cast<int>(exponents(random)))));
  std::shuffle(values.begin(), values.end(), random);
  values.resize(count);
  return values;
}

double reference(size_t function, double x) {
  switch (function) {
  case 0:
  case 3: return std::sin(x);
  case 1:
  case 4: return std::cos(x);
  default: return std::tan(x);
  }
}

template <typename T>
void expect_near(T result, double wanted, double bound, double x) {
  if (std::isnan(wanted)) {
    EXPECT_TRUE(std::isnan(result)) << x;
    return;
  }
  const T nearest = static_cast<T>(wanted);
  const T unit = std::max(std::nextafter(std::fabs(nearest), std::numeric_limits<T>::infinity()) - std::fabs(nearest),
                          std::numeric_limits<T>::denorm_min());
  EXPECT_LE(std::fabs(static_cast<double>(result) - wanted), bound * unit) << "of " << x;
}

template <typename T>
void run_width(const char *element, int width) {
  std::stringstream text;
  text << "#define WIDTH " << width << "\n#define ELEMENT " << element << "\n#define NUMBER " << element;
  if (width > 1) text << width;
  text << "\n" << std::ifstream(UPSWEEP_TEST_BUILTINS "/trigonometry.cl").rdbuf();
  KernelRunner runner;
  runner.build(text.str());
  const size_t n = kItems * static_cast<size_t>(width);
  const std::vector<T> in = arguments<T>(n);
  const size_t functions = width < 8 ? std::size(kBounds) : 3;
  const std::vector<T> out = runner.run<T>(in, functions * n, kItems, kItems / 2);
  for (size_t function = 0; function < functions; ++function)
    for (size_t i = 0; i < n; ++i)
      expect_near(out[function * n + i], reference(function, in[i]), kBounds[function], static_cast<double>(in[i]));
}

class Trigonometry : public testing::TestWithParam<int> {};

TEST_P(Trigonometry, GivenFloatsOfAnySize_WhenReduced_ThenResultsAreTheFunctions) { run_width<float>("float", GetParam()); }
TEST_P(Trigonometry, GivenDoublesOfAnySize_WhenReduced_ThenResultsAreTheFunctions) { run_width<double>("double", GetParam()); }

INSTANTIATE_TEST_SUITE_P(Widths, Trigonometry, testing::Values(1, 2, 3, 4, 8, 16));

}  // namespace
}  // namespace upsweep::tests
