// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Columns of tables: quotes, ends of lines, headers, types, and parts of large texts.
#include "cli/files/csv.h"

#include <gtest/gtest.h>
#include <numeric>

namespace upsweep::cli {
namespace {

using Integers = std::vector<int64_t>;
using Reals = std::vector<double>;

std::string failure(std::string_view text, const CsvOptions &options) {
  const auto column = read_csv(text, options);
  return column ? std::string() : column.error();
}

TEST(csv, GivenOneColumn_WhenReading_ThenNoChoiceIsNeeded) {
  EXPECT_EQ(read_csv("1\n2\n3", {})->integers, (Integers{1, 2, 3}));
  EXPECT_EQ(read_csv("x\n1\n", {})->integers, (Integers{1}));
  EXPECT_TRUE(read_csv("x\n", {})->integers.empty());
}

TEST(csv, GivenAHeader_WhenReadingByNameOrNumber_ThenItIsThatColumn) {
  constexpr std::string_view kText = "\xef\xbb\xbf"
                                     "id, \"a, b\" ,c\r\n1,\"2\",3\r\n\r\n4, 5 ,+6\r\n";
  EXPECT_EQ(read_csv(kText, {.column = "id"})->integers, (Integers{1, 4}));
  EXPECT_EQ(read_csv(kText, {.column = "a, b"})->integers, (Integers{2, 5}));
  EXPECT_EQ(read_csv(kText, {.column = "3"})->integers, (Integers{3, 6}));
}

TEST(csv, GivenNoHeader_WhenReading_ThenTheFirstLineIsData) {
  EXPECT_EQ(read_csv("1;2\n3;4\n", {.column = "2", .separator = ";"})->integers, (Integers{2, 4}));
}

TEST(csv, GivenAFractionOrAnIntegerOf65Bits_WhenReading_ThenAllAreReal) {
  EXPECT_EQ(read_csv("1\n2.5\n3\n", {})->reals, (Reals{1, 2.5, 3}));
  EXPECT_EQ(read_csv("1\n18446744073709551616\n", {})->reals, (Reals{1, 18446744073709551616.0}));
  EXPECT_EQ(read_csv("-9223372036854775808\n", {})->integers, (Integers{INT64_MIN}));
}

TEST(csv, GivenPartsForSeveralThreads_WhenReading_ThenOrderTypeAndLineNumbersAreThoseOfTheWhole) {
  constexpr int64_t kLines = 600'000;  // four parts of 1 MiB
  std::string text;
  for (int64_t i = 0; i < kLines; ++i) text += std::to_string(i) + "\n";
  Integers expected(kLines);
  std::iota(expected.begin(), expected.end(), int64_t{0});
  EXPECT_EQ(read_csv(text, {})->integers, expected);
  const auto real = read_csv(text + "0.5\n", {});
  ASSERT_EQ(real->reals.size(), kLines + 1u);
  EXPECT_EQ(real->reals[kLines - 1], kLines - 1.0);
  EXPECT_EQ(real->reals[kLines], 0.5);
  EXPECT_EQ(failure(text + "none\n", {}), "line 600001: 'none' is no number");
}

TEST(csv, GivenDamagedText_WhenReading_ThenTheLineIsSaid) {
  EXPECT_EQ(failure("a\n1\n\nx\n", {}), "line 4: 'x' is no number");
  EXPECT_EQ(failure("1,2\n3\n", {.column = "2"}), "line 2: there are 1 columns, and number 2 is wanted");
  EXPECT_EQ(failure("1,2\n3,\n", {.column = "2"}), "line 2: the field is empty");
  EXPECT_EQ(failure("1\n\"2\n", {}), "line 2: a quote does not end in its line");
  EXPECT_EQ(failure("1,2\n", {.column = "3"}), "has 2 columns, and --column is 3");
  EXPECT_EQ(failure("1,2\n", {.column = "b"}), "has no column 'b' in its first line");
}

}  // namespace
}  // namespace upsweep::cli
