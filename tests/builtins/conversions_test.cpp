// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Conversions against the processor's, in its four rounding modes.
#include "random_numbers.h"

#include <gtest/gtest.h>

#include <cfenv>

#define UPSWEEP_DECLARE(result, name, mangled, argument) extern "C" result name(argument) __asm__(mangled);
#define UPSWEEP_MODE(mode, length)                                                                                             \
  UPSWEEP_DECLARE(float, float_from_long##mode, "_Z" #length "convert_float" #mode "l", std::int64_t)                          \
  UPSWEEP_DECLARE(float, float_from_ulong##mode, "_Z" #length "convert_float" #mode "m", std::uint64_t)                        \
  UPSWEEP_DECLARE(float, float_from_int##mode, "_Z" #length "convert_float" #mode "i", std::int32_t)                           \
  UPSWEEP_DECLARE(float, float_from_double##mode, "_Z" #length "convert_float" #mode "d", double)
UPSWEEP_MODE(_rte, 17)
UPSWEEP_MODE(_rtz, 17)
UPSWEEP_MODE(_rtp, 17)
UPSWEEP_MODE(_rtn, 17)
#define UPSWEEP_DOUBLE_MODE(mode)                                                                                              \
  UPSWEEP_DECLARE(double, double_from_long##mode, "_Z18convert_double" #mode "l", std::int64_t)                                \
  UPSWEEP_DECLARE(double, double_from_ulong##mode, "_Z18convert_double" #mode "m", std::uint64_t)
UPSWEEP_DOUBLE_MODE(_rte)
UPSWEEP_DOUBLE_MODE(_rtz)
UPSWEEP_DOUBLE_MODE(_rtp)
UPSWEEP_DOUBLE_MODE(_rtn)
UPSWEEP_DECLARE(std::int64_t, long_sat_rte, "_Z20convert_long_sat_rted", double)
UPSWEEP_DECLARE(std::int32_t, int_sat, "_Z15convert_int_satf", float)
UPSWEEP_DECLARE(std::uint8_t, uchar_sat_rtp, "_Z21convert_uchar_sat_rtpd", double)
UPSWEEP_DECLARE(std::int8_t, char_sat_from_uint, "_Z16convert_char_satj", std::uint32_t)
UPSWEEP_DECLARE(std::uint32_t, uint_sat_from_long, "_Z16convert_uint_satl", std::int64_t)

namespace upsweep::tests {
namespace {

constexpr int kRounds = 100'000;

template <typename To, typename From>
To rounded(From value, int mode) {
  volatile From from = value;
  std::fesetround(mode);
  volatile To to = static_cast<To>(from);
  std::fesetround(FE_TONEAREST);
  return to;
}

template <typename To, typename From>
void compare(To (*convert)(From), From value, int mode) {
  To got = convert(value), want = rounded<To>(value, mode);
  ASSERT_TRUE(got == want) << std::hexfloat << "of " << value << " in mode " << mode << ": " << got << ", not " << want;
}

TEST(ConversionsTest, GivenIntegers_WhenConvertedToFloat_ThenEveryRoundingModeIsExact) {
  RandomNumbers numbers;
  for (int i = 0; i < kRounds; ++i) {
    std::int64_t x = numbers.integer();
#define UPSWEEP_CHECK(mode, processor)                                                                                         \
  compare(float_from_long##mode, x, processor);                                                                                \
  compare(float_from_ulong##mode, static_cast<std::uint64_t>(x), processor);                                                   \
  compare(float_from_int##mode, static_cast<std::int32_t>(x), processor);                                                      \
  compare(double_from_long##mode, x, processor);                                                                               \
  compare(double_from_ulong##mode, static_cast<std::uint64_t>(x), processor);
    UPSWEEP_CHECK(_rte, FE_TONEAREST)
    UPSWEEP_CHECK(_rtz, FE_TOWARDZERO)
    UPSWEEP_CHECK(_rtp, FE_UPWARD)
    UPSWEEP_CHECK(_rtn, FE_DOWNWARD)
  }
}

TEST(ConversionsTest, GivenDoubles_WhenConvertedToFloat_ThenEveryRoundingModeIsExact) {
  RandomNumbers numbers;
  for (int i = 0; i < kRounds; ++i) {
    double x = i % 2 ? numbers.real() : numbers.real_float() * (1 + 0x1p-40);
    compare(float_from_double_rte, x, FE_TONEAREST);
    compare(float_from_double_rtz, x, FE_TOWARDZERO);
    compare(float_from_double_rtp, x, FE_UPWARD);
    compare(float_from_double_rtn, x, FE_DOWNWARD);
  }
}

TEST(ConversionsTest, GivenReals_WhenConvertedWithSaturation_ThenTheRangeIsCut) {
  RandomNumbers numbers;
  for (int i = 0; i < kRounds; ++i) {
    double x = numbers.real();
    double near = std::nearbyint(x);
    std::int64_t want_long = near < -0x1p63 ? INT64_MIN : near >= 0x1p63 ? INT64_MAX : static_cast<std::int64_t>(near);
    ASSERT_EQ(long_sat_rte(x), want_long) << x;
    auto f = static_cast<float>(x);
    std::int32_t want_int = f < -0x1p31f ? INT32_MIN : f >= 0x1p31f ? INT32_MAX : static_cast<std::int32_t>(f);
    ASSERT_EQ(int_sat(f), want_int) << f;
    double up = std::ceil(x);
    ASSERT_EQ(uchar_sat_rtp(x), up <= 0 ? 0 : up >= 255 ? 255 : static_cast<std::uint8_t>(up)) << x;
  }
  EXPECT_EQ(int_sat(NAN), 0);
  EXPECT_EQ(long_sat_rte(NAN), 0);
}

TEST(ConversionsTest, GivenIntegers_WhenConvertedWithSaturation_ThenTheRangeIsCut) {
  EXPECT_EQ(char_sat_from_uint(127), 127);
  EXPECT_EQ(char_sat_from_uint(128), 127);
  EXPECT_EQ(char_sat_from_uint(UINT32_MAX), 127);
  EXPECT_EQ(uint_sat_from_long(-1), 0u);
  EXPECT_EQ(uint_sat_from_long(INT64_MAX), UINT32_MAX);
  EXPECT_EQ(uint_sat_from_long(77), 77u);
}

}  // namespace
}  // namespace upsweep::tests
