// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Layout of an entry: magic (8 bytes), checksum of the rest (16), key, dependencies, log, binary.
#include "compiler/client/cache_entry.h"

#include "base/wire.h"

#include <fcntl.h>
#include <sys/stat.h>

#include <algorithm>

namespace upsweep::compiler {
namespace {

constexpr std::string_view kEntryMagic = "USache02";
constexpr size_t kMagicNameBytes = 6;  // without the version
constexpr size_t kEntryHeaderBytes = kEntryMagicBytes + 16;
static_assert(kEntryMagic.size() == kEntryMagicBytes);

std::string_view as_text(ByteSpan bytes) { return {reinterpret_cast<const char *>(bytes.data()), bytes.size()}; }

}  // namespace

bool has_entry_magic(ByteSpan start) { return as_text(start).starts_with(kEntryMagic.substr(0, kMagicNameBytes)); }

Bytes encode_entry(ByteSpan key, const Result &result) {
  WireWriter body;
  body.put(key);
  encode(body, result.dependencies);
  body.put(std::string_view(result.reply.log)).put(ByteSpan(result.reply.binary));
  WireWriter checksum;
  checksum.put(hash_bytes(body.bytes()));
  Bytes bytes(kEntryMagic.begin(), kEntryMagic.end());
  for (ByteSpan part : {checksum.bytes(), body.bytes()}) bytes.insert(bytes.end(), part.begin(), part.end());
  return bytes;
}

std::optional<Result> decode_entry(ByteSpan bytes, ByteSpan key) {
  if (bytes.size() < kEntryHeaderBytes || !as_text(bytes).starts_with(kEntryMagic)) return std::nullopt;
  WireReader header(bytes.subspan(kEntryMagicBytes));
  if (header.get<Hash>() != hash_bytes(bytes.subspan(kEntryHeaderBytes))) return std::nullopt;
  WireReader reader(bytes.subspan(kEntryHeaderBytes));
  if (!std::ranges::equal(reader.bytes(), key)) return std::nullopt;
  Result result;
  result.dependencies = decode_dependencies(reader);
  result.reply.status = Status::kSuccess;
  result.reply.log = reader.text();
  ByteSpan binary = reader.bytes();
  if (!reader.at_end()) return std::nullopt;
  result.reply.binary.assign(binary.begin(), binary.end());
  result.cacheable = true;
  return result;
}

bool is_unchanged(const Dependency &dependency) {
  struct stat status = {};
  if (dependency.state != Dependency::State::kContents) {
    const bool exists = stat(dependency.path.c_str(), &status) == 0;
    const auto state = !exists                   ? Dependency::State::kAbsent
                       : S_ISDIR(status.st_mode) ? Dependency::State::kFolder
                                                 : Dependency::State::kPresent;
    return state == dependency.state;
  }
  UniqueFd file(open(dependency.path.c_str(), O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC));
  if (!file || fstat(file.get(), &status) != 0 || !S_ISREG(status.st_mode)) return false;
  return hash_file(file.get()) == dependency.contents;
}

}  // namespace upsweep::compiler
