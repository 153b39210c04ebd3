// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Results of the compiler on disk, one file per key. Entries are written beside and renamed into place, so that any number of
// processes may use a folder at once; a damaged entry counts as missing and is replaced.
#ifndef UPSWEEP_COMPILER_CLIENT_DISK_CACHE_H
#define UPSWEEP_COMPILER_CLIENT_DISK_CACHE_H

#include "compiler/client/protocol.h"

#include <atomic>
#include <filesystem>

namespace upsweep::compiler {

class DiskCache {
public:
  /// An empty folder means no cache.
  DiskCache(std::filesystem::path folder, uint64_t max_bytes) : folder_(std::move(folder)), max_bytes_(max_bytes) {}

  /// What UPSWEEP_CACHE, UPSWEEP_CACHE_DIR and UPSWEEP_CACHE_MIB say.
  static DiskCache &instance();

  [[nodiscard]] bool enabled() const { return !folder_.empty(); }

  /// The stored reply if there is one and every file that it depends on is as it was.
  [[nodiscard]] std::optional<Reply> find(const Hash &key) const;

  /// Best effort: a full disk or a folder that cannot be written is no error.
  void store(const Hash &key, const Result &result);

  /// Removes the entries that were not used for the longest time until the rest fits. It looks at every file.
  void evict() const;

  /// evict(), unless some process has done so in the last minute. The compiler server calls it where nobody waits; yet a look
  /// at 56,000 files takes 0.2 s of a processor, which after every few builds was a third of all that they cost.
  void evict_if_due() const;

private:
  [[nodiscard]] std::filesystem::path entry_path(const Hash &key) const;

  std::filesystem::path folder_;
  uint64_t max_bytes_;
  std::atomic<unsigned> stores_ = 0;
};

}  // namespace upsweep::compiler
#endif
