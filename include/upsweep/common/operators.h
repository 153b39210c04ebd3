// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The usual operators, and the properties of them that the algorithms use: their identities, and that their operands commute.
// Each library has the names as its own, and templates `identity` and `is_commutative` that users specialise. C++17.
#pragma once

#include <upsweep/common/numbers.h>

namespace upsweep::common {

// clang-tidy does not see that an executor runs all pieces of a call, which write the operands.
// NOLINTBEGIN(clang-analyzer-core.UndefinedBinaryOperatorResult)

// a + b; integers wrap.
struct plus {
  static constexpr const char *kName = "plus";
  template <class T>
  UPSWEEP_HOST_DEVICE constexpr T operator()(const T &a, const T &b) const {
    if constexpr (is_integer<T>) {
      return static_cast<T>(static_cast<Wrapping<T>>(a) + static_cast<Wrapping<T>>(b));
    } else if constexpr (has_half_intrinsics<T>) {
      return half_format<T>::add(a, b);
    } else {
      return static_cast<T>(a + b);
    }
  }
};

// a * b; integers wrap.
struct multiplies {
  static constexpr const char *kName = "multiplies";
  template <class T>
  UPSWEEP_HOST_DEVICE constexpr T operator()(const T &a, const T &b) const {
    if constexpr (is_integer<T>) {
      return static_cast<T>(static_cast<Wrapping<T>>(a) * static_cast<Wrapping<T>>(b));
    } else if constexpr (has_half_intrinsics<T>) {
      return half_format<T>::multiply(a, b);
    } else {
      return static_cast<T>(a * b);
    }
  }
};

// The smaller; a if neither is. The minimum of a number and a NaN is the number: `b < a ? b : a` would not be associative,
// since min(min(2, NaN), 1) would be 1 and min(2, min(NaN, 1)) would be 2.
struct minimum {
  static constexpr const char *kName = "minimum";
  template <class T>
  UPSWEEP_HOST_DEVICE constexpr T operator()(const T &a, const T &b) const {
    if constexpr (has_half_intrinsics<T>) {
      return half_format<T>::lesser(a, b);
    } else if constexpr (is_float<T>) {
#ifdef __CUDA_ARCH__
      return ::fmin(a, b);
#else
      return b < a || is_nan(a) ? b : a;
#endif
    } else {
      return b < a ? b : a;
    }
  }
};

// The larger; a if neither is. The maximum of a number and a NaN is the number.
struct maximum {
  static constexpr const char *kName = "maximum";
  template <class T>
  UPSWEEP_HOST_DEVICE constexpr T operator()(const T &a, const T &b) const {
    if constexpr (has_half_intrinsics<T>) {
      return half_format<T>::greater(a, b);
    } else if constexpr (is_float<T>) {
#ifdef __CUDA_ARCH__
      return ::fmax(a, b);
#else
      return a < b || is_nan(a) ? b : a;
#endif
    } else {
      return a < b ? b : a;
    }
  }
};

// a & b
struct bit_and {
  static constexpr const char *kName = "bit_and";
  template <class T>
  UPSWEEP_HOST_DEVICE constexpr T operator()(const T &a, const T &b) const {
    return static_cast<T>(a & b);
  }
};

// a | b
struct bit_or {
  static constexpr const char *kName = "bit_or";
  template <class T>
  UPSWEEP_HOST_DEVICE constexpr T operator()(const T &a, const T &b) const {
    return static_cast<T>(a | b);
  }
};

// a ^ b
struct bit_xor {
  static constexpr const char *kName = "bit_xor";
  template <class T>
  UPSWEEP_HOST_DEVICE constexpr T operator()(const T &a, const T &b) const {
    return static_cast<T>(a ^ b);
  }
};

// a - b, of neighbours; integers wrap.
struct minus {
  static constexpr const char *kName = "minus";
  template <class T>
  UPSWEEP_HOST_DEVICE constexpr T operator()(const T &a, const T &b) const {
    if constexpr (is_integer<T>) {
      return static_cast<T>(static_cast<Wrapping<T>>(a) - static_cast<Wrapping<T>>(b));
    } else {
      return static_cast<T>(a - b);
    }
  }
};

// NOLINTEND(clang-analyzer-core.UndefinedBinaryOperatorResult)

// a == b, of neighbours
struct equal_to {
  static constexpr const char *kName = "equal_to";
  template <class T>
  UPSWEEP_HOST_DEVICE constexpr bool operator()(const T &a, const T &b) const {
    return a == b;
  }
};

template <class Op>
inline constexpr bool is_arithmetic_operator = std::is_same_v<Op, plus> || std::is_same_v<Op, multiplies>;
template <class Op>
inline constexpr bool is_order_operator = std::is_same_v<Op, minimum> || std::is_same_v<Op, maximum>;
template <class Op>
inline constexpr bool is_bit_operator =
    std::is_same_v<Op, bit_and> || std::is_same_v<Op, bit_or> || std::is_same_v<Op, bit_xor>;

// The operators above that are associative, on types that have their identity. They commute.
template <class Op, class T>
inline constexpr bool is_usual =
    ((is_arithmetic_operator<Op> || is_order_operator<Op>) && is_number<T>) || (is_bit_operator<Op> && is_integer<T>);

// The value that leaves every other unchanged. The identity of floating-point sums is +0, although -0 alone keeps the sign of a
// zero. The identity of their minimum and maximum is an infinity, with which exclusive scans begin. An infinity replaces NaNs,
// so a reduction whose result without numbers is NaN begins with a NaN.
template <class Op, class T, bool kIsKnown>
struct usual_identity {};
template <class Op, class T>
struct usual_identity<Op, T, true> {
  UPSWEEP_HOST_DEVICE static constexpr T value() {
    if constexpr (is_half<T>) {
      using Format = half_format<T>;
      constexpr std::uint16_t kSign = 0x8000;
      return Format::of_bits(std::is_same_v<Op, multiplies> ? Format::kOne
                             : std::is_same_v<Op, minimum>  ? Format::kInfinity
                             : std::is_same_v<Op, maximum>  ? static_cast<std::uint16_t>(kSign | Format::kInfinity)
                                                            : std::uint16_t(0));
    } else if constexpr (std::is_same_v<Op, multiplies>) {
      return T(1);
    } else if constexpr (std::is_same_v<Op, minimum>) {
      return limits<T>::kHighest;
    } else if constexpr (std::is_same_v<Op, maximum>) {
      return limits<T>::kLowest;
    } else if constexpr (std::is_same_v<Op, bit_and>) {
      return static_cast<T>(~T(0));
    } else {
      return T(0);
    }
  }
};

}  // namespace upsweep::common
