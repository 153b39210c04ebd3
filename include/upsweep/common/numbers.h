// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The numbers that the libraries know, and their properties: the arithmetic types of C++, integers of 128 bits, and
// floating-point numbers of 16 bits. Each library has its own types of 16 bits. C++17.
#pragma once

#include <upsweep/common/standard.h>

namespace upsweep::common {

// The formats of floating-point numbers of 16 bits.
struct binary16 {
  static constexpr bool kExists = true, kHasIntrinsics = false;
  static constexpr int kMantissaBits = 10;
  static constexpr std::uint16_t kOne = 0x3c00, kInfinity = 0x7c00, kNaN = 0x7e00;
};
struct brain16 {
  static constexpr bool kExists = true, kHasIntrinsics = false;
  static constexpr int kMantissaBits = 7;
  static constexpr std::uint16_t kOne = 0x3f80, kInfinity = 0x7f80, kNaN = 0x7fc0;
};

// The format of a type. A library specialises it for its types, with a function of_bits(). With kHasIntrinsics there are add(),
// multiply(), lesser() and greater() as well.
template <class T>
struct half_format {
  static constexpr bool kExists = false, kHasIntrinsics = false;
};
template <class T>
inline constexpr bool is_half = half_format<T>::kExists;
template <class T>
inline constexpr bool has_half_intrinsics = half_format<T>::kHasIntrinsics;

// The standard traits leave integers of 128 bits out unless GNU extensions are on.
#ifdef __SIZEOF_INT128__
__extension__ typedef __int128 Int128;            // NOLINT(modernize-use-using): __extension__ goes with a typedef alone
__extension__ typedef unsigned __int128 Uint128;  // NOLINT(modernize-use-using)
template <class T>
inline constexpr bool is_int128 = std::is_same_v<T, Int128> || std::is_same_v<T, Uint128>;
template <class T>
inline constexpr bool is_signed = std::is_signed_v<T> || std::is_same_v<T, Int128>;
#else
using Uint128 = std::uint64_t;  // of no use
template <class T>
inline constexpr bool is_int128 = false;
template <class T>
inline constexpr bool is_signed = std::is_signed_v<T>;
#endif

template <class T>
inline constexpr bool is_integer = (std::is_integral_v<T> && !std::is_same_v<T, bool>) || is_int128<T>;
template <class T>
inline constexpr bool is_float = std::is_floating_point_v<T> || is_half<T>;
template <class T>
inline constexpr bool is_number = is_integer<T> || is_float<T>;
template <class... Ts>
inline constexpr bool are_integers = (is_integer<Ts> && ...);  // NOLINT(misc-redundant-expression): of two alike

template <class T>
UPSWEEP_HOST_DEVICE constexpr bool is_nan(const T &value) {
  return value != value;  // NOLINT(misc-redundant-expression)
}

// The bits behind the point of a floating-point number; of other numbers 0.
template <class T>
UPSWEEP_HOST_DEVICE constexpr int mantissa_bits() {
  if constexpr (is_half<T>) {
    return half_format<T>::kMantissaBits;
  } else if constexpr (std::is_floating_point_v<T>) {
    return std::numeric_limits<T>::digits - 1;
  } else {
    return 0;
  }
}

// The range of a number that is no half type. Members, not functions: device code may read a constant of the host, but not call
// its constexpr functions.
template <class T, class = void>
struct limits {
  static constexpr T kLowest = std::numeric_limits<T>::lowest();
  static constexpr T kHighest = std::numeric_limits<T>::max();
};
template <class T>
struct limits<T, std::enable_if_t<std::is_floating_point_v<T>>> {
  static constexpr T kLowest = -std::numeric_limits<T>::infinity();
  static constexpr T kHighest = std::numeric_limits<T>::infinity();
};
template <class T>
struct limits<T, std::enable_if_t<is_int128<T>>> {
  static constexpr T kHighest = static_cast<T>(~static_cast<Uint128>(0) >> (is_signed<T> ? 1 : 0));
  static constexpr T kLowest = is_signed<T> ? static_cast<T>(-kHighest - 1) : T(0);
};

// The unsigned integer of a size. A size that has none yields an integer of another size.
template <std::size_t kBytes>
using UnsignedOf =
    std::conditional_t<kBytes == 1, std::uint8_t,
                       std::conditional_t<kBytes == 2, std::uint16_t,
                                          std::conditional_t<kBytes == 4, std::uint32_t,
                                                             std::conditional_t<kBytes == 8, std::uint64_t, Uint128>>>>;

// Sums of parts of an array may overflow where the whole sum does not, so that integers wrap. The type has the size of an int
// at least, since two unsigned shorts are multiplied as ints.
template <class T>
using Wrapping = UnsignedOf<(sizeof(T) < sizeof(int) ? sizeof(int) : sizeof(T))>;

}  // namespace upsweep::common
