// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Columns of tables: quotes, ends of lines, headers, types, and parts of large texts.
#include "cli/files/csv.h"

#include <cmath>
#include <gtest/gtest.h>
#include <limits>
#include <numeric>

namespace upsweep::cli {
namespace {

using Integers = std::vector<int64_t>;
using Reals = std::vector<double>;

std::string failure(std::string_view text, const CsvOptions &options) {
  const auto column = read_csv(text, options);
  return column ? Error() : column.error();
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

// Doubles hold the even integers beyond 2^53; they hold 2^64 + 2^12, and not 2^64 + 1.
TEST(csv, GivenAnIntegerThatADoubleRounds_WhenNumbersAreCompared_ThenItsLineAndColumnAreSaid) {
  const auto refused = [](std::string_view text) { return failure(text, {.column = "1", .is_exact = true}); };
  constexpr std::string_view kEnd = " would be rounded: the column has values that are no integers of 64 bits";
  for (const std::string value : {"9007199254740993", "-9007199254740993", "+9223372036854775807", "18446744073709551617"}) {
    for (const std::string &text : {"x,y\n1,2\n" + value + ",3\n0.5,4\n", "x,y\n0.5,2\n\"" + value + "\",3\n1,4\n"})
      EXPECT_EQ(refused(text), "line 3, column 1: the integer '" + value + "'" + std::string(kEnd)) << text;
    EXPECT_EQ(failure(value + "\n0.5\n", {}), "");
  }
  for (const std::string_view held : {"9007199254740992\n0.5\n", "0009007199254740994\n0.5\n", "18446744073709555712\n",
                                      "1e300\n9223372036854775808\n", "9007199254740993.5\n0.5\n", "1e400\ninf\n"})
    EXPECT_EQ(refused(held), "") << held;
  EXPECT_EQ(read_csv("9007199254740993\n9007199254740992\n", {.is_exact = true})->integers,
            (Integers{9007199254740993, 9007199254740992}));
  std::string text;
  for (int i = 0; i < 3000; ++i) text += "1234567\n";
  text += "9007199254740993\n";
  for (int i = 0; i < 3000; ++i) text += "7\n";
  EXPECT_EQ(failure(text + "0.5\n", {.is_exact = true, .part_bytes = 1000}),
            "line 3001, column 1: the integer '9007199254740993'" + std::string(kEnd));
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
  EXPECT_EQ(failure(text + "none\n", {}), "line 600001, column 1: 'none' is not a number");
}

TEST(csv, GivenDamagedText_WhenReading_ThenTheLineAndTheColumnAreSaid) {
  EXPECT_EQ(failure("a\n1\n\nx\n", {}), "line 4, column 1: 'x' is not a number");
  EXPECT_EQ(failure("1,2\n3\n", {.column = "2"}), "line 2, column 1: the line has 1 columns, but the first line has 2");
  EXPECT_EQ(failure("1,2\n3,4,5\n", {.column = "2"}), "line 2, column 3: the line has 3 columns, but the first line has 2");
  EXPECT_EQ(failure("1,2\n3,\n", {.column = "2"}),
            "line 2, column 2: the field is empty; --missing nan or skip treats it as missing");
  EXPECT_EQ(failure("1\n\"2\n", {}), "line 2, column 1: a quoted field has no closing quote");
  EXPECT_EQ(failure("\"a\nb\",c\n1,\"\n2\n", {.column = "c"}), "line 3, column 2: a quoted field has no closing quote");
  EXPECT_EQ(failure("1,2\n", {.column = "3"}), "has only 2 columns, but --column is 3");
  EXPECT_EQ(failure("1,2\n", {.column = "b"}), "has no column 'b' in its first line");
  EXPECT_EQ(failure("a,a\n1,2\n", {.column = "a"}), "has 2 columns with the name 'a'; choose one by its number");
  for (const char *separator : {"", ",,", "\"", "\n"}) EXPECT_FALSE(read_csv("1\n", {.separator = separator}));
}

TEST(csv, GivenAFirstNumberThatIsNotRead_WhenReading_ThenItIsNoHeader) {
  for (const char *text : {"0x10\n", "12:30\n1\n", "1_000\n", "\"1,5\"\n2\n", "-0x1p3\n"})
    EXPECT_TRUE(failure(text, {}).starts_with("line 1, column 1: '")) << text << failure(text, {});
  EXPECT_EQ(read_csv("1st\n5\n", {.header = Header::kYes})->integers, (Integers{5}));
}

TEST(csv, GivenAFirstValueThatMayBeAName_WhenReading_ThenTheLineDecidesOrHeaderMust) {
  for (const std::string name : {"NA", "None", "nan", "inf", "-Infinity", ""})
    for (const Missing missing : {Missing::kError, Missing::kNan, Missing::kSkip}) {
      const auto below = read_csv(name + ",x\n5,2\n3,1\n", {.column = "1", .missing = missing, .wants_rows = true});
      EXPECT_EQ(below->integers, (Integers{5, 3})) << name;
      EXPECT_EQ(below->table.text, name + ",x\n");
      EXPECT_TRUE(below->table.skipped.empty()) << name;
      for (const char *rest : {"", ",", ",NA", ",nan"}) {
        const std::string line = name + rest;
        if (line.empty()) continue;
        const CsvOptions options{.column = "1", .missing = missing};
        EXPECT_EQ(failure(line + "\n5" + rest + "\n", options),
                  "line 1, column 1: '" + name + "' may be a value or a name; give --header no or --header yes");
      }
    }
  EXPECT_EQ(read_csv("inf,7\n5,2\n", {.column = "1"})->reals, (Reals{std::numeric_limits<double>::infinity(), 5}));
  EXPECT_EQ(read_csv("NA,7\n5,2\n", {.column = "1", .missing = Missing::kSkip})->integers, (Integers{5}));
  EXPECT_EQ(read_csv("NA,NA\n5,2\n", {.column = "1", .header = Header::kYes})->integers, (Integers{5}));
  EXPECT_EQ(failure("NA\n5\n", {.header = Header::kNo}),
            "line 1, column 1: 'NA' is not a number; --missing nan or skip treats it as missing");
}

TEST(csv, GivenNumbersThatNoDoubleHolds_WhenReading_ThenTheyAreInfiniteOrZero) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  EXPECT_EQ(read_csv("1e400\n-1e400\n1e-400\n4.9e-324\n", {})->reals, (Reals{kInfinity, -kInfinity, 0, 4.9e-324}));
  EXPECT_TRUE(std::signbit(read_csv("-1e-400\n", {})->reals[0]));
  EXPECT_TRUE(std::signbit(read_csv("-0\n1.5\n", {})->reals[0]));
  EXPECT_EQ(read_csv("-0\n1\n", {})->integers, (Integers{0, 1}));
}

TEST(csv, GivenAnyEndOfLine_WhenReading_ThenEachLineIsARow) {
  for (const char *text : {"1\n2\n3\n", "1\r\n2\r\n3\r\n", "1\r2\r3\r", "1\r2\r3", "1\n2\r\n3\r", "\r\r1\n\n2\r\n\r\n3"})
    EXPECT_EQ(read_csv(text, {})->integers, (Integers{1, 2, 3})) << text;
}

TEST(csv, GivenTabsThatSeparate_WhenReading_ThenTheyAreNoBlanks) {
  const CsvOptions options{.column = "a", .separator = "\\t"};
  EXPECT_EQ(failure("a\tb\tc\n\t\"5\"\t6\n1\t2\t3\n", options),
            "line 2, column 1: the field is empty; --missing nan or skip treats it as missing");
  EXPECT_EQ(failure("a\tb\n\t\n1\t2\n", options),
            "line 2, column 1: the field is empty; --missing nan or skip treats it as missing");
}

TEST(csv, GivenMissingValues_WhenReading_ThenTheyAreNaNsOrLeftOut) {
  constexpr std::string_view kText = "a,b\n1,\n2,NA\n3,7\n4\n";
  const auto nans = read_csv(kText, {.column = "b", .missing = Missing::kNan});
  ASSERT_EQ(nans->reals.size(), 4u);
  EXPECT_EQ(nans->reals[2], 7);
  for (const size_t i : {0, 1, 3}) EXPECT_TRUE(std::isnan(nans->reals[i])) << i;
  const auto kept = read_csv(kText, {.column = "b", .missing = Missing::kSkip, .wants_rows = true});
  EXPECT_EQ(kept->integers, (Integers{7}));
  EXPECT_EQ(kept->table.skipped, (std::vector<uint64_t>{0, 1, 3}));
  ASSERT_EQ(kept->table.rows.size(), 1u);
  EXPECT_EQ(kText.substr(kept->table.rows[0].begin, 3), "3,7");
}

TEST(csv, GivenTextsWithMissingOnes_WhenSkipping_ThenTheyAreLeftOut) {
  constexpr std::string_view kText = "a,b\n1,x\n2,\n3,NA\n4\n5,\"y\"\n6,\" \"\n";
  const auto kept = read_csv(kText, {.column = "b", .missing = Missing::kSkip, .is_text = true, .wants_rows = true});
  EXPECT_EQ(kept->texts, (std::vector<std::string>{"x", "y"}));
  EXPECT_EQ(kept->table.skipped, (std::vector<uint64_t>{1, 2, 3, 5}));
  EXPECT_EQ(kept->table.rows.size(), 2u);
  const auto all = read_csv("b\nx\n\"\"\nNA\n", {.column = "b", .is_text = true});
  EXPECT_EQ(all->texts, (std::vector<std::string>{"x", "", "NA"}));
}

TEST(csv, GivenNamesThatAreNumbersOrEmpty_WhenReading_ThenTheyAreNotTakenForPlaces) {
  EXPECT_EQ(read_csv(",a\n5,6\n", {.column = ""})->integers, (Integers{5}));
  EXPECT_EQ(read_csv(",a\n5,6\n", {.column = "1"})->integers, (Integers{5}));
  EXPECT_EQ(read_csv("2019,2020\n5,6\n", {.column = "2020"})->integers, (Integers{6}));
  EXPECT_EQ(read_csv("2,1\n5,6\n", {.column = "2"})->integers, (Integers{1, 6}));
  EXPECT_EQ(read_csv("2,1\n5,6\n", {.column = "2", .header = Header::kYes})->integers, (Integers{5}));
  EXPECT_EQ(failure("2,x,1\n5,6,7\n", {.column = "1"}),
            "has a column number 1 and a column named '1': --header yes chooses the name, --header no the number");
}

TEST(csv, GivenEndsOfLinesInQuotesAtTheEndsOfParts_WhenReading_ThenRowsAreWhole) {
  // Each text is longer than a part, and all of its lines look like rows.
  std::string text = "n,t\n", lines;
  for (int i = 0; i < 300'000; ++i) lines += "1,2\n";
  for (int i = 0; i < 5; ++i) text += std::to_string(i) + ",\"" + lines + "\"\n";
  EXPECT_EQ(read_csv(text, {.column = "n"})->integers, (Integers{0, 1, 2, 3, 4}));
  EXPECT_EQ(failure(text + "x,\n", {.column = "n"}), "line 1500007, column 1: 'x' is not a number");
}

}  // namespace
}  // namespace upsweep::cli
