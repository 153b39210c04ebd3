// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The compiler's results on disk, one file per key, in the subfolder `upsweep` of the user's cache folder. Entries are written
// to temporary files and renamed, so any number of processes may share a folder. A damaged entry counts as missing and is
// replaced. docs/decisions/cache-entries.md describes what is trusted and when an entry is valid.
#ifndef UPSWEEP_COMPILER_CLIENT_DISK_CACHE_H
#define UPSWEEP_COMPILER_CLIENT_DISK_CACHE_H

#include "compiler/client/cache_names.h"
#include "compiler/client/private_folder.h"
#include "compiler/client/protocol.h"

#include <filesystem>

namespace upsweep::compiler {

/// A number of files and their bytes.
struct FileCount {
  uint64_t files = 0;
  uint64_t bytes = 0;
};

/// The files in the subfolder of the cache.
struct CacheContents {
  FileCount programs;
  FileCount unfinished;  ///< which a process may be writing
  uint64_t foreign = 0;  ///< files, links and folders of the user
};

class DiskCache {
public:
  /// An empty or relative folder disables the cache.
  DiskCache(std::filesystem::path folder, uint64_t max_bytes)
      : folder_(folder.is_absolute() ? std::move(folder) : std::filesystem::path()), max_bytes_(max_bytes) {}

  /// The cache that UPSWEEP_CACHE, UPSWEEP_CACHE_DIR and UPSWEEP_CACHE_MIB describe; disabled in programs with raised rights.
  static DiskCache &instance();

  [[nodiscard]] bool enabled() const { return !folder_.empty(); }
  /// The folder of the entries, which may be missing.
  [[nodiscard]] std::filesystem::path place() const { return folder_ / kRootName; }
  [[nodiscard]] uint64_t max_bytes() const { return max_bytes_; }
  /// Whether the folder can be opened, and no other user can write to it.
  [[nodiscard]] bool is_usable() const { return static_cast<bool>(open_root(Missing::kFail)); }

  /// The stored reply for this key, if all files that it depends on are unchanged.
  [[nodiscard]] std::optional<Reply> find(ByteSpan key) const;

  /// Best effort: a full disk or a read-only folder is not an error.
  void store(ByteSpan key, const Result &result) const;

  /// Removes the entry of this key, if there is one.
  void remove(ByteSpan key) const;

  /// Removes the least recently used entries until the rest fits. Checks every file, but only removes files with an entry's
  /// name, place and first bytes.
  void evict() const;

  /// Calls evict() unless some process has done so in the last minute. The compiler server calls it while no client waits. A
  /// check of 56,000 files takes 0.2 s of processor time; done after every few builds, it was a third of their cost.
  void evict_if_due() const;

  /// Counts the files, and opens each that has an entry's name.
  [[nodiscard]] CacheContents survey() const;

  /// Removes all entries, the stamp, and folders that are empty then. Foreign files and entries that a process may be writing
  /// stay. Returns the removed files.
  FileCount purge() const;

private:
  /// Opens the subfolder `upsweep`.
  [[nodiscard]] UniqueFd open_root(Missing missing) const;

  std::filesystem::path folder_;
  uint64_t max_bytes_;
};

}  // namespace upsweep::compiler
#endif
