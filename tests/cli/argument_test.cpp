// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The texts of --arg.
#include "cli/argument.h"

#include <cstdint>
#include <cstring>
#include <gtest/gtest.h>

namespace upsweep::cli {
namespace {

template <typename T>
std::vector<T> values(const HostArgument &argument) {
  std::vector<T> result(argument.bytes.size() / sizeof(T));
  std::memcpy(result.data(), argument.bytes.data(), argument.bytes.size());
  return result;
}

TEST(argument, GivenARange_WhenParsing_ThenABufferCounts) {
  const auto argument = parse_argument("range:short:5");
  ASSERT_TRUE(argument);
  EXPECT_EQ(argument->kind, HostArgument::Kind::Buffer);
  EXPECT_EQ(argument->shape, std::vector<size_t>{5});
  EXPECT_EQ(values<int16_t>(*argument), (std::vector<int16_t>{0, 1, 2, 3, 4}));
}

TEST(argument, GivenZerosOfVectors_WhenParsing_ThenEveryByteIsZero) {
  const auto argument = parse_argument("zeros:float3:2^3");
  ASSERT_TRUE(argument);
  EXPECT_EQ(values<float>(*argument), std::vector<float>(32));  // a vector of 3 has the size of 4
}

TEST(argument, GivenRandomBuffers_WhenParsing_ThenTheSeedDecidesAndValuesAreInRange) {
  const auto first = parse_argument("random:float:1000:7");
  const auto again = parse_argument("random:float:1000:7");
  const auto other = parse_argument("random:float:1000:8");
  ASSERT_TRUE(first && again && other);
  EXPECT_EQ(first->bytes, again->bytes);
  EXPECT_NE(first->bytes, other->bytes);
  for (const float value : values<float>(*first)) EXPECT_TRUE(value >= 0 && value <= 1) << value;
  for (const int32_t value : values<int32_t>(*parse_argument("random:int:1000")))
    EXPECT_TRUE(value >= 0 && value < 100) << value;
}

TEST(argument, GivenValues_WhenParsing_ThenComponentsAreInOrderAndOneFillsAll) {
  EXPECT_EQ(values<float>(*parse_argument("float4:1,2,3,4")), (std::vector<float>{1, 2, 3, 4}));
  EXPECT_EQ(values<float>(*parse_argument("float4:0.5")), (std::vector<float>{0.5, 0.5, 0.5, 0.5}));
  EXPECT_EQ(values<int32_t>(*parse_argument("int:-5")), std::vector<int32_t>{-5});
  EXPECT_EQ(parse_argument("int3:1,2,3")->bytes.size(), 16u);
  EXPECT_EQ(parse_argument("local:256")->local_bytes, 256u);
}

TEST(argument, GivenMistakes_WhenParsing_ThenTheyFail) {
  for (const char *text : {"", "int", "5", "int:", "int:1.5", "int:1:2", "float4:1,2", "float4:1,2,3,4,5", "local:0",
                           "local:-1", "zeros:int", "zeros:int:0", "zeros:int:-1", "zeros:int:4:4", "range:it:4",
                           "random:int:4:x", "zeros:ulong:2^62", "zeros:int:2^64", "missing.npy"})
    EXPECT_FALSE(parse_argument(text)) << text;
}

TEST(argument, GivenCounts_WhenParsing_ThenPowersAreComputed) {
  EXPECT_EQ(parse_count("0"), 0u);
  EXPECT_EQ(parse_count("1024"), 1024u);
  EXPECT_EQ(parse_count("2^26"), 67108864u);
  EXPECT_EQ(parse_count("10^0"), 1u);
  EXPECT_EQ(parse_count("0^3"), 0u);
  EXPECT_EQ(parse_count("1^18446744073709551615"), 1u);  // must end at once, without a loop
  EXPECT_FALSE(parse_count("2^64"));
  EXPECT_FALSE(parse_count("2^"));
  EXPECT_FALSE(parse_count("^2"));
  EXPECT_FALSE(parse_count("12a"));
}

}  // namespace
}  // namespace upsweep::cli
