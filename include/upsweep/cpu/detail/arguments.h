// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The arguments of a call: their checks, their types and the type of totals. The same rules as in upsweep/cuda.
#pragma once

#include <upsweep/common/totals.h>
#include <upsweep/cpu/executor.h>
#include <upsweep/cpu/operators.h>
#include <upsweep/cpu/options.h>

#include <cstdint>
#include <iterator>
#include <memory>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <vector>

namespace upsweep::cpu::detail {

template <class It>
using ValueOf = typename std::iterator_traits<It>::value_type;

template <class It>
inline constexpr bool is_contiguous = std::contiguous_iterator<It>;

// The address of an iterator's elements if they are contiguous.
template <class It>
auto address(It it) {
  return std::to_address(it);
}

// The type assigned to *out: its value type, or the type behind a proxy.
template <class Out>
using ElementToWrite =
    std::conditional_t<std::is_lvalue_reference_v<std::iter_reference_t<Out>>,
                       std::remove_reference_t<std::iter_reference_t<Out>>, typename std::iterator_traits<Out>::value_type>;

// Whether elements share words of memory with their neighbours, like bits: threads must not write such neighbours in parallel.
template <class Out>
constexpr bool has_bits() {
  if constexpr (std::is_integral_v<Out>) {  // no array
    return false;
  } else {
    return std::is_same_v<std::decay_t<decltype(*std::declval<Out>())>, std::vector<bool>::reference>;
  }
}
template <class Out>
inline constexpr bool shares_words = has_bits<Out>();

// The executor for a call with these outputs.
template <class... Outs, class Executor>
auto &executor_for(Executor &executor) {
  if constexpr ((shares_words<Outs> || ...)) {
    static calling_thread alone;
    return alone;
  } else {
    return executor;
  }
}

template <std::integral N>
constexpr std::uint64_t count_of(N n) {
  return static_cast<std::uint64_t>(n);
}
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

template <class In, class Out>
bool is_same_array(In in, Out out) {
  if constexpr (is_contiguous<In> && is_contiguous<Out>) {
    return static_cast<const void *>(address(in)) == static_cast<const void *>(address(out));
  } else {
    return false;
  }
}

// The same for any two iterators, in calls that move elements: both begin at the same element.
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

template <class T>
constexpr common::number_type number_type_of() {
  constexpr common::number_kind kKind = std::is_same_v<T, bool> || is_integer<T> ? common::number_kind::integer
                                        : is_float<T>                            ? common::number_kind::floating_point
                                                                                 : common::number_kind::other;
  return {kKind, std::is_same_v<T, bool> ? 1 : static_cast<unsigned>(8 * sizeof(T))};
}

// The type of sums and products whose operands are `Made` (common/totals.h).
template <class Made, class Result>
constexpr auto summed_as() {
  constexpr common::total_type kTotal = common::total_for(number_type_of<Made>(), number_type_of<Result>());
  if constexpr (kTotal == common::total_type::of_output) {
    return std::type_identity<Result>();
  } else if constexpr (kTotal == common::total_type::of_64_bits) {
    return std::type_identity<std::conditional_t<is_signed<Made>, std::int64_t, std::uint64_t>>();
  } else {
    return std::type_identity<Made>();
  }
}

template <class... Options>
using NamedAccumulator = decltype(find_option<accumulator_t>(0, std::declval<Options>()...));

// The type of totals, by the same rule for all calls (options.h). Made is the type of the initial value, or without one the
// operator's result type.
template <class Made, class Out, class Op, class... Options>
struct TotalOf {
  static constexpr bool kIsPlain = std::is_same_v<decltype(find_option<transform_output>(0, std::declval<Options>()...)), int>;

  static constexpr auto by_default() {
    if constexpr (is_arithmetic_operator<Op> && kIsPlain) {
      return summed_as<Made, ValueOf<Out>>();
    } else {
      return std::type_identity<Made>();
    }
  }
  template <class Named>
  static accumulator_t<Named> named(accumulator_t<Named>);
  static accumulator_t<typename decltype(by_default())::type> named(int);
  using type = typename decltype(named(std::declval<NamedAccumulator<Options...>>()))::type;
};

template <class In, class Out, class Op, class... Options>
using Accumulator =
    typename TotalOf<std::decay_t<std::invoke_result_t<Op, Transformed<In, Options...>, Transformed<In, Options...>>>, Out, Op,
                     Options...>::type;

template <class T>
T initial_of(T value) {
  return value;
}
template <class T>
T initial_of(initial_at<T> at) {
  return *at.pointer;
}

// The initial value, as a total of the call.
template <class Out, class Op, class... Options, class Initial>
auto initial_for(Initial initial) {
  const auto first = initial_of(initial);
  using Made = std::remove_const_t<decltype(first)>;
  return static_cast<typename TotalOf<Made, Out, Op, Options...>::type>(first);
}

}  // namespace upsweep::cpu::detail
