// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Functions with a second result, and functions about a type's bits: exact for special and random arguments, with the rules of
// "Additional Requirements Beyond C99 TC2".
#include "inputs.h"
#include "opened_device.h"
#include "tests/precision/second_results.h"

#include <gtest/gtest.h>

#include <climits>
#include <cmath>

namespace upsweep::precision {
namespace {

struct Results {
  double result = 0, second = 0;
  int n = 0;
};
using Reference = Results (*)(const Format &format, double x, double y);

struct Case {
  const char *name;
  const char *call;
  Reference reference;
};

/// "fmin(x - floor(x), 0x1.fffffep-1f)", with the type's own number below one.
Results fract_of(const Format &format, double x, double) {
  if (std::isnan(x)) return {x, x};
  if (std::isinf(x)) return {std::copysign(0.0, x), x};
  const double below = std::floor(x), last = 1 - std::ldexp(1.0, -format.digits);
  const double rest = decode(format, encode(format, x - below));
  return {x == 0 ? x : std::fmin(rest, last), below};
}

Results modf_of(const Format &, double x, double) {
  const double whole = std::trunc(x);
  return {std::isnan(x) ? x : std::copysign(std::isinf(x) ? 0 : x - whole, x), whole};
}

Results frexp_of(const Format &, double x, double) {
  Results want = {x};
  if (std::isfinite(x)) want.result = std::frexp(x, &want.n);
  return want;
}

/// The kernel stores 1 if the answer is FP_ILOGB0 or FP_ILOGBNAN.
Results ilogb_of(const Format &, double x, double) {
  return {x, 0, std::isnan(x) || x == 0 ? 1 : std::isinf(x) ? INT_MAX : std::ilogb(x)};
}

Results nextafter_of(const Format &format, double x, double y) {
  if (std::isnan(x) || std::isnan(y)) return {NAN};
  if (x == y) return {y};
  const uint64_t sign = uint64_t{1} << (format.bytes * 8 - 1), bits = encode(format, x);
  if (x == 0) return {decode(format, y < 0 ? sign | 1 : 1)};
  return {decode(format, (x < y) == (x > 0) ? bits + 1 : bits - 1)};
}

/// "a NaN and 0 in quo if x is ±infinity, or if y is 0 …, or if either argument is a NaN"; else seven bits of the quotient,
/// with its sign.
Results remquo_of(const Format &, double x, double y) {
  if (!std::isfinite(x) || std::isnan(y) || y == 0) return {NAN};
  mpfr_t a, b;
  mpfr_inits2(53, a, b, nullptr);
  mpfr_set_d(a, x, MPFR_RNDN);
  mpfr_set_d(b, y, MPFR_RNDN);
  long quotient = 0;
  mpfr_remquo(a, &quotient, a, b, MPFR_RNDN);
  const Results want = {mpfr_get_d(a, MPFR_RNDN), 0, static_cast<int>(quotient % 128)};
  mpfr_clears(a, b, nullptr);
  return want;
}

/// "0 in signp if x is zero or a negative integer". precision_test.cpp tests the logarithm.
Results lgamma_sign_of(const Format &, double x, double) {
  const bool pole = x <= 0 && std::trunc(x) == x && std::isfinite(x);
  const bool negative = x < 0 && std::isfinite(x) && std::fmod(std::floor(x), 2) != 0;
  return {x, 0, pole ? 0 : negative ? -1 : 1};
}

void PrintTo(const Case &what, std::ostream *out) { *out << what.name; }

constexpr Case kCases[] = {
    {"fract", "fract(x, &second)", fract_of},
    {"modf", "modf(x, &second)", modf_of},
    {"frexp", "frexp(x, &n)", frexp_of},
    {"ilogb", "(n = ILOGB(x), x)", ilogb_of},
    {"nextafter", "nextafter(x, y)", nextafter_of},
    {"remquo", "remquo(x, y, &n)", remquo_of},
    {"lgamma_r", "(lgamma_r(x, &n), x)", lgamma_sign_of},
};

bool same(double a, double b) { return a == b ? std::signbit(a) == std::signbit(b) : std::isnan(a) && std::isnan(b); }

class SecondResults : public testing::TestWithParam<Case> {};

TEST_P(SecondResults, GivenSpecialAndRandomArguments_WhenCalled_ThenBothResultsAreExact) {
  const cli::Device &device = opened_device();
  for (const Format &format : {kHalf, kFloat, kDouble}) {
    const auto program = cli::build_program(
        device, fmt::format("#define T {}\n#define CALL {}\n{}", format.type, GetParam().call, kSecondResultsSource),
        "-cl-std=CL3.0");
    ASSERT_TRUE(program) << program.error();
    Points points = chosen_points(format, Arguments::Binary, 2000);
    const size_t count = points.x.size(), bytes = points.x.byte_count();
    Values results = points.x, seconds = points.x;
    std::vector<int> ns(count);
    const cl::Buffer buffers[] = {{device.context, CL_MEM_COPY_HOST_PTR, bytes, points.x.data()},
                                  {device.context, CL_MEM_COPY_HOST_PTR, bytes, points.y.data()},
                                  {device.context, 0, bytes},
                                  {device.context, 0, bytes},
                                  {device.context, 0, count * sizeof(int)}};
    cl::Kernel kernel(*program, "apply");
    for (cl_uint i = 0; i < std::size(buffers); ++i) kernel.setArg(i, buffers[i]);
    ASSERT_EQ(device.queue.enqueueNDRangeKernel(kernel, cl::NullRange, cl::NDRange(count)), CL_SUCCESS);
    ASSERT_EQ(device.queue.enqueueReadBuffer(buffers[2], CL_TRUE, 0, bytes, results.data()), CL_SUCCESS);
    ASSERT_EQ(device.queue.enqueueReadBuffer(buffers[3], CL_TRUE, 0, bytes, seconds.data()), CL_SUCCESS);
    ASSERT_EQ(device.queue.enqueueReadBuffer(buffers[4], CL_TRUE, 0, count * sizeof(int), ns.data()), CL_SUCCESS);
    for (size_t i = 0; i < count; ++i) {
      const double x = points.x[i], y = points.y[i];
      const Results want = GetParam().reference(format, x, y);
      ASSERT_TRUE(same(results[i], want.result) && same(seconds[i], want.second) &&
                  (ns[i] == want.n || (!std::isfinite(x) && GetParam().reference == lgamma_sign_of)))
          << format.type << std::hexfloat << " of " << x << ", " << y << ": " << results[i] << ", " << seconds[i] << ", "
          << ns[i] << " instead of " << want.result << ", " << want.second << ", " << want.n;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Functions, SecondResults, testing::ValuesIn(kCases),
                         [](const auto &info) { return std::string(info.param.name); });

}  // namespace
}  // namespace upsweep::precision
