// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Linear recurrences over arrays of coefficients, as in state-space models and recursive filters:
//
//   x[t] = a[t] * x[t - 1] + b[t]
//
//   linear_recurrence           of a whole array, of n elements or count_at(pointer, at_most)
//   linear_recurrence_of_axis   along any axis (see axis.h); inner 1 means each row of a matrix
//
// `a`, `b`, `x`  pointers. x may be a or b if its elements have the same size (and strides); otherwise it must not overlap
//                them.
// `T`            the type of states: float for half types, else the type of b; accumulator<T> selects another. States are
//                computed with * and +; a real `a` may be combined with a complex `b` (std::complex).
// `executor`     see executor.h.
// `options`      backward: x[t] = a[t] * x[t + 1] + b[t]; accumulator (options.h); states(initial, last): pointers to the
//                states before the first elements (0 if null) and after the last ones (not stored if null): one state for a
//                whole array, else batches x inner. Both pointers may be the same.
//
// Each element is read from memory once, and each state is written once. Whole arrays, and rows of more than 64 chunks, are
// computed by composing the maps of neighbouring elements, so that results for an infinite a differ from the sequential
// recurrence. Shorter rows and all columns are computed as written, each by one thread. Results have the same bits for every
// number of threads. Errors: see axis.h.
//
// Source: Blelloch 1990, "Prefix Sums and Their Applications", section 1.4; Martin and Cundy 2018, "Parallelizing Linear
// Recurrent Neural Nets Over Sequence Length".
#pragma once

#include <upsweep/common/cpp20.h>
#ifdef UPSWEEP_CPP20
#include <upsweep/cpu/axis.h>
#include <upsweep/cpu/detail/recurrence_columns.h>

namespace upsweep::cpu {

namespace detail {

// x -> factor * x + offset
template <class T, class F>
struct Step {
  F factor;
  T offset;
};
struct ComposeSteps {
  template <class T, class F>
  Step<T, F> operator()(const Step<T, F> &first, const Step<T, F> &second) const {
    return {times(first.factor, second.factor), static_cast<T>(times(second.factor, first.offset) + second.offset)};
  }
};
struct OffsetOf {
  template <class T, class F>
  T operator()(const Step<T, F> &step) const {
    return step.offset;
  }
};

// Two arrays as an iterator, with only the members that scans need.
template <class T, class A, class B>
struct StepsOf {
  using Factor = FactorOf<A, T>;
  using value_type = Step<T, Factor>;
  using difference_type = std::ptrdiff_t;
  using reference = value_type;
  using pointer = void;
  using iterator_category = std::random_access_iterator_tag;

  const A *a;
  const B *b;

  value_type operator[](std::ptrdiff_t i) const { return {static_cast<Factor>(a[i]), static_cast<T>(b[i])}; }
  value_type operator*() const { return (*this)[0]; }
  StepsOf operator+(std::ptrdiff_t i) const { return {a + i, b + i}; }
};

template <class T, class A, class B, class Out, class Executor, class... Options>
void whole_recurrence(const A *a, const B *b, Out *x, std::uint64_t n, const T *initial, T *last, Executor &executor,
                      const Options &...) {
  const T start = initial != nullptr ? *initial : T(0);
  using StepOf = Step<T, FactorOf<A, T>>;
  const StepOf first{FactorOf<A, T>(0), start};
  StepOf total = first;
  const auto scan_with = [&](auto... direction) {
    detail::scan<StepOf, true>(StepsOf<T, A, B>{a, b}, x, n, ComposeSteps(), &first, executor, transform_output(OffsetOf()),
                               total_to(&total), direction...);
  };
  if constexpr (has_option<backward_t, Options...>) {
    scan_with(backward);
  } else {
    scan_with();
  }
  if (last != nullptr) {
    *last = total.offset;
  }
}

}  // namespace detail

template <class A, class B, class Out, class N, class... More>
void linear_recurrence(const A *a, const B *b, Out *x, N n, More &&...more) {
  using T = common::recurrence_state<B, More...>;
  const states<T> ends = detail::states_of<T>(detail::find_option<states>(0, more...));
  const std::uint64_t count = detail::count_of(n);
  detail::require_arrays(
      {detail::reads("a", a, count, detail::kTogether), detail::reads("b", b, count, detail::kTogether),
       detail::writes("the output", x, count, detail::kTogether),
       detail::reads("the initial state", ends.initial, ends.initial != nullptr ? 1 : 0, detail::kValuesTogether),
       detail::writes("the last state", ends.last, ends.last != nullptr ? 1 : 0, detail::kValuesTogether)});
  detail::whole_recurrence<T>(a, b, x, count, ends.initial, ends.last, detail::executor_of(more...), more...);
}

template <class A, class B, class Out, class... More>
void linear_recurrence_of_axis(const A *a, const B *b, Out *x, const axis &of, More &&...more) {
  using T = common::recurrence_state<B, More...>;
  constexpr bool kBackward = detail::has_option<backward_t, More...>;
  const states<T> ends = detail::states_of<T>(detail::find_option<states>(0, more...));
  auto &executor = detail::executor_of(more...);
  if (of.batches == 0 || of.length == 0 || of.inner == 0) {
    return;
  }
  const axis_strides in = detail::whole_strides(of, of.in), out = detail::whole_strides(of, of.out);
  const std::uint64_t in_extent = detail::extent_of(of, in), out_extent = detail::extent_of(of, out);
  const unsigned group = in.batch == out.batch && in.along == out.along ? detail::kTogether : detail::kApart;
  const std::uint64_t states_of_all = of.batches * of.inner;
  detail::require_arrays(
      {detail::reads("a", a, in_extent, group), detail::reads("b", b, in_extent, group),
       detail::writes("the output", x, out_extent, group),
       detail::reads("the initial states", ends.initial, ends.initial != nullptr ? states_of_all : 0, detail::kValuesTogether),
       detail::writes("the last states", ends.last, ends.last != nullptr ? states_of_all : 0, detail::kValuesTogether)});
  const detail::Columns columns{of.batches, of.length, of.inner, in.batch, in.along, out.batch, out.along};
  if (of.inner == 1 && in.along == 1 && out.along == 1 && detail::Chunks(of.length, sizeof(T)).count() >= 64) {
    for (std::uint64_t row = 0; row < of.batches; ++row) {
      detail::whole_recurrence<T>(a + row * in.batch, b + row * in.batch, x + row * out.batch, of.length,
                                  ends.initial != nullptr ? ends.initial + row : nullptr,
                                  ends.last != nullptr ? ends.last + row : nullptr, executor, more...);
    }
    return;
  }
  detail::recurrence_of_columns<T, kBackward>(a, b, x, columns, ends.initial, ends.last, executor);
}

}  // namespace upsweep::cpu
#endif
