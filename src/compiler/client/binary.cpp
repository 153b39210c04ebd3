// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Layout of a program binary: magic (8 bytes), version (u32), kind (u32), checksum (16 bytes, over the rest), then build id,
// target, options, module and shared object, each preceded by its length (u64).
#include "compiler/client/binary.h"

#include "base/wire.h"
#include "compiler/client/hash.h"

namespace upsweep::compiler {
namespace {

constexpr uint64_t kBinaryMagic = 0x0a1a504545575355;  // "USWEEP", then characters that a copy in text mode would damage
constexpr uint32_t kVersion = 1;
constexpr size_t kBinaryHeaderBytes = 8 + 4 + 4 + 16;

}  // namespace

std::optional<BinaryView> open_binary(ByteSpan bytes) noexcept {
  WireReader header(bytes);
  auto magic = header.get<uint64_t>();
  auto version = header.get<uint32_t>();
  BinaryView view;
  view.kind = header.get<BinaryKind>();
  Hash checksum = header.get<Hash>();
  if (!header.ok() || magic != kBinaryMagic || version != kVersion || checksum != hash_bytes(bytes.subspan(kBinaryHeaderBytes)))
    return std::nullopt;
  WireReader reader(bytes.subspan(kBinaryHeaderBytes));
  view.build_id = reader.text();
  view.target = reader.text();
  view.options = reader.text();
  view.module = reader.bytes();
  view.shared_object = reader.bytes();
  bool known_kind =
      view.kind == BinaryKind::kObject || view.kind == BinaryKind::kLibrary || view.kind == BinaryKind::kExecutable;
  return reader.at_end() && known_kind ? std::optional(view) : std::nullopt;
}

Bytes make_binary(const BinaryView &parts) {
  WireWriter body;
  body.put(parts.build_id).put(parts.target).put(parts.options).put(parts.module).put(parts.shared_object);
  WireWriter header;
  header.put(kBinaryMagic).put(kVersion).put(parts.kind).put(hash_bytes(body.bytes()));
  Bytes bytes = header.take();
  ByteSpan rest = body.bytes();
  bytes.insert(bytes.end(), rest.begin(), rest.end());
  return bytes;
}

bool runs_here(const BinaryView &binary, std::string_view target) noexcept {
  return !binary.shared_object.empty() && binary.target == (target.empty() ? std::string_view(target_id()) : target);
}

}  // namespace upsweep::compiler
