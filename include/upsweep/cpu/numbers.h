// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The number types of the library: C++'s, integers of 128 bits, and floating-point numbers of 16 bits.
//
//   float16    the compiler's _Float16 (GCC 12, Clang 15 and later); absent where the compiler has none
//   bfloat16   a float without the lower half of its bits; it converts to float implicitly, and from numbers by static_cast
//
// Operators on half types round after each operation, as in CUDA; accumulator<float> (options.h) keeps totals in floats.
#pragma once

#include <upsweep/common/cpp20.h>
#ifdef UPSWEEP_CPP20
#include <upsweep/common/numbers.h>

namespace upsweep::cpu {

#ifdef __FLT16_MANT_DIG__
using float16 = _Float16;
#endif

struct bfloat16 {
  std::uint16_t bits;

  bfloat16() = default;
  // Rounds to the nearest, ties to even; a NaN stays a NaN.
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

using common::are_integers, common::Int128, common::is_float, common::is_half, common::is_int128, common::is_integer,
    common::is_nan, common::is_number, common::is_signed, common::Uint128, common::UnsignedOf, common::Wrapping;

template <class T, class Format>
struct HalfFormat : Format {
  static constexpr T of_bits(std::uint16_t bits) { return __builtin_bit_cast(T, bits); }
};

}  // namespace detail

}  // namespace upsweep::cpu

#ifdef __FLT16_MANT_DIG__
template <>
struct upsweep::common::half_format<upsweep::cpu::float16> : cpu::detail::HalfFormat<cpu::float16, binary16> {};
#endif
template <>
struct upsweep::common::half_format<upsweep::cpu::bfloat16> : cpu::detail::HalfFormat<cpu::bfloat16, brain16> {};
#endif
