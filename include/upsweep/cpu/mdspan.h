// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Scans along an axis of std::mdspan, or of any type with its members rank(), extent(), stride() and data_handle():
//
//     upsweep::cpu::inclusive_sum_of_axis(in, out, 1);   // element (i, j, ...) is the sum of in(i, 0, ...) to in(i, j, ...)
//
// The views have the same extents. The other axes with the smallest strides must be contiguous, and the rest must have a
// single stride, in the same order in both views. All views of layout_right and layout_left, and submatrices, comply.
//
// Errors: see axis.h; std::invalid_argument for an invalid axis, and for different extents or other layouts.
#pragma once

#include <upsweep/common/cpp20.h>
#ifdef UPSWEEP_CPP20
#include <upsweep/cpu/axis.h>

#include <algorithm>
#include <array>

namespace upsweep::cpu {

template <class View>
concept strided_view = requires(const View &view) {
  { View::rank() } -> std::convertible_to<std::size_t>;
  { view.extent(0) } -> std::convertible_to<std::uint64_t>;
  { view.stride(0) } -> std::convertible_to<std::uint64_t>;
  view.data_handle();
};

namespace detail {

// An array of three axes with the places of the view: the scanned axis, and all other axes in two.
template <strided_view View>
axis axes_of(const View &view, std::size_t scanned, axis_strides axis::*strides, std::array<std::size_t, View::rank()> &order) {
  std::size_t others = 0;
  for (std::size_t d = 0; d < View::rank(); ++d) {
    if (d != scanned && view.extent(d) != 1) {
      order[others++] = d;
    }
  }
  std::sort(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(others),
            [&](std::size_t a, std::size_t b) { return view.stride(a) < view.stride(b); });
  std::fill(order.begin() + static_cast<std::ptrdiff_t>(others), order.end(), View::rank());
  axis of;
  of.length = static_cast<std::uint64_t>(view.extent(scanned));
  axis_strides &to = of.*strides;
  to.along = static_cast<std::uint64_t>(view.stride(scanned));
  for (std::size_t k = 0; k < others; ++k) {
    const auto extent = static_cast<std::uint64_t>(view.extent(order[k])),
               stride = static_cast<std::uint64_t>(view.stride(order[k]));
    if (of.batches == 1 && to.batch == 0 && stride == of.inner) {
      of.inner *= extent;
    } else if (to.batch == 0 || stride == to.batch * of.batches) {
      to.batch = to.batch == 0 ? stride : to.batch;
      of.batches *= extent;
    } else {
      throw std::invalid_argument(
          "upsweep::cpu: the axes beside the scanned axis cannot be merged into batches and contiguous elements");
    }
  }
  return of;
}

template <strided_view In, strided_view Out>
axis axes_of_both(const In &in, const Out &out, std::size_t scanned) {
  static_assert(In::rank() == Out::rank(), "both views must have the same number of axes");
  bool is_same = scanned < In::rank();
  for (std::size_t d = 0; d < In::rank() && is_same; ++d) {
    is_same = static_cast<std::uint64_t>(in.extent(d)) == static_cast<std::uint64_t>(out.extent(d));
  }
  if (!is_same) {
    throw std::invalid_argument("upsweep::cpu: the views' extents differ, or the views lack the scanned axis");
  }
  std::array<std::size_t, In::rank()> in_order, out_order;
  axis of = axes_of(in, scanned, &axis::in, in_order);
  const axis to = axes_of(out, scanned, &axis::out, out_order);
  if (in_order != out_order || of.inner != to.inner || of.batches != to.batches) {
    throw std::invalid_argument("upsweep::cpu: the views order their axes differently in memory");
  }
  of.out = to.out;
  return of;
}

}  // namespace detail

template <strided_view In, strided_view Out, class Op, class... More>
void inclusive_scan_of_axis(const In &in, const Out &out, std::size_t scanned, Op op, More &&...more) {
  cpu::inclusive_scan_of_axis(in.data_handle(), out.data_handle(), detail::axes_of_both(in, out, scanned), op, more...);
}

template <strided_view In, strided_view Out, class Op, class Initial, class... More>
void exclusive_scan_of_axis(const In &in, const Out &out, std::size_t scanned, Op op, Initial initial, More &&...more) {
  cpu::exclusive_scan_of_axis(in.data_handle(), out.data_handle(), detail::axes_of_both(in, out, scanned), op, initial,
                              more...);
}

template <strided_view In, strided_view Out, class... More>
void inclusive_sum_of_axis(const In &in, const Out &out, std::size_t scanned, More &&...more) {
  cpu::inclusive_sum_of_axis(in.data_handle(), out.data_handle(), detail::axes_of_both(in, out, scanned), more...);
}

template <strided_view In, strided_view Out, class... More>
void exclusive_sum_of_axis(const In &in, const Out &out, std::size_t scanned, More &&...more) {
  cpu::exclusive_sum_of_axis(in.data_handle(), out.data_handle(), detail::axes_of_both(in, out, scanned), more...);
}

}  // namespace upsweep::cpu
#endif
