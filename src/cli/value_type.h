// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// OpenCL C's scalar and vector types, as named on command lines and in .npy files.
#ifndef UPSWEEP_CLI_VALUE_TYPE_H
#define UPSWEEP_CLI_VALUE_TYPE_H

#include "cli/result.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace upsweep::cli {

enum class Scalar { Char, UChar, Short, UShort, Int, UInt, Long, ULong, Half, Float, Double };

struct ScalarInfo {
  Scalar scalar;
  std::string_view name;   // in OpenCL C
  std::string_view numpy;  // NumPy's kind and size
  size_t bytes;
};

const ScalarInfo &info_of(Scalar scalar);
const ScalarInfo *find_numpy(std::string_view kind_and_size);

struct ValueType {
  Scalar scalar = Scalar::Int;
  size_t width = 1;  // 1, 2, 3, 4, 8 or 16

  // A vector of 3 takes the space of 4 (OpenCL C, "Alignment of Types").
  [[nodiscard]] size_t bytes() const { return info_of(scalar).bytes * (width == 3 ? 4 : width); }
  [[nodiscard]] std::string name() const;
  bool operator==(const ValueType &) const = default;
};

// "float4" → {Float, 4}; an error if the name is not a built-in type.
Result<ValueType> parse_value_type(std::string_view name);

// Appends the bytes of a scalar written in decimal or hexadecimal; fails if it is not a number or out of range.
Result<void> append_number(Scalar scalar, std::string_view text, std::vector<std::byte> &bytes);

// Appends a number that is in range.
void append_integer(Scalar scalar, long long value, std::vector<std::byte> &bytes);
void append_real(Scalar scalar, double value, std::vector<std::byte> &bytes);

[[nodiscard]] bool is_real(Scalar scalar);

// The scalar at `data` as the shortest text that reads back as the same value.
std::string format_scalar(Scalar scalar, const std::byte *data);

// Calls f with a value of the scalar's C++ type.
template <typename F>
auto with_type(Scalar scalar, F f) {
  switch (scalar) {
  case Scalar::Char: return f(int8_t{});
  case Scalar::UChar: return f(uint8_t{});
  case Scalar::Short: return f(int16_t{});
  case Scalar::UShort: return f(uint16_t{});
  case Scalar::Int: return f(int32_t{});
  case Scalar::UInt: return f(uint32_t{});
  case Scalar::Long: return f(int64_t{});
  case Scalar::ULong: return f(uint64_t{});
  case Scalar::Half: return f(_Float16{});
  case Scalar::Float: return f(float{});
  case Scalar::Double: break;
  }
  return f(double{});
}

}  // namespace upsweep::cli
#endif
