// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Linear recurrences over separate arrays, as in state-space models and recursive filters:
//
//   x[t] = a[t] * x[t - 1] + b[t]
//
//   linear_recurrence           of a whole array, of n elements or count_at(pointer, at_most)
//   linear_recurrence_of_axis   along any axis (see axis.cuh); inner 1 means each row of a matrix
//
// `space`        initialised workspace of at least linear_recurrence_workspace_bytes<T>(n or axis) bytes, or stream_pool.
// `a`, `b`, `x`  device pointers. x may be a or b, if its elements have the same size (and strides), but must not overlap them
//                otherwise.
// `T`            the type of states: float for half types, else the type of b; accumulator<T> names another type. A real `a`
//                goes with complex `b`. float2 and double2 are complex numbers; others are multiplied and added by * and +
//                (recurrence_arithmetic).
// `options`      backward: x[t] = a[t] * x[t + 1] + b[t]; accumulator (options.cuh); states(initial, last): device pointers to
//                the states before the first elements (0 if null) and after the last ones (not stored if null): one state for a
//                whole array, else batches x inner.
//
// Arrays that are aligned to 16 bytes take the fast path if inner is 1 or if there are 2^15 columns (batches * inner). Backward
// with inner 1, they must also end at a multiple of 16 bytes. Fewer columns of over 256 rows are read twice. Rows (inner 1)
// with strides other than an array's without gaps, or of less than about 128 bytes, are slower.
//
// Work is queued on `stream` and nothing synchronises, so calls can be captured in a graph. Only stream_pool allocates memory.
// Results are the same, bit for bit, from run to run. States are composed as maps of neighbouring elements: with an infinite a,
// results differ from the sequential recurrence. An infinity or a NaN affects only its own row.
//
// Errors: cudaErrorInvalidValue for a null pointer, arrays that overlap but are not the same, a workspace that is too small or
// misaligned, strides that make elements overlap, or more than 2^40 elements.
//
// Source: Blelloch 1990, "Prefix Sums and Their Applications", section 1.4; Martin and Cundy 2018, "Parallelizing Linear
// Recurrent Neural Nets Over Sequence Length".
#pragma once

#include <upsweep/common/cpp17.h>
#ifdef UPSWEEP_CPP17
#include <upsweep/cuda/device/axis_shape.cuh>
#include <upsweep/cuda/device/call.cuh>
#include <upsweep/cuda/device/recurrence_launch.cuh>
#include <upsweep/cuda/device/tuning_columns.cuh>
#include <upsweep/cuda/options.cuh>

namespace upsweep::cuda {

// Bytes of a workspace for recurrences of up to `n` elements. Largest is the largest of T and the types of the arrays; it
// matters beyond 16 bytes alone.
template <class T, class Largest = T>
std::size_t linear_recurrence_workspace_bytes(std::uint64_t n) {
  return detail::words_workspace_bytes(n, sizeof(detail::StepInRows<T>), std::max(sizeof(T), sizeof(Largest)));
}
template <class T, class Largest = T>
std::size_t linear_recurrence_workspace_bytes(const axis &of) {
  if (detail::is_too_large(of) || of.batches == 0 || of.length == 0 || of.inner == 0) {
    return detail::kStateBytes;
  }
  const std::size_t chunks =
      detail::kStateBytes + detail::all_chunks_bytes<T>(of.batches * of.inner, of.length, detail::TunedColumns::kEnough, 2);
  return of.inner > 1 ? chunks : std::max(chunks, linear_recurrence_workspace_bytes<T, Largest>(of.batches * of.length));
}

namespace detail {

// The state before a whole array: a zero, or the value at a pointer.
template <class T>
Later<RecurrenceState<T>> first_state(const T *pointer) {
  static_assert(sizeof(RecurrenceState<T>) == sizeof(T));
  return {RecurrenceState<T>(T{}), reinterpret_cast<const RecurrenceState<T> *>(pointer)};
}

template <class T, bool kBackward, bool kRows, class A, class B, class Out>
cudaError_t launch_recurrence(const workspace &space, const A *a, const B *b, Out *x, const Count &count, std::uint64_t length,
                              const states<T> &ends, cudaStream_t stream) {
  using Problem = RecurrenceProblem<T, A, B, Out, kBackward, kRows>;
  auto *bytes = static_cast<unsigned char *>(space.data);
  const Problem problem{a,
                        b,
                        x,
                        {count.most, count.pointer},
                        {},
                        first_state<T>(kRows ? nullptr : ends.initial),
                        length,
                        ends.initial,
                        ends.last,
                        {},
                        reinterpret_cast<ScanState *>(bytes),
                        reinterpret_cast<TileWord<typename Problem::Element> *>(bytes + kStateBytes),
                        space.bytes - kStateBytes};
  return launch_recurrence(problem, count.most, stream);
}

template <class T, class A, class B, class Out>
void assert_recurrence_types() {
  static_assert(std::is_trivially_copyable_v<T> && sizeof(T) <= 32,
                "states must be trivially copyable and of at most 32 bytes");
  static_assert(std::is_trivially_copyable_v<A> && std::is_trivially_copyable_v<B> && std::is_trivially_copyable_v<Out>,
                "elements must be trivially copyable");
}

template <class A, class B, class Out, class N, class... Options>
cudaError_t linear_recurrence(const workspace &space, const A *a, const B *b, Out *x, N n, cudaStream_t stream,
                              Options... options) {
  using T = common::recurrence_state<B, Options...>;
  assert_recurrence_types<T, A, B, Out>();
  const Count count = count_of(n);
  const states<T> ends = states_of<T>(find_option<states>(0, options...));
  const bool is_any = count.most > 0;
  if (count.most > kMostElements || count.is_null || (is_any && (a == nullptr || b == nullptr || x == nullptr)) ||
      !may_be_together(a, x, count.known()) || !may_be_together(b, x, count.known())) {
    return cudaErrorInvalidValue;
  }
  const std::size_t needed =
      linear_recurrence_workspace_bytes<T, std::conditional_t<(sizeof(A) > sizeof(B)), A, B>>(count.most);
  return with_workspace(space, needed, stream, [&](const workspace &own) {
    if (!is_any && ends.last == nullptr) {
      return cudaSuccess;
    }
    return launch_recurrence<T, has_option<backward_t, Options...>, false>(own, a, b, x, count, 1, ends, stream);
  });
}

template <class A, class B, class Out, class... Options>
cudaError_t linear_recurrence_of_axis(const workspace &space, const A *a, const B *b, Out *x, const axis &of,
                                      cudaStream_t stream, Options... options) {
  using T = common::recurrence_state<B, Options...>;
  constexpr bool kBackward = has_option<backward_t, Options...>;
  assert_recurrence_types<T, A, B, Out>();
  const states<T> ends = states_of<T>(find_option<states>(0, options...));
  if (is_too_large(of)) {
    return cudaErrorInvalidValue;
  }
  if (of.batches == 0 || of.length == 0 || of.inner == 0) {
    return cudaSuccess;
  }
  const axis_strides in = whole_strides(of, of.in), out = whole_strides(of, of.out);
  constexpr std::uint64_t kNoExtent = ~std::uint64_t(0);
  if (a == nullptr || b == nullptr || x == nullptr || extent_of(of, in) == kNoExtent || extent_of(of, out) == kNoExtent ||
      !may_be_together(a, x, of, in, out) || !may_be_together(b, x, of, in, out)) {
    return cudaErrorInvalidValue;
  }
  const std::size_t needed = linear_recurrence_workspace_bytes<T, std::conditional_t<(sizeof(A) > sizeof(B)), A, B>>(of);
  return with_workspace(space, needed, stream, [&](const workspace &own) {
    const axis_strides dense{of.length, 1};
    using Problem = RecurrenceProblem<T, A, B, Out, kBackward, true>;
    if (of.inner == 1 && is_same(in, dense) && is_same(out, dense) && of.length >= fewest_row_items<Problem>) {
      const Count count{of.batches * of.length, nullptr, false};
      return launch_recurrence<T, kBackward, true>(own, a, b, x, count, of.length, ends, stream);
    }
    auto *memory = static_cast<unsigned char *>(own.data) + kStateBytes;
    const cudaError_t error = launch_columns_recurrence<T, kBackward>(a, b, x, of.batches, of.length, of.inner, in, out,
                                                                      ends.initial, ends.last, memory, stream);
    const std::size_t used = all_chunks_bytes<T>(of.batches * of.inner, of.length, TunedColumns::kEnough, 2);
    if (used == 0) {
      return error;
    }
    // A later call could take the contents for totals of its own.
    const cudaError_t cleared = cudaMemsetAsync(memory, 0, used, stream);
    return error != cudaSuccess ? error : cleared;
  });
}

template <class T>
inline constexpr bool is_option<states<T>> = true;

}  // namespace detail

template <class A, class B, class Out, class N, class... More>
cudaError_t linear_recurrence(const workspace &space, A a, B b, Out x, N n, More... more) {
  if constexpr (detail::are_arrays<A, Out, N>() && detail::are_pointers<A, B, Out>()) {
    if constexpr (detail::are_options<More...>()) {
      return detail::linear_recurrence(space, detail::const_pointer(a), detail::const_pointer(b), detail::unwrapped(x), n,
                                       detail::stream_of(more...), more...);
    }
  }
  return cudaErrorInvalidValue;
}

template <class A, class B, class Out, class... More>
cudaError_t linear_recurrence_of_axis(const workspace &space, A a, B b, Out x, const axis &of, More... more) {
  if constexpr (detail::are_arrays<A, Out, std::uint64_t>() && detail::are_pointers<A, B, Out>()) {
    if constexpr (detail::are_options<More...>()) {
      return detail::linear_recurrence_of_axis(space, detail::const_pointer(a), detail::const_pointer(b), detail::unwrapped(x),
                                               of, detail::stream_of(more...), more...);
    }
  }
  return cudaErrorInvalidValue;
}

UPSWEEP_CUDA_CALL_FROM_POOL(linear_recurrence)
UPSWEEP_CUDA_CALL_FROM_POOL(linear_recurrence_of_axis)

}  // namespace upsweep::cuda
#endif
