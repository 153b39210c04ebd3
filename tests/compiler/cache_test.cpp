// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The disk cache: hits, damage, bounds, many writers.
#include "cache_fixture.h"

#include <fstream>
#include <thread>

namespace fs = std::filesystem;

namespace upsweep::compiler::test {
namespace {

using Cache = CompilerTest;

TEST_F(Cache, GivenAnEntry_WhenAskedFor_ThenLogAndBinaryComeBack) {
  DiskCache cache(folder_, 1 << 20);
  EXPECT_FALSE(cache.find(key_of(1)));
  cache.store(key_of(1), result_of(100));
  auto reply = cache.find(key_of(1));
  ASSERT_TRUE(reply);
  EXPECT_EQ(reply->status, Status::kSuccess);
  EXPECT_EQ(reply->log, "a warning");
  EXPECT_EQ(reply->binary, Bytes(100, 7));
  EXPECT_FALSE(cache.find(key_of(2)));
  cache.remove(key_of(1));
  cache.remove(key_of(2));
  EXPECT_FALSE(cache.find(key_of(1)));
}

TEST_F(Cache, GivenNoFolder_WhenUsed_ThenNothingHappens) {
  for (const char *folder : {"", "relative"}) {
    DiskCache cache(folder, 1 << 20);
    cache.store(key_of(1), result_of(100));
    EXPECT_FALSE(cache.find(key_of(1)));
    cache.evict_if_due();
    EXPECT_FALSE(fs::exists("relative"));
  }
}

/// The output of a program that looks for its cache with only these variables set.
std::string output_with(const std::string &variables) {
  std::string text;
  FILE *program = popen(("env -i UPSWEEP_LOG=1 " + variables + " " UPSWEEP_RAISED_RIGHTS " 2>&1").c_str(), "r");
  char piece[256];
  while (program && fgets(piece, sizeof(piece), program)) text += piece;
  if (program) pclose(program);
  return text;
}

TEST(NoCache, GivenNoAbsolutePath_WhenThereIsALog_ThenItSaysWhyNothingIsKept) {
  EXPECT_NE(output_with("UPSWEEP_CACHE_DIR=here/below").find("UPSWEEP_CACHE_DIR is here/below, which is not an absolute path"),
            std::string::npos);
  EXPECT_NE(output_with("").find("none of UPSWEEP_CACHE_DIR, XDG_CACHE_HOME and HOME"), std::string::npos);
  EXPECT_NE(output_with("HOME=here").find("none of"), std::string::npos);
  for (const char *variables : {"UPSWEEP_CACHE_DIR=/tmp", "HOME=/tmp", "UPSWEEP_CACHE=0"})
    EXPECT_EQ(output_with(variables).find("no programs are cached"), std::string::npos) << variables;
}

TEST_F(Cache, GivenAFolderThatCannotBeWritten_WhenStored_ThenNothingHappens) {
  DiskCache cache(write("file", "") / "below", 1 << 20);
  cache.store(key_of(1), result_of(100));
  EXPECT_FALSE(cache.find(key_of(1)));
}

TEST_F(Cache, GivenDamage_WhenRead_ThenAMissAndAStoreRepairsIt) {
  DiskCache cache(folder_, 1 << 20);
  cache.store(key_of(1), result_of(100));
  fs::path file = entries_of(folder_).at(0);
  for (auto size : {fs::file_size(file) - 1, uintmax_t{10}, uintmax_t{0}}) {
    fs::resize_file(file, size);
    EXPECT_FALSE(cache.find(key_of(1))) << size;
  }
  std::ofstream(file) << std::string(4096, 'x');
  EXPECT_FALSE(cache.find(key_of(1)));
  cache.store(key_of(1), result_of(100));
  EXPECT_TRUE(cache.find(key_of(1)));
}

TEST_F(Cache, GivenAnEntryUnderAnothersName_WhenRead_ThenAMiss) {
  DiskCache cache(folder_, 1 << 20);
  cache.store(key_of(1), result_of(100));
  const fs::path one = entries_of(folder_).at(0);
  cache.store(key_of(2), result_of(200));
  for (const fs::path &file : entries_of(folder_))
    if (file != one) fs::copy_file(one, file, fs::copy_options::overwrite_existing);
  EXPECT_TRUE(cache.find(key_of(1)));
  EXPECT_FALSE(cache.find(key_of(2)));
}

TEST_F(Cache, GivenABound_WhenPassed_ThenTheLeastRecentlyUsedGo) {
  DiskCache cache(folder_ / "cache", 10000);
  for (int i = 0; i < 8; ++i) cache.store(key_of(i), result_of(2000));
  // The times differ, and entry 0 was used last.
  for (const fs::path &file : entries_of(folder_ / "cache"))
    fs::last_write_time(file, fs::file_time_type::clock::now() - std::chrono::hours(2));
  EXPECT_TRUE(cache.find(key_of(0)));
  cache.evict();
  EXPECT_LE(bytes_of(folder_ / "cache"), 10000u);
  EXPECT_GT(bytes_of(folder_ / "cache"), 6000u);
  EXPECT_TRUE(cache.find(key_of(0)));
}

TEST_F(Cache, GivenAnEvictionJustNow_WhenDueOnesAreAskedFor_ThenTheNextIsAMinuteLater) {
  const fs::path folder = folder_ / "cache";
  DiskCache cache(folder, 10000);
  auto fill = [&] {
    for (int i = 0; i < 8; ++i) cache.store(key_of(i), result_of(2000));
  };
  fill();
  cache.evict_if_due();
  EXPECT_LE(bytes_of(folder), 10000u) << "the first";
  fill();
  DiskCache(folder, 10000).evict_if_due();
  EXPECT_GT(bytes_of(folder), 16000u) << "another process";
  for (const auto age : {std::chrono::seconds(61), std::chrono::seconds(-3600)}) {
    fill();
    fs::last_write_time(folder / "upsweep/evicted", fs::file_time_type::clock::now() - age);
    cache.evict_if_due();
    EXPECT_LE(bytes_of(folder), 10000u) << "due again, or after the clock was set back";
  }
}

TEST_F(Cache, GivenAFileLeftByAKilledWriter_WhenEvicting_ThenOnlyOldOnesGo) {
  DiskCache cache(folder_, 1 << 20);
  cache.store(key_of(1), result_of(100));
  const fs::path place = entries_of(folder_).at(0).parent_path();
  const fs::path old = place / "writing-0123456789abcdef", fresh = place / "writing-0123456789abcdee",
                 empty = place / "writing-0123456789abcded";
  for (const fs::path &file : {old, fresh}) fs::copy_file(entries_of(folder_).at(0), file);
  std::ofstream(empty).close();
  for (const fs::path &file : {old, empty}) fs::last_write_time(file, fs::file_time_type::clock::now() - std::chrono::hours(3));
  cache.evict();
  EXPECT_FALSE(fs::exists(old));
  EXPECT_FALSE(fs::exists(empty));
  EXPECT_TRUE(fs::exists(fresh));
}

TEST_F(Cache, GivenManyWriters_WhenTheyStoreAndFind_ThenNobodySeesHalfAnEntry) {
  std::vector<std::thread> threads;
  std::atomic<int> wrong = 0;
  for (int t = 0; t < 8; ++t)
    threads.emplace_back([&] {
      DiskCache cache(folder_, 50000);  // small: eviction runs too
      for (int i = 0; i < 200; ++i) {
        cache.store(key_of(i % 10), result_of(10000));
        if (i % 16 == 0) cache.evict();
        if (auto reply = cache.find(key_of(i % 10))) wrong += reply->binary != Bytes(10000, 7);
      }
    });
  for (auto &thread : threads) thread.join();
  EXPECT_EQ(wrong, 0);
}

TEST_F(Cache, GivenTheSameRequest_WhenRepeated_ThenTheEntryIsReadAndNotWritten) {
  fs::path cache = getenv("UPSWEEP_CACHE_DIR");
  (void)build({kAdd, {}, ""});
  ASSERT_EQ(entries_of(cache).size(), 1u);
  struct stat before = {}, after = {};
  stat(entries_of(cache)[0].c_str(), &before);
  Reply reply = build({kAdd, {}, ""});
  stat(entries_of(cache)[0].c_str(), &after);
  EXPECT_EQ(before.st_ino, after.st_ino);
  EXPECT_EQ(run_add(CodeObject(reply.binary), 1, 1), 2);
  // Each of these sources is another program.
  (void)build({kAdd + " ", {}, ""});
  (void)build({kAdd, {{"unused.h", ""}}, ""});
  (void)build({kAdd, {}, "-cl-mad-enable"});
  (void)compile({kAdd, {}, ""});
  EXPECT_EQ(entries_of(cache).size(), 5u);
}

TEST_F(Cache, GivenFailures_WhenBuilt_ThenNothingIsKept) {
  (void)build({"kernel void f() { nonsense(); }", {}, ""});
  EXPECT_TRUE(entries_of(getenv("UPSWEEP_CACHE_DIR")).empty());
}

}  // namespace
}  // namespace upsweep::compiler::test
