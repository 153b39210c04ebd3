// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The usual operators, and the properties of an operator that the algorithms use: its identity, and whether its operands
// commute. A user's operators need neither; specialise `identity` to state one. The names are those of
// upsweep/cuda/operators.cuh.
#pragma once

#include <upsweep/cpu/numbers.h>

#include <type_traits>

namespace upsweep::cpu {

// clang-tidy does not see that an executor runs all pieces of a call, which write the operands.
// NOLINTBEGIN(clang-analyzer-core.UndefinedBinaryOperatorResult)

// a + b; integers wrap.
struct plus {
  template <class T>
  constexpr T operator()(const T &a, const T &b) const {
    if constexpr (detail::is_integer<T>) {
      return static_cast<T>(static_cast<detail::Wrapping<T>>(a) + static_cast<detail::Wrapping<T>>(b));
    } else {
      return static_cast<T>(a + b);
    }
  }
};

// a * b; integers wrap.
struct multiplies {
  template <class T>
  constexpr T operator()(const T &a, const T &b) const {
    if constexpr (detail::is_integer<T>) {
      return static_cast<T>(static_cast<detail::Wrapping<T>>(a) * static_cast<detail::Wrapping<T>>(b));
    } else {
      return static_cast<T>(a * b);
    }
  }
};

// The smaller; a if neither is. Of a number and a NaN the number: `b < a ? b : a` would not be associative, since
// min(min(2, NaN), 1) would be 1 and min(2, min(NaN, 1)) would be 2.
struct minimum {
  template <class T>
  constexpr T operator()(const T &a, const T &b) const {
    if constexpr (detail::is_float<T>) {
      return b < a || detail::is_nan(a) ? b : a;
    } else {
      return b < a ? b : a;
    }
  }
};

// The larger; a if neither is. Of a number and a NaN the number, as for minimum.
struct maximum {
  template <class T>
  constexpr T operator()(const T &a, const T &b) const {
    if constexpr (detail::is_float<T>) {
      return a < b || detail::is_nan(a) ? b : a;
    } else {
      return a < b ? b : a;
    }
  }
};

// a & b
struct bit_and {
  template <class T>
  constexpr T operator()(const T &a, const T &b) const {
    return static_cast<T>(a & b);
  }
};

// a | b
struct bit_or {
  template <class T>
  constexpr T operator()(const T &a, const T &b) const {
    return static_cast<T>(a | b);
  }
};

// a ^ b
struct bit_xor {
  template <class T>
  constexpr T operator()(const T &a, const T &b) const {
    return static_cast<T>(a ^ b);
  }
};

// NOLINTEND(clang-analyzer-core.UndefinedBinaryOperatorResult)

struct equal_to {
  template <class T>
  constexpr bool operator()(const T &a, const T &b) const {
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
  static constexpr T value() { return T(0); }
};
template <class T>
struct identity<multiplies, T, std::enable_if_t<detail::is_number<T>>> {
  static constexpr T value() { return T(1); }
};
template <class T>
struct identity<minimum, T, std::enable_if_t<detail::is_number<T>>> {
  static constexpr T value() { return detail::highest_number<T>(); }
};
template <class T>
struct identity<maximum, T, std::enable_if_t<detail::is_number<T>>> {
  static constexpr T value() { return detail::lowest_number<T>(); }
};
template <class T>
struct identity<bit_and, T, std::enable_if_t<detail::is_integer<T>>> {
  static constexpr T value() { return static_cast<T>(~T(0)); }
};
template <class T>
struct identity<bit_or, T, std::enable_if_t<detail::is_integer<T>>> {
  static constexpr T value() { return T(0); }
};
template <class T>
struct identity<bit_xor, T, std::enable_if_t<detail::is_integer<T>>> {
  static constexpr T value() { return T(0); }
};

// True if identity<Op, T> is known.
template <class Op, class T>
inline constexpr bool has_identity = requires { identity<Op, T>::value(); };

namespace detail {

template <class Op>
inline constexpr bool is_arithmetic_operator = std::is_same_v<Op, plus> || std::is_same_v<Op, multiplies>;
template <class Op>
inline constexpr bool is_order_operator = std::is_same_v<Op, minimum> || std::is_same_v<Op, maximum>;
template <class Op>
inline constexpr bool is_bit_operator =
    std::is_same_v<Op, bit_and> || std::is_same_v<Op, bit_or> || std::is_same_v<Op, bit_xor>;

}  // namespace detail

// True if op(a, b) and op(b, a) are known to be the same, so that operands need not be put in order.
template <class Op, class T>
inline constexpr bool is_commutative =
    ((detail::is_arithmetic_operator<Op> || detail::is_order_operator<Op>) && detail::is_number<T>) ||
    (detail::is_bit_operator<Op> && detail::is_integer<T>);

namespace detail {

// True if the vector kernels have the operator for this type.
template <class Op, class T>
inline constexpr bool has_vector_form = is_commutative<Op, T> && is_number<T> && sizeof(T) <= 8 && !is_half<T>;

// True if every way to place brackets gives the same bits, so that the order of work is free.
template <class Op, class T>
inline constexpr bool is_exact = is_commutative<Op, T> && (is_integer<T> || is_order_operator<Op>);

}  // namespace detail

}  // namespace upsweep::cpu
