// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Results of the compiler on disk, one file per key, in the folder `upsweep` within the one that the user names. Entries are
// written beside and renamed into place, so that any number of processes may use a folder at once; a damaged entry counts as
// missing and is replaced. docs/decisions/cache-entries.md says what is trusted and when an entry is valid.
#ifndef UPSWEEP_COMPILER_CLIENT_DISK_CACHE_H
#define UPSWEEP_COMPILER_CLIENT_DISK_CACHE_H

#include "compiler/client/private_folder.h"
#include "compiler/client/protocol.h"

#include <filesystem>

namespace upsweep::compiler {

class DiskCache {
public:
  /// An empty folder, or one that is not absolute, means no cache.
  DiskCache(std::filesystem::path folder, uint64_t max_bytes)
      : folder_(folder.is_absolute() ? std::move(folder) : std::filesystem::path()), max_bytes_(max_bytes) {}

  /// The cache that UPSWEEP_CACHE, UPSWEEP_CACHE_DIR and UPSWEEP_CACHE_MIB describe; none in programs with raised rights.
  static DiskCache &instance();

  [[nodiscard]] bool enabled() const { return !folder_.empty(); }

  /// The stored reply if there is one with this key and every file that it depends on is as it was.
  [[nodiscard]] std::optional<Reply> find(ByteSpan key) const;

  /// Best effort: a full disk or a folder that cannot be written is no error.
  void store(ByteSpan key, const Result &result) const;

  /// Removes the entry of this key, if there is one.
  void remove(ByteSpan key) const;

  /// Removes the entries that were not used for the longest time until the rest fits. It looks at every file, and touches none
  /// that lacks an entry's name, place or first bytes.
  void evict() const;

  /// evict(), unless some process has done so in the last minute. The compiler server calls it where nobody waits; yet a look
  /// at 56,000 files takes 0.2 s of a processor, which after every few builds was a third of all that they cost.
  void evict_if_due() const;

private:
  /// The folder of ours, `upsweep`.
  [[nodiscard]] UniqueFd open_root(Missing missing) const;

  std::filesystem::path folder_;
  uint64_t max_bytes_;
};

}  // namespace upsweep::compiler
#endif
