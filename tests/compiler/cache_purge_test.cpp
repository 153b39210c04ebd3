// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Purges of the disk cache at the user's wish: counts, foreign files and links, and processes that store meanwhile.
#include "cache_fixture.h"

#include <fcntl.h>
#include <sys/stat.h>

#include <atomic>
#include <fstream>
#include <set>
#include <thread>

namespace fs = std::filesystem;

namespace upsweep::compiler::test {
namespace {

using CachePurge = CompilerTest;

std::set<std::string> paths_in(const fs::path &folder) {
  std::set<std::string> paths;
  for (const auto &entry : fs::recursive_directory_iterator(folder)) paths.insert(entry.path().lexically_relative(folder));
  return paths;
}

TEST_F(CachePurge, GivenPrograms_WhenPurged_ThenTheirBytesAreCountedAndNothingStays) {
  const DiskCache cache(folder_, 1 << 20);
  for (int i = 0; i < 5; ++i) cache.store(key_of(i), result_of(100));
  cache.evict_if_due();  // makes the stamp
  const uint64_t bytes = bytes_of(folder_);
  const CacheContents contents = cache.survey();
  EXPECT_EQ(contents.programs.files, 5u);
  EXPECT_EQ(contents.programs.bytes, bytes);
  EXPECT_EQ(contents.unfinished.files, 0u);
  EXPECT_EQ(contents.foreign, 0u);
  const FileCount removed = cache.purge();
  EXPECT_EQ(removed.files, 5u);
  EXPECT_EQ(removed.bytes, bytes);
  EXPECT_FALSE(fs::exists(folder_ / "upsweep"));
  EXPECT_EQ(cache.purge().files, 0u);
  cache.store(key_of(1), result_of(100));
  EXPECT_TRUE(cache.find(key_of(1)));
}

TEST_F(CachePurge, GivenForeignFilesAndLinks_WhenPurged_ThenTheyStayAndAreCounted) {
  const DiskCache cache(folder_ / "home", 1 << 20);
  cache.store(key_of(1), result_of(100));
  const fs::path entry = entries_of(folder_ / "home").at(0), place = entry.parent_path();
  const std::string name(30, 'a');
  write("elsewhere/" + name, "");
  fs::copy_file(entry, folder_ / "elsewhere" / name, fs::copy_options::overwrite_existing);
  write("home/upsweep/letter", "dear");
  write("home/upsweep/evicted", "a stamp is empty, but this is not");
  fs::create_symlink(folder_ / "elsewhere", folder_ / "home/upsweep/0f");
  write("home/upsweep/0e/" + name, "a disk image with an entry's name");
  fs::permissions(folder_ / "home/upsweep/0e", fs::perms(0700));
  fs::create_symlink(entry, place / name);
  ASSERT_EQ(mkfifo((place / std::string(30, 'f')).c_str(), 0600), 0);
  write("home/upsweep/" + place.filename().string() + "/writing-0123456789abcdef", "poetry");
  std::set<std::string> expected = paths_in(folder_);
  expected.erase(entry.lexically_relative(folder_));
  EXPECT_EQ(cache.survey().foreign, 7u);
  EXPECT_EQ(cache.purge().files, 1u);
  EXPECT_EQ(paths_in(folder_), expected);
  EXPECT_EQ(cache.survey().programs.files, 0u);
  EXPECT_EQ(cache.survey().foreign, 7u);
}

TEST_F(CachePurge, GivenFilesBeingWritten_WhenPurged_ThenOnlyAbandonedOnesGo) {
  const DiskCache cache(folder_, 1 << 20);
  cache.store(key_of(1), result_of(100));
  const fs::path entry = entries_of(folder_).at(0), place = entry.parent_path();
  const fs::path old = place / "writing-0123456789abcdef", fresh = place / "writing-0123456789abcdee";
  for (const fs::path &file : {old, fresh}) fs::copy_file(entry, file);
  fs::last_write_time(old, fs::file_time_type::clock::now() - std::chrono::hours(3));
  EXPECT_EQ(cache.survey().unfinished.files, 2u);
  EXPECT_EQ(cache.purge().files, 2u);
  EXPECT_EQ(paths_in(folder_ / "upsweep"),
            (std::set<std::string>{place.filename(), fresh.lexically_relative(folder_ / "upsweep")}));
}

TEST_F(CachePurge, GivenWriters_WhenOthersPurge_ThenNobodySeesHalfAnEntry) {
  std::vector<std::thread> threads;
  std::atomic<int> wrong = 0;
  for (int t = 0; t < 8; ++t)
    threads.emplace_back([&, t] {
      const DiskCache cache(folder_, 1 << 20);
      for (int i = 0; i < 200; ++i) {
        if (t < 2) cache.purge();
        cache.store(key_of(i % 10), result_of(10000));
        if (auto reply = cache.find(key_of(i % 10))) wrong += reply->binary != Bytes(10000, 7);
      }
    });
  for (auto &thread : threads) thread.join();
  EXPECT_EQ(wrong, 0);
  const DiskCache cache(folder_, 1 << 20);
  cache.purge();
  EXPECT_FALSE(fs::exists(folder_ / "upsweep"));
}

}  // namespace
}  // namespace upsweep::compiler::test
