// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The disk cache among foreign files, and among files of other users.
#include "cache_fixture.h"

#include <sys/socket.h>
#include <sys/statvfs.h>
#include <sys/un.h>
#include <sys/wait.h>

#include <fcntl.h>
#include <fstream>
#include <map>
#include <sstream>

namespace fs = std::filesystem;

namespace upsweep::compiler::test {
namespace {

using CacheSafety = CompilerTest;

constexpr uid_t kSomebody = 12345, kNobody = 65534;
const std::string kEntryName(30, 'a');

std::string text_of(const fs::path &file) {
  std::ostringstream text;
  text << std::ifstream(file).rdbuf();
  return text.str();
}

/// Everything below a folder: types, contents and targets of links.
std::map<std::string, std::string> snapshot(const fs::path &folder) {
  std::map<std::string, std::string> found;
  for (const auto &entry : fs::recursive_directory_iterator(folder)) {
    std::string what = std::to_string(static_cast<int>(entry.symlink_status().type()));
    if (entry.is_symlink()) what += fs::read_symlink(entry.path()).string();
    if (!entry.is_symlink() && entry.is_regular_file()) what += text_of(entry.path());
    found[entry.path().string()] = what;
  }
  return found;
}

void make_old(const fs::path &folder) {
  for (const auto &entry : fs::recursive_directory_iterator(folder)) {
    const timespec times[2] = {{1000, 0}, {1000, 0}};
    utimensat(AT_FDCWD, entry.path().c_str(), times, AT_SYMLINK_NOFOLLOW);
  }
}

TEST_F(CacheSafety, GivenAFolderInUse_WhenEverythingMustGo_ThenOnlyEntriesGo) {
  DiskCache cache(folder_ / "home", 0);
  cache.store(key_of(1), result_of(100));
  const std::string entry = text_of(entries_of(folder_ / "home").at(0));
  cache.remove(key_of(1));
  // A foreign file in the named folder, with the path, name and contents of an entry.
  write("home/.ssh/id_rsa", "a key");
  write("home/00/" + kEntryName, entry);
  write("home/upsweep/letter", "dear");
  write("home/upsweep/" + kEntryName, entry);
  write("home/upsweep/00/letter", entry);
  write("home/upsweep/00/" + kEntryName, "a disk image with an entry's name");
  write("home/upsweep/00/" + std::string(29, 'a') + "b", "");
  write("home/upsweep/00/" + std::string(30, 'A'), entry);
  write("home/upsweep/00/" + std::string(31, 'a'), entry);
  write("home/upsweep/00/writing-notes", entry);
  write("home/upsweep/00/writing-0123456789abcdef", "poetry");
  write("home/upsweep/00/writing-1-1", entry);
  write("home/upsweep/00/00/" + kEntryName, entry);
  write("home/upsweep/0g/" + kEntryName, entry);
  write("home/upsweep/000/" + kEntryName, entry);
  // Links lead out of the cache, to a file that looks like an entry.
  write("elsewhere/" + kEntryName, entry);
  fs::create_symlink(folder_ / "elsewhere", folder_ / "home/upsweep/01");
  fs::create_directories(folder_ / "home/upsweep/02");
  fs::create_symlink(folder_ / "elsewhere" / kEntryName, folder_ / "home/upsweep/02" / kEntryName);
  fs::create_directories(folder_ / "home/upsweep/03" / kEntryName);
  ASSERT_EQ(mkfifo((folder_ / "home/upsweep/02" / std::string(30, 'f')).c_str(), 0600), 0);
  ASSERT_EQ(mkfifo((folder_ / "home/upsweep/04").c_str(), 0600), 0);
  for (const auto &each : fs::recursive_directory_iterator(folder_))
    if (each.is_directory() && !each.is_symlink()) fs::permissions(each.path(), fs::perms(0700));
  make_old(folder_);
  const auto before = snapshot(folder_);
  for (int i = 2; i < 6; ++i) cache.store(key_of(i), result_of(100));
  EXPECT_EQ(snapshot(folder_).size(), before.size() + 8) << "four entries in folders of their own";
  cache.evict();
  auto after = snapshot(folder_);
  for (const auto &[path, what] : before) {
    EXPECT_EQ(after[path], what) << path;
    after.erase(path);
  }
  for (const auto &[path, what] : after) EXPECT_TRUE(fs::is_directory(path)) << path;
}

TEST_F(CacheSafety, GivenALinkInPlaceOfOurFolder_WhenUsed_ThenItIsNotFollowed) {
  DiskCache elsewhere(folder_ / "elsewhere", 0), cache(folder_ / "home", 0);
  elsewhere.store(key_of(1), result_of(100));
  fs::create_directories(folder_ / "home");
  fs::create_directory_symlink(folder_ / "elsewhere/upsweep", folder_ / "home/upsweep");
  EXPECT_FALSE(cache.find(key_of(1)));
  cache.store(key_of(2), result_of(100));
  cache.evict();
  EXPECT_EQ(entries_of(folder_ / "elsewhere").size(), 1u);
}

TEST_F(CacheSafety, GivenAnyUmask_WhenStored_ThenFoldersAndFilesAreTheUsersAlone) {
  for (mode_t mask : {0000, 0022, 0777}) {
    const fs::path named = folder_ / std::to_string(mask) / "made" / "too";
    fs::create_directory(folder_ / std::to_string(mask));
    const mode_t before = umask(mask);
    DiskCache cache(named, 1 << 20);
    cache.store(key_of(1), result_of(100));
    umask(before);
    EXPECT_TRUE(cache.find(key_of(1)));
    for (const fs::path &folder : {named.parent_path(), named, named / "upsweep"})
      EXPECT_EQ(fs::status(folder).permissions(), fs::perms(0700)) << folder;
    ASSERT_EQ(entries_of(named).size(), 1u);
    EXPECT_EQ(fs::status(entries_of(named)[0].parent_path()).permissions(), fs::perms(0700));
    EXPECT_EQ(fs::status(entries_of(named)[0]).permissions(), fs::perms(0600));
  }
}

TEST_F(CacheSafety, GivenWhatOthersCanWrite_WhenUsed_ThenItIsNotTrusted) {
  const fs::path named = folder_ / "named";
  DiskCache cache(named, 1 << 20);
  cache.store(key_of(1), result_of(100));
  const fs::path file = entries_of(named).at(0);
  for (const fs::path &path : {named, named / "upsweep", file.parent_path(), file})
    for (unsigned bit : {0020, 0002}) {
      const fs::perms before = fs::status(path).permissions();
      fs::permissions(path, fs::perms(bit), fs::perm_options::add);
      EXPECT_FALSE(cache.find(key_of(1))) << path;
      fs::permissions(path, before);
      EXPECT_TRUE(cache.find(key_of(1))) << path;
    }
  fs::permissions(named / "upsweep", fs::perms(0777));
  cache.store(key_of(2), result_of(100));
  EXPECT_EQ(entries_of(named).size(), 1u);
  fs::permissions(named / "upsweep", fs::perms(0700));
  fs::permissions(named, fs::perms(01777));  // like /tmp
  EXPECT_TRUE(cache.find(key_of(1)));
}

TEST_F(CacheSafety, GivenWhatOthersOwn_WhenUsed_ThenItIsNotTrusted) {
  if (geteuid() != 0) GTEST_SKIP() << "only root can give files away";
  const fs::path named = folder_ / "named";
  DiskCache cache(named, 1 << 20);
  cache.store(key_of(1), result_of(100));
  const fs::path file = entries_of(named).at(0);
  for (const fs::path &path : {named, named / "upsweep", file.parent_path(), file}) {
    ASSERT_EQ(chown(path.c_str(), kSomebody, kSomebody), 0);
    EXPECT_FALSE(cache.find(key_of(1))) << path;
    ASSERT_EQ(chown(path.c_str(), 0, 0), 0);
    EXPECT_TRUE(cache.find(key_of(1))) << path;
  }
}

TEST_F(CacheSafety, GivenRootWithTheHomeOfAUser_WhenStored_ThenNothingIsMadeThere) {
  if (geteuid() != 0) GTEST_SKIP() << "only for root";
  ASSERT_EQ(chown(folder_.c_str(), kSomebody, kSomebody), 0);
  DiskCache cache(folder_ / ".cache", 1 << 20);
  cache.store(key_of(1), result_of(100));
  EXPECT_FALSE(fs::exists(folder_ / ".cache"));
}

TEST_F(CacheSafety, GivenNoFileInPlaceOfAnEntry_WhenUsed_ThenAMissThatDoesNotBlock) {
  DiskCache cache(folder_, 1 << 20);
  cache.store(key_of(1), result_of(100));
  const fs::path file = entries_of(folder_).at(0), other = folder_ / "other";
  fs::rename(file, other);
  auto expect_miss = [&](const char *what) {
    EXPECT_FALSE(cache.find(key_of(1))) << what;
    cache.remove(key_of(1));
    EXPECT_TRUE(fs::exists(fs::symlink_status(file))) << what;
    cache.evict_if_due();
  };
  fs::create_symlink(other, file);
  expect_miss("link");
  fs::remove(file);
  ASSERT_EQ(mkfifo(file.c_str(), 0600), 0);
  expect_miss("fifo");
  fs::remove(file);
  // The path is too long for an address; the folder's descriptor makes it short.
  const UniqueFd parent(open(file.parent_path().c_str(), O_PATH | O_CLOEXEC)), listener(socket(AF_UNIX, SOCK_STREAM, 0));
  sockaddr_un address = {AF_UNIX, {}};
  std::snprintf(address.sun_path, sizeof(address.sun_path), "/proc/self/fd/%d/%s", parent.get(), file.filename().c_str());
  ASSERT_EQ(bind(listener.get(), reinterpret_cast<const sockaddr *>(&address), sizeof(address)), 0);
  expect_miss("socket");
  fs::remove(file);
  fs::create_directory(file);
  expect_miss("folder");
  fs::remove(file);
  fs::copy_file(other, file);
  EXPECT_TRUE(cache.find(key_of(1)));
}

/// The output of the program raised_rights when a user other than its owner runs it.
std::string run_as_nobody(const fs::path &program) {
  int ends[2];
  if (pipe(ends) != 0) return "no pipe";
  const pid_t child = fork();
  if (child == 0) {
    dup2(ends[1], STDOUT_FILENO);
    setenv("UPSWEEP_COMPILER", "/a/trap", 1);
    setenv("UPSWEEP_CACHE_DIR", "/a/trap", 1);
    setenv("UPSWEEP_LOG", "1", 1);
    setenv("HOME", "/a/trap", 1);
    setenv("XDG_CACHE_HOME", "/a/trap", 1);
    if (setgid(kNobody) != 0 || setuid(kNobody) != 0) _exit(1);
    execl(program.c_str(), program.c_str(), nullptr);
    _exit(2);
  }
  close(ends[1]);
  std::string text;
  char piece[256];
  for (ssize_t n = 0; (n = read(ends[0], piece, sizeof(piece))) > 0;) text.append(piece, static_cast<size_t>(n));
  close(ends[0]);
  waitpid(child, nullptr, 0);
  return text;
}

TEST_F(CacheSafety, GivenAProgramWithRaisedRights_WhenItsUserSetsVariables_ThenNoneIsHeeded) {
  struct statvfs file_system = {};
  if (geteuid() != 0 || statvfs(folder_.c_str(), &file_system) != 0 || (file_system.f_flag & ST_NOSUID) != 0)
    GTEST_SKIP() << "only root can make such a program, and only where they are allowed";
  const fs::path program = folder_ / "program";
  fs::copy_file(UPSWEEP_RAISED_RIGHTS, program);
  fs::permissions(program, fs::perms(0755));
  EXPECT_NE(run_as_nobody(program).find("trap"), std::string::npos) << "an ordinary program heeds them";
  ASSERT_EQ(chown(program.c_str(), kSomebody, kSomebody), 0);
  fs::permissions(program, fs::perms(04755));
  EXPECT_EQ(run_as_nobody(program), "raised\ncompiler \nfolder \nlog 0\ncache 0\n");
}

}  // namespace
}  // namespace upsweep::compiler::test
