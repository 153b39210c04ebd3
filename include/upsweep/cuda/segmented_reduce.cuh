// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reductions of many parts of an array, in one launch, at the speed of a read.
//
//   reduce_of_segments            out[k] = initial op x[offsets[k]] op ... op x[offsets[k + 1] - 1]
//   reduce_of_rows                the same of `rows` rows of `length` elements
//   reduce_of_axis                the same along any axis (axis.cuh); out has batches x inner elements
//   sum_of_...                    the same with plus, from 0
//   transform_reduce_of_...       the same of transform(x[i]), or of transform(x[i], i). i is the index in the array without
//                                 gaps, or along the axis if inner is not 1
//   arg_min_of_..., arg_max_of_.. the least (largest) element, the first of equal elements, and its index in the segment or
//                                 along the axis. An empty segment's index is 2^64 - 1
//
// `space`     initialised workspace of at least segmented_reduce_workspace_bytes<T>() bytes, along an axis
//             axis_reduce_workspace_bytes<T>(axis), or stream_pool (workspace.cuh).
// `in`        device pointer or random-access iterator (along an axis a pointer); pointers that are aligned to their elements
//             take the fast path.
// `out`       device pointer or random-access iterator; it must not overlap the input.
// `offsets`   device pointer to segments + 1 non-decreasing integers. Elements before the first offset and from the last one on
//             are not read.
// `segments`  their number, or count_at(pointer, at_most); so are rows.
// `op`        associative; it need not commute.
// `initial`   its type is T, the type of all sums; or initial_at(pointer). It is the result of an empty segment.
//
// Segments may have any lengths, in any order: all warps have equally many elements. Many empty segments side by side are slow.
// Results depend on the offsets and on the input's address modulo 16 bytes alone, on every GPU (along an axis on the shape).
// Work is queued on `stream` and nothing synchronises. Only stream_pool allocates memory.
//
// Errors: cudaErrorInvalidValue for a null pointer, a workspace that is too small or misaligned, too many elements or segments,
// or strides that make elements overlap.
//
// Source: Merrill and Garland 2016, "Merge-based Parallel Sparse Matrix-Vector Multiplication" (equal shares, and the last
// block joins the open totals between them).
#pragma once

#include <upsweep/common/cpp17.h>
#ifdef UPSWEEP_CPP17
#include <upsweep/cuda/device/axis_shape.cuh>
#include <upsweep/cuda/device/call_arrays.cuh>
#include <upsweep/cuda/device/launch.cuh>
#include <upsweep/cuda/device/reduce_columns_kernel.cuh>
#include <upsweep/cuda/device/reduce_rows_kernel.cuh>
#include <upsweep/cuda/device/tuning_columns.cuh>
#include <upsweep/cuda/device/tuning_segmented_reduce.cuh>
#include <upsweep/cuda/reduce.cuh>

namespace upsweep::cuda {

// Bytes of a workspace for reductions of any segments or rows.
template <class T>
constexpr std::size_t segmented_reduce_workspace_bytes() {
  return detail::kStateBytes + detail::kShares * (detail::word_bytes(sizeof(detail::OpenTotal<T>)) +
                                                  detail::word_bytes(sizeof(detail::FirstTotal<T>)));
}
template <class T>
std::size_t axis_reduce_workspace_bytes(const axis &of) {
  const bool is_any = !detail::is_too_large(of) && of.batches > 0 && of.inner > 0;
  return std::max(
      segmented_reduce_workspace_bytes<T>(),
      detail::kStateBytes +
          (is_any ? detail::all_chunks_bytes<T>(of.batches * of.inner, of.length, detail::TunedColumns::kEnoughToRead, 1) : 0));
}

namespace detail {

template <class T, class Op>
struct WithInitial {
  Op op;
  Later<T> initial;
  __device__ __forceinline__ T operator()(const T &total, bool is_empty, std::uint64_t) const {
    const T first = initial.get();
    return is_empty ? first : op(first, total);
  }
};
struct OfChunk {
  template <class T>
  __device__ __forceinline__ T operator()(const T &total, bool, std::uint64_t) const {
    return total;
  }
};
struct FromBegin {
  template <class T>
  __device__ __forceinline__ indexed<T> operator()(const indexed<T> &best, bool is_empty, std::uint64_t begin) const {
    return {best.value, is_empty ? ~std::uint64_t(0) : best.index - begin};
  }
};

inline constexpr std::uint64_t kMostSegments = kMostElements;

// kNotThisWay for rows that are not whole vectors, and for rows so few and long that most of the GPU's warps would be idle.
template <class Problem>
cudaError_t launch_reduce_rows(const Problem &problem, cudaStream_t stream) {
  using Row = RowOfLanes<Problem>;
  const std::uint64_t rows = problem.segments.value, length = problem.offsets.length;
  const std::uint64_t steps = (length + 32 * Row::kLaneItems - 1) / (32 * Row::kLaneItems);
  if (!is_vector_aligned(problem.input) || length == 0 || length * sizeof(typename Problem::In) % 16 != 0 ||
      (steps > TunedSegmentedReduce::kRowSteps && rows < TunedSegmentedReduce::kManyRows)) {
    return kNotThisWay;
  }
  DeviceLimits limits;
  const cudaError_t error = DeviceLimits::of_current(limits);
  if (error != cudaSuccess) {
    return error;
  }
  int lanes = 1;
  while (lanes < 32 && static_cast<std::uint64_t>(lanes * Row::kLaneItems) < length) {
    lanes *= 2;
  }
  const std::uint64_t needed = (rows + TunedSegmentedReduce::kThreads / lanes - 1) / (TunedSegmentedReduce::kThreads / lanes);
  const auto blocks = static_cast<unsigned>(
      std::min<std::uint64_t>(needed, static_cast<std::uint64_t>(limits.multiprocessors) * TunedSegmentedReduce::kRowsBlocks));
  return launch(reduce_rows_kernel<Problem>, blocks, TunedSegmentedReduce::kThreads, 0, stream, problem, lanes);
}

template <class T, class In, class Out, class Op, class Transform, class Offsets, class Finish>
cudaError_t reduce_segments(const workspace &space, In in, Out out, const Offsets &offsets, const Count &segments, Op op,
                            Transform transform, Finish finish, cudaStream_t stream) {
  using Problem = ReduceSegmentsProblem<T, In, Out, Op, Transform, Offsets, Finish>;
  using Element = typename Problem::In;
  static_assert(std::is_trivially_copyable_v<T> && sizeof(T) <= 64, "T must be trivially copyable and of at most 64 bytes");
  if (segments.most > kMostSegments || segments.is_null || (segments.most > 0 && (is_null(in) || is_null(out)))) {
    return cudaErrorInvalidValue;
  }
  // The number of elements is in the offsets, which the host does not know.
  CallArray beside;
  if constexpr (std::is_same_v<Offsets, OffsetsOfRows>) {
    beside = reads(in, segments.known() * offsets.length);
  } else {
    beside = reads(offsets.offsets, segments.known() > 0 ? segments.known() + 1 : 0);
  }
  if (!are_apart_in({beside, writes(out, segments.known()), reads(segments.pointer, 1)})) {
    return cudaErrorInvalidValue;
  }
  constexpr std::size_t kNeeded = segmented_reduce_workspace_bytes<T>();
  return with_workspace(space, kNeeded, stream, [&](const workspace &own) {
    if (segments.most == 0) {
      return cudaSuccess;
    }
    auto *bytes = static_cast<unsigned char *>(own.data);
    auto *opens = reinterpret_cast<TileWord<OpenTotal<T>> *>(bytes + kStateBytes);
    const Problem problem{in,      out,
                          offsets, {segments.most, segments.pointer},
                          op,      transform,
                          finish,  reinterpret_cast<ScanState *>(bytes),
                          opens,   reinterpret_cast<TileWord<FirstTotal<T>> *>(opens + kShares)};
    if constexpr (std::is_same_v<Offsets, OffsetsOfRows> && is_contiguous<In> && 16 % sizeof(Element) == 0) {
      const cudaError_t error = launch_reduce_rows(problem, stream);
      if (error != kNotThisWay) {
        return error;
      }
    }
    if constexpr (is_contiguous<In> && 16 % sizeof(Element) == 0) {
      if (is_element_aligned(in)) {
        return launch(reduce_segments_kernel<Problem, SegmentsGeometry<Problem, true>>, TunedSegmentedReduce::kBlocks,
                      TunedSegmentedReduce::kThreads, 0, stream, problem);
      }
    }
    return launch(reduce_segments_kernel<Problem, SegmentsGeometry<Problem, false>>, TunedSegmentedReduce::kBlocks,
                  TunedSegmentedReduce::kThreads, 0, stream, problem);
  });
}

template <int kColumns, class Problem>
cudaError_t launch_reduce_columns(const Problem &problem, cudaStream_t stream) {
  const std::uint64_t blocks =
      rounded_up(problem.batches * problem.chunks * (problem.inner / kColumns), TunedColumns::kThreads);
  if (blocks >= std::uint64_t(1) << 31) {
    return cudaErrorInvalidConfiguration;
  }
  constexpr int kRows = std::max(1, std::min(8, 128 / static_cast<int>(kColumns * sizeof(typename Problem::In))));
  return launch(reduce_columns_kernel<Problem, kColumns, kRows>, static_cast<unsigned>(blocks), TunedColumns::kThreads, 0,
                stream, problem);
}
template <class Problem>
cudaError_t launch_reduce_columns(const Problem &problem, cudaStream_t stream) {
  using In = typename Problem::In;
  if constexpr (sizeof(In) < 16 && 16 % sizeof(In) == 0) {
    constexpr int kColumns = sizeof(In) == 1 ? 4 : static_cast<int>(16 / sizeof(In)) / (sizeof(In) == 2 ? 2 : 1);
    if (problem.inner % kColumns == 0 && lies_in_columns<In, kColumns>(problem.in, problem.strides) &&
        problem.batches * problem.chunks * problem.inner >= 4 * TunedColumns::kEnough * kColumns) {
      return launch_reduce_columns<kColumns>(problem, stream);
    }
  }
  return launch_reduce_columns<1>(problem, stream);
}

// The totals of chunks, and the totals of these.
template <class T, class In, class Out, class Op, class Transform, class Finish>
cudaError_t reduce_columns(const In *in, Out out, std::uint64_t batches, std::uint64_t length, std::uint64_t inner,
                           const axis_strides &strides, Op op, Transform transform, Finish finish,
                           std::uint64_t indices_of_batch, unsigned char *memory, cudaStream_t stream) {
  const ColumnChunks chunks(batches * inner, length, TunedColumns::kEnoughToRead);
  if (chunks.count == 1) {
    return launch_reduce_columns(ReduceColumnsProblem<T, In, Out, Op, Transform, Finish>{in, out, batches, length, inner,
                                                                                         strides, op, transform, finish, 1,
                                                                                         chunks.rows, indices_of_batch},
                                 stream);
  }
  T *const totals = reinterpret_cast<T *>(memory);
  const ReduceColumnsProblem<T, In, T *, Op, Transform, OfChunk> of_chunks{
      in, totals, batches, length, inner, strides, op, transform, {}, chunks.count, chunks.rows, indices_of_batch};
  const cudaError_t error = launch_reduce_columns(of_chunks, stream);
  if (error != cudaSuccess) {
    return error;
  }
  return reduce_columns<T>(static_cast<const T *>(totals), out, batches, chunks.count, inner, {chunks.count * inner, inner}, op,
                           Unchanged{}, finish, indices_of_batch, memory + chunks_array_bytes<T>(batches * inner, chunks.count),
                           stream);
}

template <class T, class In, class Out, class Op, class Transform, class Finish>
cudaError_t reduce_axis(const workspace &space, const In *in, Out out, const axis &of, Op op, Transform transform,
                        Finish finish, cudaStream_t stream) {
  if (is_too_large(of)) {
    return cudaErrorInvalidValue;
  }
  if (of.batches == 0 || of.inner == 0) {
    return cudaSuccess;
  }
  axis_strides strides{of.inner * of.length, of.inner};
  if (of.length > 0) {
    strides = whole_strides(of, of.in);
    if (in == nullptr || is_null(out) || extent_of(of, strides) == ~std::uint64_t(0) ||
        !are_apart_in({reads(in, extent_of(of, strides)), writes(out, of.batches * of.inner)})) {
      return cudaErrorInvalidValue;
    }
  }
  const std::size_t needed = axis_reduce_workspace_bytes<T>(of);
  return with_workspace(space, needed, stream, [&](const workspace &own) {
    if (of.inner == 1 && is_same(strides, {of.length, 1})) {
      return reduce_segments<T>(own, in, out, OffsetsOfRows{of.length}, Count{of.batches, nullptr, false}, op, transform,
                                finish, stream);
    }
    auto *memory = static_cast<unsigned char *>(own.data) + kStateBytes;
    const cudaError_t error = reduce_columns<T>(in, out, of.batches, of.length, of.inner, strides, op, transform, finish,
                                                of.inner == 1 ? of.length : 0, memory, stream);
    const std::size_t used = all_chunks_bytes<T>(of.batches * of.inner, of.length, detail::TunedColumns::kEnoughToRead, 1);
    if (used == 0) {
      return error;
    }
    // A later call could take the contents for totals of its own.
    const cudaError_t cleared = cudaMemsetAsync(memory, 0, used, stream);
    return error != cudaSuccess ? error : cleared;
  });
}

// Turns a caller's arguments into the engine's arguments. Sums that start from an Initial, or from the identity of plus.
template <class Op, class Transform, class In, class Initial, class... More>
constexpr bool is_request_of_segments() {
  if constexpr (is_stream_alone<More...>()) {
    static_assert(!is_stream<Initial> || std::is_integral_v<Initial>,
                  "upsweep: a reduction has an initial value before the stream");
    if constexpr (!is_stream<Initial> || std::is_integral_v<Initial>) {
      if constexpr (is_operator_of<Op, decltype(initial_of(std::declval<Initial>()).value)>()) {
        return is_transform_of_reduce<Transform, ElementOf<Unwrapped<In>>>();
      }
    }
  }
  return false;
}

template <class In, class Out, class Offsets, class N, class Op, class Transform, class Initial, class... More>
cudaError_t call_reduce_segments(const workspace &space, In in, Out out, const Offsets &offsets, N segments, Op op,
                                 Transform transform, Initial initial, const More &...more) {
  if constexpr (are_arrays<In, Out, N>()) {
    if constexpr (is_request_of_segments<Op, Transform, In, Initial, More...>()) {
      const auto first = total_initial<Op, Out>(initial);
      using T = std::decay_t<decltype(first.value)>;
      const auto known = known_operator<T>(op);
      if (first.is_null) {
        return cudaErrorInvalidValue;
      }
      const WithInitial<T, std::decay_t<decltype(known)>> finish{known, {first.value, first.pointer}};
      return reduce_segments<T>(space, unwrapped(in), unwrapped(out), offsets, count_of(segments), known, transform, finish,
                                stream_of(more...));
    }
  }
  return cudaErrorInvalidValue;
}

template <class In, class Out, class Op, class Transform, class Initial, class... More>
cudaError_t call_reduce_axis(const workspace &space, In in, Out out, const axis &of, Op op, Transform transform,
                             Initial initial, const More &...more) {
  if constexpr (are_arrays<In, Out, std::uint64_t>()) {
    if constexpr (are_pointers<In>() && is_request_of_segments<Op, Transform, In, Initial, More...>()) {
      const auto first = total_initial<Op, Out>(initial);
      using T = std::decay_t<decltype(first.value)>;
      if (first.is_null) {
        return cudaErrorInvalidValue;
      }
      using Element = ElementOf<Unwrapped<In>>;
      const auto known = known_operator<T>(op);
      const WithInitial<T, std::decay_t<decltype(known)>> finish{known, {first.value, first.pointer}};
      return reduce_axis<T>(space, static_cast<const Element *>(unwrapped(in)), unwrapped(out), of, known, transform, finish,
                            stream_of(more...));
    }
  }
  return cudaErrorInvalidValue;
}

template <class In>
auto zero_of() {
  return identity<plus, ElementOf<Unwrapped<In>>>::value();
}

template <bool kLeast, class In, class Out, class Offsets, class N, class... More>
cudaError_t call_arg_of_segments(const workspace &space, In in, Out out, const Offsets &offsets, N segments,
                                 const More &...more) {
  if constexpr (are_arrays<In, Out, N>()) {
    if constexpr (is_stream_alone<More...>()) {
      using T = indexed<ElementOf<Unwrapped<In>>>;
      return reduce_segments<T>(space, unwrapped(in), unwrapped(out), offsets, count_of(segments), Better<kLeast>{},
                                WithIndex{}, FromBegin{}, stream_of(more...));
    }
  }
  return cudaErrorInvalidValue;
}

template <bool kLeast, class In, class Out, class... More>
cudaError_t call_arg_of_axis(const workspace &space, In in, Out out, const axis &of, const More &...more) {
  if constexpr (are_arrays<In, Out, std::uint64_t>()) {
    if constexpr (are_pointers<In>() && is_stream_alone<More...>()) {
      using Element = ElementOf<Unwrapped<In>>;
      return reduce_axis<indexed<Element>>(space, static_cast<const Element *>(unwrapped(in)), unwrapped(out), of,
                                           Better<kLeast>{}, WithIndex{}, FromBegin{}, stream_of(more...));
    }
  }
  return cudaErrorInvalidValue;
}

template <class Offsets>
auto offsets_at(Offsets offsets) {
  if constexpr (are_pointers<Offsets>()) {
    return OffsetsAt<ElementOf<Unwrapped<Offsets>>>{unwrapped(offsets)};
  } else {
    return OffsetsAt<int>{nullptr};
  }
}
template <class Offsets, class N>
bool lack_offsets(const Offsets &offsets, N segments) {
  return offsets.offsets == nullptr && count_of(segments).most > 0;
}
template <class Rows>
bool are_too_many(Rows rows, std::uint64_t length) {
  if constexpr (is_count<Rows>) {
    return length > 0 && count_of(rows).most > kMostElements / length;
  }
  return false;
}

}  // namespace detail

template <class In, class Out, class Offsets, class N, class Op, class Transform, class Initial, class... More>
cudaError_t transform_reduce_of_segments(const workspace &space, In in, Out out, Offsets offsets, N segments, Op op,
                                         Transform transform, Initial initial, More... more) {
  const auto at = detail::offsets_at(offsets);
  return detail::lack_offsets(at, segments)
             ? cudaErrorInvalidValue
             : detail::call_reduce_segments(space, in, out, at, segments, op, transform, initial, more...);
}

template <class In, class Out, class Offsets, class N, class Op, class Initial, class... More>
cudaError_t reduce_of_segments(const workspace &space, In in, Out out, Offsets offsets, N segments, Op op, Initial initial,
                               More... more) {
  return transform_reduce_of_segments(space, in, out, offsets, segments, op, detail::Unchanged{}, initial, more...);
}

template <class In, class Out, class Offsets, class N, class... More>
cudaError_t sum_of_segments(const workspace &space, In in, Out out, Offsets offsets, N segments, More... more) {
  return reduce_of_segments(space, in, out, offsets, segments, plus{}, detail::zero_of<In>(), more...);
}

template <class In, class Out, class Rows, class Op, class Transform, class Initial, class... More>
cudaError_t transform_reduce_of_rows(const workspace &space, In in, Out out, Rows rows, std::uint64_t length, Op op,
                                     Transform transform, Initial initial, More... more) {
  return detail::are_too_many(rows, length) ? cudaErrorInvalidValue
                                            : detail::call_reduce_segments(space, in, out, detail::OffsetsOfRows{length}, rows,
                                                                           op, transform, initial, more...);
}

template <class In, class Out, class Rows, class Op, class Initial, class... More>
cudaError_t reduce_of_rows(const workspace &space, In in, Out out, Rows rows, std::uint64_t length, Op op, Initial initial,
                           More... more) {
  return transform_reduce_of_rows(space, in, out, rows, length, op, detail::Unchanged{}, initial, more...);
}

template <class In, class Out, class Rows, class... More>
cudaError_t sum_of_rows(const workspace &space, In in, Out out, Rows rows, std::uint64_t length, More... more) {
  return reduce_of_rows(space, in, out, rows, length, plus{}, detail::zero_of<In>(), more...);
}

template <class In, class Out, class Op, class Transform, class Initial, class... More>
cudaError_t transform_reduce_of_axis(const workspace &space, In in, Out out, const axis &of, Op op, Transform transform,
                                     Initial initial, More... more) {
  return detail::call_reduce_axis(space, in, out, of, op, transform, initial, more...);
}

template <class In, class Out, class Op, class Initial, class... More>
cudaError_t reduce_of_axis(const workspace &space, In in, Out out, const axis &of, Op op, Initial initial, More... more) {
  return detail::call_reduce_axis(space, in, out, of, op, detail::Unchanged{}, initial, more...);
}

template <class In, class Out, class... More>
cudaError_t sum_of_axis(const workspace &space, In in, Out out, const axis &of, More... more) {
  return reduce_of_axis(space, in, out, of, plus{}, detail::zero_of<In>(), more...);
}

template <class In, class Out, class Offsets, class N, class... More>
cudaError_t arg_min_of_segments(const workspace &space, In in, Out out, Offsets offsets, N segments, More... more) {
  const auto at = detail::offsets_at(offsets);
  return detail::lack_offsets(at, segments) ? cudaErrorInvalidValue
                                            : detail::call_arg_of_segments<true>(space, in, out, at, segments, more...);
}
template <class In, class Out, class Offsets, class N, class... More>
cudaError_t arg_max_of_segments(const workspace &space, In in, Out out, Offsets offsets, N segments, More... more) {
  const auto at = detail::offsets_at(offsets);
  return detail::lack_offsets(at, segments) ? cudaErrorInvalidValue
                                            : detail::call_arg_of_segments<false>(space, in, out, at, segments, more...);
}
template <class In, class Out, class Rows, class... More>
cudaError_t arg_min_of_rows(const workspace &space, In in, Out out, Rows rows, std::uint64_t length, More... more) {
  return detail::are_too_many(rows, length)
             ? cudaErrorInvalidValue
             : detail::call_arg_of_segments<true>(space, in, out, detail::OffsetsOfRows{length}, rows, more...);
}
template <class In, class Out, class Rows, class... More>
cudaError_t arg_max_of_rows(const workspace &space, In in, Out out, Rows rows, std::uint64_t length, More... more) {
  return detail::are_too_many(rows, length)
             ? cudaErrorInvalidValue
             : detail::call_arg_of_segments<false>(space, in, out, detail::OffsetsOfRows{length}, rows, more...);
}

template <class In, class Out, class... More>
cudaError_t arg_min_of_axis(const workspace &space, In in, Out out, const axis &of, More... more) {
  return detail::call_arg_of_axis<true>(space, in, out, of, more...);
}
template <class In, class Out, class... More>
cudaError_t arg_max_of_axis(const workspace &space, In in, Out out, const axis &of, More... more) {
  return detail::call_arg_of_axis<false>(space, in, out, of, more...);
}

UPSWEEP_CUDA_CALL_FROM_POOL(transform_reduce_of_segments)
UPSWEEP_CUDA_CALL_FROM_POOL(reduce_of_segments)
UPSWEEP_CUDA_CALL_FROM_POOL(sum_of_segments)
UPSWEEP_CUDA_CALL_FROM_POOL(transform_reduce_of_rows)
UPSWEEP_CUDA_CALL_FROM_POOL(reduce_of_rows)
UPSWEEP_CUDA_CALL_FROM_POOL(sum_of_rows)
UPSWEEP_CUDA_CALL_FROM_POOL(transform_reduce_of_axis)
UPSWEEP_CUDA_CALL_FROM_POOL(reduce_of_axis)
UPSWEEP_CUDA_CALL_FROM_POOL(sum_of_axis)
UPSWEEP_CUDA_CALL_FROM_POOL(arg_min_of_segments)
UPSWEEP_CUDA_CALL_FROM_POOL(arg_max_of_segments)
UPSWEEP_CUDA_CALL_FROM_POOL(arg_min_of_rows)
UPSWEEP_CUDA_CALL_FROM_POOL(arg_max_of_rows)
UPSWEEP_CUDA_CALL_FROM_POOL(arg_min_of_axis)
UPSWEEP_CUDA_CALL_FROM_POOL(arg_max_of_axis)

}  // namespace upsweep::cuda
#endif
