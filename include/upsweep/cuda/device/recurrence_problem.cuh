// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A linear recurrence as a scan of maps x -> a x + b, whose composition is associative and does not commute.
#pragma once

#include <upsweep/cuda/device/call_state.cuh>
#include <upsweep/cuda/device/segments.cuh>
#include <upsweep/cuda/device/tile_word.cuh>
#include <upsweep/cuda/device/values.cuh>
#include <upsweep/cuda/operators.cuh>

#include <cuComplex.h>
#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace upsweep::cuda {

// Multiplies and adds numbers of a type T: by * and + unless specialised. float2 and double2 (cuComplex.h) are complex numbers.
template <class T>
struct recurrence_arithmetic {
  static __host__ __device__ __forceinline__ T multiply(const T &a, const T &b) { return static_cast<T>(a * b); }
  static __host__ __device__ __forceinline__ T multiply_add(const T &a, const T &x, const T &b) {
    return static_cast<T>(a * x + b);
  }
};

namespace detail {

template <class T, class Part>
struct ComplexArithmetic {
  static __host__ __device__ __forceinline__ T multiply(const T &a, const T &b) {
    return {a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x};
  }
  static __host__ __device__ __forceinline__ T multiply_add(const T &a, const T &x, const T &b) {
    return {a.x * x.x + (b.x - a.y * x.y), a.x * x.y + (a.y * x.x + b.y)};
  }
};

}  // namespace detail

template <>
struct recurrence_arithmetic<float2> : detail::ComplexArithmetic<float2, float> {};
template <>
struct recurrence_arithmetic<double2> : detail::ComplexArithmetic<double2, double> {};

namespace detail {

// The number that an element stands for; half types are not converted by a cast where programs switch their operators off.
template <class T, class Element>
__device__ __forceinline__ T number_of(const Element &element) {
  if constexpr (std::is_same_v<Element, __half> && std::is_same_v<T, float>) {
    return __half2float(element);
  } else if constexpr (std::is_same_v<Element, __nv_bfloat16> && std::is_same_v<T, float>) {
    return __bfloat162float(element);
  } else if constexpr ((std::is_same_v<T, float2> || std::is_same_v<T, double2>) && std::is_arithmetic_v<Element>) {
    return T{static_cast<decltype(T::x)>(element), 0};
  } else {
    return static_cast<T>(element);
  }
}
template <class Out, class T>
__device__ __forceinline__ Out element_of(const T &number) {
  if constexpr (std::is_same_v<Out, __half> && std::is_same_v<T, float>) {
    return __float2half(number);
  } else if constexpr (std::is_same_v<Out, __nv_bfloat16> && std::is_same_v<T, float>) {
    return __float2bfloat16(number);
  } else {
    return static_cast<Out>(number);
  }
}

// The map of several neighbouring elements. With rows, it starts at the last element that begins a row, and b is then the
// state.
template <class T>
struct Step {
  T a, b;
};
template <class T>
struct StepInRows {
  T a, b;
  unsigned has_head;
};

template <class T>
__device__ __forceinline__ bool begins_row(const Step<T> &) {
  return false;
}
template <class T>
__device__ __forceinline__ bool begins_row(const StepInRows<T> &step) {
  return step.has_head != 0;
}

// The x before an element.
template <class T>
struct RecurrenceState {
  T x;

  RecurrenceState() = default;
  __host__ __device__ __forceinline__ explicit RecurrenceState(const T &value) : x(value) {}
  // LookBack uses this if no state precedes, which never happens here.
  template <class Steps, class = decltype(Steps::b)>
  __device__ __forceinline__ RecurrenceState(const Steps &steps) : x(steps.b) {}
};

template <class T>
struct ComposeSteps {
  using Arithmetic = recurrence_arithmetic<T>;

  __device__ __forceinline__ Step<T> operator()(const Step<T> &first, const Step<T> &then) const {
    return {Arithmetic::multiply(then.a, first.a), Arithmetic::multiply_add(then.a, first.b, then.b)};
  }
  __device__ __forceinline__ StepInRows<T> operator()(const StepInRows<T> &first, const StepInRows<T> &then) const {
    StepInRows<T> both = then;
    if (then.has_head == 0) {
      both = {Arithmetic::multiply(then.a, first.a), Arithmetic::multiply_add(then.a, first.b, then.b), first.has_head};
    }
    return both;
  }
  // No element of a row is multiplied into the next row, not even an infinity by 0.
  template <class Steps>
  __device__ __forceinline__ RecurrenceState<T> operator()(const RecurrenceState<T> &before, const Steps &steps) const {
    RecurrenceState<T> after(steps.b);
    if (!begins_row(steps)) {
      after.x = Arithmetic::multiply_add(steps.a, before.x, steps.b);
    }
    return after;
  }
};

template <class Problem, class Geometry>
struct RecurrenceWork;

// The recurrence of a whole array, or of its rows of `length` elements. A, B and T are the types of coefficients, inputs and
// states.
template <class T_, class A, class B_, class Out_, bool kBackward_, bool kRows_>
struct RecurrenceProblem {
  using T = T_;
  using Input = const A *;
  using Output = Out_ *;
  using In = A;
  using B = B_;
  using Out = Out_;
  using Op = ComposeSteps<T>;
  using Segments = Whole;
  using Element = std::conditional_t<kRows_, StepInRows<T>, Step<T>>;
  using Prefix = RecurrenceState<T>;
  template <class Geometry>
  using Work = RecurrenceWork<RecurrenceProblem, Geometry>;
  static constexpr bool kBackward = kBackward_;
  static constexpr bool kRows = kRows_;
  static constexpr bool kInitial = true;
  static constexpr std::size_t kLargest = std::max({sizeof(T), sizeof(In), sizeof(B), sizeof(Out)});

  const A *input;
  const B *b;
  Out *output;
  Later<std::uint64_t> count;
  Op op;
  Later<Prefix> initial;  // of the whole array
  std::uint64_t length;
  const T *initials;  // of rows, in the order of memory; null stands for zeros
  T *lasts;           // may be null
  Segments segments;
  ScanState *state;
  TileWord<Element> *words;
  std::uint64_t words_bytes;

  // Rows are numbered in the order of the scan.
  __device__ __forceinline__ std::uint64_t place_of_row(std::uint64_t row) const {
    return kBackward ? count.value / length - 1 - row : row;
  }
};

}  // namespace detail

}  // namespace upsweep::cuda
