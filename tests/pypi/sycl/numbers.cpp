// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Programs of types and of mathematics by SYCL's built-in functions and its device libraries.
#include "programs.h"

#include <bit>
#include <cmath>
#include <complex>

namespace programs {
namespace {

constexpr size_t kCount = 1000;
const sycl::nd_range<1> kRange(1024, 64);

/// Results of eight functions against the host's in double precision.
template <typename T>
void check_math(sycl::queue &queue, const char *name, double relative) {
  const auto kernel = build(queue, "math").ext_oneapi_get_kernel(name);
  const auto in = random_numbers<T>(kCount, 0.01, 20);
  std::vector<T> expected;
  for (T value : in) {
    const auto x = static_cast<double>(value);
    for (double y : {std::sin(x), std::exp(-x), std::log(x), std::pow(x, 1.5), std::atan2(x, 3.0), std::erf(x / 10),
                     std::cbrt(x), std::tgamma(x / 4)})
      expected.push_back(static_cast<T>(y));
  }
  Array<T> from(queue, in), out(queue, expected.size());
  launch(queue, kernel, kRange, from.get(), out.get(), kCount);
  compare(out.values(), expected, relative, relative);
}

SYCL_PROGRAM(math_of_float) { check_math<float>(queue, "of_float", 2e-6); }
SYCL_PROGRAM(math_of_double) { check_math<double>(queue, "of_double", 1e-14); }

SYCL_PROGRAM(complex_numbers) {
  const auto kernel = build(queue, "complex").ext_oneapi_get_kernel("functions");
  const auto in = random_numbers<double>(2 * kCount, -2, 2);
  std::vector<double> expected;
  for (size_t i = 0; i < kCount; ++i) {
    const std::complex<double> z(in[2 * i], in[2 * i + 1]);
    for (const std::complex<double> &w : {z * z, 1.0 / z, std::exp(z), std::sqrt(z), std::sin(z)}) {
      expected.push_back(w.real());
      expected.push_back(w.imag());
    }
  }
  Array<double> from(queue, in), out(queue, expected.size());
  launch(queue, kernel, kRange, from.get(), out.get(), kCount);
  compare(out.values(), expected, 1e-12, 1e-12);
}

/// Sums of halves against the nearest half of the exact sum.
SYCL_PROGRAM(halves) {
  const auto kernel = build(queue, "halves").ext_oneapi_get_kernel("multiply_add");
  const auto in = random_numbers<float>(kCount, -100, 100);
  std::vector<float> expected(kCount);
  for (size_t i = 0; i < kCount; ++i) {
    const auto x = static_cast<float>(sycl::half(in[i]));
    expected[i] = static_cast<float>(sycl::half(static_cast<float>(sycl::half(x * x)) + x));
  }
  Array<float> from(queue, in), out(queue, kCount);
  launch(queue, kernel, kRange, from.get(), out.get(), kCount);
  compare(out.values(), expected, 1.0 / 1024);  // a fused multiplication and addition rounds once
}

/// Rounds to the nearest bfloat16, ties to even, by the bits.
SYCL_PROGRAM(bfloat16) {
  const auto kernel = build(queue, "bfloat16").ext_oneapi_get_kernel("round");
  const auto in = random_numbers<float>(kCount, -1e6, 1e6);
  std::vector<float> expected(kCount);
  for (size_t i = 0; i < kCount; ++i) {
    uint32_t bits = 0;
    std::memcpy(&bits, &in[i], sizeof bits);
    bits = (bits + 0x7FFF + ((bits >> 16) & 1)) & 0xFFFF0000;
    std::memcpy(&expected[i], &bits, sizeof bits);
  }
  Array<float> from(queue, in), out(queue, kCount);
  launch(queue, kernel, kRange, from.get(), out.get(), kCount);
  compare(out.values(), expected);
}

SYCL_PROGRAM(integers) {
  const auto kernel = build(queue, "integers").ext_oneapi_get_kernel("functions");
  const auto in = random_numbers<uint32_t>(kCount, 0, 4294967295.0);
  std::vector<uint32_t> expected;
  for (uint32_t x : in) {
    uint32_t ones = 0, zeros = 0;
    for (int bit = 0; bit < 32; ++bit) ones += (x >> bit) & 1;
    while (zeros < 32 && !((x >> (31 - zeros)) & 1)) ++zeros;
    const uint64_t saturated = std::min<uint64_t>(uint64_t{x} + 0x80000000, 0xFFFFFFFF);
    for (uint32_t y : {ones, zeros, static_cast<uint32_t>(uint64_t{x} * 0x9E3779B9 >> 32), (x << 7) | (x >> 25),
                       static_cast<uint32_t>(saturated), x > 1000 ? x - 1000 : 1000 - x})
      expected.push_back(y);
  }
  Array<uint32_t> from(queue, in), out(queue, expected.size());
  launch(queue, kernel, kRange, from.get(), out.get(), kCount);
  compare(out.values(), expected);
}

SYCL_PROGRAM(vectors) {
  const auto kernel = build(queue, "vectors").ext_oneapi_get_kernel("functions");
  const auto in = random_numbers<float>(4 * kCount, -9, 9);
  std::vector<float> expected;
  for (size_t i = 0; i < kCount; ++i) {
    const float *v = &in[4 * i];
    const float dot = v[0] * v[3] + v[1] * v[2] + v[2] * v[1] + v[3] * v[0];
    for (float y : {v[3], v[2], v[1], v[0], dot, v[1] * v[1] - v[2] * v[2], std::max(v[0], v[2]), v[0] < v[1] ? v[0] : v[3]})
      expected.push_back(y);
  }
  Array<float> from(queue, in), out(queue, expected.size());
  launch(queue, kernel, kRange, from.get(), out.get(), kCount);
  compare(out.values(), expected, 1e-5, 1e-4);
}

/// memcpy, memset and memcmp of the device libraries.
SYCL_PROGRAM(strings_of_bytes) {
  const auto kernel = build(queue, "strings").ext_oneapi_get_kernel("copy_and_compare");
  constexpr size_t kBytes = 37;
  const auto in = random_numbers<unsigned char>(64 * kBytes, 1, 255);
  std::vector<unsigned char> expected(in.size(), 0x5A);
  for (size_t i = 0; i < 64; ++i)
    std::copy_n(in.begin() + static_cast<std::ptrdiff_t>(i * kBytes), i % kBytes,
                expected.begin() + static_cast<std::ptrdiff_t>(i * kBytes));
  Array<unsigned char> from(queue, in), out(queue, in.size());
  Array<int> same(queue, 64);
  launch(queue, kernel, sycl::nd_range<1>(64, 16), from.get(), out.get(), same.get(), kBytes);
  compare(out.values(), expected);
  std::vector<int> all_same(64);
  for (size_t i = 0; i < 64; ++i) all_same[i] = 1;
  compare(same.values(), all_same);
}

}  // namespace
}  // namespace programs
