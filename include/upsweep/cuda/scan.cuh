// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Device-wide scans: one launch, each element read once and written once, at the speed of a copy.
//
//   inclusive_scan   result[i] = x[0] op ... op x[i]
//   exclusive_scan   result[i] = initial op x[0] op ... op x[i - 1]
//   ..._sum          the same with plus, from 0
//   ..._by_key       starts again wherever keys[i] is not equal to keys[i - 1]
//   ..._by_flag      starts again wherever flags[i] is not 0
//   ..._of_segments  starts again at each of the sorted offsets[0] to offsets[segments - 1]
//   ..._of_rows      starts again after every `length` elements: a scan of each row of a matrix
//
// space    initialised workspace of at least scan_workspace_bytes<T>(n) bytes, for ..._of_segments
//          segmented_scan_workspace_bytes<T>(n), or stream_pool (workspace.cuh)
// in, out  device pointers or random-access iterators; they may be the same, but must not overlap otherwise. Pointers that are
//          aligned to 16 bytes take the fast path; in forward scans of whole arrays so do all pointers to elements of one size
//          that divides 16 bytes, aligned to that size (in `reproducible` ones if the input is aligned to 16)
// n        0 to 2^40 elements, or count_at(pointer, at_most)
// op       associative; it need not commute. T, the type of totals, is that of the initial value, or of what op makes of two
//          (transformed) inputs; plus and multiplies of integers take a wider integer type of `out` (accumulator in
//          options.cuh)
// options  see options.cuh
//
// Work is queued on `stream`; but for stream_pool nothing is allocated, and nothing synchronises, so that calls can be captured
// in a graph. Results do not depend on timing: a floating-point sum is the same, bit for bit, from run to run (and on every GPU
// with the option `reproducible`).
//
// Errors: cudaErrorInvalidValue for a null pointer, arrays that overlap but are not the same, too small or misaligned a
// workspace or too many elements; cudaErrorInvalidConfiguration for an element too large for the shared memory of the GPU.
//
// Source: Merrill and Garland 2016, "Single-pass Parallel Prefix Scan with Decoupled Look-back"; here the look-back reads
// totals alone (docs/decisions/cuda-scan-pipeline.md).
#pragma once

#include <upsweep/cuda/device/arguments.cuh>
#include <upsweep/cuda/device/launch.cuh>
#include <upsweep/cuda/device/segment_list.cuh>
#include <upsweep/cuda/operators.cuh>
#include <upsweep/cuda/options.cuh>
#include <upsweep/cuda/workspace.cuh>

#include <algorithm>

namespace upsweep::cuda {

namespace detail {

// Behind the words, four bytes for the heads of each fewest_items_of_heads() elements; for whole tiles. launch.cuh checks it.
constexpr std::size_t heads_workspace_bytes(std::uint64_t n, std::size_t largest) {
  return (n / fewest_items_of_heads(largest) * 4 + kMostHeadsBytes) / 16 * 16;
}

}  // namespace detail

// Bytes of a workspace for up to `n` elements whose totals are Ts: at most n / 28 for Ts of up to 8 bytes. Largest is the
// largest of T and the types of the input and the output; it matters beyond 16 bytes alone.
template <class T, class Largest = T>
std::size_t scan_workspace_bytes(std::uint64_t n) {
  return detail::words_workspace_bytes(n, sizeof(detail::Run<T>), sizeof(Largest));
}

// The same for scans of segments that are given by offsets.
template <class T, class Largest = T>
std::size_t segmented_scan_workspace_bytes(std::uint64_t n) {
  return scan_workspace_bytes<T, Largest>(n) + detail::heads_workspace_bytes(n, sizeof(Largest));
}

namespace detail {

template <class T>
struct InitialValue {
  T value{};
  const T *pointer = nullptr;
  bool is_null = false;
};
template <class T>
InitialValue<T> initial_of(T value) {
  return {value, nullptr, false};
}
template <class T>
InitialValue<T> initial_of(initial_at<T> at) {
  return {T(), at.pointer, at.pointer == nullptr};
}

template <class T, bool kInclusive, bool kInitial, class In, class Out, class Op, class Segments, class... Options>
cudaError_t scan(const workspace &space, In in, Out out, Count count, Op op, InitialValue<T> initial, Segments segments,
                 cudaStream_t stream, Options... options) {
  static_assert(std::is_trivially_copyable_v<T> && sizeof(T) <= 64, "T must be trivially copyable and of at most 64 bytes");
  constexpr bool kBackward = has_option<backward_t, Options...>;
  static_assert(!(kBackward && (Segments::kMarked || Segments::kListed)), "backward scans go with whole arrays and rows");
  const auto transform_in = find_option<transform_input>(transform_input<Unchanged>(Unchanged{}), options...).function;
  const auto transform_out = find_option<transform_output>(transform_output<Unchanged>(Unchanged{}), options...).function;
  const auto total = find_option<total_to>(0, options...);
  constexpr bool kTotal = !std::is_same_v<std::decay_t<decltype(total)>, int>;
  static_assert(!(kTotal && Segments::kSegmented), "a segmented scan has no one total");

  using Problem =
      ScanProblem<T, In, Out, Op, std::decay_t<decltype(transform_in)>, std::decay_t<decltype(transform_out)>,
                  std::conditional_t<Segments::kListed, ByHeads, Segments>, kInclusive, kBackward, kInitial, kTotal>;
  if (count.most > kMostElements || count.is_null || initial.is_null ||
      (count.most > 0 && (is_null(in) || is_null(out) || !may_be_together(in, out, count.most)))) {
    return cudaErrorInvalidValue;
  }
  constexpr std::size_t kLargest = Problem::kLargest;
  std::size_t needed = words_workspace_bytes(count.most, sizeof(Run<T>), kLargest);
  const std::size_t words_end = needed;
  if constexpr (Segments::kListed) {
    if (segments.offsets == nullptr && segments.segments > 0) {
      return cudaErrorInvalidValue;
    }
    needed += heads_workspace_bytes(count.most, kLargest);
  } else if constexpr (Segments::kMarked) {
    if (count.most > 0 && segments.marks == nullptr) {
      return cudaErrorInvalidValue;
    }
  } else if constexpr (Segments::kSegmented) {
    if (segments.length == 0) {
      return cudaErrorInvalidValue;
    }
  }
  T *total_pointer = nullptr;
  if constexpr (kTotal) {
    total_pointer = total.to;
    if (total_pointer == nullptr) {
      return cudaErrorInvalidValue;
    }
  }
  if (is_pool(space) && (count.most > 0 || kTotal)) {
    return with_pool_workspace(needed, stream, [&](const workspace &own) {
      return scan<T, kInclusive, kInitial>(own, in, out, count, op, initial, segments, stream, options...);
    });
  }
  if (!is_pool(space) && (space.data == nullptr || !is_vector_aligned(space.data) || space.bytes < needed)) {
    return cudaErrorInvalidValue;
  }
  if (count.most == 0 && !kTotal) {
    return cudaSuccess;
  }
  auto *bytes = static_cast<unsigned char *>(space.data);
  if constexpr (Segments::kListed) {
    segments.heads = bytes + words_end;
    const cudaError_t error = list_heads<typename ScanTuning<Problem>::template Geometry<false>>(segments, count.most, stream);
    if (error != cudaSuccess) {
      return error;
    }
  }
  const Problem problem{in,
                        out,
                        {count.most, count.pointer},
                        op,
                        {initial.value, initial.pointer},
                        total_pointer,
                        transform_in,
                        transform_out,
                        segments,
                        reinterpret_cast<ScanState *>(bytes),
                        reinterpret_cast<TileWord<typename Problem::Element> *>(bytes + kStateBytes),
                        space.bytes - kStateBytes};
  return launch_scan(problem, count.most, has_option<reproducible_t, Options...>, stream);
}

// The operator's operand for an input.
template <class In, class... Options>
using Transformed = std::decay_t<std::invoke_result_t<
    decltype(find_option<transform_input>(transform_input<Unchanged>(Unchanged{}), std::declval<Options>()...).function),
    typename std::iterator_traits<In>::value_type>>;

// Sums and products by these are taken in the type of the results, where that has more bits.
template <class Op>
inline constexpr bool widens = std::is_same_v<Op, plus> || std::is_same_v<Op, multiplies>;

template <class Result, class Made>
inline constexpr bool is_wider = is_integer<Made> && is_integer<Result> && sizeof(Result) > sizeof(Made);
template <class Made>
inline constexpr bool is_wider<void, Made> = false;

template <class... Options>
using NamedAccumulator = decltype(find_option<accumulator_t>(0, std::declval<Options>()...));

template <class In, class Out, class Op, class... Options>
struct AccumulatorOf {
  using Operand = Transformed<In, Options...>;
  using Made = std::decay_t<std::invoke_result_t<Op, Operand, Operand>>;
  using Result = typename std::iterator_traits<Out>::value_type;
  static constexpr bool kIsPlain = std::is_same_v<decltype(find_option<transform_output>(0, std::declval<Options>()...)), int>;

  using Default = std::conditional_t<widens<Op> && kIsPlain && is_wider<Result, Made>, Result, Made>;

  template <class Named>
  static accumulator_t<Named> named(accumulator_t<Named>);
  static accumulator_t<Default> named(int);
  using type = typename decltype(named(std::declval<NamedAccumulator<Options...>>()))::type;
};

// The type of totals.
template <class In, class Out, class Op, class... Options>
using Accumulator = typename AccumulatorOf<In, Out, Op, Options...>::type;

// The initial value, as an Accumulator if one is named.
template <class... Options, class Initial>
auto initial_for(Initial initial) {
  const auto first = initial_of(initial);
  using T = std::decay_t<decltype(first.value)>;
  if constexpr (std::is_same_v<NamedAccumulator<Options...>, int>) {
    return first;
  } else {
    using A = typename NamedAccumulator<Options...>::type;
    static_assert(std::is_same_v<A, T> || std::is_same_v<Initial, T>,
                  "an initial value in memory must have the accumulator's type");
    if constexpr (std::is_same_v<A, T>) {
      return first;
    } else {
      return InitialValue<A>{static_cast<A>(first.value)};
    }
  }
}

}  // namespace detail

template <class In, class Out, class N, class Op, class... Options>
cudaError_t inclusive_scan(const workspace &space, In in, Out out, N n, Op op, cudaStream_t stream = nullptr,
                           Options... options) {
  using T = detail::Accumulator<In, Out, Op, Options...>;
  return detail::scan<T, true, false>(space, in, out, detail::count_of(n), op, detail::InitialValue<T>{}, detail::Whole{},
                                      stream, options...);
}

template <class In, class Out, class N, class Op, class Initial, class... Options>
cudaError_t exclusive_scan(const workspace &space, In in, Out out, N n, Op op, Initial initial, cudaStream_t stream = nullptr,
                           Options... options) {
  const auto first = detail::initial_for<Options...>(initial);
  return detail::scan<std::decay_t<decltype(first.value)>, false, true>(space, in, out, detail::count_of(n), op, first,
                                                                        detail::Whole{}, stream, options...);
}

template <class In, class Out, class N, class... Options>
cudaError_t inclusive_sum(const workspace &space, In in, Out out, N n, cudaStream_t stream = nullptr, Options... options) {
  return inclusive_scan(space, in, out, n, plus{}, stream, options...);
}

template <class In, class Out, class N, class... Options>
cudaError_t exclusive_sum(const workspace &space, In in, Out out, N n, cudaStream_t stream = nullptr, Options... options) {
  using T = detail::Accumulator<In, Out, plus, Options...>;
  return exclusive_scan(space, in, out, n, plus{}, identity<plus, T>::value(), stream, options...);
}

template <class Key, class In, class Out, class N, class Op, class Equal, class... Options>
cudaError_t inclusive_scan_by_key(const workspace &space, const Key *keys, In in, Out out, N n, Op op, Equal equal,
                                  cudaStream_t stream = nullptr, Options... options) {
  using T = detail::Accumulator<In, Out, Op, Options...>;
  return detail::scan<T, true, false>(space, in, out, detail::count_of(n), op, detail::InitialValue<T>{},
                                      detail::ByKey<Key, Equal>{keys, equal}, stream, options...);
}

template <class Key, class In, class Out, class N, class Op, class Initial, class Equal, class... Options>
cudaError_t exclusive_scan_by_key(const workspace &space, const Key *keys, In in, Out out, N n, Op op, Initial initial,
                                  Equal equal, cudaStream_t stream = nullptr, Options... options) {
  const auto first = detail::initial_for<Options...>(initial);
  return detail::scan<std::decay_t<decltype(first.value)>, false, true>(
      space, in, out, detail::count_of(n), op, first, detail::ByKey<Key, Equal>{keys, equal}, stream, options...);
}

template <class Flag, class In, class Out, class N, class Op, class... Options>
cudaError_t inclusive_scan_by_flag(const workspace &space, const Flag *flags, In in, Out out, N n, Op op,
                                   cudaStream_t stream = nullptr, Options... options) {
  using T = detail::Accumulator<In, Out, Op, Options...>;
  return detail::scan<T, true, false>(space, in, out, detail::count_of(n), op, detail::InitialValue<T>{},
                                      detail::ByFlag<Flag>{flags}, stream, options...);
}

template <class Flag, class In, class Out, class N, class Op, class Initial, class... Options>
cudaError_t exclusive_scan_by_flag(const workspace &space, const Flag *flags, In in, Out out, N n, Op op, Initial initial,
                                   cudaStream_t stream = nullptr, Options... options) {
  const auto first = detail::initial_for<Options...>(initial);
  return detail::scan<std::decay_t<decltype(first.value)>, false, true>(space, in, out, detail::count_of(n), op, first,
                                                                        detail::ByFlag<Flag>{flags}, stream, options...);
}

template <class In, class Out, class N, class Op, class... Options>
cudaError_t inclusive_scan_of_rows(const workspace &space, In in, Out out, N n, std::uint64_t length, Op op,
                                   cudaStream_t stream = nullptr, Options... options) {
  using T = detail::Accumulator<In, Out, Op, Options...>;
  return detail::scan<T, true, false>(space, in, out, detail::count_of(n), op, detail::InitialValue<T>{}, detail::ByRow{length},
                                      stream, options...);
}

template <class In, class Out, class N, class Op, class Initial, class... Options>
cudaError_t exclusive_scan_of_rows(const workspace &space, In in, Out out, N n, std::uint64_t length, Op op, Initial initial,
                                   cudaStream_t stream = nullptr, Options... options) {
  const auto first = detail::initial_for<Options...>(initial);
  return detail::scan<std::decay_t<decltype(first.value)>, false, true>(space, in, out, detail::count_of(n), op, first,
                                                                        detail::ByRow{length}, stream, options...);
}

template <class In, class Out, class N, class Offset, class Op, class... Options>
cudaError_t inclusive_scan_of_segments(const workspace &space, In in, Out out, N n, const Offset *offsets,
                                       std::uint64_t segments, Op op, cudaStream_t stream = nullptr, Options... options) {
  using T = detail::Accumulator<In, Out, Op, Options...>;
  return detail::scan<T, true, false>(space, in, out, detail::count_of(n), op, detail::InitialValue<T>{},
                                      detail::ByOffset<Offset>{{nullptr}, offsets, segments}, stream, options...);
}

template <class In, class Out, class N, class Offset, class Op, class Initial, class... Options>
cudaError_t exclusive_scan_of_segments(const workspace &space, In in, Out out, N n, const Offset *offsets,
                                       std::uint64_t segments, Op op, Initial initial, cudaStream_t stream = nullptr,
                                       Options... options) {
  const auto first = detail::initial_for<Options...>(initial);
  return detail::scan<std::decay_t<decltype(first.value)>, false, true>(space, in, out, detail::count_of(n), op, first,
                                                                        detail::ByOffset<Offset>{{nullptr}, offsets, segments},
                                                                        stream, options...);
}

}  // namespace upsweep::cuda
