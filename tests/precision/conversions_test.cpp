// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Conversions from every type to every type, in every rounding mode, with and without saturation, are exact. The reference is
// MPFR, which rounds once from the exact value to the type's digits and range.
#include "opened_device.h"
#include "tests/precision/conversions.h"

#include <gtest/gtest.h>
#include <mpfr.h>

#include <bit>
#include <cmath>
#include <limits>
#include <random>

namespace upsweep::precision {
namespace {

// digits: of the significand, or bits of an integer's magnitude. All values of all types are long doubles.
struct Type {
  const char *name;
  size_t bytes;
  bool is_real;
  bool is_signed;
  int digits, min_exponent, max_exponent;
};
constexpr Type kTypes[] = {
    {"char", 1, false, true, 7, 0, 0},       {"uchar", 1, false, false, 8, 0, 0},        {"short", 2, false, true, 15, 0, 0},
    {"ushort", 2, false, false, 16, 0, 0},   {"int", 4, false, true, 31, 0, 0},          {"uint", 4, false, false, 32, 0, 0},
    {"long", 8, false, true, 63, 0, 0},      {"ulong", 8, false, false, 64, 0, 0},       {"half", 2, true, true, 11, -13, 16},
    {"float", 4, true, true, 24, -125, 128}, {"double", 8, true, true, 53, -1021, 1024},
};
constexpr size_t kCount = 4096;
constexpr mpfr_rnd_t kRounding[] = {MPFR_RNDN, MPFR_RNDN, MPFR_RNDZ, MPFR_RNDU, MPFR_RNDD};
constexpr const char *kNames[] = {"", "_rte", "_rtz", "_rtp", "_rtn", "_sat", "_sat_rte", "_sat_rtz", "_sat_rtp", "_sat_rtn"};

long double decode(const Type &type, uint64_t bits) {
  if (!type.is_real) {
    if (!type.is_signed) return static_cast<long double>(bits);
    const unsigned shift = 64 - 8 * type.bytes;
    return static_cast<long double>(static_cast<int64_t>(bits << shift) >> shift);
  }
  if (type.bytes == 2) return static_cast<long double>(std::bit_cast<_Float16>(static_cast<uint16_t>(bits)));
  if (type.bytes == 4) return std::bit_cast<float>(static_cast<uint32_t>(bits));
  return std::bit_cast<double>(bits);
}

uint64_t encode(const Type &type, long double value) {
  if (type.bytes == 2) return std::bit_cast<uint16_t>(static_cast<_Float16>(value));
  if (type.bytes == 4) return std::bit_cast<uint32_t>(static_cast<float>(value));
  return std::bit_cast<uint64_t>(static_cast<double>(value));
}

/// Random bits, integers of every size and their neighbours, and values between two of these.
uint64_t choose(const Type &type, std::mt19937_64 &random) {
  const uint64_t bits = random(), mask = type.bytes == 8 ? ~uint64_t{0} : (uint64_t{1} << 8 * type.bytes) - 1;
  const auto integer = static_cast<int64_t>(random()) >> random() % 64;
  const long double power = std::ldexp(1.0L, static_cast<int>(random() % 66)) * (random() % 2 ? 1 : -1);
  const auto nearby = static_cast<long double>(static_cast<int>(random() % 9) - 4) / (random() % 2 ? 1 : 2);
  if (!type.is_real) return (random() % 2 ? bits : static_cast<uint64_t>(integer)) & mask;
  switch (random() % 4) {
  case 0: return bits & mask;
  case 1: return encode(type, static_cast<long double>(integer) / (random() % 2 ? 1 : 2));
  case 2: return encode(type, power + nearby);
  default: return (encode(type, power) + random() % 5 - 2) & mask;
  }
}

long double rounded_integer(long double x, mpfr_rnd_t rounding) {
  switch (rounding) {
  case MPFR_RNDN: return x - std::remainder(x, 1.0L);  // ties to even
  case MPFR_RNDZ: return std::trunc(x);
  case MPFR_RNDU: return std::ceil(x);
  default: return std::floor(x);
  }
}

long double rounded_real(const Type &type, long double x, mpfr_rnd_t rounding) {
  mpfr_t value;
  mpfr_set_emin(type.min_exponent - type.digits + 1);
  mpfr_set_emax(type.max_exponent);
  mpfr_init2(value, type.digits);
  const int inexact = mpfr_set_ld(value, x, rounding);
  mpfr_subnormalize(value, inexact, rounding);
  const long double result = mpfr_get_ld(value, MPFR_RNDN);
  mpfr_clear(value);
  return result;
}

/// The result of conversion `kind` of kNames; false if the specification does not define it.
bool expected(const Type &to, long double x, size_t kind, long double &want) {
  const bool is_default = kind % 5 == 0, saturates = kind >= 5;
  if (to.is_real) {
    want = std::isnan(x) || std::isinf(x) ? x : rounded_real(to, x, kRounding[kind % 5]);
    return true;
  }
  const long double greatest = std::ldexp(1.0L, to.digits) - 1, least = to.is_signed ? -greatest - 1 : 0;
  if (std::isnan(x)) {
    want = 0;  // "shall return zero"
    return saturates;
  }
  want = std::isinf(x) ? x : rounded_integer(x, is_default ? MPFR_RNDZ : kRounding[kind % 5]);
  const bool fits = want >= least && want <= greatest;
  want = std::min(std::max(want, least), greatest);
  return fits || saturates;
}

class Conversions : public testing::TestWithParam<Type> {
protected:
  static void check(const Type &from, const Type &to, int width);
};

void Conversions::check(const Type &from, const Type &to, int width) {
  const cli::Device &device = opened_device();
  const std::string options =
      fmt::format("-cl-std=CL3.0 -DS={} -DD={} -DWIDTH={}{}", from.name, to.name, width, to.is_real ? "" : " -DSATURATES");
  const auto program = cli::build_program(device, kConversionsSource, options);
  ASSERT_TRUE(program) << program.error();
  std::mt19937_64 random(from.bytes * 100 + to.bytes);
  std::vector<uint64_t> bits(kCount);
  std::vector<std::byte> input(kCount * from.bytes), output(std::size(kNames) * kCount * to.bytes);
  for (size_t i = 0; i < kCount; ++i) {
    bits[i] = choose(from, random);
    std::memcpy(input.data() + i * from.bytes, &bits[i], from.bytes);
  }
  const cl::Buffer in(device.context, CL_MEM_COPY_HOST_PTR, input.size(), input.data()), out(device.context, 0, output.size());
  cl::Kernel kernel(*program, "convert");
  kernel.setArg(0, in);
  kernel.setArg(1, out);
  ASSERT_EQ(device.queue.enqueueNDRangeKernel(kernel, cl::NullRange, cl::NDRange(kCount / width)), CL_SUCCESS);
  ASSERT_EQ(device.queue.enqueueReadBuffer(out, CL_TRUE, 0, output.size(), output.data()), CL_SUCCESS);
  for (size_t kind = 0; kind < (to.is_real ? 5 : 10); ++kind)
    for (size_t i = 0; i < kCount; ++i) {
      uint64_t result = 0;
      std::memcpy(&result, output.data() + (kind * kCount + i) * to.bytes, to.bytes);
      const long double x = decode(from, bits[i]), got = decode(to, result);
      long double want = 0;
      if (!expected(to, x, kind, want)) continue;
      const bool same =
          std::isnan(want) ? std::isnan(got) : got == want && (!to.is_real || std::signbit(got) == std::signbit(want));
      ASSERT_TRUE(same) << "convert_" << to.name << kNames[kind] << " of the " << from.name << " " << std::hexfloat << x << " ("
                        << width << " at a time): " << got << " instead of " << want;
    }
}

TEST_P(Conversions, GivenEveryType_WhenConverted_ThenRoundingAndSaturationAreExact) {
  for (const Type &from : kTypes)
    for (const int width : {1, 4}) check(from, GetParam(), width);
}

INSTANTIATE_TEST_SUITE_P(Types, Conversions, testing::ValuesIn(kTypes),
                         [](const auto &info) { return std::string(info.param.name); });

}  // namespace
}  // namespace upsweep::precision
