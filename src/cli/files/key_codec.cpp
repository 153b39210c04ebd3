// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Maps elements to keys and back.
#include "cli/files/key_codec.h"

#include "cli/files/parallel.h"

#include <bit>
#include <cstring>
#include <type_traits>
#include <upsweep/common/key_order.h>

namespace upsweep::cli {
namespace {

constexpr size_t kPiece = size_t{1} << 16;

// Copies integers while changing their byte order or flipping bits.
template <class T>
void map_integers(const std::byte *from, std::byte *to, size_t n, T mask, bool is_swapped) {
  share_out(n, kPiece, [&](size_t begin, size_t end) {
    for (size_t i = begin; i < end; ++i) {
      T value;
      std::memcpy(&value, from + i * sizeof(T), sizeof(T));
      if constexpr (sizeof(T) == 2) value = is_swapped ? __builtin_bswap16(value) : value;
      if constexpr (sizeof(T) == 4) value = is_swapped ? __builtin_bswap32(value) : value;
      if constexpr (sizeof(T) == 8) value = is_swapped ? __builtin_bswap64(value) : value;
      value = static_cast<T>(value ^ mask);
      std::memcpy(to + i * sizeof(T), &value, sizeof(T));
    }
  });
}

}  // namespace

KeyCodec::KeyCodec(ElementType type, bool is_descending) : type_(type), is_descending_(is_descending) {
  if (is_real(type.scalar)) {
    kind_ = type.scalar == Scalar::Double ? Kind::F64 : Kind::F32;
    return;
  }
  const size_t bytes = type.bytes();
  kind_ = bytes == 1 ? Kind::U8 : bytes == 2 ? Kind::U16 : bytes == 4 ? Kind::U32 : Kind::U64;
  if (type.is_signed()) mask_ ^= uint64_t{1} << (8 * bytes - 1);
  if (is_descending) mask_ = ~mask_;
}

size_t KeyCodec::bytes() const {
  return with_type([](auto key) { return sizeof(key); });
}

void KeyCodec::load(Reader &reader, size_t begin, size_t n, std::byte *keys) const {
  std::vector<std::byte> room;
  load(reader.bytes(begin, n, room), n, keys);
}

void KeyCodec::load(const std::byte *elements, size_t n, std::byte *keys) const {
  with_type([&](auto key) {
    using T = decltype(key);
    if constexpr (std::is_integral_v<T>)
      map_integers<T>(elements, keys, n, static_cast<T>(mask_), type_.is_swapped);
    else
      load_elements(type_, elements, compute_of<T>, keys, n);
  });
}

void KeyCodec::store(const std::byte *keys, size_t n, std::byte *elements) const {
  with_type([&](auto key) {
    using T = decltype(key);
    if constexpr (std::is_integral_v<T>)
      map_integers<T>(keys, elements, n, static_cast<T>(mask_), false);
    else
      store_elements(compute_of<T>, keys, type_.native(), elements, n);
  });
}

void KeyCodec::widen(const std::byte *keys, size_t n, uint64_t *bits) const {
  const uint64_t flipped = is_reversed() ? ~uint64_t{0} : 0;
  with_type([&](auto key) {
    using T = decltype(key);
    for (size_t i = n; i-- > 0;) {  // from the last on, since bits may be in the place of keys
      T one;
      std::memcpy(&one, keys + i * sizeof(T), sizeof(T));
      using Order = common::number_order<T, false>;
      bits[i] = uint64_t{Order::encode(std::bit_cast<typename Order::Bits>(one))} ^ flipped;
    }
  });
}

}  // namespace upsweep::cli
