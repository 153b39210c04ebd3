// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The arguments that follow the arrays in all calls: a stream and options in any order. Checks of types name each mistake in
// one line.
#pragma once

#include <upsweep/common/totals.h>
#include <upsweep/cuda/device/arguments.cuh>
#include <upsweep/cuda/device/iterators.cuh>
#include <upsweep/cuda/device/known_operators.cuh>
#include <upsweep/cuda/options.cuh>

namespace upsweep::cuda::detail {

// Whether the argument is a stream: cudaStream_t, a type that converts to it, cuda::stream_ref, or a literal 0 or NULL.
template <class Argument, class = void>
inline constexpr bool has_stream = false;
template <class Argument>
inline constexpr bool has_stream<Argument, std::void_t<decltype(std::declval<const Argument &>().get())>> =
    std::is_same_v<std::decay_t<decltype(std::declval<const Argument &>().get())>, cudaStream_t>;
template <class Argument>
inline constexpr bool is_stream =
    std::is_convertible_v<Argument, cudaStream_t> || has_stream<Argument> || std::is_integral_v<Argument>;

template <class Argument>
cudaStream_t as_stream(const Argument &argument) {
  if constexpr (std::is_convertible_v<Argument, cudaStream_t>) {
    return argument;
  } else if constexpr (has_stream<Argument>) {
    return argument.get();
  } else {
    return reinterpret_cast<cudaStream_t>(static_cast<std::uintptr_t>(argument));
  }
}

inline cudaStream_t stream_of() { return nullptr; }
template <class First, class... Rest>
cudaStream_t stream_of(const First &first, const Rest &...rest) {
  if constexpr (is_stream<First>) {
    return as_stream(first);
  } else {
    return stream_of(rest...);
  }
}

// Replaces an operator among the arguments that has already been taken.
struct NoOption {};

template <class Option>
inline constexpr bool is_option = common::is_scan_option<Option> || std::is_same_v<Option, NoOption>;

// The first argument that can be called with two Ts, or `otherwise`. A known functor becomes the library's own operator.
template <class Argument, class T>
inline constexpr bool is_binary = !is_stream<Argument> && !is_option<Argument> && std::is_invocable_v<Argument, T, T>;
template <class T, class Otherwise>
Otherwise operator_among(Otherwise otherwise) {
  return otherwise;
}
template <class T, class Otherwise, class First, class... Rest>
auto operator_among(Otherwise otherwise, const First &first, const Rest &...rest) {
  if constexpr (is_binary<First, T>) {
    return known_operator<T>(first);
  } else {
    return operator_among<T>(otherwise, rest...);
  }
}
template <class Key, class... More>
auto equal_of(const More &...more) {
  return operator_among<Key>(equal_to{}, more...);
}

template <class Key, class Argument>
auto without_binary(const Argument &argument) {
  if constexpr (is_binary<Argument, Key>) {
    return NoOption{};
  } else {
    return argument;
  }
}

template <class N>
inline constexpr bool is_count = std::is_convertible_v<N, std::uint64_t> || std::is_convertible_v<N, count_at>;

// The result of a __device__ lambda cannot be known on the host.
template <class F>
constexpr bool hides_result() {
#ifdef __CUDACC_EXTENDED_LAMBDA__
  return __nv_is_extended_device_lambda_closure_type(F) && !__nv_is_extended_device_lambda_with_preserved_return_type(F);
#else
  return false;
#endif
}

template <class T>
constexpr common::number_type number_type_of() {
  if constexpr (is_integer<T>) {
    return {common::number_kind::integer, std::is_same_v<T, bool> ? 1 : static_cast<unsigned>(8 * sizeof(T))};
  } else if constexpr (std::is_floating_point_v<T> || is_half<T>) {
    return {common::number_kind::floating_point, 0};
  } else {
    return {};
  }
}

// The type of totals if the operator's result, or the initial value, is a `Made` (common/totals.h). Outputs that are no memory
// have the type void here.
template <class Op, class Made, class Result>
struct SummedTo {
  static constexpr common::total_type kTotal = is_arithmetic_operator<Op>
                                                   ? common::total_for(number_type_of<Made>(), number_type_of<Result>())
                                                   : common::total_type::of_operands;
  using Word = std::conditional_t<std::is_signed_v<Made>, std::int64_t, std::uint64_t>;
  using type = std::conditional_t<kTotal == common::total_type::of_output, Result,
                                  std::conditional_t<kTotal == common::total_type::of_64_bits, Word, Made>>;
};

// The functions below report the first mistake, and not its consequences.
template <class In, class Out, class N>
constexpr bool are_arrays() {
  constexpr bool kIn = is_iterator<Unwrapped<In>>;
  constexpr bool kOut = !kIn || is_iterator<Unwrapped<Out>>;
  constexpr bool kCount = !kIn || !kOut || is_count<N>;
  static_assert(
      kIn, "upsweep: the input is no pointer or random-access iterator; the order is (workspace, inputs, outputs, n, ...)");
  static_assert(
      kOut, "upsweep: the output is no pointer or random-access iterator; the order is (workspace, inputs, outputs, n, ...)");
  static_assert(kCount,
                "upsweep: n is neither an integer nor count_at(pointer, at_most); the order is (workspace, inputs, outputs, n, "
                "...)");
  if constexpr (kIn && kOut && kCount) {
    constexpr bool kMayWrite = !std::is_const_v<std::remove_pointer_t<Unwrapped<Out>>> || !std::is_pointer_v<Unwrapped<Out>>;
    static_assert(kMayWrite, "upsweep: the output is const; the order is (workspace, inputs, outputs, n, ...)");
    using T = ElementOf<Unwrapped<In>>;
    constexpr bool kMayCopy = !kMayWrite || (std::is_trivially_copyable_v<T> && sizeof(T) <= 64);
    static_assert(kMayCopy, "upsweep: the elements are not trivially copyable, or have more than 64 bytes");
    return kMayWrite && kMayCopy;
  }
  return false;
}

template <class... More>
constexpr bool are_options() {
  constexpr bool kAreKnown = ((is_stream<More> || is_option<More>) && ...);
  constexpr bool kHaveOneStream = (static_cast<int>(is_stream<More>) + ... + 0) <= 1;
  static_assert(kAreKnown, "upsweep: an argument behind the others is neither a stream nor an option");
  static_assert(kHaveOneStream, "upsweep: there are two streams");
  return kAreKnown && kHaveOneStream;
}

// A place for the number of results.
template <class Number>
constexpr bool is_place_of_number() {
  using Pointer = Unwrapped<Number>;
  constexpr bool kIs = std::is_pointer_v<Pointer> && std::is_integral_v<std::remove_pointer_t<Pointer>> &&
                       !std::is_const_v<std::remove_pointer_t<Pointer>>;
  static_assert(kIs, "upsweep: the number of results goes to a device pointer to an integer, behind the outputs");
  return kIs;
}

template <class Predicate, class T>
constexpr bool is_predicate_of() {
  constexpr bool kIs = std::is_invocable_r_v<bool, Predicate, T>;
  static_assert(kIs, "upsweep: the predicate cannot be called with an element, or its result is no bool");
  return kIs;
}

// Checks the arrays of calls that take only pointers.
template <class... Iterators>
constexpr bool are_pointers() {
  constexpr bool kAre = (std::is_pointer_v<Unwrapped<std::decay_t<Iterators>>> && ...);
  static_assert(kAre, "upsweep: an array is not in contiguous memory, or the arguments are in another order");
  return kAre;
}

template <class Iterator>
auto const_pointer(Iterator iterator) {
  return static_cast<const ElementOf<Unwrapped<Iterator>> *>(unwrapped(iterator));
}

template <class Iterator>
constexpr bool is_further_array() {
  static_assert(is_iterator<Unwrapped<Iterator>>, "upsweep: an array is no pointer or random-access iterator");
  return is_iterator<Unwrapped<Iterator>>;
}

// Checks a reduction, whose result goes to *out.
template <class Place, class = void>
inline constexpr bool is_place = false;
template <class Place>
inline constexpr bool is_place<Place, std::void_t<decltype(*std::declval<const Place &>())>> =
    !std::is_void_v<std::remove_pointer_t<Place>>;
template <class In, class Out, class N>
constexpr bool are_of_reduction() {
  constexpr bool kIsPlace = is_place<Unwrapped<Out>>;
  static_assert(kIsPlace, "upsweep: the output is no pointer or iterator; the order is (workspace, input, output, n, ...)");
  if constexpr (kIsPlace) {
    // The output need only be writable.
    return are_arrays<In, std::conditional_t<std::is_pointer_v<Unwrapped<Out>>, Out, int *>, N>();
  }
  return false;
}

// The checks of all compactions.
template <class In, class Out, class Number, class N>
constexpr bool are_of_compaction() {
  if constexpr (are_arrays<In, Out, N>()) {
    return is_place_of_number<Number>();
  }
  return false;
}

// A stream, and a comparison of Ts.
template <class T, class... More>
constexpr bool are_stream_and_binary() {
  constexpr bool kAreKnown = ((is_stream<More> || is_binary<More, T>) && ...);
  constexpr bool kAreOne =
      (static_cast<int>(is_stream<More>) + ... + 0) <= 1 && (static_cast<int>(is_binary<More, T>) + ... + 0) <= 1;
  static_assert(kAreKnown, "upsweep: an argument behind n is neither a stream nor callable with two neighbouring elements");
  static_assert(kAreOne, "upsweep: there are two streams, or two operators");
  return kAreKnown && kAreOne;
}

template <class... More>
constexpr bool is_stream_alone() {
  constexpr bool kIs = sizeof...(More) <= 1 && (is_stream<More> && ...);
  static_assert(kIs, "upsweep: the last argument is no stream");
  return kIs;
}

template <class In, class Out, class Number, class N, class... More>
constexpr bool are_of_select() {
  if constexpr (are_of_compaction<In, Out, Number, N>()) {
    return is_stream_alone<More...>();
  }
  return false;
}

// Whether the result of `Op` for two Ts converts to T.
template <class Op, class T>
constexpr bool is_operator_of() {
  if constexpr (std::is_invocable_v<Op, T, T>) {
    constexpr bool kIsAgain = std::is_convertible_v<std::invoke_result_t<Op, T, T>, T>;
    static_assert(kIsAgain, "upsweep: the operator's result does not convert to the type of its operands");
    return kIsAgain;
  } else {
    static_assert(std::is_invocable_v<Op, T, T>,
                  "upsweep: the operator cannot be called with two values of the accumulator's type");
    return false;
  }
}

}  // namespace upsweep::cuda::detail
