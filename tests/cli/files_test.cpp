// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Parts of the verbs on files that the command cannot show: comparisons at the limits of types, the progress bar, headers.
#include "cli/files/comparison.h"
#include "cli/files/npy_header.h"
#include "cli/files/output.h"
#include "cli/files/progress.h"
#include "cli/files/watched_pool.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <fstream>
#include <gtest/gtest.h>
#include <limits>
#include <set>
#include <unistd.h>
#include <upsweep/cpu/sort.h>

namespace upsweep::cli {
namespace {

template <class T>
std::vector<uint8_t> compare(const std::string &text, Scalar scalar, const std::vector<T> &values) {
  const auto comparison = parse_comparison(text);
  EXPECT_TRUE(comparison) << comparison.error();
  std::vector<uint8_t> flags(values.size(), 9);
  comparison->find({scalar}, reinterpret_cast<const std::byte *>(values.data()), flags.data(), values.size());
  return flags;
}

using Flags = std::vector<uint8_t>;

TEST(comparison, GivenEachForm_WhenComparing_ThenEndsCountAsWritten) {
  const std::vector<int32_t> values = {1, 2, 3, 4};
  EXPECT_EQ(compare("x<3", Scalar::Int, values), (Flags{1, 1, 0, 0}));
  EXPECT_EQ(compare(" x <= 3 ", Scalar::Int, values), (Flags{1, 1, 1, 0}));
  EXPECT_EQ(compare("2.5 < x", Scalar::Int, values), (Flags{0, 0, 1, 1}));
  EXPECT_EQ(compare("2 <= x < 4", Scalar::Int, values), (Flags{0, 1, 1, 0}));
  EXPECT_EQ(compare("4 > x >= 2", Scalar::Int, values), (Flags{0, 1, 1, 0}));
  EXPECT_EQ(compare("x != 3", Scalar::Int, values), (Flags{1, 1, 0, 1}));
  EXPECT_EQ(compare("3 == x", Scalar::Int, values), (Flags{0, 0, 1, 0}));
  EXPECT_EQ(compare("x == 2.5", Scalar::Int, values), (Flags{0, 0, 0, 0}));
  EXPECT_EQ(compare("x > -inf", Scalar::Int, values), (Flags{1, 1, 1, 1}));
}

TEST(comparison, GivenIntegersThatNoDoubleHas_WhenComparing_ThenNothingIsRounded) {
  const std::vector<uint64_t> values = {UINT64_MAX - 1, UINT64_MAX};
  EXPECT_EQ(compare("x > 18446744073709551614", Scalar::ULong, values), (Flags{0, 1}));
  EXPECT_EQ(compare("x > 18446744073709551615", Scalar::ULong, values), (Flags{0, 0}));
  EXPECT_EQ(compare("x >= -1", Scalar::ULong, values), (Flags{1, 1}));
  const std::vector<int64_t> least = {INT64_MIN, INT64_MIN + 1};
  EXPECT_EQ(compare("x <= -9223372036854775808", Scalar::Long, least), (Flags{1, 0}));
}

TEST(comparison, GivenNaNs_WhenComparing_ThenTheyAreUnequalAlone) {
  const std::vector<float> values = {NAN, 1, INFINITY};
  EXPECT_EQ(compare("x > -inf", Scalar::Float, values), (Flags{0, 1, 1}));
  EXPECT_EQ(compare("x != 1", Scalar::Float, values), (Flags{1, 0, 1}));
}

TEST(comparison, GivenOtherTexts_WhenParsing_ThenTheyAreRefused) {
  for (const char *text : {"", "x", "3", "x >", "> 3", "x = 3", "y > 3", "x > nan", "1 < x > 2", "1 == x < 2", "1 < x != 2",
                           "x > 3 4", "1 < x < ", "1 2 < x"})
    EXPECT_FALSE(parse_comparison(text)) << text;
}

TEST(progress, GivenASecond_WhenShowing_ThenTheBarComesAfterItOnTerminalsAlone) {
  using namespace std::chrono_literals;
  for (const bool is_terminal : {false, true}) {
    std::FILE *to = std::tmpfile();
    {
      Progress progress("scan", to, is_terminal, Progress::Pace());
      const auto now = Progress::Clock::now();
      progress.show(1, 4, now + 500ms);
      EXPECT_EQ(std::ftell(to), 0);
      progress.show(2, 4, now + 1500ms);
      EXPECT_EQ(std::ftell(to) > 0, is_terminal);
      const long drawn = std::ftell(to);
      progress.show(2, 4, now + 1510ms);  // too soon for another drawing
      EXPECT_EQ(std::ftell(to), drawn);
    }
    std::string text(static_cast<size_t>(std::ftell(to)), ' ');
    std::rewind(to);
    EXPECT_EQ(std::fread(text.data(), 1, text.size(), to), text.size());
    EXPECT_EQ(text.find(" 50 %") != std::string::npos, is_terminal);
    EXPECT_EQ(text.ends_with("\r\x1b[K"), is_terminal);  // nothing stays on the terminal
    std::fclose(to);
  }
}

// The text of a temporary file.
std::string text_of(std::FILE *file) {
  std::fseek(file, 0, SEEK_END);
  std::string text(static_cast<size_t>(std::ftell(file)), ' ');
  std::rewind(file);
  EXPECT_EQ(std::fread(text.data(), 1, text.size(), file), text.size());
  return text;
}

TEST(progress, GivenASort_WhenWatched_ThenTheBarMovesInSeveralSteps) {
  for (const size_t n : {size_t{1} << 18, size_t{1} << 22}) {  // passes in caches, and buckets
    std::vector<uint32_t> keys(n);
    uint32_t state = 1;
    for (uint32_t &key : keys) key = state = state * 1664525u + 1013904223u;
    std::vector<uint32_t> expected = keys;
    std::ranges::sort(expected);
    std::FILE *to = std::tmpfile();
    {
      Progress progress("sort", to, true, {std::chrono::seconds(0), std::chrono::seconds(0)});
      WatchedPool pool(progress);
      cpu::sort_keys(keys.data(), keys.data(), n, pool);
    }
    EXPECT_EQ(keys, expected);
    const std::string text = text_of(to);
    std::fclose(to);
    std::set<std::string> bars;
    for (size_t begin = 0; begin < text.size(); begin = text.find('\r', begin + 1))
      bars.insert(text.substr(begin, text.find('%', begin) - begin));
    EXPECT_GT(bars.size(), 8u) << text;
    EXPECT_NE(text.find("sort, step 2 "), text.npos) << text;
    EXPECT_EQ(text.find("step 10 "), text.npos) << text;  // pieces that are reported late begin no step
    EXPECT_TRUE(text.ends_with("\r\x1b[K"));
  }
}

TEST(progress, GivenABar_WhenOtherOutputBegins_ThenItIsErasedOnce) {
  std::FILE *to = std::tmpfile();
  {
    Progress progress("sort", to, true, {std::chrono::seconds(0), std::chrono::seconds(0)});
    progress.show(1, 2);
    erase_bar();
    erase_bar();
    std::fputs("input", to);
    std::fflush(to);
  }
  const std::string text = text_of(to);
  std::fclose(to);
  EXPECT_TRUE(text.ends_with("\r\x1b[Kinput")) << text;
}

TEST(npy_header, GivenAnOffset_WhenWriting_ThenTheDataBeginsThere) {
  for (const size_t dimensions : {0, 1, 2, 9, 64}) {
    NpyHeader header{.type = {Scalar::Short, true}, .is_fortran = true, .data_offset = npy_data_offset(dimensions)};
    header.shape.assign(dimensions, 0);
    if (dimensions > 0) header.shape[0] = std::numeric_limits<size_t>::max();  // the largest length
    const std::string text = npy_header_text(header);
    EXPECT_EQ(text.size(), header.data_offset) << dimensions;
    const bool can_be_read = dimensions != 1;  // no machine has that many elements
    EXPECT_EQ(static_cast<bool>(parse_npy_header({reinterpret_cast<const std::byte *>(text.data()), text.size()})),
              can_be_read);
  }
}

TEST(npy_header, GivenForeignHeaders_WhenParsing_ThenTheMessageSaysWhatIsWrong) {
  const auto failure = [](const std::string &text) {
    std::string file("\x93NUMPY\x01\x00", 8);
    file += static_cast<char>(text.size());
    file += '\0';
    file += text;
    const auto header = parse_npy_header({reinterpret_cast<const std::byte *>(file.data()), file.size()});
    return header ? Error() : header.error();
  };
  EXPECT_EQ(failure("{'descr': '<i4', 'fortran_order': False, 'shape': (3L,)}"), "");
  EXPECT_EQ(failure("{'descr': '<i4', 'fortran_order': Yes, 'shape': (3,)}"),
            "has no fortran_order of True or False in its header");
  EXPECT_EQ(failure("{'descr': '<i4', 'fortran_order': False, 'shape': (-3,)}"), "has a shape that cannot be read: '-3,'");
  EXPECT_EQ(failure("{'descr': '<i4', 'fortran_order': False, 'shape': 3}"), "has no shape in its header");
  EXPECT_NE(failure("{'descr': 'float32', 'fortran_order': False, 'shape': (3,)"), "no type");
  EXPECT_NE(failure("{'descr': '<m8[s]', 'fortran_order': False, 'shape': (3,)}"), "");
}

TEST(output, GivenNoFinish_WhenTheFileGoes_ThenNothingIsLeft) {
  const auto folder = std::filesystem::temp_directory_path() / fmt::format("upsweep_output_{}", getpid());
  std::filesystem::create_directories(folder);
  {
    auto file = OutputFile::create(folder / "a");
    ASSERT_TRUE(file) << file.error();
    ASSERT_TRUE((*file)->write(3, "abc", 3));
    EXPECT_FALSE(std::filesystem::exists(folder / "a"));
    EXPECT_FALSE(std::filesystem::is_empty(folder));
  }
  EXPECT_TRUE(std::filesystem::is_empty(folder));
  auto file = OutputFile::create(folder / "a");
  ASSERT_TRUE((*file)->write(0, "abc", 3));
  ASSERT_TRUE((*file)->finish());
  EXPECT_EQ(std::filesystem::file_size(folder / "a"), 3u);
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder), {}), 1);
  std::filesystem::remove_all(folder);
}

}  // namespace
}  // namespace upsweep::cli
