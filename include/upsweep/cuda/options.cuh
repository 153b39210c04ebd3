// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Options of a device-wide scan; they are passed behind its arrays and its operator, in any order:
//
//     upsweep::cuda::exclusive_sum(space, in, out, n, stream, upsweep::cuda::backward, upsweep::cuda::total_to(out + n));
#pragma once

#include <upsweep/cuda/device/scan_problem.cuh>

#include <type_traits>

namespace upsweep::cuda {

// From the last element to the first: element i of an inclusive result is the total of elements i to n - 1, taken from the
// last on: op(op(x[n - 1], x[n - 2]), ...).
struct backward_t {};
inline constexpr backward_t backward{};

// The result is the same, bit for bit, on every GPU, also for floating-point sums: short arrays are added in the same order as
// long ones. Without this, it is the same from run to run on one GPU.
struct reproducible_t {};
inline constexpr reproducible_t reproducible{};

// The total of all elements, with the initial value if there is one, goes to `to`, a device pointer. With a pointer behind
// the last element of an exclusive result, that has n + 1 elements.
template <class T>
struct total_to {
  T *to;
  __host__ explicit total_to(T *pointer) : to(pointer) {}
};

// The operands of the operator and the totals are As; without it they are what the operator makes of two (transformed) inputs,
// or of the type of the initial value. Sums and products of integers that go to an array of a wider integer type are of that
// one.
template <class A>
struct accumulator_t {
  using type = A;
};
template <class A>
inline constexpr accumulator_t<A> accumulator{};

// `function` makes the operator's operands of the elements as they are read.
template <class F>
struct transform_input {
  F function;
  __host__ explicit transform_input(F f) : function(f) {}
};

// `function` makes the output's elements of the results as they are written.
template <class F>
struct transform_output {
  F function;
  __host__ explicit transform_output(F f) : function(f) {}
};

// The initial value is in device memory, and read when the scan runs.
template <class T>
struct initial_at {
  const T *pointer;
  __host__ explicit initial_at(const T *p) : pointer(p) {}
};

// The number of elements is in device memory, and read when the scan runs; it is at most `at_most`.
struct count_at {
  const std::uint64_t *pointer;
  std::uint64_t at_most;
  __host__ count_at(const std::uint64_t *p, std::uint64_t most) : pointer(p), at_most(most) {}
};

namespace detail {

// Finds the option that is an instance of a template among the options of a call, or a default.
template <template <class> class Option, class Default>
constexpr Default find_option(Default otherwise) {
  return otherwise;
}
template <template <class> class Option, class Default, class F, class... Rest>
constexpr auto find_option(Default, Option<F> found, Rest...) {
  return found;
}
template <template <class> class Option, class Default, class Other, class... Rest>
constexpr auto find_option(Default otherwise, Other, Rest... rest) {
  return find_option<Option>(otherwise, rest...);
}

template <class Option, class... Options>
inline constexpr bool has_option = (std::is_same_v<Option, Options> || ...);

}  // namespace detail

}  // namespace upsweep::cuda
