// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// External sorts and merges beside the standard library's, with so little memory that runs are merged in one, two and three
// passes.
#include <gtest/gtest.h>

#include <upsweep/external/merge.h>
#include <upsweep/external/sort.h>

#include <atomic>
#include <cstring>
#include <random>
#include <stdexcept>

#include <sys/resource.h>

namespace {

using namespace upsweep;

constexpr std::uint64_t kBlock = 4096;        // bytes of the smallest block
constexpr std::uint64_t kMemory = 32 * 4096;  // a run has 8 pages, and a pass merges 10 runs

struct Item {
  std::uint32_t key, place;
  bool operator==(const Item &) const = default;
};

// Direct transfers of single pages would take most of the test's time on a disk.
const std::filesystem::path kFolder = std::filesystem::is_directory("/dev/shm") ? "/dev/shm" : testing::TempDir();

external::settings small_settings(std::uint64_t memory = kMemory) {
  return {.memory = memory, .folder = kFolder, .least_block = kBlock};
}

// A source whose reads have random lengths would break its promise, but its elements may come from anywhere.
template <class T, class... Options>
std::vector<T> sorted(const std::vector<T> &in, const external::settings &settings, Options... options) {
  std::vector<T> out;
  external::array_source<T> source(in.data(), in.size());
  external::array_sink<T> sink(out);
  external::sort<T>(source, sink, settings, options...);
  return out;
}

template <class T>
bool same_bits(const std::vector<T> &a, const std::vector<T> &b) {
  return a.size() == b.size() && (a.empty() || std::memcmp(a.data(), b.data(), a.size() * sizeof(T)) == 0);
}

// Sizes at the ends of pages, of runs (8 pages), and of what one pass (11 runs, of which one is in memory) and two merge.
std::vector<std::uint64_t> sizes_for(std::uint64_t element_bytes) {
  const std::uint64_t page = kBlock / element_bytes, run = 8 * page;
  std::vector<std::uint64_t> sizes = {0, 1, 2};
  for (const std::uint64_t edge : {page, run, 2 * run, 11 * run, 12 * run, 40 * run, 130 * run})
    for (const std::uint64_t n : {edge - 1, edge, edge + 1}) sizes.push_back(n);
  return sizes;
}

template <class T>
class ExternalSort : public testing::Test {};
using Keys = testing::Types<std::uint8_t, std::int16_t, std::uint32_t, std::int64_t, float, double>;
TYPED_TEST_SUITE(ExternalSort, Keys);

TYPED_TEST(ExternalSort, GivenRandomBits_WhenSorted_ThenTheyEqualASortInMemory) {
  std::mt19937_64 random(1);
  for (const std::uint64_t n : sizes_for(sizeof(TypeParam))) {
    std::vector<TypeParam> in(n);
    for (TypeParam &each : in) {
      const std::uint64_t bits = random();  // NaNs and infinities as well
      std::memcpy(&each, &bits, sizeof(each));
    }
    std::vector<TypeParam> expected = in;
    cpu::sort_keys(expected.data(), expected.data(), n);
    ASSERT_TRUE(same_bits(sorted(in, small_settings()), expected)) << n;
    if (n % 8 != 0) continue;
    cpu::sort_keys(expected.data(), expected.data(), n, cpu::descending);
    ASSERT_TRUE(same_bits(sorted(in, small_settings(), cpu::descending), expected)) << n;
  }
}

TEST(external_sort, GivenEqualKeys_WhenSorted_ThenTheyKeepTheirOrder) {
  std::mt19937 random(2);
  const auto by_key = [](const Item &x, const Item &y) { return x.key < y.key; };
  for (const std::uint64_t n : sizes_for(sizeof(Item)))
    for (const std::uint32_t keys : {1U, 2U, 100U, ~0U}) {
      std::vector<Item> in(n);
      for (std::uint64_t i = 0; i < n; ++i)
        in[i] = {static_cast<std::uint32_t>(random() % keys), static_cast<std::uint32_t>(i)};
      std::vector<Item> expected = in;
      std::ranges::stable_sort(expected, by_key);
      ASSERT_EQ(sorted(in, small_settings(), cpu::by_members<&Item::key>{}), expected) << n << " " << keys;
      if (n % 8 == 0) ASSERT_EQ(sorted(in, small_settings(), by_key), expected) << n << " " << keys;
    }
}

TEST(external_sort, GivenOrderedInput_WhenSorted_ThenItIsRight) {
  constexpr std::uint64_t kCount = 200'000;
  for (const bool is_reversed : {false, true}) {
    std::vector<std::int64_t> in(kCount);
    for (std::uint64_t i = 0; i < kCount; ++i) in[i] = static_cast<std::int64_t>(is_reversed ? kCount - i : i);
    std::vector<std::int64_t> expected = in;
    std::ranges::sort(expected);
    EXPECT_EQ(sorted(in, small_settings()), expected);
  }
}

TEST(external_sort, GivenElementsThatDivideNoPage_WhenSorted_ThenTheyAreRight) {
  struct Odd {
    std::uint16_t key;
    std::uint8_t rest[5];
  };
  std::mt19937 random(3);
  std::vector<Odd> in(300'000);
  for (Odd &each : in) each = {static_cast<std::uint16_t>(random()), {static_cast<std::uint8_t>(random()), 1, 2, 3, 4}};
  std::vector<Odd> expected = in;
  std::ranges::stable_sort(expected, {}, &Odd::key);
  // Blocks of whole pages and whole elements have 6 * 4096 bytes.
  EXPECT_TRUE(same_bits(sorted(in, small_settings(64 * 6 * 4096), cpu::by_members<&Odd::key>{}), expected));
}

TEST(external_sort, GivenACount_WhenWatched_ThenAllMovesAreToldInTheEnd) {
  for (const std::uint64_t n : {1'000U, 100'000U, 1'000'000U}) {
    std::vector<std::uint32_t> in(n, 7);
    external::settings settings = small_settings();
    std::uint64_t last = 0, all = 0;
    settings.count = n;
    settings.watch = [&](std::uint64_t moved, std::uint64_t of) {
      EXPECT_GE(moved, last);
      last = moved;
      all = of;
    };
    sorted(in, settings);
    EXPECT_EQ(last, all) << n;
    EXPECT_GE(all, 2 * n);
  }
}

struct FailingStream {
  std::uint64_t left;
  std::uint64_t read(std::uint32_t *to, std::uint64_t n) {
    take(n);
    std::fill_n(to, n, 1);
    return n;
  }
  void write(const std::uint32_t *, std::uint64_t n) { take(n); }
  void take(std::uint64_t n) {
    if (n > left) throw std::runtime_error("the stream fails");
    left -= n;
  }
};

TEST(external_sort, GivenAStreamThatFails_WhenSorted_ThenItsExceptionIsThrown) {
  const std::vector<std::uint32_t> in(300'000, 1);
  for (const std::uint64_t good : {0U, 9'000U, 100'000U, 250'000U}) {
    std::vector<std::uint32_t> out;
    FailingStream failing{good};
    external::array_sink<std::uint32_t> sink(out);
    EXPECT_THROW(external::sort<std::uint32_t>(failing, sink, small_settings()), std::runtime_error);
    EXPECT_TRUE(out.empty());
    failing = {good};
    external::array_source<std::uint32_t> source(in.data(), in.size());
    EXPECT_THROW(external::sort<std::uint32_t>(source, failing, small_settings()), std::runtime_error);
  }
}

TEST(external_sort, GivenAFullDisk_WhenSorted_ThenTheErrorNamesTheFolder) {
  struct rlimit before{};
  ASSERT_EQ(getrlimit(RLIMIT_FSIZE, &before), 0);
  const struct rlimit limit{1 << 18, before.rlim_max};
  ASSERT_NE(signal(SIGXFSZ, SIG_IGN), SIG_ERR);
  ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &limit), 0);
  const std::vector<std::uint32_t> in(1'000'000, 1);
  try {
    sorted(in, small_settings());
    ADD_FAILURE() << "no error";
  } catch (const std::system_error &error) {
    EXPECT_EQ(error.code().value(), EFBIG);
    EXPECT_NE(std::string(error.what()).find("temporary file in '" + kFolder.string()), std::string::npos) << error.what();
  }
  setrlimit(RLIMIT_FSIZE, &before);
}

TEST(external_sort, GivenAWrongFolderOrMemory_WhenSorted_ThenItThrows) {
  const std::vector<std::uint32_t> in(100'000, 1);
  external::settings settings = small_settings();
  settings.folder = "/no/such/folder";
  EXPECT_THROW(sorted(in, settings), std::system_error);
  EXPECT_THROW(sorted(in, small_settings(8 * kBlock)), std::invalid_argument);
}

TEST(external_merge, GivenSortedStreams_WhenMerged_ThenEqualElementsComeInTheOrderOfTheStreams) {
  std::mt19937 random(4);
  for (int round = 0; round < 60; ++round) {
    const std::uint64_t k = random() % 9;
    std::vector<std::vector<Item>> streams(k);
    std::vector<Item> expected;
    for (std::uint64_t j = 0; j < k; ++j) {
      streams[j].resize(random() % 3 == 0 ? random() % 3 : random() % 20'000);
      for (Item &each : streams[j]) each = {static_cast<std::uint32_t>(random() % (round % 2 == 0 ? 50 : 1'000'000)), 0};
      std::ranges::sort(streams[j], {}, &Item::key);
      for (std::uint64_t i = 0; i < streams[j].size(); ++i) streams[j][i].place = static_cast<std::uint32_t>(j << 24 | i);
      expected.insert(expected.end(), streams[j].begin(), streams[j].end());
    }
    std::ranges::stable_sort(expected, {}, &Item::key);
    std::vector<external::array_source<Item>> sources;
    for (const auto &stream : streams) sources.emplace_back(stream.data(), stream.size());
    std::vector<Item> out;
    external::array_sink<Item> sink(out);
    external::merge<Item>(std::span(sources), sink, small_settings(), cpu::by_members<&Item::key>{});
    ASSERT_EQ(out, expected) << round;
  }
}

TEST(external_merge, GivenAnUnsortedStream_WhenMerged_ThenTheErrorNamesTheElement) {
  for (const std::uint64_t place : {1U, 1023U, 1024U, 1025U, 49'999U}) {
    std::vector<std::uint32_t> good(50'000, 5), bad(50'000, 5);
    bad[place] = 4;
    std::vector<external::array_source<std::uint32_t>> sources{{good.data(), good.size()}, {bad.data(), bad.size()}};
    std::vector<std::uint32_t> out;
    external::array_sink<std::uint32_t> sink(out);
    try {
      external::merge<std::uint32_t>(std::span(sources), sink, small_settings());
      ADD_FAILURE() << "no error";
    } catch (const external::out_of_order &error) {
      EXPECT_EQ(error.source, 1U);
      EXPECT_EQ(error.element, place);
    }
  }
}

TEST(external_streams, GivenFiles_WhenSorted_ThenTheResultIsRightAndAnIncompleteElementIsAnError) {
  const std::string in = testing::TempDir() + "external_in", out = testing::TempDir() + "external_out";
  std::vector<std::uint32_t> elements(100'000);
  std::mt19937 random(5);
  for (auto &each : elements) each = static_cast<std::uint32_t>(random());
  {
    external::file_sink<std::uint32_t> file(in);
    file.write(elements.data(), elements.size());
    file.close();
    external::file_source<std::uint32_t> source(in);
    external::file_sink<std::uint32_t> sink(out);
    external::sort<std::uint32_t>(source, sink, small_settings());
    sink.close();
  }
  std::vector<std::uint32_t> found(elements.size() + 1);
  external::file_source<std::uint32_t> result(out);
  EXPECT_EQ(result.read(found.data(), found.size()), elements.size());
  found.pop_back();
  std::ranges::sort(elements);
  EXPECT_EQ(found, elements);
  std::filesystem::resize_file(in, 10);
  external::file_source<std::uint32_t> cut(in);
  EXPECT_THROW(cut.read(found.data(), 100), std::system_error);
  EXPECT_THROW(external::file_source<std::uint32_t>("/no/such/file"), std::system_error);
  std::filesystem::remove(in);
  std::filesystem::remove(out);
}

// Whole pages bypass the page cache, and the rest of a page follows: pieces of any length, from any address.
TEST(external_streams, GivenPiecesOfAnyLength_WhenWritten_ThenTheFileHasTheirBytes) {
  const std::filesystem::path path = std::filesystem::path(testing::TempDir()) / "external_pieces";
  std::mt19937 random(7);
  std::vector<std::uint8_t> bytes((9U << 20) + 5);  // more than two stages
  for (std::uint8_t &each : bytes) each = static_cast<std::uint8_t>(random());
  for (const std::uint64_t longest : {100U, 4096U, 70'000U, 6U << 20}) {
    const std::uint64_t all = longest == 100 ? 50'000 : bytes.size() - random() % 5000;
    {
      external::file_sink<std::uint8_t> sink(path);
      for (std::uint64_t done = 0, n = 0; done < all; done += n) {
        n = std::min<std::uint64_t>(all - done, random() % 3 == 0 ? longest / 4096 * 4096 : random() % longest);
        sink.write(bytes.data() + done, n);
      }
      sink.close();
    }
    std::vector<std::uint8_t> read(all + 1);
    external::file_source<std::uint8_t> source(path);
    ASSERT_EQ(source.read(read.data(), read.size()), all);
    read.pop_back();
    ASSERT_TRUE(std::equal(read.begin(), read.end(), bytes.begin())) << longest;
  }
  std::filesystem::remove(path);
}

}  // namespace
