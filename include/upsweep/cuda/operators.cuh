// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The usual operators, for host and device, and the properties of an operator that the algorithms use: its identity, and
// whether its operands commute. A user's operators need neither; specialise `identity` to state one.
#pragma once

#include <upsweep/cuda/detail/standard.cuh>
#include <upsweep/cuda/version.cuh>

// A program that has them includes cuda_fp16.h and cuda_bf16.h, which take a quarter of the time that these headers do.
struct __half;
struct __nv_bfloat16;

namespace upsweep::cuda {

namespace detail {

template <class T>
inline constexpr bool is_half = std::is_same_v<T, __half> || std::is_same_v<T, __nv_bfloat16>;

#ifdef __SIZEOF_INT128__
template <class T>
inline constexpr bool is_int128 = std::is_same_v<T, __int128> || std::is_same_v<T, unsigned __int128>;
#else
template <class T>
inline constexpr bool is_int128 = false;
#endif

// The standard traits leave the 128-bit integers out unless GNU extensions are on.
template <class T>
inline constexpr bool is_integer = std::is_integral_v<T> || is_int128<T>;
template <class T>
inline constexpr bool is_number = is_integer<T> || std::is_floating_point_v<T> || is_half<T>;

// Members, not functions: device code may read a constant of the host, but not call its constexpr functions.
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
#ifdef __SIZEOF_INT128__
template <>
struct limits<unsigned __int128> {
  static constexpr unsigned __int128 kLowest = 0;
  static constexpr unsigned __int128 kHighest = ~static_cast<unsigned __int128>(0);
};
template <>
struct limits<__int128> {
  static constexpr __int128 kHighest = static_cast<__int128>(limits<unsigned __int128>::kHighest >> 1);
  static constexpr __int128 kLowest = -kHighest - 1;
};
#endif

// By their bits, since this header knows of no conversions.
template <class T>
__host__ __device__ T half_from(unsigned short half, unsigned short bfloat16) {
  const unsigned short bits = std::is_same_v<T, __half> ? half : bfloat16;
  T value;
  std::memcpy(static_cast<void *>(&value), &bits, sizeof(value));
  return value;
}

}  // namespace detail

// a + b. Half types use the intrinsics, since programs may switch the headers' operators off.
struct plus {
  template <class T>
  __host__ __device__ constexpr T operator()(const T &a, const T &b) const {
    if constexpr (detail::is_half<T>) {
      return __hadd(a, b);
    } else {
      return static_cast<T>(a + b);
    }
  }
};

// a * b
struct multiplies {
  template <class T>
  __host__ __device__ constexpr T operator()(const T &a, const T &b) const {
    if constexpr (detail::is_half<T>) {
      return __hmul(a, b);
    } else {
      return static_cast<T>(a * b);
    }
  }
};

// The smaller; a if neither is. Of a number and a NaN the number: `b < a ? b : a` would not be associative, since
// min(min(2, NaN), 1) would be 1 and min(2, min(NaN, 1)) would be 2.
struct minimum {
  template <class T>
  __host__ __device__ constexpr T operator()(const T &a, const T &b) const {
    if constexpr (detail::is_half<T>) {
      return __hmin(a, b);
    } else if constexpr (std::is_floating_point_v<T>) {
      return ::fmin(a, b);
    } else {
      return b < a ? b : a;
    }
  }
};

// The larger; a if neither is. Of a number and a NaN the number, as for minimum.
struct maximum {
  template <class T>
  __host__ __device__ constexpr T operator()(const T &a, const T &b) const {
    if constexpr (detail::is_half<T>) {
      return __hmax(a, b);
    } else if constexpr (std::is_floating_point_v<T>) {
      return ::fmax(a, b);
    } else {
      return a < b ? b : a;
    }
  }
};

// a & b
struct bit_and {
  template <class T>
  __host__ __device__ constexpr T operator()(const T &a, const T &b) const {
    return static_cast<T>(a & b);
  }
};

// a | b
struct bit_or {
  template <class T>
  __host__ __device__ constexpr T operator()(const T &a, const T &b) const {
    return static_cast<T>(a | b);
  }
};

// a ^ b
struct bit_xor {
  template <class T>
  __host__ __device__ constexpr T operator()(const T &a, const T &b) const {
    return static_cast<T>(a ^ b);
  }
};

// a - b, of neighbours
struct minus {
  template <class T>
  __host__ __device__ __forceinline__ T operator()(const T &a, const T &b) const {
    return static_cast<T>(a - b);
  }
};

// a == b, of neighbours
struct equal_to {
  template <class T>
  __host__ __device__ __forceinline__ bool operator()(const T &a, const T &b) const {
    return a == b;
  }
};

// identity<Op, T>::value() is the value that leaves every other unchanged. Defined for the operators above on numbers;
// specialise it for others. For sums of floating-point numbers it is +0 (and not -0, which alone keeps the sign of a zero);
// for minimum and maximum of them an infinity, with which exclusive scans begin (and not NaN, which an infinity replaces: a
// reduction that is NaN where there is no number begins with NaN).
template <class Op, class T, class = void>
struct identity {};

template <class T>
struct identity<plus, T, std::enable_if_t<detail::is_number<T>>> {
  static __host__ __device__ constexpr T value() {
    if constexpr (detail::is_half<T>) {
      return detail::half_from<T>(0, 0);
    } else {
      return T(0);
    }
  }
};

template <class T>
struct identity<multiplies, T, std::enable_if_t<detail::is_number<T>>> {
  static __host__ __device__ constexpr T value() {
    if constexpr (detail::is_half<T>) {
      return detail::half_from<T>(0x3c00, 0x3f80);
    } else {
      return T(1);
    }
  }
};

template <class T>
struct identity<minimum, T, std::enable_if_t<detail::is_number<T>>> {
  static __host__ __device__ constexpr T value() {
    if constexpr (detail::is_half<T>) {
      return detail::half_from<T>(0x7c00, 0x7f80);
    } else {
      return detail::limits<T>::kHighest;
    }
  }
};

template <class T>
struct identity<maximum, T, std::enable_if_t<detail::is_number<T>>> {
  static __host__ __device__ constexpr T value() {
    if constexpr (detail::is_half<T>) {
      return detail::half_from<T>(0xfc00, 0xff80);
    } else {
      return detail::limits<T>::kLowest;
    }
  }
};

template <class T>
struct identity<bit_and, T, std::enable_if_t<detail::is_integer<T>>> {
  static __host__ __device__ constexpr T value() { return static_cast<T>(~T(0)); }
};

template <class T>
struct identity<bit_or, T, std::enable_if_t<detail::is_integer<T>>> {
  static __host__ __device__ constexpr T value() { return T(0); }
};

template <class T>
struct identity<bit_xor, T, std::enable_if_t<detail::is_integer<T>>> {
  static __host__ __device__ constexpr T value() { return T(0); }
};

// True if identity<Op, T> is known.
template <class Op, class T, class = void>
inline constexpr bool has_identity = false;
template <class Op, class T>
inline constexpr bool has_identity<Op, T, std::void_t<decltype(identity<Op, T>::value())>> = true;

// True if op(a, b) and op(b, a) are known to be the same, so that operands need not be put in order.
template <class Op, class T>
inline constexpr bool is_commutative = false;
template <class T>
inline constexpr bool is_commutative<plus, T> = detail::is_number<T>;
template <class T>
inline constexpr bool is_commutative<multiplies, T> = detail::is_number<T>;
template <class T>
inline constexpr bool is_commutative<minimum, T> = detail::is_number<T>;
template <class T>
inline constexpr bool is_commutative<maximum, T> = detail::is_number<T>;
template <class T>
inline constexpr bool is_commutative<bit_and, T> = detail::is_integer<T>;
template <class T>
inline constexpr bool is_commutative<bit_or, T> = detail::is_integer<T>;
template <class T>
inline constexpr bool is_commutative<bit_xor, T> = detail::is_integer<T>;

}  // namespace upsweep::cuda
