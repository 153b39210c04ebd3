// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Conversions of elements in pieces on all threads.
#include "cli/files/element.h"

#include "cli/files/parallel.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <type_traits>

namespace upsweep::cli {
namespace {

constexpr size_t kPiece = size_t{1} << 16;  // elements per piece of a thread

template <size_t kBytes>
using Bits = std::conditional_t<kBytes == 1, uint8_t,
                                std::conditional_t<kBytes == 2, uint16_t, std::conditional_t<kBytes == 4, uint32_t, uint64_t>>>;

template <class T>
T swap_bytes(T value) {
  auto bits = std::bit_cast<Bits<sizeof(T)>>(value);
  if constexpr (sizeof(T) == 2) bits = __builtin_bswap16(bits);
  if constexpr (sizeof(T) == 4) bits = __builtin_bswap32(bits);
  if constexpr (sizeof(T) == 8) bits = __builtin_bswap64(bits);
  return std::bit_cast<T>(bits);
}

template <class T>
inline constexpr bool kIsReal = std::is_floating_point_v<T> || std::is_same_v<T, _Float16>;

// Callers exclude conversions from floating-point numbers to integers.
template <class To, class From>
To convert(From value) {
  if constexpr (kIsReal<From> && !kIsReal<To>)
    return To(0);
  else
    return static_cast<To>(value);
}

template <bool kSwapped, class From, class To>
void load_piece(const std::byte *elements, To *values, size_t n) {
  for (size_t i = 0; i < n; ++i) {
    From value;
    std::memcpy(&value, elements + i * sizeof(From), sizeof(From));
    values[i] = convert<To>(kSwapped ? swap_bytes(value) : value);
  }
}

template <bool kSwapped, class From, class To>
void store_piece(const From *values, std::byte *elements, size_t n) {
  for (size_t i = 0; i < n; ++i) {
    const To converted = convert<To>(values[i]);
    const To value = kSwapped ? swap_bytes(converted) : converted;
    std::memcpy(elements + i * sizeof(To), &value, sizeof(To));
  }
}

constexpr std::array<std::string_view, 11> kNames = {"int8",  "uint8",  "int16",   "uint16",  "int32",  "uint32",
                                                     "int64", "uint64", "float16", "float32", "float64"};

}  // namespace

bool ElementType::is_signed() const { return is_real(scalar) || info_of(scalar).numpy.starts_with('i'); }

std::string ElementType::descr() const {
  const char order = bytes() == 1 ? '|' : is_swapped ? '>' : '<';
  return fmt::format("{}{}", order, is_bool ? "b1" : info_of(scalar).numpy);
}

std::string ElementType::name() const {
  if (is_bool) return "bool";
  return fmt::format("{}{}", kNames[static_cast<size_t>(scalar)], is_swapped ? ", big-endian" : "");
}

std::vector<std::string> element_type_names() {
  std::vector<std::string> names{"bool"};
  names.insert(names.end(), kNames.begin(), kNames.end());
  return names;
}

Result<ElementType> parse_element_type(std::string_view text) {
  for (size_t i = 0; i < kNames.size(); ++i)
    if (kNames[i] == text) return ElementType{static_cast<Scalar>(i)};
  if (text == "bool") return ElementType{Scalar::UChar, false, true};
  const std::string_view code = text.substr(text.find_first_not_of("<>=|") == 1 ? 1 : 0);
  if (code == "b1") return ElementType{Scalar::UChar, false, true};
  if (const ScalarInfo *info = find_numpy(code)) return ElementType{info->scalar, text.starts_with('>') && info->bytes > 1};
  return fail("'{}' is not a number type; types are bool, int8 to int64, uint8 to uint64, float16, float32 and float64", text);
}

std::string format_element(ElementType type, const std::byte *data) {
  std::array<std::byte, 8> bytes{};
  std::copy_n(data, type.bytes(), bytes.begin());
  if (type.is_swapped) std::reverse(bytes.begin(), bytes.begin() + static_cast<ptrdiff_t>(type.bytes()));
  if (type.is_bool) return bytes[0] == std::byte{0} ? "False" : "True";
  return format_scalar(type.scalar, bytes.data());
}

size_t bytes_of(Compute compute) {
  return with_compute(compute, [](auto zero) { return sizeof(zero); });
}

bool is_same_bits(ElementType type, Compute compute) {
  if (type.is_swapped || type.bytes() != bytes_of(compute)) return false;
  return is_real(type.scalar) == (compute == Compute::F32 || compute == Compute::F64);
}

void load_elements(ElementType type, const std::byte *elements, Compute compute, void *values, size_t n) {
  with_type(type.scalar, [&](auto from) {
    with_compute(compute, [&](auto to) {
      using From = decltype(from);
      using To = decltype(to);
      share_out(n, kPiece, [&](size_t begin, size_t end) {
        To *first = static_cast<To *>(values) + begin;
        const std::byte *at = elements + begin * sizeof(From);
        type.is_swapped ? load_piece<true, From>(at, first, end - begin) : load_piece<false, From>(at, first, end - begin);
      });
    });
  });
}

void store_elements(Compute compute, const void *values, ElementType type, std::byte *elements, size_t n) {
  with_compute(compute, [&](auto from) {
    with_type(type.scalar, [&](auto to) {
      using From = decltype(from);
      using To = decltype(to);
      share_out(n, kPiece, [&](size_t begin, size_t end) {
        const From *first = static_cast<const From *>(values) + begin;
        std::byte *at = elements + begin * sizeof(To);
        type.is_swapped ? store_piece<true, From, To>(first, at, end - begin)
                        : store_piece<false, From, To>(first, at, end - begin);
      });
    });
  });
}

}  // namespace upsweep::cli
