// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Types and numbers as the command line writes them.
#include "cli/value_type.h"

#include <bit>
#include <cstdint>
#include <cstring>
#include <gtest/gtest.h>

namespace upsweep::cli {
namespace {

template <typename T>
T number(Scalar scalar, std::string_view text) {
  std::vector<std::byte> bytes;
  EXPECT_TRUE(append_number(scalar, text, bytes)) << text;
  EXPECT_EQ(bytes.size(), sizeof(T));
  T value{};
  std::memcpy(&value, bytes.data(), std::min(bytes.size(), sizeof(T)));
  return value;
}

bool fits(Scalar scalar, std::string_view text) {
  std::vector<std::byte> bytes;
  return append_number(scalar, text, bytes).has_value();
}

TEST(value_type, GivenScalarsAndVectors_WhenParsing_ThenNameAndBytesAreOpenCLs) {
  const std::pair<const char *, size_t> cases[] = {{"char", 1},    {"uchar16", 16}, {"short2", 4},  {"int", 4},
                                                   {"ulong8", 64}, {"half4", 8},    {"float3", 16}, {"double16", 128}};
  for (const auto &[name, bytes] : cases) {
    const auto type = parse_value_type(name);
    ASSERT_TRUE(type) << name;
    EXPECT_EQ(type->name(), name);
    EXPECT_EQ(type->bytes(), bytes) << name;
  }
}

TEST(value_type, GivenNoType_WhenParsing_ThenItFails) {
  for (const char *name : {"", "flot", "float5", "float1", "float04", "int 4", "4", "unsigned", "bool"})
    EXPECT_FALSE(parse_value_type(name)) << name;
}

TEST(value_type, GivenNumbersAtTheLimits_WhenParsing_ThenTheyAreKept) {
  EXPECT_EQ(number<int8_t>(Scalar::Char, "-128"), -128);
  EXPECT_EQ(number<uint8_t>(Scalar::UChar, "255"), 255);
  EXPECT_EQ(number<int32_t>(Scalar::Int, "0x7fffffff"), INT32_MAX);
  EXPECT_EQ(number<int64_t>(Scalar::Long, "-9223372036854775808"), INT64_MIN);
  EXPECT_EQ(number<uint64_t>(Scalar::ULong, "18446744073709551615"), UINT64_MAX);
  EXPECT_EQ(number<float>(Scalar::Float, "-1.5e3"), -1500.0f);
  EXPECT_EQ(number<uint16_t>(Scalar::Half, "1.5"), 0x3e00);  // sign 0, exponent 15, fraction one half
  EXPECT_EQ(number<double>(Scalar::Double, "inf"), std::numeric_limits<double>::infinity());
}

TEST(value_type, GivenNumbersThatDoNotFit_WhenParsing_ThenItFails) {
  EXPECT_FALSE(fits(Scalar::Char, "128"));
  EXPECT_FALSE(fits(Scalar::Char, "-129"));
  EXPECT_FALSE(fits(Scalar::UInt, "-1"));
  EXPECT_FALSE(fits(Scalar::ULong, "18446744073709551616"));
  EXPECT_FALSE(fits(Scalar::Int, "1.5"));
  EXPECT_FALSE(fits(Scalar::Int, ""));
  EXPECT_FALSE(fits(Scalar::Int, "--1"));
  EXPECT_FALSE(fits(Scalar::Float, "one"));
  EXPECT_FALSE(fits(Scalar::Float, ""));
}

TEST(value_type, GivenBytes_WhenFormatting_ThenTheShortestTextThatReadsBack) {
  const auto text = [](Scalar scalar, auto value) { return format_scalar(scalar, reinterpret_cast<std::byte *>(&value)); };
  EXPECT_EQ(text(Scalar::Char, int8_t{-1}), "-1");
  EXPECT_EQ(text(Scalar::UChar, uint8_t{65}), "65");
  EXPECT_EQ(text(Scalar::Float, 0.1f), "0.1");
  EXPECT_EQ(text(Scalar::Half, uint16_t{0x3e00}), "1.5");
  EXPECT_EQ(text(Scalar::Double, 1e300), "1e+300");
}

}  // namespace
}  // namespace upsweep::cli
