// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Counts and removes entries at the user's wish. Processes may read and write entries meanwhile:
// their open files stay valid, and a process whose folder vanished stores nothing.
#include "compiler/client/cache_files.h"
#include "compiler/client/disk_cache.h"

#include <fcntl.h>

namespace upsweep::compiler {
namespace {

void add(FileCount &count, const struct stat &status) {
  ++count.files;
  count.bytes += static_cast<uint64_t>(status.st_size);
}

/// The time of the last eviction, if it is the file that evict_if_due() makes.
bool is_stamp(const UniqueFd &root, const std::string &name) {
  struct stat status = {};
  return name == kEvictionStamp && fstatat(root.get(), name.c_str(), &status, AT_SYMLINK_NOFOLLOW) == 0 &&
         S_ISREG(status.st_mode) && status.st_size == 0 && is_private(status);
}

UniqueFd open_entries(const UniqueFd &root, const std::string &name) {
  return is_entry_folder(name) ? open_private_folder(root, name.c_str(), Missing::kFail) : UniqueFd();
}

bool is_abandoned(const struct stat &status) { return time(nullptr) - status.st_mtim.tv_sec > kAbandonedSeconds; }

}  // namespace

CacheContents DiskCache::survey() const {
  CacheContents contents;
  const UniqueFd root = open_root(Missing::kFail);
  if (!root) return contents;
  for (const std::string &name : names_in(root)) {
    const UniqueFd folder = open_entries(root, name);
    if (!folder) contents.foreign += is_stamp(root, name) ? 0 : 1;
    if (!folder) continue;
    for (const std::string &file : names_in(folder)) {
      struct stat status = {};
      switch (kind_of(folder, file.c_str(), status)) {
      case CacheFile::kEntry: add(contents.programs, status); break;
      case CacheFile::kUnfinished: add(contents.unfinished, status); break;
      case CacheFile::kForeign: ++contents.foreign; break;
      }
    }
  }
  return contents;
}

FileCount DiskCache::purge() const {
  FileCount removed;
  const UniqueFd root = open_root(Missing::kFail);
  if (!root) return removed;
  for (const std::string &name : names_in(root)) {
    if (is_stamp(root, name)) unlinkat(root.get(), name.c_str(), 0);
    const UniqueFd folder = open_entries(root, name);
    if (!folder) continue;
    for (const std::string &file : names_in(folder)) {
      struct stat status = {};
      const CacheFile kind = kind_of(folder, file.c_str(), status);
      if (kind == CacheFile::kForeign || (kind == CacheFile::kUnfinished && !is_abandoned(status))) continue;
      if (unlinkat(folder.get(), file.c_str(), 0) == 0) add(removed, status);
    }
    unlinkat(root.get(), name.c_str(), AT_REMOVEDIR);  // fails if files are left
  }
  unlinkat(open_named_folder(folder_, Missing::kFail).get(), kRootName, AT_REMOVEDIR);
  return removed;
}

}  // namespace upsweep::compiler
