// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Any bytes as an entry of the disk cache, with a checksum that is right: they are a reply or nothing.
#include "base/wire.h"
#include "compiler/client/disk_cache.h"

#include <unistd.h>

#include <cstdlib>
#include <fstream>

namespace {

using namespace upsweep;
using namespace upsweep::compiler;
namespace fs = std::filesystem;

constexpr size_t kMagicBytes = 8;

/// A cache with one entry, whose first bytes are those of a good one.
struct Fixture {
  Fixture() : folder(fs::temp_directory_path() / ("upsweep-cache-reader-" + std::to_string(getpid()))), cache(folder, 1 << 30) {
    cache.store(key, {});
    std::ifstream in(path(), std::ios::binary);
    magic.resize(kMagicBytes);
    in.read(magic.data(), kMagicBytes);
    if (!in) std::abort();
  }
  ~Fixture() {
    std::error_code error;
    fs::remove_all(folder, error);
  }
  Fixture(const Fixture &) = delete;
  Fixture &operator=(const Fixture &) = delete;

  [[nodiscard]] fs::path path() const { return folder / key.hex().substr(0, 2) / key.hex().substr(2); }

  const Hash key = {1, 2};
  fs::path folder;
  DiskCache cache;
  std::string magic;
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static Fixture fixture;
  WireWriter checksum;
  checksum.put(hash_bytes(ByteSpan(data, size)));
  std::ofstream out(fixture.path(), std::ios::binary | std::ios::trunc);
  out.write(fixture.magic.data(), kMagicBytes);
  out.write(reinterpret_cast<const char *>(checksum.bytes().data()), static_cast<std::streamsize>(checksum.bytes().size()));
  out.write(reinterpret_cast<const char *>(data), static_cast<std::streamsize>(size));
  out.close();
  std::optional<Reply> reply = fixture.cache.find(fixture.key);
  if (reply && reply->log.size() + reply->binary.size() > size) std::abort();
  return 0;
}
