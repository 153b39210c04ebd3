// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The disk cache: hits, what makes a miss, damage, bounds, many writers.
#include "compiler/client/disk_cache.h"
#include "fixture.h"

#include <fstream>
#include <thread>

#include <sys/stat.h>

namespace fs = std::filesystem;

namespace upsweep::compiler::test {
namespace {

using Cache = CompilerTest;

Result result_of(size_t bytes) {
  Result result;
  result.reply.status = Status::kSuccess;
  result.reply.log = "a warning";
  result.reply.binary.assign(bytes, 7);
  result.cacheable = true;
  return result;
}

/// The entries, without the stamp of the last eviction.
std::vector<fs::path> files(const fs::path &folder) {
  std::vector<fs::path> found;
  for (const auto &entry : fs::recursive_directory_iterator(folder))
    if (entry.is_regular_file() && entry.path().filename() != "evicted") found.push_back(entry.path());
  return found;
}

TEST_F(Cache, GivenAnEntry_WhenAskedFor_ThenLogAndBinaryComeBack) {
  DiskCache cache(folder_, 1 << 20);
  EXPECT_FALSE(cache.find({1, 2}));
  cache.store({1, 2}, result_of(100));
  auto reply = cache.find({1, 2});
  ASSERT_TRUE(reply);
  EXPECT_EQ(reply->status, Status::kSuccess);
  EXPECT_EQ(reply->log, "a warning");
  EXPECT_EQ(reply->binary, Bytes(100, 7));
  EXPECT_FALSE(cache.find({2, 1}));
}

TEST_F(Cache, GivenNoFolder_WhenUsed_ThenNothingHappens) {
  DiskCache cache({}, 1 << 20);
  cache.store({1, 2}, result_of(100));
  EXPECT_FALSE(cache.find({1, 2}));
}

TEST_F(Cache, GivenAFolderThatCannotBeWritten_WhenStored_ThenNothingHappens) {
  DiskCache cache(write("file", "") / "below", 1 << 20);
  cache.store({1, 2}, result_of(100));
  EXPECT_FALSE(cache.find({1, 2}));
}

TEST_F(Cache, GivenDamage_WhenRead_ThenAMissAndAStoreRepairsIt) {
  DiskCache cache(folder_, 1 << 20);
  cache.store({1, 2}, result_of(100));
  fs::path file = files(folder_).at(0);
  for (auto size : {fs::file_size(file) - 1, uintmax_t{10}, uintmax_t{0}}) {
    fs::resize_file(file, size);
    EXPECT_FALSE(cache.find({1, 2})) << size;
  }
  std::ofstream(file) << std::string(4096, 'x');
  EXPECT_FALSE(cache.find({1, 2}));
  cache.store({1, 2}, result_of(100));
  EXPECT_TRUE(cache.find({1, 2}));
}

TEST_F(Cache, GivenABound_WhenPassed_ThenTheLeastRecentlyUsedGo) {
  DiskCache cache(folder_ / "cache", 10000);
  for (uint64_t i = 0; i < 8; ++i) cache.store({i, i << 56}, result_of(2000));
  // Times that are apart; entry 0 was used last.
  for (const fs::path &file : files(folder_ / "cache"))
    fs::last_write_time(file, fs::file_time_type::clock::now() - std::chrono::hours(2));
  EXPECT_TRUE(cache.find({0, 0}));
  cache.evict();
  uintmax_t total = 0;
  for (const fs::path &file : files(folder_ / "cache")) total += fs::file_size(file);
  EXPECT_LE(total, 10000u);
  EXPECT_GT(total, 6000u);
  EXPECT_TRUE(cache.find({0, 0}));
}

TEST_F(Cache, GivenAnEvictionJustNow_WhenDueOnesAreAskedFor_ThenTheNextIsAMinuteLater) {
  const fs::path folder = folder_ / "cache";
  DiskCache cache(folder, 10000);
  auto bytes = [&] {
    uintmax_t total = 0;
    for (const fs::path &file : files(folder)) total += fs::file_size(file);
    return total;
  };
  auto fill = [&] {
    for (uint64_t i = 0; i < 8; ++i) cache.store({i, i << 56}, result_of(2000));
  };
  fill();
  cache.evict_if_due();
  EXPECT_LE(bytes(), 10000u) << "the first";
  fill();
  DiskCache(folder, 10000).evict_if_due();
  EXPECT_GT(bytes(), 16000u) << "another process";
  for (const auto age : {std::chrono::seconds(61), std::chrono::seconds(-3600)}) {
    fill();
    fs::last_write_time(folder / "evicted", fs::file_time_type::clock::now() - age);
    cache.evict_if_due();
    EXPECT_LE(bytes(), 10000u) << "due again, or after the clock was set back";
  }
}

TEST_F(Cache, GivenAFileLeftByAKilledWriter_WhenEvicting_ThenOnlyOldOnesGo) {
  DiskCache cache(folder_, 1 << 20);
  fs::path old = write("00/writing-1-1", "x"), fresh = write("00/writing-2-2", "x");
  fs::last_write_time(old, fs::file_time_type::clock::now() - std::chrono::hours(3));
  cache.evict();
  EXPECT_FALSE(fs::exists(old));
  EXPECT_TRUE(fs::exists(fresh));
}

TEST_F(Cache, GivenManyWriters_WhenTheyStoreAndFind_ThenNobodySeesHalfAnEntry) {
  std::vector<std::thread> threads;
  std::atomic<int> wrong = 0;
  for (int t = 0; t < 8; ++t)
    threads.emplace_back([&] {
      DiskCache cache(folder_, 50000);  // small: eviction runs too
      for (uint64_t i = 0; i < 200; ++i) {
        cache.store({i % 10, 0}, result_of(10000));
        if (i % 16 == 0) cache.evict();
        if (auto reply = cache.find({i % 10, 0})) wrong += reply->binary != Bytes(10000, 7);
      }
    });
  for (auto &thread : threads) thread.join();
  EXPECT_EQ(wrong, 0);
}

TEST_F(Cache, GivenAnIncludedFile_WhenItChanges_ThenTheProgramIsBuiltAnew) {
  write("value.h", "#define VALUE 2\n");
  SourceRequest request = {
      "#include \"value.h\"\nkernel void add(global int *a, int b) { a[0] += b * VALUE; }", {}, "-I " + folder_.string()};
  EXPECT_EQ(run_add(CodeObject(build(request).binary), 0, 1), 2);
  write("value.h", "#define VALUE 3\n");
  EXPECT_EQ(run_add(CodeObject(build(request).binary), 0, 1), 3);
}

TEST_F(Cache, GivenAFileThatHidesAnother_WhenItAppears_ThenTheProgramIsBuiltAnew) {
  write("second/value.h", "#define VALUE 2\n");
  fs::create_directories(folder_ / "first");
  SourceRequest request = {"#include <value.h>\nkernel void add(global int *a, int b) { a[0] += b * VALUE; }",
                           {},
                           "-I " + (folder_ / "first").string() + " -I " + (folder_ / "second").string()};
  EXPECT_EQ(run_add(CodeObject(build(request).binary), 0, 1), 2);
  write("first/value.h", "#define VALUE 3\n");
  EXPECT_EQ(run_add(CodeObject(build(request).binary), 0, 1), 3);
}

TEST_F(Cache, GivenTheSameRequest_WhenRepeated_ThenTheEntryIsReadAndNotWritten) {
  fs::path cache = getenv("UPSWEEP_CACHE_DIR");
  (void)build({kAdd, {}, ""});
  ASSERT_EQ(files(cache).size(), 1u);
  struct stat before = {}, after = {};
  stat(files(cache)[0].c_str(), &before);
  Reply reply = build({kAdd, {}, ""});
  stat(files(cache)[0].c_str(), &after);
  EXPECT_EQ(before.st_ino, after.st_ino);
  EXPECT_EQ(run_add(CodeObject(reply.binary), 1, 1), 2);
  // Each of these is another program.
  (void)build({kAdd + " ", {}, ""});
  (void)build({kAdd, {{"unused.h", ""}}, ""});
  (void)build({kAdd, {}, "-cl-mad-enable"});
  (void)compile({kAdd, {}, ""});
  EXPECT_EQ(files(cache).size(), 5u);
}

TEST_F(Cache, GivenFailuresAndTimes_WhenBuilt_ThenNothingIsKept) {
  (void)build({"kernel void f() { nonsense(); }", {}, ""});
  (void)build({"constant char when[] = __TIME__;\n" + kAdd, {}, ""});
  fs::path cache = getenv("UPSWEEP_CACHE_DIR");
  EXPECT_TRUE(!fs::exists(cache) || files(cache).empty());
}

}  // namespace
}  // namespace upsweep::compiler::test
