// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The arguments of a call: their checks, their types and the type of totals. The same rules as in upsweep/cuda.
#pragma once

#include <upsweep/cpu/operators.h>
#include <upsweep/cpu/options.h>

#include <cstdint>
#include <iterator>
#include <memory>
#include <stdexcept>
#include <string>
#include <type_traits>

namespace upsweep::cpu::detail {

template <class It>
using ValueOf = typename std::iterator_traits<It>::value_type;

template <class It>
inline constexpr bool is_contiguous = std::contiguous_iterator<It>;

// The address of an iterator's elements, where they lie side by side.
template <class It>
auto address(It it) {
  return std::to_address(it);
}

inline std::uint64_t count_of(std::uint64_t n) { return n; }
inline std::uint64_t count_of(const count_at &at) { return *at.pointer < at.at_most ? *at.pointer : at.at_most; }

template <class A, class B>
bool overlap(A a, std::uint64_t a_count, B b, std::uint64_t b_count) {
  const auto a_begin = reinterpret_cast<std::uintptr_t>(a), b_begin = reinterpret_cast<std::uintptr_t>(b);
  return a_begin < b_begin + b_count * sizeof(*b) && b_begin < a_begin + a_count * sizeof(*a);
}

template <class It>
void require_array(It it, std::uint64_t n, const char *name) {
  if constexpr (std::is_pointer_v<It>) {
    if (it == nullptr && n > 0) {
      throw std::invalid_argument(std::string("upsweep::cpu: ") + name + " is null");
    }
  }
}

// Two arrays may be the same, and must not overlap otherwise.
template <class In, class Out>
void require_same_or_apart(In in, Out out, std::uint64_t n) {
  if constexpr (is_contiguous<In> && is_contiguous<Out>) {
    const auto *a = address(in);
    const auto *b = address(out);
    const bool is_same = static_cast<const void *>(a) == static_cast<const void *>(b) && sizeof(*a) == sizeof(*b);
    if (n > 0 && !is_same && overlap(a, n, b, n)) {
      throw std::invalid_argument("upsweep::cpu: the arrays overlap, but are not the same");
    }
  }
}

template <class In, class Out>
void require_apart(In in, std::uint64_t in_count, Out out, std::uint64_t out_count) {
  if constexpr (is_contiguous<In> && is_contiguous<Out>) {
    if (in_count > 0 && out_count > 0 && overlap(address(in), in_count, address(out), out_count)) {
      throw std::invalid_argument("upsweep::cpu: the arrays overlap");
    }
  }
}

template <class In, class Out>
bool is_same_array(In in, Out out) {
  if constexpr (is_contiguous<In> && is_contiguous<Out>) {
    return static_cast<const void *>(address(in)) == static_cast<const void *>(address(out));
  } else {
    return false;
  }
}

// The same of any two iterators, for calls in which elements move: they begin at the same one.
template <class In, class Out>
bool is_in_place(In in, Out out, std::uint64_t n) {
  if constexpr (std::is_lvalue_reference_v<decltype(*in)> && std::is_lvalue_reference_v<decltype(*out)>) {
    return n > 0 && static_cast<const void *>(std::addressof(*in)) == static_cast<const void *>(std::addressof(*out));
  } else {
    return is_same_array(in, out);
  }
}

// The operator's operand for an input.
template <class In, class... Options>
using Transformed = std::decay_t<std::invoke_result_t<
    decltype(find_option<transform_input>(transform_input<Unchanged>(Unchanged{}), std::declval<Options>()...).function),
    ValueOf<In>>>;

template <class Result, class Made>
inline constexpr bool is_wider = are_integers<Made, Result> && (sizeof(Result) > sizeof(Made));
template <class Made>
inline constexpr bool is_wider<void, Made> = false;

template <class... Options>
using NamedAccumulator = decltype(find_option<accumulator_t>(0, std::declval<Options>()...));

template <class In, class Out, class Op, class... Options>
struct AccumulatorOf {
  using Operand = Transformed<In, Options...>;
  using Made = std::decay_t<std::invoke_result_t<Op, Operand, Operand>>;
  using Result = ValueOf<Out>;
  static constexpr bool kIsPlain = std::is_same_v<decltype(find_option<transform_output>(0, std::declval<Options>()...)), int>;

  using Default = std::conditional_t<is_arithmetic_operator<Op> && kIsPlain && is_wider<Result, Made>, Result, Made>;

  template <class Named>
  static accumulator_t<Named> named(accumulator_t<Named>);
  static accumulator_t<Default> named(int);
  using type = typename decltype(named(std::declval<NamedAccumulator<Options...>>()))::type;
};

// The type of totals.
template <class In, class Out, class Op, class... Options>
using Accumulator = typename AccumulatorOf<In, Out, Op, Options...>::type;

template <class T>
T initial_of(T value) {
  return value;
}
template <class T>
T initial_of(initial_at<T> at) {
  return *at.pointer;
}

// The initial value, as an Accumulator if one is named.
template <class... Options, class Initial>
auto initial_for(Initial initial) {
  const auto first = initial_of(initial);
  if constexpr (std::is_same_v<NamedAccumulator<Options...>, int>) {
    return first;
  } else {
    return static_cast<typename NamedAccumulator<Options...>::type>(first);
  }
}

}  // namespace upsweep::cpu::detail
