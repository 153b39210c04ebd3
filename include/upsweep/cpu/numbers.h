// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The numbers that the library knows: those of C++, integers of 128 bits, and floating-point numbers of 16 bits.
//
//   float16    the compiler's _Float16 (GCC 12, Clang 15 and later); absent where the compiler has none
//   bfloat16   a float without the lower half of its bits; it becomes a float by itself, and a number by static_cast
//
// Operators on half types round after each operation, as those of CUDA do; accumulator<float> (options.h) keeps totals in
// floats.
#pragma once

#include <cstdint>
#include <cstring>
#include <limits>
#include <type_traits>

namespace upsweep::cpu {

#ifdef __FLT16_MANT_DIG__
using float16 = _Float16;
#endif

struct bfloat16 {
  std::uint16_t bits;

  bfloat16() = default;
  // To the nearest, of two the even one; a NaN stays one.
  template <class Number>
    requires std::is_arithmetic_v<Number>
  constexpr explicit bfloat16(Number number) : bits(rounded(static_cast<float>(number))) {}
  constexpr operator float() const {  // NOLINT(google-explicit-constructor): as _Float16 does
    return __builtin_bit_cast(float, static_cast<std::uint32_t>(bits) << 16);
  }

private:
  static constexpr std::uint16_t rounded(float value) {
    const auto word = __builtin_bit_cast(std::uint32_t, value);
    const bool is_nan = (word & 0x7fffffffU) > 0x7f800000U;
    const std::uint32_t nearest = word + 0x7fffU + (word >> 16 & 1);
    return static_cast<std::uint16_t>((is_nan ? word | 0x400000U : nearest) >> 16);
  }
};

namespace detail {

__extension__ typedef __int128 Int128;            // NOLINT(modernize-use-using): __extension__ goes with a typedef alone
__extension__ typedef unsigned __int128 Uint128;  // NOLINT(modernize-use-using)

#ifdef __FLT16_MANT_DIG__
template <class T>
inline constexpr bool is_half = std::is_same_v<T, float16> || std::is_same_v<T, bfloat16>;
#else
template <class T>
inline constexpr bool is_half = std::is_same_v<T, bfloat16>;
#endif
// The standard traits leave integers of 128 bits out unless GNU extensions are on.
template <class T>
inline constexpr bool is_int128 = std::is_same_v<T, Int128> || std::is_same_v<T, Uint128>;
template <class T>
inline constexpr bool is_integer = (std::is_integral_v<T> && !std::is_same_v<T, bool>) || is_int128<T>;
template <class T>
inline constexpr bool is_float = std::is_floating_point_v<T> || is_half<T>;
template <class T>
inline constexpr bool is_number = is_integer<T> || is_float<T>;
template <class T>
inline constexpr bool is_signed = std::is_signed_v<T> || std::is_same_v<T, Int128>;
template <class... Ts>
inline constexpr bool are_integers = (is_integer<Ts> && ...);  // NOLINT(misc-redundant-expression): of two alike

template <class T>
constexpr bool is_nan(const T &value) {
  return value != value;  // NOLINT(misc-redundant-expression)
}

// The bits behind the point of a floating-point number.
template <class T>
constexpr int mantissa_bits() {
  if constexpr (std::is_same_v<T, bfloat16>) {
    return 7;
  } else if constexpr (is_half<T>) {
    return 10;
  } else {
    return std::numeric_limits<T>::digits - 1;
  }
}

template <class T>
constexpr T highest_number() {
  if constexpr (is_float<T>) {
    return static_cast<T>(std::numeric_limits<float>::infinity());
  } else if constexpr (is_int128<T>) {
    constexpr auto kAll = ~static_cast<Uint128>(0);
    return static_cast<T>(is_signed<T> ? kAll >> 1 : kAll);
  } else {
    return std::numeric_limits<T>::max();
  }
}
template <class T>
constexpr T lowest_number() {
  if constexpr (is_float<T>) {
    return static_cast<T>(-std::numeric_limits<float>::infinity());
  } else if constexpr (is_int128<T>) {
    return is_signed<T> ? static_cast<T>(-highest_number<T>() - 1) : T(0);
  } else {
    return std::numeric_limits<T>::lowest();
  }
}

// Unsigned integers of a size; void of a size that has none.
template <std::size_t kBytes>
struct UnsignedOfBytes {
  using type = void;
};
template <>
struct UnsignedOfBytes<1> {
  using type = std::uint8_t;
};
template <>
struct UnsignedOfBytes<2> {
  using type = std::uint16_t;
};
template <>
struct UnsignedOfBytes<4> {
  using type = std::uint32_t;
};
template <>
struct UnsignedOfBytes<8> {
  using type = std::uint64_t;
};
template <>
struct UnsignedOfBytes<16> {
  using type = Uint128;
};
template <std::size_t kBytes>
using UnsignedOf = typename UnsignedOfBytes<kBytes>::type;

// Sums of parts of an array may overflow where those of the whole do not, so that integers wrap. Of int size at least, since
// two unsigned shorts are multiplied as ints.
template <class T>
using Wrapping = UnsignedOf<(sizeof(T) < sizeof(int) ? sizeof(int) : sizeof(T))>;

}  // namespace detail

}  // namespace upsweep::cpu
