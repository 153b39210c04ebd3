// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The common vocabulary, as C++17: the order of keys against a comparison of numbers, identities, and options.
#include <upsweep/common/box_filter.h>
#include <upsweep/common/call_arrays.h>
#include <upsweep/common/compensated.h>
#include <upsweep/common/indexed.h>
#include <upsweep/common/key_order.h>
#include <upsweep/common/operators.h>
#include <upsweep/common/options.h>
#include <upsweep/common/segment.h>
#include <upsweep/common/shape.h>

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <random>
#include <vector>

namespace common = upsweep::common;

namespace {

struct Half {
  std::uint16_t bits;
};
struct Brain {
  std::uint16_t bits;
};

}  // namespace

template <>
struct upsweep::common::half_format<Half> : binary16 {
  static constexpr Half of_bits(std::uint16_t bits) { return {bits}; }
};
template <>
struct upsweep::common::half_format<Brain> : brain16 {
  static constexpr Brain of_bits(std::uint16_t bits) { return {bits}; }
};

namespace {

// A number by the definition of its format: sign, exponent and fraction.
struct Number {
  std::uint64_t bits;
  bool is_negative, is_nan;
  double value;
};
template <class Bits>
Number number_of(Bits bits, int exponent_bits, int fraction_bits) {
  const std::uint64_t fraction = bits & ((std::uint64_t(1) << fraction_bits) - 1);
  const int top = (1 << exponent_bits) - 1, exponent = static_cast<int>(bits >> fraction_bits) & top;
  const int bias = top / 2;
  const double size = exponent == top ? HUGE_VAL
                      : exponent == 0
                          ? std::ldexp(static_cast<double>(fraction), 1 - bias - fraction_bits)
                          : std::ldexp(1 + std::ldexp(static_cast<double>(fraction), -fraction_bits), exponent - bias);
  const bool is_negative = (bits >> (exponent_bits + fraction_bits) & 1) != 0;
  return {bits, is_negative, exponent == top && fraction != 0, is_negative ? -size : size};
}
// -0 before 0, NaNs last: without a sign from the least bits on, then with a sign from the greatest bits on.
bool comes_before(const Number &a, const Number &b) {
  if (a.is_nan != b.is_nan) {
    return b.is_nan;
  }
  if (a.is_nan) {
    return a.is_negative != b.is_negative ? b.is_negative : a.is_negative ? a.bits > b.bits : a.bits < b.bits;
  }
  return a.value != b.value ? a.value < b.value : a.is_negative && !b.is_negative;
}

template <class Format>
void check_all_of_16_bits(int exponent_bits, int fraction_bits) {
  std::vector<Number> numbers;
  for (std::uint32_t bits = 0; bits < 0x10000; ++bits) {
    numbers.push_back(number_of(bits, exponent_bits, fraction_bits));
  }
  std::sort(numbers.begin(), numbers.end(), comes_before);
  for (std::uint32_t i = 0; i < 0x10000; ++i) {
    const auto bits = static_cast<std::uint16_t>(numbers[i].bits);
    const std::uint16_t up = common::number_order<Format, false>::encode(bits);
    const std::uint16_t down = common::number_order<Format, true>::encode(bits);
    ASSERT_EQ(up, i);
    ASSERT_EQ(down, 0xffff - i);
    ASSERT_EQ((common::number_order<Format, false>::decode(up)), bits);
    ASSERT_EQ((common::number_order<Format, true>::decode(down)), bits);
  }
}

template <class T, class Bits>
void check_random_numbers(int exponent_bits, int fraction_bits) {
  std::mt19937_64 random(20261128);
  std::vector<Number> numbers;
  for (int i = 0; i < 100000; ++i) {
    auto bits = static_cast<Bits>(random());
    if (i % 3 == 0) {  // infinities, NaNs, denormal numbers and zeros
      bits = static_cast<Bits>(bits << (random() % 2 == 0 ? 8 * sizeof(Bits) - 1 : 0));
      bits = static_cast<Bits>(bits | (random() % 2 == 0 ? ((Bits(1) << exponent_bits) - 1) << fraction_bits : Bits(0)));
    }
    numbers.push_back(number_of(bits, exponent_bits, fraction_bits));
  }
  std::sort(numbers.begin(), numbers.end(), comes_before);
  using Order = common::number_order<T, false>;
  for (std::size_t i = 1; i < numbers.size(); ++i) {
    const auto before = static_cast<Bits>(numbers[i - 1].bits), bits = static_cast<Bits>(numbers[i].bits);
    ASSERT_EQ(Order::encode(before) < Order::encode(bits), before != bits);
    ASSERT_EQ(Order::decode(Order::encode(bits)), bits);
  }
}

TEST(VocabularyTest, GivenAllNumbersOf16Bits_WhenTheirOrderIsEncoded_ThenItIsTheirRank) {
  check_all_of_16_bits<Half>(5, 10);
  check_all_of_16_bits<Brain>(8, 7);
}

TEST(VocabularyTest, GivenRandomFloats_WhenTheirOrderIsEncoded_ThenItRises) {
  check_random_numbers<float, std::uint32_t>(8, 23);
  check_random_numbers<double, std::uint64_t>(11, 52);
}

TEST(VocabularyTest, GivenSignedBytes_WhenTheirOrderIsEncoded_ThenItIsTheirRank) {
  for (int value = -128; value < 128; ++value) {
    const auto bits = static_cast<std::uint8_t>(value);
    EXPECT_EQ((common::number_order<std::int8_t, false>::encode(bits)), value + 128);
    EXPECT_EQ((common::number_order<std::int8_t, true>::encode(bits)), 127 - value);
  }
}

template <class T, class Op>
void check_identity(Op op, const std::vector<T> &values) {
  const T unit = common::usual_identity<Op, T, common::is_usual<Op, T>>::value();
  for (const T value : values) {
    EXPECT_EQ(op(unit, value), value);
    EXPECT_EQ(op(value, unit), value);
  }
}
TEST(VocabularyTest, GivenIdentities_WhenTheyMeetNumbers_ThenTheNumbersStay) {
  const std::vector<std::int16_t> integers = {-32768, -1, 0, 1, 300, 32767};
  check_identity(common::plus(), integers);
  check_identity(common::multiplies(), integers);
  check_identity(common::minimum(), integers);
  check_identity(common::maximum(), integers);
  check_identity(common::bit_and(), integers);
  check_identity(common::bit_or(), integers);
  check_identity(common::bit_xor(), integers);
  const std::vector<double> floats = {-HUGE_VAL, -1.5, 0, 1e-300, HUGE_VAL};
  check_identity(common::plus(), floats);
  check_identity(common::multiplies(), floats);
  check_identity(common::minimum(), floats);
  check_identity(common::maximum(), floats);
  static_assert(!common::is_usual<common::bit_and, float> && !common::is_usual<common::minus, int>);
}

TEST(VocabularyTest, GivenSumsThatOverflow_WhenIntegersAreCombined_ThenTheyWrap) {
  EXPECT_EQ(common::plus()(std::numeric_limits<int>::max(), 1), std::numeric_limits<int>::min());
  EXPECT_EQ(common::minus()(std::numeric_limits<int>::min(), 1), std::numeric_limits<int>::max());
  EXPECT_EQ(common::multiplies()(std::uint16_t(0xffff), std::uint16_t(0xffff)), 1);
}

struct Particle {
  int cell;
  float energy;
};
TEST(VocabularyTest, GivenOptionsInAnyOrder_WhenOneIsLookedFor_ThenItIsFound) {
  int total = 0;
  const common::total_to to(&total);
  EXPECT_EQ(common::find_option<common::total_to>(0, common::backward, to, 5).to, &total);
  EXPECT_EQ(common::find_option<common::total_to>(7, common::backward), 7);
  EXPECT_EQ(common::option_of(common::key_bits(0, 32), common::descending, common::key_bits(3, 11L)).end, 11U);
  EXPECT_EQ(common::option_of(common::key_bits(0, 32), common::descending).end, 32U);
  using Members = common::by_members<&Particle::cell, &Particle::energy>;
  static_assert(std::is_same_v<common::members_of<common::descending_t, const Members &>, Members>);
  static_assert(!common::has_members<common::descending_t> &&
                common::has_option<common::backward_t, const common::backward_t &>);
  static_assert(std::is_same_v<common::recurrence_state<Half, common::backward_t>, float>);
  static_assert(std::is_same_v<common::recurrence_state<Half, common::accumulator_t<double>>, double>);
}

}  // namespace
