// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Options of a call; they and its executor are passed behind its other arguments, in any order:
//
//     upsweep::cpu::exclusive_sum(in, out, n, pool, upsweep::cpu::backward, upsweep::cpu::total_to(out + n));
#pragma once

#include <cstdint>
#include <type_traits>

namespace upsweep::cpu {

// From the last element to the first: element i of an inclusive result is the total of elements i to n - 1, taken from the
// last on: op(op(x[n - 1], x[n - 2]), ...).
struct backward_t {};
inline constexpr backward_t backward{};

// The same bits on every machine and those of the CUDA library, also for floating-point sums: scans of whole arrays and
// reductions by operators that commute place brackets as that does. Without it the bits are the same on every machine, too, but
// others. docs/cpu-reproducible.md has what is the same, and what it costs.
struct reproducible_t {};
inline constexpr reproducible_t reproducible{};

// The total of all elements, with the initial value if there is one, goes to `to`. With a pointer behind the last element of an
// exclusive result, that has n + 1 elements.
template <class T>
struct total_to {
  T *to;
  explicit total_to(T *pointer) : to(pointer) {}
};

// The operands of the operator and the totals are As, in scans and reductions. Without it they have the type of the initial
// value, or without one the type that the operator makes of two (transformed) inputs. Sums and products of integers take the
// type of an output of wider integers, and 64 bits for floating-point outputs.
template <class A>
struct accumulator_t {
  using type = A;
};
template <class A>
inline constexpr accumulator_t<A> accumulator{};

// `function` makes the operator's operands of the elements as they are read. It may be called twice for an element.
template <class F>
struct transform_input {
  F function;
  explicit transform_input(F f) : function(f) {}
};

// `function` makes the output's elements of the results as they are written.
template <class F>
struct transform_output {
  F function;
  explicit transform_output(F f) : function(f) {}
};

// The initial value is read when the scan runs.
template <class T>
struct initial_at {
  const T *pointer;
  explicit initial_at(const T *p) : pointer(p) {}
};

// The number of elements is read when the call runs; it is at most `at_most`.
struct count_at {
  const std::uint64_t *pointer;
  std::uint64_t at_most;
  count_at(const std::uint64_t *p, std::uint64_t most) : pointer(p), at_most(most) {}
};

namespace detail {

// Finds the option that is an instance of a template among the options of a call, or a default.
template <template <class> class Option, class Default>
constexpr Default find_option(Default otherwise) {
  return otherwise;
}
template <template <class> class Option, class Default, class F, class... Rest>
constexpr auto find_option(Default, const Option<F> &found, const Rest &...) {
  return found;
}
template <template <class> class Option, class Default, class Other, class... Rest>
constexpr auto find_option(Default otherwise, const Other &, const Rest &...rest) {
  return find_option<Option>(otherwise, rest...);
}

template <class Option, class... Options>
inline constexpr bool has_option = (std::is_same_v<Option, std::remove_cvref_t<Options>> || ...);

template <class T>
inline constexpr bool is_option = false;
template <>
inline constexpr bool is_option<backward_t> = true;
template <>
inline constexpr bool is_option<reproducible_t> = true;
template <class T>
inline constexpr bool is_option<total_to<T>> = true;
template <class T>
inline constexpr bool is_option<accumulator_t<T>> = true;
template <class F>
inline constexpr bool is_option<transform_input<F>> = true;
template <class F>
inline constexpr bool is_option<transform_output<F>> = true;

struct Unchanged {
  template <class T>
  constexpr T operator()(const T &value) const {
    return value;
  }
};

}  // namespace detail

}  // namespace upsweep::cpu
