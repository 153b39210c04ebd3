// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Linear recurrences of many columns (or rows): a thread computes each strip of columns, whose states stay in its first-level
// cache.
#pragma once

#include <upsweep/cpu/detail/columns.h>

#include <complex>

namespace upsweep::cpu::detail {

template <class T>
inline constexpr bool is_complex = false;
template <class R>
inline constexpr bool is_complex<std::complex<R>> = true;

// A real factor of complex states stays real.
template <class A, class T, bool kReal = is_complex<T> && is_number<A>>
struct FactorTraits {
  using type = T;
};
template <class A, class T>
struct FactorTraits<A, T, true> {
  using type = typename T::value_type;
};
template <class A, class T>
using FactorOf = typename FactorTraits<A, T>::type;

// Complex products by definition: std::complex searches for infinities in products that are NaN.
template <class F, class T>
T times(const F &factor, const T &x) {
  if constexpr (is_complex<F>) {
    return {factor.real() * x.real() - factor.imag() * x.imag(), factor.real() * x.imag() + factor.imag() * x.real()};
  } else if constexpr (is_complex<T>) {
    return {factor * x.real(), factor * x.imag()};
  } else {
    return static_cast<T>(factor * x);
  }
}

template <class T, class F>
struct AdvanceState {
  template <class A, class B>
  T operator()(const A &factor, const T &state, const B &offset) const {
    return static_cast<T>(times(static_cast<F>(factor), state) + static_cast<T>(offset));
  }
};

template <class T, bool kBackward, class A, class B, class Out>
void recurrence_of_strip(const A *a, const B *b, Out *x, const Columns &of, std::size_t width, const T *initial, T *last) {
  constexpr AdvanceState<T, FactorOf<A, T>> advance;
  TileBuffer<T> buffer;
  T *states = buffer.items();
  for (std::size_t i = 0; i < width; ++i) {
    states[i] = initial != nullptr ? initial[i] : T(0);
  }
  for (std::uint64_t step = 0; step < of.length; ++step) {
    const std::uint64_t row = kBackward ? of.length - 1 - step : step;
    const A *factors = a + row * of.in_along;
    const B *offsets = b + row * of.in_along;
    Out *out = x + row * of.out_along;
    if (width == 1) {
      states[0] = advance(*factors, states[0], *offsets);
      *out = static_cast<Out>(states[0]);
    } else {
      UPSWEEP_CPU_DISPATCH_UNFUSED(recurrence_across, factors, offsets, states, out, width, advance);
    }
  }
  if (last != nullptr) {
    std::copy_n(states, width, last);
  }
}

template <class T, bool kBackward, class A, class B, class Out, class Executor>
void recurrence_of_columns(const A *a, const B *b, Out *x, const Columns &of, const T *initial, T *last, Executor &executor) {
  static_assert(std::is_trivially_copyable_v<T>, "states must be trivially copyable");
  for_each_strip<T>(of, executor, [&](std::uint64_t batch, std::uint64_t column, std::uint64_t width) {
    const std::uint64_t from = batch * of.in_batch + column, at = batch * of.inner + column;
    recurrence_of_strip<T, kBackward>(a + from, b + from, x + batch * of.out_batch + column, of, width,
                                      initial != nullptr ? initial + at : nullptr, last != nullptr ? last + at : nullptr);
  });
}

}  // namespace upsweep::cpu::detail
