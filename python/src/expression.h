// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// An operator that the caller wrote as a text, such as "a * b % 7", and upsweep/_expression.py compiled to instructions. It is
// computed for many lanes together, so that they share the cost of decoding, and loops over lanes are vector code.
#pragma once

#include "calls.h"

#include <upsweep/cpu/numbers.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <stdexcept>
#include <type_traits>
#include <vector>

namespace upsweep::python {

struct DivisionByZero {};

// Number of lanes. 64 rows of 32 elements of 8 bytes, which scan_by.h reads twice, fit the first-level cache.
inline constexpr unsigned kLanes = 64;

// A binary instruction on elements. Integers wrap; divisions are Python's and NumPy's, which round down. The caller excludes
// divisors of 0.
template <class T>
struct Arithmetic {
  static constexpr bool kIsInteger = std::is_integral_v<T>;
  // The unsigned type in which sums wrap: 32 bits for 8 and 16 bits, which would be promoted to int, whose products overflow.
  using Wrapping = std::conditional_t<
      !kIsInteger, T,
      std::conditional_t<(sizeof(T) < 4), std::uint32_t, std::make_unsigned_t<std::conditional_t<kIsInteger, T, int>>>>;

  static T add(T x, T y) { return static_cast<T>(Wrapping(x) + Wrapping(y)); }
  static T subtract(T x, T y) { return static_cast<T>(Wrapping(x) - Wrapping(y)); }
  static T multiply(T x, T y) { return static_cast<T>(Wrapping(x) * Wrapping(y)); }
  static T negate(T x) { return kIsInteger ? subtract(T(0), x) : static_cast<T>(-x); }  // -0.0 of 0.0
  static T absolute(T x) {
    if constexpr (!kIsInteger) {
      return std::abs(x);
    } else {
      return x < T(0) ? negate(x) : x;
    }
  }

  static T floor_divide(T x, T y) {
    if constexpr (!kIsInteger) {
      if (y == T(0)) {
        return x / y;
      }
      // fmod is exact, and so is the quotient of the rest, except for a rounding that the nearest integer corrects. An
      // infinite x gives NaN, as in NumPy.
      const T left = std::fmod(x, y);
      const T whole = std::round((x - left) / y) - (left != T(0) && (left < 0) != (y < 0) ? T(1) : T(0));
      return whole == T(0) ? std::copysign(T(0), x / y) : whole;
    } else if constexpr (std::is_unsigned_v<T>) {
      return x / y;
    } else {
      if (y == T(-1)) {
        return negate(x);  // the quotient of the least number and -1 does not fit, and x86's division would trap
      }
      return static_cast<T>(x / y - (x % y != 0 && (x < 0) != (y < 0) ? 1 : 0));
    }
  }

  static T remainder(T x, T y) {
    if constexpr (!kIsInteger) {
      const T left = std::fmod(x, y);
      if (left == T(0)) {
        return std::copysign(T(0), y);
      }
      return (left < 0) != (y < 0) && y != T(0) ? left + y : left;
    } else if constexpr (std::is_unsigned_v<T>) {
      return x % y;
    } else {
      if (y == T(-1)) {
        return 0;
      }
      const T left = x % y;
      return left != 0 && (left < 0) != (y < 0) ? add(left, y) : left;
    }
  }

  // Shifts by at least the type's bits leave only the sign.
  static T shift_left(T x, T y) {
    using Bits = std::make_unsigned_t<T>;
    return Bits(y) < 8 * sizeof(T) ? static_cast<T>(Wrapping(Bits(x)) << Bits(y)) : T(0);
  }
  static T shift_right(T x, T y) {
    using Bits = std::make_unsigned_t<T>;
    return static_cast<T>(x >> std::min<Bits>(Bits(y), 8 * sizeof(T) - 1) >> (Bits(y) < 8 * sizeof(T) ? 0 : 1));
  }
};

// An expression that is known to use instructions of the type, in an order that leaves one result.
template <class T>
class Program {
public:
  static constexpr unsigned kSlots = 16;  // slots of pending values and of constants
  static constexpr bool kIsInteger = std::is_integral_v<T>;

  explicit Program(const Expression &of) : code_(of.code), length_(of.length) {
    if (of.code == nullptr || of.constant_count > kSlots || (of.constants == nullptr && of.constant_count > 0)) {
      throw std::invalid_argument("the expression has no instructions, or too many constants");
    }
    unsigned depth = 0;
    for (std::uint32_t k = 0; k < of.length; ++k) {
      const unsigned op = code_[k] & 255U, takes = operands(op);
      if (op > static_cast<unsigned>(Instruction::choose) ||
          (op == static_cast<unsigned>(Instruction::constant) && code_[k] >> 8U >= of.constant_count)) {
        throw std::invalid_argument("the expression has an unknown instruction");
      }
      if (depth < takes || depth - takes + 1 > kSlots) {
        throw std::invalid_argument("the expression has too many or too few values");
      }
      depth = depth - takes + 1;
      require_type(static_cast<Instruction>(op));
    }
    if (depth != 1) {
      throw std::invalid_argument("the expression must have one result");
    }
    for (unsigned k = 0; k < of.constant_count; ++k) {
      constants_[k].fill(static_cast<const T *>(of.constants)[k]);
    }
  }

  using Row = std::array<T, kLanes>;

  // Computes the expression from a[lane] and b[lane] for each lane. Results of lanes where `ignored` (which may be null) is not
  // 0 are not used, so a division by zero there is no error. The returned pointer is to `slots`, a, b or a constant.
  const T *operator()(const T *a, const T *b, unsigned lanes, const std::uint8_t *ignored,
                      std::array<Row, kSlots> &slots) const {
    std::array<const T *, kSlots> values;
    unsigned depth = 0;
    for (std::uint32_t k = 0; k < length_; ++k) {
      const auto op = static_cast<Instruction>(code_[k] & 255U);
      if (op == Instruction::first || op == Instruction::second) {
        values[depth++] = op == Instruction::first ? a : b;
      } else if (op == Instruction::constant) {
        values[depth++] = constants_[code_[k] >> 8U].data();
      } else {
        depth -= operands(static_cast<unsigned>(op));
        T *to = slots[depth].data();
        compute(op, to, &values[depth], lanes, ignored);
        values[depth++] = to;
      }
    }
    return values[0];
  }

private:
  static unsigned operands(unsigned op) {
    if (op <= static_cast<unsigned>(Instruction::constant)) {
      return 0;
    }
    return op < static_cast<unsigned>(Instruction::negate) ? 2 : op < static_cast<unsigned>(Instruction::choose) ? 1 : 3;
  }

  static void require_type(Instruction op) {
    const bool is_of_integers = (op >= Instruction::bit_and && op <= Instruction::shift_right) || op == Instruction::invert;
    const bool is_of_floats = op == Instruction::divide || (op >= Instruction::sqrt && op <= Instruction::log1p);
    if (kIsInteger ? is_of_floats : is_of_integers) {
      throw std::domain_error("the expression has a function that the type does not support");
    }
  }

  template <class Function>
  static void each(T *to, const T *x, const T *y, unsigned lanes, const Function &function) {
    for (unsigned lane = 0; lane < lanes; ++lane) {
      to[lane] = function(x[lane], y[lane]);
    }
  }

  template <class Function>
  static void divide(T *to, const T *x, const T *y, unsigned lanes, const std::uint8_t *ignored, const Function &function) {
    if constexpr (!kIsInteger) {
      each(to, x, y, lanes, function);
    } else {
      for (unsigned lane = 0; lane < lanes; ++lane) {
        if (y[lane] == 0 && (ignored == nullptr || ignored[lane] == 0)) {
          throw DivisionByZero{};
        }
        to[lane] = y[lane] == 0 ? T(0) : function(x[lane], y[lane]);
      }
    }
  }

  // `from` has the operands. Functions are lambdas, for each of which a loop is compiled; pointers would be called.
  static void compute(Instruction op, T *to, const T *const *from, unsigned lanes, const std::uint8_t *ignored) {
    using A = Arithmetic<T>;
    const T *x = from[0], *y = op < Instruction::negate ? from[1] : from[0];
    switch (op) {
    case Instruction::add: return each(to, x, y, lanes, [](T p, T q) { return A::add(p, q); });
    case Instruction::subtract: return each(to, x, y, lanes, [](T p, T q) { return A::subtract(p, q); });
    case Instruction::multiply: return each(to, x, y, lanes, [](T p, T q) { return A::multiply(p, q); });
    case Instruction::floor_divide: return divide(to, x, y, lanes, ignored, [](T p, T q) { return A::floor_divide(p, q); });
    case Instruction::remainder: return divide(to, x, y, lanes, ignored, [](T p, T q) { return A::remainder(p, q); });
    // For a number and a NaN the result is the number, as for the operators of these names.
    case Instruction::minimum: return each(to, x, y, lanes, [](T p, T q) { return p < q || common::is_nan(q) ? p : q; });
    case Instruction::maximum: return each(to, x, y, lanes, [](T p, T q) { return p > q || common::is_nan(q) ? p : q; });
    case Instruction::equal: return each(to, x, y, lanes, [](T p, T q) { return T(p == q); });
    case Instruction::not_equal: return each(to, x, y, lanes, [](T p, T q) { return T(p != q); });
    case Instruction::less: return each(to, x, y, lanes, [](T p, T q) { return T(p < q); });
    case Instruction::less_equal: return each(to, x, y, lanes, [](T p, T q) { return T(p <= q); });
    case Instruction::negate: return each(to, x, y, lanes, [](T p, T) { return A::negate(p); });
    case Instruction::absolute: return each(to, x, y, lanes, [](T p, T) { return A::absolute(p); });
    case Instruction::logical_not: return each(to, x, y, lanes, [](T p, T) { return T(p == T(0)); });
    case Instruction::choose:
      for (unsigned lane = 0; lane < lanes; ++lane) {
        to[lane] = x[lane] != T(0) ? from[1][lane] : from[2][lane];
      }
      return;
    default: return compute_of_type(op, to, x, y, lanes);
    }
  }

  // Instructions that exist only for integers or only for floating-point numbers.
  static void compute_of_type(Instruction op, T *to, const T *x, const T *y, unsigned lanes) {
    if constexpr (kIsInteger) {
      switch (op) {
      case Instruction::bit_and: return each(to, x, y, lanes, [](T p, T q) { return T(p & q); });
      case Instruction::bit_or: return each(to, x, y, lanes, [](T p, T q) { return T(p | q); });
      case Instruction::bit_xor: return each(to, x, y, lanes, [](T p, T q) { return T(p ^ q); });
      case Instruction::shift_left: return each(to, x, y, lanes, [](T p, T q) { return Arithmetic<T>::shift_left(p, q); });
      case Instruction::shift_right: return each(to, x, y, lanes, [](T p, T q) { return Arithmetic<T>::shift_right(p, q); });
      default: return each(to, x, y, lanes, [](T p, T) { return T(~p); });  // invert
      }
    } else {
      switch (op) {
      case Instruction::divide: return each(to, x, y, lanes, [](T p, T q) { return p / q; });
      case Instruction::sqrt: return each(to, x, y, lanes, [](T p, T) { return std::sqrt(p); });
      case Instruction::exp: return each(to, x, y, lanes, [](T p, T) { return std::exp(p); });
      case Instruction::log: return each(to, x, y, lanes, [](T p, T) { return std::log(p); });
      default: return each(to, x, y, lanes, [](T p, T) { return std::log1p(p); });
      }
    }
  }

  const std::uint32_t *code_;
  std::uint32_t length_;
  std::array<Row, kSlots> constants_;
};

}  // namespace upsweep::python
