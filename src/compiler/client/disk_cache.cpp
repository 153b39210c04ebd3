// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// An entry's name is its key's hash, whose first two digits name a folder. Its modification time is its last use. Each call
// opens the folders again, since an application may close unknown descriptors or remove the folder.
#include "compiler/client/disk_cache.h"

#include "base/across_fork.h"
#include "base/log.h"
#include "base/never_destroyed.h"
#include "base/options.h"
#include "compiler/client/cache_entry.h"
#include "compiler/client/cache_names.h"

#include <fcntl.h>
#include <sys/random.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>

namespace fs = std::filesystem;

namespace upsweep::compiler {
namespace {

fs::path named_folder() {
  if (has_raised_rights()) return {};
  if (!options().cache_dir.empty()) return options().cache_dir;
  if (const char *cache = environment("XDG_CACHE_HOME"); cache && *cache == '/') return cache;
  if (const char *home = environment("HOME"); home && *home == '/') return fs::path(home) / ".cache";
  return {};
}

/// Logs the reason if there is no usable folder.
fs::path folder_to_use() {
  if (!options().cache) return {};
  fs::path folder = named_folder();
  if (has_raised_rights() || folder.is_absolute()) return folder;
  log_line("cache",
           "nothing is kept: " + (folder.empty()
                                      ? std::string("none of UPSWEEP_CACHE_DIR, XDG_CACHE_HOME and HOME names an absolute path")
                                      : "UPSWEEP_CACHE_DIR is " + folder.string() + ", which is not an absolute path"));
  return folder;
}

struct EntryName {
  explicit EntryName(ByteSpan key) : EntryName(hash_bytes(key).hex()) {}
  std::string folder, file;

private:
  explicit EntryName(const std::string &hex) : folder(hex.substr(0, kFolderNameDigits)), file(hex.substr(kFolderNameDigits)) {}
};

/// Reads as many bytes as the file had when it was opened, or fewer if it was shortened since; the checksum detects that.
Bytes read_file(const UniqueFd &file, size_t size) {
  Bytes bytes(size);
  size_t have = 0;
  while (have < size) {
    const ssize_t n = read(file.get(), bytes.data() + have, size - have);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) break;
    have += static_cast<size_t>(n);
  }
  bytes.resize(have);
  return bytes;
}

bool write_file(const UniqueFd &folder, const char *name, ByteSpan bytes) {
  constexpr mode_t kMode = 0600;
  UniqueFd file(openat(folder.get(), name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, kMode));
  if (!file || fchmod(file.get(), kMode) != 0) return false;  // the umask may have removed rights
  while (!bytes.empty()) {
    const ssize_t n = write(file.get(), bytes.data(), bytes.size());
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return false;
    bytes = bytes.subspan(static_cast<size_t>(n));
  }
  return true;
}

/// Random, since process ids repeat: all containers that share a folder have a process 1.
std::string temporary_name() {
  uint64_t number = 0;
  if (getrandom(&number, sizeof(number), GRND_NONBLOCK) != sizeof(number)) return {};
  char name[kTemporaryNameBytes + 1];
  std::snprintf(name, sizeof(name), "%s%016llx", kTemporaryPrefix, static_cast<unsigned long long>(number));
  return name;
}

const MadeWithPlatform cache_made([] { static_cast<void>(DiskCache::instance()); });

}  // namespace

DiskCache &DiskCache::instance() {
  static NeverDestroyed<DiskCache> cache(folder_to_use(), static_cast<uint64_t>(std::max<int64_t>(options().cache_mib, 0))
                                                              << 20);
  return *cache;
}

UniqueFd DiskCache::open_root(Missing missing) const {
  if (!enabled()) return UniqueFd();
  return open_private_folder(open_named_folder(folder_, missing), kRootName, missing);
}

std::optional<Reply> DiskCache::find(ByteSpan key) const {
  if (!enabled()) return std::nullopt;
  const EntryName name(key);
  const UniqueFd folder = open_private_folder(open_root(Missing::kFail), name.folder.c_str(), Missing::kFail);
  struct stat status = {};
  const UniqueFd file = open_private_file(folder, name.file.c_str(), status);
  if (!file) return std::nullopt;
  std::optional<Result> result = decode_entry(read_file(file, static_cast<size_t>(status.st_size)), key);
  if (!result || !std::ranges::all_of(result->dependencies, is_unchanged)) return std::nullopt;
  futimens(file.get(), nullptr);
  return std::move(result->reply);
}

void DiskCache::store(ByteSpan key, const Result &result) const {
  if (!enabled()) return;
  const EntryName name(key);
  const UniqueFd folder = open_private_folder(open_root(Missing::kCreate), name.folder.c_str(), Missing::kCreate);
  if (!folder)
    log_line("cache",
             "no programs are cached in " + (folder_ / kRootName).string() +
                 ": the folder cannot be created, belongs to another user, or other users can write to it or its parent");
  const std::string temporary = temporary_name();
  if (!folder || temporary.empty()) return;
  if (!write_file(folder, temporary.c_str(), encode_entry(key, result)) ||
      renameat(folder.get(), temporary.c_str(), folder.get(), name.file.c_str()) != 0)
    unlinkat(folder.get(), temporary.c_str(), 0);
}

void DiskCache::remove(ByteSpan key) const {
  const EntryName name(key);
  const UniqueFd folder = open_private_folder(open_root(Missing::kFail), name.folder.c_str(), Missing::kFail);
  struct stat status = {};
  if (open_private_file(folder, name.file.c_str(), status)) unlinkat(folder.get(), name.file.c_str(), 0);
}

}  // namespace upsweep::compiler
