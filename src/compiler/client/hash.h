// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The 128-bit hash that names cache entries and checks bytes read back: xxHash's XXH3. It does not protect against forgery, so
// a cache entry also contains the data that was hashed for its name.
#ifndef UPSWEEP_COMPILER_CLIENT_HASH_H
#define UPSWEEP_COMPILER_CLIENT_HASH_H

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace upsweep::compiler {

struct Hash {
  uint64_t low = 0;
  uint64_t high = 0;
  bool operator==(const Hash &) const = default;
  [[nodiscard]] std::string hex() const;
};

[[nodiscard]] Hash hash_bytes(std::span<const uint8_t> bytes);
[[nodiscard]] Hash hash_text(std::string_view text);

/// The hash_bytes() of the whole file; empty on failure. Reads instead of mapping: truncation by another process must not crash
/// this process.
[[nodiscard]] std::optional<Hash> hash_file(int file);

/// Hashes a sequence of pieces. Each piece's length is hashed too, so moving a byte between pieces changes the hash.
class Hasher {
public:
  Hasher();
  ~Hasher();
  Hasher &add(std::string_view piece);
  Hasher &add(std::span<const uint8_t> piece);
  Hasher &add(uint64_t number);
  [[nodiscard]] Hash finish() const;

private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace upsweep::compiler
#endif
