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
                                                           is_integer<In> && is_integer<T> && sizeof(In) <= 8);

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
  static constexpr std::size_t kChains = 8;

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
    T totals[kChains];
    std::size_t done = 0;
    T total = in[0];
    if (part > 1) {
      totals_of_parts(in, part, totals);
      total = totals[0];
      for (std::size_t k = 1; k < kChains; ++k) {
        total = op(total, totals[k]);
      }
      done = part * kChains;
    } else {
      done = 1;
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
    std::size_t done = 0;
    if (!carry.is_known) {
      carry = {in[0], true};
      out[0] = in[0];
      done = 1;
    }
    const std::size_t part = (n - done) / kChains;
    if (part > 1) {
      T totals[kChains];
      totals_of_parts(in + done, part, totals);
      for (std::size_t k = 0; k < kChains; ++k) {
        const T before = carry.value;
        carry.value = op(before, totals[k]);
        totals[k] = before;
      }
      for (std::size_t i = 0; i < part; ++i) {
        for (std::size_t k = 0; k < kChains; ++k) {
          totals[k] = op(totals[k], in[done + k * part + i]);
          out[done + k * part + i] = totals[k];
        }
      }
      done += part * kChains;
    }
    for (; done < n; ++done) {
      carry.value = op(carry.value, in[done]);
      out[done] = carry.value;
    }
  }

private:
  void totals_of_parts(const T *in, std::size_t part, T (&totals)[kChains]) const {
    for (std::size_t k = 0; k < kChains; ++k) {
      totals[k] = in[k * part];
    }
    for (std::size_t i = 1; i < part; ++i) {
      for (std::size_t k = 0; k < kChains; ++k) {
        totals[k] = op(totals[k], in[k * part + i]);
      }
    }
  }
};

template <class T, class Op>
using KernelFor = std::conditional_t<has_vector_form<Op, T>, VectorKernel<T, Op>, ChainKernel<T, Op>>;

}  // namespace upsweep::cpu::detail
