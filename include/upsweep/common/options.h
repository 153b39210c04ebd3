// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The options of calls, each with one meaning in all libraries, and the search for them among a call's arguments. Pointers are
// of the memory that the library works on: of the host, or of the device. C++17.
#pragma once

#include <upsweep/common/numbers.h>

namespace upsweep::common {

// The call runs from the last element to the first. Element i of an inclusive result is the total of elements n - 1 to i:
// op(op(x[n - 1], x[n - 2]), ...).
struct backward_t {};
inline constexpr backward_t backward{};

// The same bits on every machine and GPU and in both libraries, also for floating-point sums (docs/cpu-reproducible.md).
struct reproducible_t {};
inline constexpr reproducible_t reproducible{};

// The reverse order of a sort; equal keys keep theirs.
struct descending_t {};
inline constexpr descending_t descending{};

// Only bits `begin` to `end` - 1 of integer keys count in a sort.
struct key_bits {
  unsigned begin, end;
  template <class Begin, class End>
  constexpr key_bits(Begin first, End behind) : begin(static_cast<unsigned>(first)), end(static_cast<unsigned>(behind)) {}
};

// Two arrays of the same length: the elements, and room to work in.
template <class T>
struct double_buffer {
  T *current;
  T *other;
};

// The total of all elements, with the initial value if there is one, goes to `to`. If `to` is behind the last element of an
// exclusive result, this result has n + 1 elements.
template <class T>
struct total_to {
  T *to;
  explicit total_to(T *pointer) : to(pointer) {}
};

// In scans and reductions, the operator's operands and the totals have the type A. Without this option their type is that of
// the initial value, or else that of the operator's result for two (transformed) inputs. Sums and products of integers take the
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

// The initial value is read when the call runs.
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

// The states at both ends of a recurrence. Either pointer may be null.
template <class T>
struct states {
  const T *initial;
  T *last;
  states(const T *first, T *end) : initial(first), last(end) {}
};

// The samples of a histogram are rows of an image, `pitch` bytes each.
struct region {
  std::uint64_t width, rows, pitch;
  region(std::uint64_t row_pixels, std::uint64_t row_count, std::uint64_t pitch_bytes)
      : width(row_pixels), rows(row_count), pitch(pitch_bytes) {}
};

// A pixel has kChannels samples, of which the first kCounted are counted.
template <int kChannels, int kCounted>
struct channels_t {};
template <int kChannels, int kCounted = kChannels>
inline constexpr channels_t<kChannels, kCounted> channels{};

// A sample adds the weight of its pixel to its bin.
template <class Weights>
struct weights {
  Weights of_pixels;
  explicit weights(Weights array) : of_pixels(array) {}
};

// The filter is applied this many times; each time, the image is rounded to elements of the output.
struct repeated {
  unsigned times;
  explicit repeated(unsigned number) : times(number) {}
};

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
  return common::find_option<Option>(otherwise, rest...);
}

// The option of this type among the options of a call, or its default.
template <class Option>
constexpr Option option_of(Option otherwise) {
  return otherwise;
}
template <class Option, class First, class... Rest>
constexpr Option option_of(Option otherwise, const First &first, const Rest &...rest) {
  if constexpr (std::is_same_v<First, Option>) {
    return first;
  } else {
    return common::option_of<Option>(otherwise, rest...);
  }
}

template <class Option, class... Options>
// NOLINTNEXTLINE(misc-redundant-expression): a fold
inline constexpr bool has_option = (std::is_same_v<Option, std::decay_t<Options>> || ...);

// The options of scans and reductions.
template <class T>
inline constexpr bool is_scan_option = std::is_same_v<T, backward_t> || std::is_same_v<T, reproducible_t>;
template <class T>
inline constexpr bool is_scan_option<total_to<T>> = true;
template <class T>
inline constexpr bool is_scan_option<accumulator_t<T>> = true;
template <class F>
inline constexpr bool is_scan_option<transform_input<F>> = true;
template <class F>
inline constexpr bool is_scan_option<transform_output<F>> = true;

// Stands for a transformation that is not given.
struct Unchanged {
  template <class T>
  UPSWEEP_HOST_DEVICE constexpr T operator()(const T &value) const {
    return value;
  }
};

// The type of the option accumulator among the options of a call, or a default.
template <class Default, class... Options>
struct accumulator_option {
  using type = Default;
};
template <class Default, class First, class... Rest>
struct accumulator_option<Default, First, Rest...> : accumulator_option<Default, Rest...> {};
template <class Default, class A, class... Rest>
struct accumulator_option<Default, accumulator_t<A>, Rest...> {
  using type = A;
};
template <class Default, class... Options>
using accumulator_or = typename accumulator_option<Default, std::decay_t<Options>...>::type;

// The type of a recurrence's states, where the elements of b are Bs.
template <class B, class... Options>
using recurrence_state = accumulator_or<std::conditional_t<is_half<B>, float, B>, Options...>;

// The states that are given, or none.
template <class T>
states<T> states_of(int) {
  return states<T>(nullptr, nullptr);
}
template <class T>
states<T> states_of(const states<T> &given) {
  return given;
}

}  // namespace upsweep::common
