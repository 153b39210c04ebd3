// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// xxHash, compiled in, so that the driver neither exports nor needs its symbols.
#define XXH_INLINE_ALL
#include <xxhash.h>

#include "compiler/client/hash.h"

#include <unistd.h>

#include <cerrno>
#include <cstdio>

namespace upsweep::compiler {

struct Hasher::State {
  XXH3_state_t xxh;
};

std::string Hash::hex() const {
  char text[33];
  std::snprintf(text, sizeof(text), "%016llx%016llx", static_cast<unsigned long long>(high),
                static_cast<unsigned long long>(low));
  return text;
}

Hash hash_bytes(std::span<const uint8_t> bytes) {
  XXH128_hash_t hash = XXH3_128bits(bytes.data(), bytes.size());
  return {hash.low64, hash.high64};
}

std::optional<Hash> hash_file(int file) {
  uint8_t piece[64 << 10];
  XXH3_state_t state;
  XXH3_128bits_reset(&state);
  while (true) {
    const ssize_t n = read(file, piece, sizeof(piece));
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return std::nullopt;
    if (n == 0) break;
    XXH3_128bits_update(&state, piece, static_cast<size_t>(n));
  }
  const XXH128_hash_t hash = XXH3_128bits_digest(&state);
  return Hash{hash.low64, hash.high64};
}

Hash hash_text(std::string_view text) { return hash_bytes({reinterpret_cast<const uint8_t *>(text.data()), text.size()}); }

Hasher::Hasher() : state_(std::make_unique<State>()) { XXH3_128bits_reset(&state_->xxh); }
Hasher::~Hasher() = default;

Hasher &Hasher::add(std::span<const uint8_t> piece) {
  add(static_cast<uint64_t>(piece.size()));
  XXH3_128bits_update(&state_->xxh, piece.data(), piece.size());
  return *this;
}

Hasher &Hasher::add(std::string_view piece) {
  return add(std::span<const uint8_t>(reinterpret_cast<const uint8_t *>(piece.data()), piece.size()));
}

Hasher &Hasher::add(uint64_t number) {
  XXH3_128bits_update(&state_->xxh, &number, sizeof(number));
  return *this;
}

Hash Hasher::finish() const {
  XXH128_hash_t hash = XXH3_128bits_digest(&state_->xxh);
  return {hash.low64, hash.high64};
}

}  // namespace upsweep::compiler
