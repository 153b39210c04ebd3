// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// half against its definition: the multiple of the unit in the last place that is nearest, ties to even.
#include "kernel_runner.h"

#include <cmath>
#include <random>

namespace upsweep::tests {
namespace {

/// The bits of the half nearest to `x`, which is not NaN.
cl_int nearest_half(long double x) {
  const cl_int sign = std::signbit(x) ? 0x8000 : 0;
  const long double magnitude = std::fabs(x);
  if (magnitude == 0) return sign;
  if (magnitude >= 65520) return sign | 0x7c00;
  int exponent = 0;
  std::frexp(magnitude, &exponent);
  const int unit = std::max(exponent - 11, -24);  // subnormal halves are multiples of 2^-24
  const auto units = static_cast<cl_int>(std::nearbyint(std::ldexp(magnitude, -unit)));
  return sign | (units + (unit + 24) * 1024);
}

double half_value(cl_int bits) {
  const int exponent = bits >> 10 & 31, mantissa = bits & 1023;
  const double magnitude = std::ldexp(exponent ? 1024 + mantissa : mantissa, std::max(exponent, 1) - 25);
  return bits & 0x8000 ? -magnitude : magnitude;
}

class HalfTest : public KernelRunner {
protected:
  std::vector<cl_int> run_on(const std::vector<double> &input, size_t outputs) {
    cl_mem buffer = clCreateBuffer(context_, CL_MEM_COPY_HOST_PTR, input.size() * sizeof(double),
                                   const_cast<double *>(input.data()), nullptr);
    set(1, buffer);
    std::vector<cl_int> result = run({{outputs, 1, 1}, {64, 1, 1}}, outputs);
    clReleaseMemObject(buffer);
    return result;
  }

  /// Halves, the midpoints between them, and the midpoints' neighbours, for which double rounding fails; and numbers of every
  /// size.
  std::vector<double> hard_numbers() {
    std::vector<double> numbers;
    for (size_t i = 0; i < 4096; ++i) {
      const auto bits = static_cast<cl_int>(random_() & 0xfbff);
      const double middle = (half_value(bits) + half_value((bits & 0x7fff) == 0x7bff ? bits : bits + 1)) / 2;
      for (const double near : {0.0, 0x1p-52, 0x1p-30, 0x1p-24, 0x1p-14})
        for (const double x : {middle * (1 + near), middle * (1 - near)}) numbers.push_back(x);
      numbers.push_back(half_value(bits));
      numbers.push_back(std::ldexp(static_cast<double>(random_()), -60 - static_cast<int>(random_() % 60)));
    }
    for (const double x : {0.0, -0.0, 65504.0, 65519.999999, 65520.0, 1e300, -1e300, 0x1p-25, 0x1.0000000000001p-25, 1e-320})
      numbers.push_back(x);
    numbers.resize(numbers.size() / 64 * 64);
    return numbers;
  }

  std::mt19937_64 random_{1};
};

TEST_F(HalfTest, GivenDoubles_WhenConverted_ThenTheyAreRoundedOnce) {
  build("half.cl", "from_double");
  const std::vector<double> numbers = hard_numbers();
  const std::vector<cl_int> got = run_on(numbers, numbers.size());
  for (size_t i = 0; i < numbers.size(); ++i)
    ASSERT_EQ(got[i], nearest_half(numbers[i])) << std::hexfloat << numbers[i] << " is " << half_value(got[i]);
}

TEST_F(HalfTest, GivenFloats_WhenConverted_ThenTheyAreRoundedToNearest) {
  build("half.cl", "from_float");
  const std::vector<double> numbers = hard_numbers();
  const std::vector<cl_int> got = run_on(numbers, numbers.size());
  for (size_t i = 0; i < numbers.size(); ++i)
    ASSERT_EQ(got[i], nearest_half(static_cast<float>(numbers[i]))) << std::hexfloat << numbers[i];
}

TEST_F(HalfTest, GivenHalves_WhenMultipliedAndAdded_ThenTheResultIsRoundedOnce) {
  build("half.cl", "multiply_add");
  std::vector<double> numbers;
  // Exponents make the third operand about half a unit of the product, or the reverse; sign and mantissa are random.
  for (size_t i = 0; i < 3 * 4096; ++i)
    numbers.push_back(half_value(static_cast<cl_int>((random_() & 0x83ff) | (8 + random_() % 12) << 10)));
  const std::vector<cl_int> got = run_on(numbers, numbers.size() / 3);
  for (size_t i = 0; i < got.size(); ++i) {
    const long double x = numbers[3 * i], y = numbers[3 * i + 1], z = numbers[3 * i + 2];
    ASSERT_EQ(got[i], nearest_half(x * y + z)) << std::hexfloat << x << " * " << y << " + " << z;
  }
}

}  // namespace
}  // namespace upsweep::tests
