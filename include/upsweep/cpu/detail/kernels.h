// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The total and the scan of a few thousand elements in the first-level cache. Operators with a vector form use vectors; every
// other operator uses sweeps over pairs, which hide its latency.
#pragma once

#include <upsweep/cpu/simd/targets.h>

#include <cstddef>
#include <limits>
#include <type_traits>

namespace upsweep::cpu::detail {

// The value that changes no operand, not even the sign of a zero or a NaN; a carry starts with it.
template <class Op, class T>
constexpr T exact_unit() {
  if constexpr (std::is_same_v<Op, plus> && std::is_floating_point_v<T>) {
    return T(-0.0);
  } else if constexpr (is_order_operator<Op> && is_float<T>) {
    return static_cast<T>(std::numeric_limits<float>::quiet_NaN());
  } else {
    return identity<Op, T>::value();
  }
}

// The elements of vectors: for integers the unsigned type, which wraps.
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
  // Inputs that the kernels convert to a wider type when they load them.
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
struct SweepKernel {
  // Before the first element there is no total.
  struct Carry {
    T value;
    bool is_known = false;
  };
  template <class In>
  static constexpr bool kReads = std::is_same_v<In, T>;
  static constexpr bool kStreams = false;

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
    Carry total;
    Room room;
    for (std::size_t i = 0; i < n; i += kAtOnce) {
      const std::size_t count = std::min(kAtOnce, n - i);
      const T *from = in + i;
      T *more = room.items();
      prefetch(reinterpret_cast<const std::byte *>(from) + kPrefetchBytes, count * sizeof(T));
      total = combine(total, {UPSWEEP_CPU_DISPATCH_UNFUSED(sweep_reduce, from, count, more, op), true});
    }
    return total;
  }

  // in and out may be the same.
  void scan(const T *in, T *out, std::size_t n, Carry &carry, const Side &) const {
    if (n > 0 && !carry.is_known) {
      carry = {*in, true};
      *out++ = *in++;
      --n;
    }
    Room room, copy;
    for (std::size_t i = 0; i < n; i += kAtOnce) {
      const std::size_t count = std::min(kAtOnce, n - i);
      const T *from = in + i;
      T *to = out + i, *more = room.items();
      if (from == to) {
        std::memcpy(static_cast<void *>(copy.items()), from, count * sizeof(T));
        from = copy.items();
      }
      UPSWEEP_CPU_DISPATCH_UNFUSED(sweep_scan, from, to, count, carry.value, more, op);
    }
  }

private:
  // The number of elements for which sweeps stay in the first-level cache.
  static constexpr std::size_t kAtOnce = std::clamp<std::size_t>(2048 / sizeof(T), 8, 512);
  struct Room {
    T *items() { return reinterpret_cast<T *>(bytes); }
    alignas(64) std::byte bytes[(2 * kAtOnce + 32) * sizeof(T)];
  };
};

template <class T, class Op>
using KernelFor = std::conditional_t<has_vector_form<Op, T>, VectorKernel<T, Op>, SweepKernel<T, Op>>;

}  // namespace upsweep::cpu::detail
