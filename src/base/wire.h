// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Serialises values for messages, binaries and cache entries: little-endian numbers of fixed size, and byte strings after their
// length. A reader never reads past its end: it fails, and then stays in the failed state.
#ifndef UPSWEEP_BASE_WIRE_H
#define UPSWEEP_BASE_WIRE_H

#include <bit>
#include <cstdint>
#include <cstring>
#include <span>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace upsweep {

using Bytes = std::vector<uint8_t>;
using ByteSpan = std::span<const uint8_t>;

static_assert(std::endian::native == std::endian::little);

/// A number, or a gapless sequence of numbers such as std::array.
template <typename T>
concept FixedSize = std::is_integral_v<T> || std::is_enum_v<T> ||
                    (std::is_class_v<T> && std::is_trivially_copyable_v<T> && std::has_unique_object_representations_v<T>);

class WireWriter {
public:
  template <FixedSize T>
  WireWriter &put(T value) {
    const auto *bytes = reinterpret_cast<const uint8_t *>(&value);
    bytes_.insert(bytes_.end(), bytes, bytes + sizeof(value));
    return *this;
  }
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

  template <FixedSize T>
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

}  // namespace upsweep
#endif
