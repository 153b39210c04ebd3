// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Elements as keys that the libraries can sort: unsigned integers, float and double. Integers are mapped to unsigned integers
// in the same order, reversed for descending sorts; halves become floats.
#ifndef UPSWEEP_CLI_FILES_KEY_CODEC_H
#define UPSWEEP_CLI_FILES_KEY_CODEC_H

#include "cli/files/reader.h"

#include <cstdint>

namespace upsweep::cli {

class KeyCodec {
public:
  KeyCodec(ElementType type, bool is_descending);

  // Calls f with a value of the keys' type.
  template <class F>
  auto with_type(F f) const {
    switch (kind_) {
    case Kind::U8: return f(uint8_t{});
    case Kind::U16: return f(uint16_t{});
    case Kind::U32: return f(uint32_t{});
    case Kind::U64: return f(uint64_t{});
    case Kind::F32: return f(float{});
    case Kind::F64: break;
    }
    return f(double{});
  }
  [[nodiscard]] size_t bytes() const;
  // Whether keys are sorted in descending order; integers are reversed instead.
  [[nodiscard]] bool is_reversed() const { return is_descending_ && (kind_ == Kind::F32 || kind_ == Kind::F64); }

  // Reads elements as keys. On all threads if there are many.
  void load(Reader &reader, size_t begin, size_t n, std::byte *keys) const;
  void load(const std::byte *elements, size_t n, std::byte *keys) const;
  // Converts keys back to elements in native byte order.
  void store(const std::byte *keys, size_t n, std::byte *elements) const;
  // Keys as numbers of 64 bits in the order of the sort, reversed if it descends. `keys` may be the result's memory.
  void widen(const std::byte *keys, size_t n, uint64_t *bits) const;

private:
  enum class Kind { U8, U16, U32, U64, F32, F64 };

  ElementType type_;
  Kind kind_ = Kind::F64;
  bool is_descending_;
  uint64_t mask_ = 0;  // bits of integers to flip
};

}  // namespace upsweep::cli
#endif
