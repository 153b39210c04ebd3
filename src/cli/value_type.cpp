// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// OpenCL C's types: the table of scalars, and conversion of numbers from and to text.
#include "cli/value_type.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <type_traits>

namespace upsweep::cli {
namespace {

constexpr std::array<ScalarInfo, 11> kScalars = {{
    {Scalar::Char, "char", "i1", 1},
    {Scalar::UChar, "uchar", "u1", 1},
    {Scalar::Short, "short", "i2", 2},
    {Scalar::UShort, "ushort", "u2", 2},
    {Scalar::Int, "int", "i4", 4},
    {Scalar::UInt, "uint", "u4", 4},
    {Scalar::Long, "long", "i8", 8},
    {Scalar::ULong, "ulong", "u8", 8},
    {Scalar::Half, "half", "f2", 2},
    {Scalar::Float, "float", "f4", 4},
    {Scalar::Double, "double", "f8", 8},
}};

template <typename T>
void append(T value, std::vector<std::byte> &bytes) {
  const auto *first = reinterpret_cast<const std::byte *>(&value);
  bytes.insert(bytes.end(), first, first + sizeof(T));
}

template <typename T>
Result<T> parse_integer(std::string_view text) {
  std::string_view digits = text;
  const bool negative = digits.starts_with('-');
  if (negative) digits.remove_prefix(1);
  int base = 10;
  if (digits.starts_with("0x") || digits.starts_with("0X")) {
    digits.remove_prefix(2);
    base = 16;
  }
  uint64_t magnitude = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), magnitude, base);
  if (digits.empty() || end != digits.data() + digits.size() || error == std::errc::invalid_argument)
    return misuse("'{}' is not an integer", text);
  // Two's complement has one more negative value.
  const uint64_t limit = static_cast<uint64_t>(std::numeric_limits<T>::max()) + (negative && std::is_signed_v<T> ? 1 : 0);
  if (error != std::errc{} || (negative && std::is_unsigned_v<T> && magnitude != 0) || magnitude > limit)
    return misuse("'{}' is out of range: {} to {}", text, +std::numeric_limits<T>::min(), +std::numeric_limits<T>::max());
  return static_cast<T>(negative ? uint64_t{0} - magnitude : magnitude);
}

Result<double> parse_real(std::string_view text) {
  const std::string copy(text);
  char *end = nullptr;
  const double value = std::strtod(copy.c_str(), &end);
  if (copy.empty() || *end != '\0') return misuse("'{}' is not a number", text);
  return value;
}

}  // namespace

const ScalarInfo &info_of(Scalar scalar) { return kScalars[static_cast<size_t>(scalar)]; }

const ScalarInfo *find_numpy(std::string_view kind_and_size) {
  const auto *found = std::ranges::find(kScalars, kind_and_size, &ScalarInfo::numpy);
  return found == kScalars.end() ? nullptr : found;
}

bool is_real(Scalar scalar) { return scalar >= Scalar::Half; }

std::string ValueType::name() const {
  return width == 1 ? std::string(info_of(scalar).name) : fmt::format("{}{}", info_of(scalar).name, width);
}

Result<ValueType> parse_value_type(std::string_view name) {
  const std::string_view letters = name.substr(0, std::min(name.find_first_of("0123456789"), name.size()));
  const std::string_view digits = name.substr(letters.size());
  const auto *found = std::ranges::find(kScalars, letters, &ScalarInfo::name);
  if (found != kScalars.end())
    for (const size_t width : {1, 2, 3, 4, 8, 16})
      if (digits == (width == 1 ? std::string() : std::to_string(width))) return ValueType{found->scalar, width};
  return misuse("'{}' is not a type; types are char, uchar, short, ushort, int, uint, long, ulong, half, float and double, "
                "and their vectors of 2, 3, 4, 8 and 16",
                name);
}

Result<void> append_number(Scalar scalar, std::string_view text, std::vector<std::byte> &bytes) {
  return with_type(scalar, [&](auto zero) -> Result<void> {
    using T = decltype(zero);
    if constexpr (std::is_integral_v<T>) {
      return parse_integer<T>(text).map([&](T value) { append(value, bytes); });
    } else {
      return parse_real(text).map([&](double value) { append(static_cast<T>(value), bytes); });
    }
  });
}

void append_integer(Scalar scalar, long long value, std::vector<std::byte> &bytes) {
  with_type(scalar, [&](auto zero) { append(static_cast<decltype(zero)>(value), bytes); });
}

void append_real(Scalar scalar, double value, std::vector<std::byte> &bytes) {
  with_type(scalar, [&](auto zero) { append(static_cast<decltype(zero)>(value), bytes); });
}

std::string format_scalar(Scalar scalar, const std::byte *data) {
  return with_type(scalar, [&](auto value) {
    std::memcpy(&value, data, sizeof(value));
    if constexpr (std::is_same_v<decltype(value), _Float16>)
      return fmt::format("{:.5g}", static_cast<float>(value));  // 11 bits are five digits
    else
      return fmt::format("{}", value);
  });
}

}  // namespace upsweep::cli
