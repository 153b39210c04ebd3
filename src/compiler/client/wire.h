// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Values as bytes and back, for messages, binaries and cache entries: fixed-size little-endian numbers, and byte strings after
// their length. A reader never reads past its end: it fails, and stays failed.
#ifndef UPSWEEP_COMPILER_CLIENT_WIRE_H
#define UPSWEEP_COMPILER_CLIENT_WIRE_H

#include "compiler/client/compiler.h"
#include "compiler/client/hash.h"

#include <bit>
#include <cstring>
#include <type_traits>

namespace upsweep::compiler {

static_assert(std::endian::native == std::endian::little);

class WireWriter {
public:
  template <typename T>
    requires(std::is_integral_v<T> || std::is_enum_v<T>)
  WireWriter &put(T value) {
    const auto *bytes = reinterpret_cast<const uint8_t *>(&value);
    bytes_.insert(bytes_.end(), bytes, bytes + sizeof(value));
    return *this;
  }
  WireWriter &put(const Hash &hash) { return put(hash.low).put(hash.high); }
  WireWriter &put(ByteSpan bytes) {
    put(static_cast<uint64_t>(bytes.size()));
    bytes_.insert(bytes_.end(), bytes.begin(), bytes.end());
    return *this;
  }
  WireWriter &put(std::string_view text) { return put(ByteSpan(reinterpret_cast<const uint8_t *>(text.data()), text.size())); }

  [[nodiscard]] Bytes take() { return std::move(bytes_); }
  [[nodiscard]] ByteSpan bytes() const { return bytes_; }

private:
  Bytes bytes_;
};

class WireReader {
public:
  explicit WireReader(ByteSpan bytes) : rest_(bytes) {}

  template <typename T>
    requires(std::is_integral_v<T> || std::is_enum_v<T>)
  T get() {
    T value{};
    if (rest_.size() < sizeof(value)) {
      fail();
      return value;
    }
    std::memcpy(&value, rest_.data(), sizeof(value));
    rest_ = rest_.subspan(sizeof(value));
    return value;
  }
  Hash hash() {
    auto low = get<uint64_t>();
    return {low, get<uint64_t>()};
  }
  ByteSpan bytes() {
    auto size = get<uint64_t>();
    if (size > rest_.size()) {
      fail();
      return {};
    }
    ByteSpan result = rest_.first(size);
    rest_ = rest_.subspan(size);
    return result;
  }
  std::string_view text() {
    ByteSpan piece = bytes();
    return {reinterpret_cast<const char *>(piece.data()), piece.size()};
  }

  [[nodiscard]] bool ok() const { return ok_; }
  [[nodiscard]] bool at_end() const { return ok_ && rest_.empty(); }

private:
  void fail() {
    ok_ = false;
    rest_ = {};
  }
  ByteSpan rest_;
  bool ok_ = true;
};

}  // namespace upsweep::compiler
#endif
