// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// normalize, length and distance by "Additional Requirements Beyond C99 TC2": zeros, infinities, NaNs, and both ends of the
// type's range, where lengths neither overflow nor lose precision.
#include "format.h"
#include "opened_device.h"
#include "tests/precision/geometric.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace upsweep::precision {
namespace {

using Vector = std::vector<double>;

constexpr size_t kRepeats = 16;

/// Every vector of these elements.
std::vector<Vector> all_vectors(const Format &format, size_t width) {
  const double least = std::ldexp(1.0, format.min_exponent - format.digits), large = std::ldexp(1.0, format.max_exponent - 3);
  const Vector elements = {0, -0.0, 1, -INFINITY, INFINITY, NAN, 3 * large, -4 * large, 3 * least, 4 * least};
  std::vector<Vector> all = {{}};
  for (size_t i = 0; i < width; ++i) {
    std::vector<Vector> longer;
    for (const Vector &vector : all)
      for (const double element : elements) {
        longer.push_back(vector);
        longer.back().push_back(element);
      }
    all = std::move(longer);
  }
  return all;
}

bool has_nan(const Vector &vector) {
  return std::ranges::any_of(vector, [](double x) { return std::isnan(x); });
}

long double length_of(const Vector &vector) {
  long double sum = 0;
  for (const long double x : vector) sum += x * x;  // of the range of a 15-bit exponent
  return std::sqrt(sum);
}

/// Unit vectors may have an error of 2 ulp for each dimension and a half.
Vector normalized(Vector vector) {
  if (has_nan(vector)) return Vector(vector.size(), NAN);
  if (std::ranges::any_of(vector, [](double x) { return std::isinf(x); }))
    for (double &x : vector) x = std::isinf(x) ? std::copysign(1.0, x) : 0.0 * x;
  const long double length = length_of(vector);
  if (length != 0)
    for (double &x : vector) x = static_cast<double>(x / length);
  return vector;
}

bool is_close(const Format &format, double got, long double want, double ulps) {
  if (std::isnan(want)) return std::isnan(got);
  if (want >= std::ldexp(1.0L, format.max_exponent)) return std::isinf(got) && got > 0;
  if (std::isinf(got)) return want > std::ldexp(1.0L, format.max_exponent) * (1 - std::ldexp(1.0L, -format.digits));
  const int exponent = want == 0 ? format.min_exponent : std::max(std::ilogb(want) + 1, format.min_exponent);
  return std::fabs(got - want) <= ulps * std::ldexp(1.0L, exponent - format.digits);
}

class Geometric : public testing::TestWithParam<int> {};

TEST_P(Geometric, GivenZerosInfinitiesNansAndTheEndsOfTheRange_WhenMeasured_ThenResultsAreAsPrescribed) {
  const auto width = static_cast<size_t>(GetParam());
  const cli::Device &device = opened_device();
  for (const Format &format : {kHalf, kFloat, kDouble}) {
    const std::vector<Vector> vectors = all_vectors(format, width);
    const size_t count = vectors.size() * kRepeats;
    Values xs(format), normals(format), lengths(format), distances(format);
    for (size_t i = 0; i < count; ++i)
      for (const double x : vectors[i % vectors.size()]) xs.push(encode(format, x));
    normals.resize(count * width);
    lengths.resize(count);
    distances.resize(count);
    const auto program = cli::build_program(
        device, fmt::format("#define T {}\n#define N {}\n{}", format.type, width, kGeometricSource), "-cl-std=CL3.0");
    ASSERT_TRUE(program) << program.error();
    cl::Kernel kernel(*program, "apply");
    Values *const all[] = {&xs, &normals, &lengths, &distances};
    std::vector<cl::Buffer> buffers;
    for (Values *values : all) buffers.emplace_back(device.context, CL_MEM_COPY_HOST_PTR, values->byte_count(), values->data());
    for (cl_uint i = 0; i < buffers.size(); ++i) kernel.setArg(i, buffers[i]);
    ASSERT_EQ(device.queue.enqueueNDRangeKernel(kernel, cl::NullRange, cl::NDRange(count)), CL_SUCCESS);
    for (size_t i = 1; i < buffers.size(); ++i)
      ASSERT_EQ(device.queue.enqueueReadBuffer(buffers[i], CL_TRUE, 0, all[i]->byte_count(), all[i]->data()), CL_SUCCESS);
    for (size_t i = 0; i < count; ++i) {
      const Vector &vector = vectors[i % vectors.size()];
      const std::string text = fmt::format("{}{} ({})", format.type, width, fmt::join(vector, ", "));
      const Vector normal = normalized(vector);
      for (size_t c = 0; c < width; ++c) {
        const double got = normals[i * width + c];
        EXPECT_TRUE(std::isnan(normal[c]) ? std::isnan(got)
                                          : is_close(format, std::fabs(got), std::fabs(normal[c]), 2 + 1.5 * GetParam()) &&
                                                std::signbit(got) == std::signbit(normal[c]))
            << "normalize of " << text << ", " << c << ": " << got << " instead of " << normal[c];
      }
      const long double length = length_of(vector);
      EXPECT_TRUE(is_close(format, lengths[i], length, 4)) << "length of " << text << ": " << lengths[i];
      EXPECT_TRUE(is_close(format, distances[i], length, 4)) << "distance of " << text << ": " << distances[i];
      if (HasFailure()) return;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Widths, Geometric, testing::Values(1, 2, 3, 4));

}  // namespace
}  // namespace upsweep::precision
