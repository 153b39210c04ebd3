// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Layout of an entry: magic (u64), checksum of the rest, dependencies, log, binary. Its time of change is its last use.
#include "compiler/client/disk_cache.h"

#include "base/never_destroyed.h"
#include "base/options.h"
#include "base/wire.h"

#include <fcntl.h>
#include <sys/stat.h>

#include <algorithm>
#include <cstdlib>

namespace fs = std::filesystem;

namespace upsweep::compiler {
namespace {

constexpr uint64_t kMagic = 0x3130656863615355;  // "USache01"
constexpr size_t kHeaderBytes = 8 + 16;
/// A file that was being written when its process ended stays behind; after this time nobody can still be at it.
constexpr time_t kAbandonedSeconds = 3600;
constexpr char kTemporaryPrefix[] = "writing-";
/// Its time of change is that of the last eviction.
constexpr char kEvictionStamp[] = "evicted";
constexpr time_t kSecondsBetweenEvictions = 60;

fs::path default_folder() {
  if (!options().cache_dir.empty()) return options().cache_dir;
  if (const char *cache = std::getenv("XDG_CACHE_HOME"); cache && *cache == '/') return fs::path(cache) / "upsweep";
  if (const char *home = std::getenv("HOME"); home && *home == '/') return fs::path(home) / ".cache" / "upsweep";
  return {};
}

bool unchanged(const Dependency &dependency) {
  if (dependency.state != Dependency::State::kContents)
    return (access(dependency.path.c_str(), F_OK) == 0) == (dependency.state == Dependency::State::kPresent);
  UniqueFd file(open(dependency.path.c_str(), O_RDONLY | O_CLOEXEC));
  MappedFile contents(file.get());
  return contents.ok() && hash_bytes(contents.bytes()) == dependency.contents;
}

std::optional<Reply> decode_entry(ByteSpan bytes) {
  WireReader header(bytes);
  auto magic = header.get<uint64_t>();
  Hash checksum = header.get<Hash>();
  if (!header.ok() || magic != kMagic || checksum != hash_bytes(bytes.subspan(kHeaderBytes))) return std::nullopt;
  WireReader reader(bytes.subspan(kHeaderBytes));
  std::vector<Dependency> dependencies = decode_dependencies(reader);
  Reply reply;
  reply.status = Status::kSuccess;
  reply.log = reader.text();
  ByteSpan binary = reader.bytes();
  if (!reader.at_end() || !std::all_of(dependencies.begin(), dependencies.end(), unchanged)) return std::nullopt;
  reply.binary.assign(binary.begin(), binary.end());
  return reply;
}

Bytes encode_entry(const Result &result) {
  WireWriter body;
  encode(body, result.dependencies);
  body.put(std::string_view(result.reply.log)).put(ByteSpan(result.reply.binary));
  WireWriter header;
  header.put(kMagic).put(hash_bytes(body.bytes()));
  Bytes bytes = header.take();
  bytes.insert(bytes.end(), body.bytes().begin(), body.bytes().end());
  return bytes;
}

bool write_file(const fs::path &path, ByteSpan bytes) {
  UniqueFd file(open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600));
  while (file && !bytes.empty()) {
    ssize_t n = write(file.get(), bytes.data(), bytes.size());
    if (n <= 0) return false;
    bytes = bytes.subspan(n);
  }
  return static_cast<bool>(file);
}

struct Entry {
  fs::path path;
  int64_t used;  ///< nanoseconds
  uint64_t bytes;
};

int64_t nanoseconds(const timespec &time) { return int64_t{time.tv_sec} * 1'000'000'000 + time.tv_nsec; }

std::vector<Entry> list_entries(const fs::path &folder) {
  std::vector<Entry> entries;
  std::error_code error;
  const time_t now = time(nullptr);
  for (fs::recursive_directory_iterator it(folder, error), end; !error && it != end; it.increment(error)) {
    struct stat file;
    if (it.depth() == 0 || stat(it->path().c_str(), &file) != 0 || !S_ISREG(file.st_mode)) continue;
    Entry entry = {it->path(), nanoseconds(file.st_mtim), static_cast<uint64_t>(file.st_size)};
    std::error_code gone;
    if (!entry.path.filename().native().starts_with(kTemporaryPrefix))
      entries.push_back(std::move(entry));
    else if (now - file.st_mtim.tv_sec > kAbandonedSeconds)
      fs::remove(entry.path, gone);
  }
  return entries;
}

}  // namespace

DiskCache &DiskCache::instance() {
  static NeverDestroyed<DiskCache> cache(options().cache ? default_folder() : fs::path(),
                                         static_cast<uint64_t>(std::max<int64_t>(options().cache_mib, 0)) << 20);
  return *cache;
}

fs::path DiskCache::entry_path(const Hash &key) const {
  std::string name = key.hex();
  return folder_ / name.substr(0, 2) / name.substr(2);
}

std::optional<Reply> DiskCache::find(const Hash &key) const {
  if (!enabled()) return std::nullopt;
  UniqueFd file(open(entry_path(key).c_str(), O_RDONLY | O_CLOEXEC));
  if (!file) return std::nullopt;
  MappedFile contents(file.get());
  std::optional<Reply> reply = decode_entry(contents.bytes());
  if (reply) futimens(file.get(), nullptr);
  return reply;
}

void DiskCache::store(const Hash &key, const Result &result) {
  if (!enabled()) return;
  fs::path path = entry_path(key);
  std::error_code error;
  fs::create_directories(path.parent_path(), error);
  unsigned number = stores_++;
  fs::path temporary = path.parent_path() / (kTemporaryPrefix + std::to_string(getpid()) + "-" + std::to_string(number));
  if (!write_file(temporary, encode_entry(result)) || rename(temporary.c_str(), path.c_str()) != 0)
    fs::remove(temporary, error);
}

void DiskCache::evict() const {
  std::vector<Entry> entries = list_entries(folder_);
  uint64_t total = 0;
  for (const Entry &entry : entries) total += entry.bytes;
  if (total <= max_bytes_) return;
  std::sort(entries.begin(), entries.end(), [](const Entry &a, const Entry &b) { return a.used < b.used; });
  for (const Entry &entry : entries) {
    if (total <= max_bytes_) break;
    std::error_code error;
    fs::remove(entry.path, error);
    total -= entry.bytes;
  }
}

void DiskCache::evict_if_due() const {
  if (!enabled()) return;
  const fs::path stamp = folder_ / kEvictionStamp;
  const time_t now = time(nullptr);
  struct stat last;
  // A time in the future is a clock that was set back.
  if (stat(stamp.c_str(), &last) == 0 && last.st_mtime <= now && now - last.st_mtime < kSecondsBetweenEvictions) return;
  UniqueFd file(open(stamp.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0600));
  if (file) futimens(file.get(), nullptr);  // first, so that no other process begins as well
  evict();
}

}  // namespace upsweep::compiler
