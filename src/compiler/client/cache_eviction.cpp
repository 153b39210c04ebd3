// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Removes only entries. The user's folder may contain other files, with names like those of entries, and links to other places.
#include "compiler/client/cache_files.h"
#include "compiler/client/cache_names.h"
#include "compiler/client/disk_cache.h"

#include <fcntl.h>

#include <algorithm>
#include <string>
#include <vector>

namespace upsweep::compiler {
namespace {

constexpr time_t kSecondsBetweenEvictions = 60;

struct Entry {
  std::string folder, file;
  int64_t used;  ///< last use, in ns
  uint64_t bytes;
};

int64_t nanoseconds(const timespec &time) { return int64_t{time.tv_sec} * 1'000'000'000 + time.tv_nsec; }

void remove_if_ours(const UniqueFd &folder, const char *name) {
  struct stat status = {};
  if (folder && kind_of(folder, name, status) != CacheFile::kForeign) unlinkat(folder.get(), name, 0);
}

/// Lists the entries of a folder, and removes abandoned files.
void list_folder(const UniqueFd &root, const char *name, std::vector<Entry> &entries) {
  const UniqueFd folder = open_private_folder(root, name, Missing::kFail);
  if (!folder) return;
  const time_t now = time(nullptr);
  for (const std::string &file : names_in(folder)) {
    const bool is_temporary = is_temporary_file(file);
    struct stat status = {};
    if ((!is_temporary && !is_entry_file(file)) || fstatat(folder.get(), file.c_str(), &status, AT_SYMLINK_NOFOLLOW) != 0 ||
        !S_ISREG(status.st_mode) || !is_private(status))
      continue;
    if (!is_temporary)
      entries.push_back({name, file, nanoseconds(status.st_mtim), static_cast<uint64_t>(status.st_size)});
    else if (now - status.st_mtim.tv_sec > kAbandonedSeconds)
      remove_if_ours(folder, file.c_str());
  }
}

}  // namespace

void DiskCache::evict() const {
  const UniqueFd root = open_root(Missing::kFail);
  if (!root) return;
  std::vector<Entry> entries;
  for (const std::string &name : names_in(root))
    if (is_entry_folder(name)) list_folder(root, name.c_str(), entries);
  uint64_t total = 0;
  for (const Entry &entry : entries) total += entry.bytes;
  if (total <= max_bytes_) return;
  std::ranges::sort(entries, {}, &Entry::used);
  for (const Entry &entry : entries) {
    if (total <= max_bytes_) break;
    remove_if_ours(open_private_folder(root, entry.folder.c_str(), Missing::kFail), entry.file.c_str());
    total -= entry.bytes;
  }
}

void DiskCache::evict_if_due() const {
  const UniqueFd root = open_root(Missing::kFail);
  if (!root) return;
  const time_t now = time(nullptr);
  struct stat last = {};
  const bool is_known = fstatat(root.get(), kEvictionStamp, &last, AT_SYMLINK_NOFOLLOW) == 0;
  // A time in the future means that the clock was set back.
  if (is_known && last.st_mtime <= now && now - last.st_mtime < kSecondsBetweenEvictions) return;
  constexpr int kFlags = O_WRONLY | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC;
  const UniqueFd stamp(openat(root.get(), kEvictionStamp, kFlags, 0600));
  if (stamp) futimens(stamp.get(), nullptr);  // first, so that no other process starts as well
  evict();
}

}  // namespace upsweep::compiler
