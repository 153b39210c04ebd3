// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The usual operators, and the properties of an operator that the algorithms use: its identity, and whether it commutes. A
// user's operator needs neither; to state one, specialise `identity`. The names equal those in upsweep/cuda/operators.cuh.
#pragma once

#include <upsweep/common/cpp20.h>
#ifdef UPSWEEP_CPP20
#include <upsweep/common/operators.h>
#include <upsweep/cpu/numbers.h>

namespace upsweep::cpu {

using common::bit_and, common::bit_or, common::bit_xor, common::equal_to, common::maximum, common::minimum, common::minus,
    common::multiplies, common::plus;

// identity<Op, T>::value() is the value that leaves every other unchanged. Defined for the usual operators on numbers
// (common/operators.h), and for sums and products of bools; specialise it for others.
template <class Op, class T, class = void>
struct identity
    : common::usual_identity<Op, T,
                             common::is_usual<Op, T> || (common::is_arithmetic_operator<Op> && std::is_same_v<T, bool>)> {};

// True if identity<Op, T> is known.
template <class Op, class T>
inline constexpr bool has_identity = requires { identity<Op, T>::value(); };

// True if op(a, b) and op(b, a) are known to be the same, so that operands need not be put in order.
template <class Op, class T>
inline constexpr bool is_commutative = common::is_usual<Op, T>;

namespace detail {

using common::is_arithmetic_operator, common::is_bit_operator, common::is_order_operator;

// True if the vector kernels have the operator for this type.
template <class Op, class T>
inline constexpr bool has_vector_form = is_commutative<Op, T> && is_number<T> && sizeof(T) <= 8 && !is_half<T>;

// True if all brackets give the same bits, so that the order of work is free.
template <class Op, class T>
inline constexpr bool is_exact = is_commutative<Op, T> && (is_integer<T> || is_order_operator<Op>);

}  // namespace detail

}  // namespace upsweep::cpu
#endif
