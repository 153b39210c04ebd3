// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Scans along any axis of an array, with the memory traffic of a copy.
//
// An array of any number of axes is described by three numbers: `batches`, the product of the axes before the scanned axis;
// `length`, the scanned axis; and `inner`, the product of the axes behind it. For example, an array of shape (n0, n1, n2, n3)
// that is scanned along axis 1 has batches n0, length n1 and inner n2 * n3. Element (b, l, i) is at b * strides.batch + l *
// strides.along + i; strides of 0 mean an array without gaps.
//
//   inclusive_scan_of_axis   result(b, l, i) = x(b, 0, i) op ... op x(b, l, i)
//   exclusive_scan_of_axis   result(b, l, i) = initial op x(b, 0, i) op ... op x(b, l - 1, i)
//   ..._sum_of_axis          the same with plus, from 0
//
// `in`, `out`  pointers; they may be the same, with the same strides, but must not overlap otherwise.
// `op`         associative; it need not commute.
// `executor`   see executor.h.
// `options`    backward, transform_input, transform_output, initial_at, accumulator (options.h).
//
// If `inner` is not 1, one thread scans each strip of neighbours sequentially, so that sums equal a loop's. Errors: see
// scan.h; std::invalid_argument for strides with which elements overlap.
#pragma once

#include <upsweep/common/cpp20.h>
#ifdef UPSWEEP_CPP20
#include <upsweep/common/shape.h>
#include <upsweep/cpu/detail/columns.h>
#include <upsweep/cpu/scan.h>

namespace upsweep::cpu {

using common::axis, common::axis_strides;

namespace detail {

inline void require_shape(common::fault fault) {
  if (fault == common::fault::overlap) {
    throw std::invalid_argument("upsweep::cpu: the strides make elements overlap");
  }
  if (fault == common::fault::too_large) {
    throw std::invalid_argument("upsweep::cpu: the size or the strides exceed the address space");
  }
}

// The number of elements from the first place to the last.
inline std::uint64_t extent_of(const axis &of, const axis_strides &strides) {
  const common::extent extent = common::extent_of_axis(of, strides);
  require_shape(extent.is);
  return extent.elements;
}

inline axis_strides whole_strides(const axis &of, const axis_strides &strides) { return common::complete_strides(of, strides); }

template <class T, bool kInclusive, class In, class Out, class Op, class Executor, class... Options>
void scan_axis(In in, Out out, const axis &of, Op op, const T *initial, Executor &executor, const Options &...options) {
  static_assert(std::is_pointer_v<In> && std::is_pointer_v<Out>, "scans along an axis need pointers");
  static_assert(std::is_trivially_copyable_v<T>, "totals must be trivially copyable");
  if (of.batches == 0 || of.length == 0 || of.inner == 0) {
    return;
  }
  const axis_strides from = whole_strides(of, of.in), to = whole_strides(of, of.out);
  const std::uint64_t in_extent = extent_of(of, from), out_extent = extent_of(of, to);
  const bool are_alike = from.batch == to.batch && from.along == to.along;
  require_arrays({reads("the input", in, in_extent, are_alike ? kTogether : kApart),
                  writes("the output", out, out_extent, are_alike ? kTogether : kApart)});
  const bool is_in_place = is_same_array(in, out);
  if (of.inner == 1 && from.along == 1 && to.along == 1) {
    if (from.batch == of.length && to.batch == of.length) {
      scan_dense_rows<T, kInclusive>(in, out, of.batches * of.length, of.length, op, initial, executor, options...);
    } else {
      scan_rows<T, kInclusive>(in, out, of.batches, of.length, from.batch, to.batch, op, initial, is_in_place, executor,
                               options...);
    }
    return;
  }
  scan_columns<T, kInclusive>(in, out, Columns{of.batches, of.length, of.inner, from.batch, from.along, to.batch, to.along}, op,
                              initial, is_in_place, executor, options...);
}

}  // namespace detail

template <class In, class Out, class Op, class... More>
void inclusive_scan_of_axis(In in, Out out, const axis &of, Op op, More &&...more) {
  using T = detail::Accumulator<In, Out, Op, More...>;
  detail::scan_axis<T, true>(in, out, of, op, static_cast<const T *>(nullptr), detail::executor_of(more...), more...);
}

template <class In, class Out, class Op, class Initial, class... More>
void exclusive_scan_of_axis(In in, Out out, const axis &of, Op op, Initial initial, More &&...more) {
  const auto first = detail::initial_for<Out, Op, More...>(initial);
  detail::scan_axis<std::remove_const_t<decltype(first)>, false>(in, out, of, op, &first, detail::executor_of(more...),
                                                                 more...);
}

template <class In, class Out, class... More>
void inclusive_sum_of_axis(In in, Out out, const axis &of, More &&...more) {
  cpu::inclusive_scan_of_axis(in, out, of, plus{}, more...);
}

template <class In, class Out, class... More>
void exclusive_sum_of_axis(In in, Out out, const axis &of, More &&...more) {
  using T = detail::Accumulator<In, Out, plus, More...>;
  cpu::exclusive_scan_of_axis(in, out, of, plus{}, identity<plus, T>::value(), more...);
}

}  // namespace upsweep::cpu
#endif
