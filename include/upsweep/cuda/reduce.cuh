// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Device-wide reductions: the total of all elements of an array, in one launch, at the speed of a read.
//
//   reduce            *out = initial op x[0] op ... op x[n - 1]
//   sum               the same with plus, from 0
//   transform_reduce  the same of transform(x[i]), or of transform(x[i], i)
//   arg_min, arg_max  *out = the least (largest) element and its index, the first of equal elements. NaNs are ignored, as in
//                     minimum and maximum (operators.cuh); if all elements are NaNs, the result is the first element
//
// `space`    initialised workspace of at least reduce_workspace_bytes<T>() bytes, or stream_pool (workspace.cuh).
// `in`       device pointer or random-access iterator; pointers that are aligned to their elements take the fast path.
// `out`      device pointer or iterator, to which a T is assigned.
// `n`        0 to 2^40 elements, or count_at(pointer, at_most). arg_min and arg_max of an empty array leave *out unchanged.
// `op`       associative; it need not commute, but operators that are known to (is_commutative) are faster.
// `initial`  a value; or initial_at(pointer), to a T. T, the type of totals, is the type of the initial value. Sums and
//            products of integers use the type of `out` if it is a wider integer, and 64 bits if it is floating-point.
//
// The order of the operands depends only on n, the type and the input's address modulo 16 bytes. Floating-point sums are the
// same, bit for bit, from run to run and on every GPU. Work is queued on `stream` and nothing synchronises, so calls can be
// captured in a graph. Only stream_pool allocates memory.
//
// Errors: cudaErrorInvalidValue for a null pointer, a workspace that is too small or misaligned, or too many elements.
//
// Source: Harris 2007, "Optimizing Parallel Reduction in CUDA"; the last block adds up the blocks' totals (CUDA C++ Programming
// Guide, "Memory Fence Functions").
#pragma once

#include <upsweep/common/cpp17.h>
#ifdef UPSWEEP_CPP17
#include <upsweep/common/indexed.h>
#include <upsweep/cuda/device/call.cuh>
#include <upsweep/cuda/device/launch.cuh>
#include <upsweep/cuda/device/reduce_kernel.cuh>
#include <upsweep/cuda/device/tuning_reduce.cuh>
#include <upsweep/cuda/operators.cuh>

namespace upsweep::cuda {

// Bytes of a workspace for reductions of any number of elements.
template <class T>
constexpr std::size_t reduce_workspace_bytes() {
  return detail::kStateBytes + detail::TunedReduce::kBlocks * detail::word_bytes(sizeof(T));
}

using common::indexed;

namespace detail {

using common::Better, common::WithIndex;

template <class Problem, bool kVectors>
cudaError_t launch_reduction(const Problem &problem, std::uint64_t most, cudaStream_t stream) {
  using Geometry = ReduceGeometry<Problem, kVectors>;
  constexpr std::uint64_t kBlockItems =
      static_cast<std::uint64_t>(TunedReduce::kThreads) * Geometry::kUnits * Geometry::kUnitItems;
  const std::uint64_t tiles = (most + Geometry::kUnitItems - 1 + kBlockItems - 1) / kBlockItems;
  const auto blocks = static_cast<unsigned>(std::clamp<std::uint64_t>(tiles, 1, TunedReduce::kBlocks));
  return launch(reduce_kernel<Problem, Geometry>, blocks, TunedReduce::kThreads, 0, stream, problem);
}

template <class T, bool kInitial, class In, class Out, class Op, class Transform>
cudaError_t reduce(const workspace &space, In in, Out out, Count count, Op op, T initial, const T *initial_pointer,
                   bool is_initial_null, Transform transform, cudaStream_t stream) {
  using Problem = ReduceProblem<T, In, Out, Op, Transform, kInitial>;
  using Element = typename Problem::In;
  static_assert(std::is_trivially_copyable_v<T> && sizeof(T) <= 64, "T must be trivially copyable and of at most 64 bytes");
  if (count.most > kMostElements || count.is_null || is_null(out) || is_initial_null || (count.most > 0 && is_null(in))) {
    return cudaErrorInvalidValue;
  }
  return with_workspace(space, reduce_workspace_bytes<T>(), stream, [&](const workspace &own) {
    if (count.most == 0 && !kInitial) {
      return cudaSuccess;
    }
    auto *bytes = static_cast<unsigned char *>(own.data);
    const Problem problem{in,
                          out,
                          {count.most, count.pointer},
                          op,
                          {initial, initial_pointer},
                          transform,
                          reinterpret_cast<ScanState *>(bytes),
                          reinterpret_cast<TileWord<T> *>(bytes + kStateBytes)};
    if constexpr (is_contiguous<In> && 16 % sizeof(Element) == 0) {
      if (is_element_aligned(in)) {
        return launch_reduction<Problem, true>(problem, count.most, stream);
      }
    }
    return launch_reduction<Problem, false>(problem, count.most, stream);
  });
}

template <class T>
struct ReduceInitial {
  T value;
  const T *pointer;
  bool is_null;
};
template <class T>
ReduceInitial<T> reduce_initial(T value) {
  return {value, nullptr, false};
}
template <class T>
ReduceInitial<T> reduce_initial(initial_at<T> at) {
  return {T(), at.pointer, at.pointer == nullptr};
}

// The initial value as a total whose result goes to `Out`.
template <class Op, class Out, class T>
auto total_initial(T value) {
  using Total = typename SummedTo<Op, T, ResultOf<Unwrapped<Out>, void>>::type;
  return reduce_initial(static_cast<Total>(value));
}
template <class Op, class Out, class T>
auto total_initial(initial_at<T> at) {
  static_assert(std::is_same_v<typename SummedTo<Op, T, ResultOf<Unwrapped<Out>, void>>::type, T>,
                "upsweep: an initial value in memory must have the type of totals, which the output makes wider");
  return reduce_initial(at);
}

template <class Transform, class T>
constexpr bool is_transform_of_reduce() {
  constexpr bool kIs = std::is_invocable_v<Transform, T, std::uint64_t> || std::is_invocable_v<Transform, T>;
  static_assert(kIs, "upsweep: the transformation cannot be called with an element, or with an element and its index");
  return kIs;
}

template <class In, class Out, class N, class Op, class Transform, class Initial, class... More>
cudaError_t call_reduce(const workspace &space, In in, Out out, N n, Op op, Transform transform, Initial initial,
                        const More &...more) {
  static_assert(!is_stream<Initial> || std::is_integral_v<Initial>,
                "upsweep: a reduction has an initial value before the stream");
  if constexpr (are_of_reduction<In, Out, N>() && is_stream_alone<More...>() &&
                (!is_stream<Initial> || std::is_integral_v<Initial>)) {
    const auto first = total_initial<Op, Out>(initial);
    using T = std::decay_t<decltype(first.value)>;
    if constexpr (is_operator_of<Op, T>() && is_transform_of_reduce<Transform, ElementOf<Unwrapped<In>>>()) {
      return reduce<T, true>(space, unwrapped(in), unwrapped(out), count_of(n), known_operator<T>(op), first.value,
                             first.pointer, first.is_null, transform, stream_of(more...));
    }
  }
  return cudaErrorInvalidValue;
}

template <bool kLeast, class In, class Out, class N, class... More>
cudaError_t call_arg(const workspace &space, In in, Out out, N n, const More &...more) {
  if constexpr (are_of_reduction<In, Out, N>() && is_stream_alone<More...>()) {
    using T = indexed<ElementOf<Unwrapped<In>>>;
    return reduce<T, false>(space, unwrapped(in), unwrapped(out), count_of(n), Better<kLeast>(), T(), nullptr, false,
                            WithIndex(), stream_of(more...));
  }
  return cudaErrorInvalidValue;
}

}  // namespace detail

template <bool kLeast, class T>
inline constexpr bool is_commutative<detail::Better<kLeast>, indexed<T>> = true;

template <class In, class Out, class N, class Op, class Transform, class Initial, class... More>
cudaError_t transform_reduce(const workspace &space, In in, Out out, N n, Op op, Transform transform, Initial initial,
                             More... more) {
  return detail::call_reduce(space, in, out, n, op, transform, initial, more...);
}

template <class In, class Out, class N, class Op, class Initial, class... More>
cudaError_t reduce(const workspace &space, In in, Out out, N n, Op op, Initial initial, More... more) {
  return detail::call_reduce(space, in, out, n, op, detail::Unchanged(), initial, more...);
}

template <class In, class Out, class N, class... More>
cudaError_t sum(const workspace &space, In in, Out out, N n, More... more) {
  if constexpr (detail::are_of_reduction<In, Out, N>()) {
    using T = detail::ElementOf<detail::Unwrapped<In>>;
    return detail::call_reduce(space, in, out, n, plus{}, detail::Unchanged(), identity<plus, T>::value(), more...);
  }
  return cudaErrorInvalidValue;
}

template <class In, class Out, class N, class... More>
cudaError_t arg_min(const workspace &space, In in, Out out, N n, More... more) {
  return detail::call_arg<true>(space, in, out, n, more...);
}

template <class In, class Out, class N, class... More>
cudaError_t arg_max(const workspace &space, In in, Out out, N n, More... more) {
  return detail::call_arg<false>(space, in, out, n, more...);
}

UPSWEEP_CUDA_CALL_FROM_POOL(transform_reduce)
UPSWEEP_CUDA_CALL_FROM_POOL(reduce)
UPSWEEP_CUDA_CALL_FROM_POOL(sum)
UPSWEEP_CUDA_CALL_FROM_POOL(arg_min)
UPSWEEP_CUDA_CALL_FROM_POOL(arg_max)

}  // namespace upsweep::cuda
#endif
