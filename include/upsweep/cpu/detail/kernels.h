// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The total and the scan of a few thousand elements in the first-level cache, by vectors where the operator has a vector form,
// and for every other operator by several chains at once, so that its latency is hidden.
#pragma once

#include <upsweep/cpu/simd/targets.h>

#include <cstddef>
#include <limits>
#include <type_traits>

namespace upsweep::cpu::detail {

// The value that changes no operand, not even the sign of a zero or a NaN; a carry begins with it.
template <class Op, class T>
constexpr T exact_unit() {
  if constexpr (std::is_same_v<Op, plus> && std::is_floating_point_v<T>) {
    return T(-0.0);
  } else if constexpr (is_order_operator<Op> && std::is_floating_point_v<T>) {
    return std::numeric_limits<T>::quiet_NaN();
  } else {
    return identity<Op, T>::value();
  }
}

// The vectors' elements: integers that wrap have no sign.
template <class Op, class T>
struct LaneOf {
  using type = T;
};
template <class Op, class T>
  requires(is_integer<T> && is_arithmetic_operator<Op>)
struct LaneOf<Op, T> {
  using type = std::make_unsigned_t<T>;
};

template <class T, class Op>
struct VectorKernel {
  using Carry = T;
  static constexpr bool kStreams = true;  // scan() heeds its Side
  using Lane = typename LaneOf<Op, T>::type;
  // Inputs that the kernels widen as they load them.
  template <class In>
  static constexpr bool kReads = std::is_same_v<In, T> || (is_number<In> && is_number<T> && sizeof(In) <= sizeof(T) &&
                                                           are_integers<In, T> && sizeof(In) <= 8);

  Op op;

  Carry nothing() const { return exact_unit<Op, T>(); }
  Carry of(const T &value) const { return value; }
  T value(const Carry &carry) const { return carry; }
  Carry combine(const Carry &left, const Carry &right) const { return op(left, right); }

  template <class In>
  Carry reduce(const In *in, std::size_t n) const {
    const Lane unit = static_cast<Lane>(nothing());
    const auto *lanes = as_lanes(in);
    return static_cast<T>(UPSWEEP_CPU_DISPATCH(reduce<Lane>, lanes, n, unit, op));
  }

  template <class In>
  void scan(const In *in, T *out, std::size_t n, Carry &carry, const Side &side) const {
    const Lane unit = static_cast<Lane>(nothing());
    Lane running = static_cast<Lane>(carry);
    const auto *lanes = as_lanes(in);
    auto *to = reinterpret_cast<Lane *>(out);
    UPSWEEP_CPU_DISPATCH(scan, lanes, to, n, running, unit, op, side);
    carry = static_cast<T>(running);
  }

private:
  template <class In>
  static const auto *as_lanes(const In *in) {
    if constexpr (std::is_same_v<In, T>) {
      return reinterpret_cast<const Lane *>(in);
    } else {
      return in;
    }
  }
};

template <class T, class Op>
struct ChainKernel {
  // Before the first element there is no total.
  struct Carry {
    T value;
    bool is_known = false;
  };
  template <class In>
  static constexpr bool kReads = std::is_same_v<In, T>;
  static constexpr bool kStreams = false;
  static constexpr std::size_t kChains = 4;

  Op op;

  Carry nothing() const { return {}; }
  Carry of(const T &value) const { return {value, true}; }
  T value(const Carry &carry) const { return carry.value; }
  Carry combine(const Carry &left, const Carry &right) const {
    if (!left.is_known) {
      return right;
    }
    return right.is_known ? Carry{op(left.value, right.value), true} : left;
  }

  Carry reduce(const T *in, std::size_t n) const {
    if (n == 0) {
      return {};
    }
    const std::size_t part = n / kChains;
    T total = in[0];
    std::size_t done = 1;
    if (part > 1) {
      const Totals parts = totals_of_parts(in, part);
      total = op(op(op(parts.a, parts.b), parts.c), parts.d);
      done = part * kChains;
    }
    for (; done < n; ++done) {
      total = op(total, in[done]);
    }
    return {total, true};
  }

  // in and out may be the same.
  void scan(const T *in, T *out, std::size_t n, Carry &carry, const Side &) const {
    if (n == 0) {
      return;
    }
    if (!carry.is_known) {
      carry = {*in, true};
      *out++ = *in++;
      --n;
    }
    const std::size_t part = n / kChains;
    T total = carry.value;
    std::size_t done = 0;
    if (part > 1) {
      const Totals parts = totals_of_parts(in, part);
      T a = total, b = op(a, parts.a), c = op(b, parts.b), d = op(c, parts.c);
      for (; done < part; ++done) {
        out[done] = a = op(a, in[done]);
        out[done + part] = b = op(b, in[done + part]);
        out[done + 2 * part] = c = op(c, in[done + 2 * part]);
        out[done + 3 * part] = d = op(d, in[done + 3 * part]);
      }
      total = d;
      done = part * kChains;
    }
    for (; done < n; ++done) {
      out[done] = total = op(total, in[done]);
    }
    carry.value = total;
  }

private:
  // Variables of their own: an array of them would be in memory, where a pair that is stored by halves and loaded at once
  // waits.
  struct Totals {
    T a, b, c, d;
  };
  Totals totals_of_parts(const T *in, std::size_t part) const {
    T a = in[0], b = in[part], c = in[2 * part], d = in[3 * part];
    for (std::size_t i = 1; i < part; ++i) {
      a = op(a, in[i]);
      b = op(b, in[i + part]);
      c = op(c, in[i + 2 * part]);
      d = op(d, in[i + 3 * part]);
    }
    return {a, b, c, d};
  }
};

template <class T, class Op>
using KernelFor = std::conditional_t<has_vector_form<Op, T>, VectorKernel<T, Op>, ChainKernel<T, Op>>;

}  // namespace upsweep::cpu::detail
