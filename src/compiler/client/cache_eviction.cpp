// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Removes entries, and entries alone. The folder is the user's: other files may be in it, with names like those of entries, and
// links that lead elsewhere.
#include "compiler/client/cache_entry.h"
#include "compiler/client/cache_names.h"
#include "compiler/client/disk_cache.h"

#include <dirent.h>
#include <fcntl.h>

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

namespace upsweep::compiler {
namespace {

/// A file that was being written when its process ended stays behind; after this time nobody can still be at it.
constexpr time_t kAbandonedSeconds = 3600;
constexpr time_t kSecondsBetweenEvictions = 60;

struct Entry {
  std::string folder, file;
  int64_t used;  ///< nanoseconds
  uint64_t bytes;
};

int64_t nanoseconds(const timespec &time) { return int64_t{time.tv_sec} * 1'000'000'000 + time.tv_nsec; }

/// Calls visit(name) for each name in the folder.
template <typename Visit>
void for_each_name(const UniqueFd &folder, const Visit &visit) {
  UniqueFd readable(openat(folder.get(), ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!readable) return;
  const std::unique_ptr<DIR, int (*)(DIR *)> stream(fdopendir(readable.get()), closedir);
  if (!stream) return;
  (void)readable.release();  // the stream closes it
  while (const dirent *each = readdir(stream.get())) visit(each->d_name);
}

/// Removes the file if its first bytes are those of an entry, whatever its name. A file whose writer was stopped at once is
/// empty.
void remove_entry(const UniqueFd &folder, const char *name) {
  struct stat status = {};
  const UniqueFd file = open_private_file(folder, name, status);
  if (!file) return;
  uint8_t start[kEntryMagicBytes];
  const ssize_t n = pread(file.get(), start, sizeof(start), 0);
  const bool is_ours = n == 0 ? is_temporary_file(name) : n == sizeof(start) && has_entry_magic(start);
  if (is_ours) unlinkat(folder.get(), name, 0);
}

/// The entries of one folder. Abandoned files are removed on the way.
void list_folder(const UniqueFd &root, const char *name, std::vector<Entry> &entries) {
  const UniqueFd folder = open_private_folder(root, name, Missing::kFail);
  if (!folder) return;
  const time_t now = time(nullptr);
  for_each_name(folder, [&](const char *file) {
    const bool is_temporary = is_temporary_file(file);
    struct stat status = {};
    if ((!is_temporary && !is_entry_file(file)) || fstatat(folder.get(), file, &status, AT_SYMLINK_NOFOLLOW) != 0 ||
        !S_ISREG(status.st_mode) || !is_private(status))
      return;
    if (!is_temporary)
      entries.push_back({name, file, nanoseconds(status.st_mtim), static_cast<uint64_t>(status.st_size)});
    else if (now - status.st_mtim.tv_sec > kAbandonedSeconds)
      remove_entry(folder, file);
  });
}

}  // namespace

void DiskCache::evict() const {
  const UniqueFd root = open_root(Missing::kFail);
  if (!root) return;
  std::vector<Entry> entries;
  for_each_name(root, [&](const char *name) {
    if (is_entry_folder(name)) list_folder(root, name, entries);
  });
  uint64_t total = 0;
  for (const Entry &entry : entries) total += entry.bytes;
  if (total <= max_bytes_) return;
  std::ranges::sort(entries, {}, &Entry::used);
  for (const Entry &entry : entries) {
    if (total <= max_bytes_) break;
    remove_entry(open_private_folder(root, entry.folder.c_str(), Missing::kFail), entry.file.c_str());
    total -= entry.bytes;
  }
}

void DiskCache::evict_if_due() const {
  const UniqueFd root = open_root(Missing::kFail);
  if (!root) return;
  const time_t now = time(nullptr);
  struct stat last = {};
  const bool is_known = fstatat(root.get(), kEvictionStamp, &last, AT_SYMLINK_NOFOLLOW) == 0;
  // A time in the future is a clock that was set back.
  if (is_known && last.st_mtime <= now && now - last.st_mtime < kSecondsBetweenEvictions) return;
  constexpr int kFlags = O_WRONLY | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC;
  const UniqueFd stamp(openat(root.get(), kEvictionStamp, kFlags, 0600));
  if (stamp) futimens(stamp.get(), nullptr);  // first, so that no other process begins as well
  evict();
}

}  // namespace upsweep::compiler
