// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Numbers for calls, their types and their options, by which ranks compare their calls.
#pragma once

#include <cstdint>
#include <string_view>

namespace upsweep::distributed::detail {

constexpr std::uint64_t hash_of(std::string_view text) {
  std::uint64_t hash = 0xcbf29ce484222325;  // FNV-1a
  for (const char c : text) {
    hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3;
  }
  return hash;
}
template <class... Ts>
constexpr std::uint64_t types_hash() {
  return hash_of(__PRETTY_FUNCTION__);
}
constexpr std::uint64_t mix(std::uint64_t hash, std::uint64_t value) {
  return (hash ^ value) * 0x9e3779b97f4a7c15 + (hash >> 32);
}

}  // namespace upsweep::distributed::detail
