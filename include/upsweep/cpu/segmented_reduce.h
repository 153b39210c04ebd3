// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reductions of many parts of an array, at the speed of a read.
//
//   reduce_of_segments            out[k] = initial op x[offsets[k]] op ... op x[offsets[k + 1] - 1]
//   reduce_of_rows                the same for rows of `length` elements
//   reduce_of_axis                the same along any axis (axis.h); out has batches x inner elements
//   sum_of_...                    the same with plus, from 0
//   transform_reduce_of_...       the same with transform(x[i]), or transform(x[i], i). i is the index in the array without
//                                 gaps, or along the axis if inner is not 1
//   arg_min_of_..., arg_max_of_.. the least (largest) element as in arg_min (reduce.h), and its index in the segment or along
//   the axis; 2^64 - 1 for an empty segment
//
// `in`        random-access iterator (along an axis a pointer).
// `out`       random-access iterator; it must not overlap the input.
// `offsets`   pointer to segments + 1 non-decreasing integers. Elements before the first offset and behind the last one are not
//             read. If other offsets decrease, results are totals of arbitrary elements.
// `segments`  their number, or count_at(pointer, at_most).
// `op`        associative; it need not commute.
// `initial`   a value or initial_at(pointer); T is as in reduce. It is the result of empty segments.
// `executor`  see executor.h.
// `options`   accumulator (options.h).
//
// Segments may have any lengths, in any order: threads have equal shares of elements and segments' ends. Results depend only
// on the offsets, or along an axis on the shape, and have the same bits for every number of threads. Errors: see axis.h.
#pragma once

#include <upsweep/common/cpp20.h>
#ifdef UPSWEEP_CPP20
#include <upsweep/cpu/axis.h>
#include <upsweep/cpu/detail/segment_shares.h>
#include <upsweep/cpu/reduce.h>

namespace upsweep::cpu {

namespace detail {

template <class T, class Op, class Carry>
T with_initial(const Op &op, const T &initial, const Carry &total) {
  if constexpr (has_vector_form<Op, T>) {
    return op(initial, total);
  } else {
    return total.is_known ? op(initial, total.value) : initial;
  }
}

// The input is read from the first offset to the last one.
template <class In, class Out, class Offsets>
void require_segments(In in, Out out, const Offsets &offsets, std::uint64_t segments) {
  CallArray beside{"none"};
  if constexpr (!std::is_same_v<Offsets, OffsetsOfRows>) {
    beside = reads("offsets", offsets.offsets, segments > 0 ? segments + 1 : 0);
  }
  const std::uint64_t first = segments > 0 ? offsets[0] : 0, last = segments > 0 ? offsets[segments] : 0;
  const std::uint64_t count = last > first ? last - first : 0;
  require_array(in, count, "the input");
  require_arrays({beside, reads("the input", in + static_cast<std::ptrdiff_t>(count > 0 ? first : 0), count),
                  writes("the output", out, segments)});
}

template <class T, class In, class Out, class Offsets, class Op, class Transform, class Executor>
void reduce_segments(In in, Out out, const Offsets &offsets, std::uint64_t segments, const Op &op, const Transform &transform,
                     const T &initial, Executor &executor) {
  static_assert(std::is_trivially_copyable_v<T>, "totals must be trivially copyable");
  require_segments(in, out, offsets, segments);
  const ReduceJob<T, In, Op, Transform> job{in, transform, {op}};
  reduce_in_shares(
      job, out, offsets, segments, std::max(sizeof(T), sizeof(ValueOf<In>)),
      [&](const auto &total, std::uint64_t) { return with_initial(op, initial, total); }, executor);
}

template <bool kLeast, class In, class Out, class Offsets, class Executor>
void arg_of_segments(In in, Out out, const Offsets &offsets, std::uint64_t segments, Executor &executor) {
  using T = indexed<std::remove_cv_t<ValueOf<In>>>;
  require_segments(in, out, offsets, segments);
  const ReduceJob<T, In, Better<kLeast>, WithIndex> job{in, {}, {}};
  reduce_in_shares(
      job, out, offsets, segments, sizeof(ValueOf<In>),
      [&](const auto &best, std::uint64_t segment) {
        return best.is_known ? T{best.value.value, best.value.index - offsets[segment]} : T{{}, ~std::uint64_t(0)};
      },
      executor);
}

// Rows that are reduced to a row of totals, which are joined in the order of the parts. The indices of the first elements of
// successive batches differ by `indices_of_batch`.
template <class T, class In, class Out, class Op, class Transform, class Executor>
void reduce_columns(const In *in, Out out, const axis &of, const axis_strides &strides, const Op &op,
                    const Transform &transform, const T *initial, std::uint64_t indices_of_batch, Executor &executor) {
  constexpr std::uint64_t kRows = 1024, kWidth = 1024;
  constexpr bool kIsIndexed = std::is_invocable_v<const Transform &, In, std::uint64_t>;
  const std::uint64_t parts = (of.length + kRows - 1) / kRows, strips = (of.inner + kWidth - 1) / kWidth;
  const std::uint64_t columns = of.batches * of.inner;
  const std::unique_ptr<T[]> totals(new T[parts * columns]);
  const auto reduce = [&](std::uint64_t piece) {
    const std::uint64_t part = piece / (of.batches * strips), batch = piece / strips % of.batches;
    const std::uint64_t column = piece % strips * kWidth, width = std::min(kWidth, of.inner - column);
    T *to = totals.get() + part * columns + batch * of.inner + column;
    alignas(64) std::byte bytes[kWidth * sizeof(T)];
    for (std::uint64_t row = part * kRows; row < std::min(of.length, (part + 1) * kRows); ++row) {
      T *operands = row == part * kRows ? to : reinterpret_cast<T *>(bytes);
      const In *x = in + batch * strides.batch + row * strides.along + column;
      for (std::uint64_t i = 0; i < width; ++i) {
        if constexpr (kIsIndexed) {
          operands[i] = static_cast<T>(transform(x[i], batch * indices_of_batch + row));
        } else {
          operands[i] = static_cast<T>(transform(x[i]));
        }
      }
      if (operands != to) {
        const T *from = operands;
        UPSWEEP_CPU_DISPATCH_UNFUSED(reduce_across, from, to, width, op);
      }
    }
  };
  if (of.length * columns * sizeof(T) <= kAloneBytes) {
    calling_thread alone;
    for_each_piece(alone, parts * of.batches * strips, reduce);
  } else {
    for_each_piece(executor, parts * of.batches * strips, reduce);
  }
  for (std::uint64_t i = 0; i < columns; ++i) {
    T total = initial != nullptr ? op(*initial, totals[i]) : totals[i];
    for (std::uint64_t part = 1; part < parts; ++part) {
      total = op(total, totals[part * columns + i]);
    }
    out[static_cast<std::ptrdiff_t>(i)] = total;
  }
}

template <bool kLeast, class In, class Out, class Executor>
void arg_of_axis(const In *in, Out out, const axis &of, Executor &executor) {
  using T = indexed<In>;
  if (of.batches == 0 || of.inner == 0) {
    return;
  }
  require_array(out, of.batches * of.inner, "the output");
  if (of.length == 0) {
    std::fill_n(out, of.batches * of.inner, T{{}, ~std::uint64_t(0)});
    return;
  }
  const axis_strides strides = whole_strides(of, of.in);
  require_arrays({reads("the input", in, extent_of(of, strides)), writes("the output", out, of.batches * of.inner)});
  if (of.inner == 1 && strides.along == 1 && strides.batch == of.length) {
    arg_of_segments<kLeast>(in, out, OffsetsOfRows{of.length}, of.batches, executor);
  } else {
    reduce_columns(in, out, of, strides, Better<kLeast>(), WithIndex(), static_cast<const T *>(nullptr), 0, executor);
  }
}

}  // namespace detail

template <class In, class Out, class Offset, class N, class Op, class Transform, class Initial, class... More>
void transform_reduce_of_segments(In in, Out out, const Offset *offsets, N segments, Op op, Transform transform,
                                  Initial initial, More &&...more) {
  const std::uint64_t count = detail::count_of(segments);
  detail::require_array(offsets, count, "offsets");
  detail::reduce_segments(in, out, detail::OffsetsAt<Offset>{offsets}, count, op, transform,
                          detail::initial_for<Out, Op, More...>(initial), detail::executor_of(more...));
}

template <class In, class Out, class Offset, class N, class Op, class Initial, class... More>
void reduce_of_segments(In in, Out out, const Offset *offsets, N segments, Op op, Initial initial, More &&...more) {
  cpu::transform_reduce_of_segments(in, out, offsets, segments, op, detail::Unchanged(), initial, more...);
}

template <class In, class Out, class Offset, class N, class... More>
void sum_of_segments(In in, Out out, const Offset *offsets, N segments, More &&...more) {
  using T = std::remove_cv_t<detail::ValueOf<In>>;
  cpu::reduce_of_segments(in, out, offsets, segments, plus{}, identity<plus, T>::value(), more...);
}

template <class In, class Out, class Op, class Transform, class Initial, class... More>
void transform_reduce_of_rows(In in, Out out, std::uint64_t rows, std::uint64_t length, Op op, Transform transform,
                              Initial initial, More &&...more) {
  detail::reduce_segments(in, out, detail::OffsetsOfRows{length}, rows, op, transform,
                          detail::initial_for<Out, Op, More...>(initial), detail::executor_of(more...));
}

template <class In, class Out, class Op, class Initial, class... More>
void reduce_of_rows(In in, Out out, std::uint64_t rows, std::uint64_t length, Op op, Initial initial, More &&...more) {
  cpu::transform_reduce_of_rows(in, out, rows, length, op, detail::Unchanged(), initial, more...);
}

template <class In, class Out, class... More>
void sum_of_rows(In in, Out out, std::uint64_t rows, std::uint64_t length, More &&...more) {
  using T = std::remove_cv_t<detail::ValueOf<In>>;
  cpu::reduce_of_rows(in, out, rows, length, plus{}, identity<plus, T>::value(), more...);
}

template <class In, class Out, class Op, class Transform, class Initial, class... More>
void transform_reduce_of_axis(const In *in, Out out, const axis &of, Op op, Transform transform, Initial initial,
                              More &&...more) {
  auto &executor = detail::executor_of(more...);
  const auto first = detail::initial_for<Out, Op, More...>(initial);
  if (of.batches == 0 || of.inner == 0) {
    return;
  }
  detail::require_array(out, 1, "the output");
  if (of.length == 0) {
    std::fill_n(out, of.batches * of.inner, first);
    return;
  }
  const axis_strides strides = detail::whole_strides(of, of.in);
  detail::require_arrays({detail::reads("the input", in, detail::extent_of(of, strides)),
                          detail::writes("the output", out, of.batches * of.inner)});
  if (of.inner == 1 && strides.along == 1 && strides.batch == of.length) {
    detail::reduce_segments(in, out, detail::OffsetsOfRows{of.length}, of.batches, op, transform, first, executor);
  } else {
    detail::reduce_columns(in, out, of, strides, op, transform, &first, of.inner == 1 ? of.length : 0, executor);
  }
}

template <class In, class Out, class Op, class Initial, class... More>
void reduce_of_axis(const In *in, Out out, const axis &of, Op op, Initial initial, More &&...more) {
  cpu::transform_reduce_of_axis(in, out, of, op, detail::Unchanged(), initial, more...);
}

template <class In, class Out, class... More>
void sum_of_axis(const In *in, Out out, const axis &of, More &&...more) {
  cpu::reduce_of_axis(in, out, of, plus{}, identity<plus, In>::value(), more...);
}

template <class In, class Out, class Offset, class N, class... More>
void arg_min_of_segments(In in, Out out, const Offset *offsets, N segments, More &&...more) {
  const std::uint64_t count = detail::count_of(segments);
  detail::require_array(offsets, count, "offsets");
  detail::arg_of_segments<true>(in, out, detail::OffsetsAt<Offset>{offsets}, count, detail::executor_of(more...));
}

template <class In, class Out, class Offset, class N, class... More>
void arg_max_of_segments(In in, Out out, const Offset *offsets, N segments, More &&...more) {
  const std::uint64_t count = detail::count_of(segments);
  detail::require_array(offsets, count, "offsets");
  detail::arg_of_segments<false>(in, out, detail::OffsetsAt<Offset>{offsets}, count, detail::executor_of(more...));
}

template <class In, class Out, class... More>
void arg_min_of_rows(In in, Out out, std::uint64_t rows, std::uint64_t length, More &&...more) {
  detail::arg_of_segments<true>(in, out, detail::OffsetsOfRows{length}, rows, detail::executor_of(more...));
}

template <class In, class Out, class... More>
void arg_max_of_rows(In in, Out out, std::uint64_t rows, std::uint64_t length, More &&...more) {
  detail::arg_of_segments<false>(in, out, detail::OffsetsOfRows{length}, rows, detail::executor_of(more...));
}

template <class In, class Out, class... More>
void arg_min_of_axis(const In *in, Out out, const axis &of, More &&...more) {
  detail::arg_of_axis<true>(in, out, of, detail::executor_of(more...));
}

template <class In, class Out, class... More>
void arg_max_of_axis(const In *in, Out out, const axis &of, More &&...more) {
  detail::arg_of_axis<false>(in, out, of, detail::executor_of(more...));
}

}  // namespace upsweep::cpu
#endif
