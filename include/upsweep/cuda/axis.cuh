// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Batches of scans along any axis of an array, with the memory traffic of a copy.
//
// An array of any number of axes counts as three axes: `batches` (the product of the axes before the scanned axis), the scanned
// axis of `length` elements, and `inner` neighbouring elements behind it. For an array of shape (n0, n1, n2, n3) that is
// scanned along axis 1: batches n0, length n1, inner n2 * n3. Element (b, l, i) is at b * strides.batch + l * strides.along +
// i; strides of 0 stand for an array without gaps.
//
//   inclusive_scan_of_axis   result(b, l, i) = x(b, 0, i) op ... op x(b, l, i)
//   exclusive_scan_of_axis   result(b, l, i) = initial op x(b, 0, i) op ... op x(b, l - 1, i)
//   ..._sum_of_axis          the same with plus, from 0
//
// `space`      initialised workspace of at least axis_scan_workspace_bytes<T>(axis) bytes, or stream_pool (workspace.cuh).
// `in`, `out`  device pointers or random-access iterators; they may be the same, with the same strides, but must not overlap
//              otherwise. Three kinds of arrays take the fast paths. Pointers aligned to 16 bytes, to elements of one size,
//              where `inner` elements and the strides are multiples of 16 bytes. Arrays with a `length` of at most 32. Elements
//              of 1, 2, 4 or 8 bytes, with any alignment and strides, in batches of at least 8 KiB, if rows are close together
//              or have at least 400 bytes. The number of batches, or of strips that rows are cut into, is then the number of
//              multiprocessors or several times it. Long batches of 6 MiB in total are slower. Bytes between rows may be read.
// `op`         associative; it need not commute.
// `options`    backward, transform_input, transform_output, initial_at, accumulator (options.cuh).
//
// Work is queued on `stream` and nothing synchronises. Only stream_pool allocates memory. Floating-point sums are the same from
// run to run on one GPU. An array has up to 2^40 elements.
//
// If other kernels keep some blocks from starting for 0.6 ms, the started blocks continue alone. Floating-point sums may then
// differ in their last digits (device/axis_roll.cuh).
//
// Errors: as scan.cuh; cudaErrorInvalidValue for strides that make elements overlap.
#pragma once

#include <upsweep/common/cpp17.h>
#ifdef UPSWEEP_CPP17
#include <upsweep/cuda/device/axis_shape.cuh>
#include <upsweep/cuda/device/axis_words_launch.cuh>
#include <upsweep/cuda/scan.cuh>

namespace upsweep::cuda {

namespace detail {

template <class T, class In>
std::size_t tiles_workspace_bytes(std::uint64_t rows, std::uint64_t inner) {
  return kStateBytes + std::max({most_rows_words_bytes<T, In>(rows, inner), most_axis_words_bytes<T, In, 1>(rows, inner),
                                 most_axis_words_bytes<T, In, axis_columns<In>>(rows, inner),
                                 most_axis_words_bytes<T, In, axis_wide_columns<T, In>>(rows, inner)});
}

template <class T, class In, class Out>
std::size_t axis_workspace_bytes(const axis &of) {
  const std::uint64_t rows = of.batches * of.length;
  std::size_t bytes = tiles_workspace_bytes<T, In>(rows, of.inner);
  if constexpr (sizeof(T) <= 2) {
    if (of.inner % columns_of_word<T> == 0) {
      bytes = std::max(bytes, tiles_workspace_bytes<unsigned, unsigned>(rows, of.inner / columns_of_word<T>));
    }
  }
  if (of.inner > 1) {
    return bytes;
  }
  // Rows without gaps are scanned as such.
  return std::max(bytes, words_workspace_bytes(rows, sizeof(Run<T>), std::max({sizeof(T), sizeof(In), sizeof(Out)})));
}

template <class T, bool kInclusive, bool kInitial, class In, class Out, class Op, class... Options>
cudaError_t scan_axis(const workspace &space, In in, Out out, const axis &of, Op op, InitialValue<T> initial,
                      cudaStream_t stream, Options... options) {
  static_assert(std::is_trivially_copyable_v<T> && sizeof(T) <= 64, "T must be trivially copyable and of at most 64 bytes");
  static_assert(!has_option<reproducible_t, Options...>, "sums along an axis depend on the number of multiprocessors");
  const auto total = find_option<total_to>(0, options...);
  static_assert(std::is_same_v<std::decay_t<decltype(total)>, int>, "total_to is no option of scans along an axis");
  const auto transform_in = find_option<transform_input>(transform_input<Unchanged>(Unchanged{}), options...).function;
  const auto transform_out = find_option<transform_output>(transform_output<Unchanged>(Unchanged{}), options...).function;
  using Problem = AxisProblem<T, In, Out, Op, std::decay_t<decltype(transform_in)>, std::decay_t<decltype(transform_out)>,
                              kInclusive, has_option<backward_t, Options...>, kInitial>;
  if (is_too_large(of) || initial.is_null) {
    return cudaErrorInvalidValue;
  }
  if (of.batches == 0 || of.length == 0 || of.inner == 0) {
    return cudaSuccess;
  }
  const axis_strides in_strides = whole_strides(of, of.in);
  const axis_strides out_strides = whole_strides(of, of.out);
  constexpr std::uint64_t kNoExtent = ~std::uint64_t(0);
  if (is_null(in) || is_null(out) || extent_of(of, in_strides) == kNoExtent || extent_of(of, out_strides) == kNoExtent ||
      !may_be_together(in, out, of, in_strides, out_strides)) {
    return cudaErrorInvalidValue;
  }
  const std::size_t needed = axis_workspace_bytes<T, typename Problem::In, typename Problem::Out>(of);
  return with_workspace(space, needed, stream, [&](const workspace &own) {
    const axis_strides dense = {of.length, 1};
    if (of.inner == 1 && is_same(in_strides, dense) && is_same(out_strides, dense)) {
      return scan<T, kInclusive, kInitial>(own, in, out, Count{of.batches * of.length, nullptr, false}, op, initial,
                                           ByRow{of.length}, stream, options...);
    }
    DeviceLimits limits;
    const cudaError_t error = DeviceLimits::of_current(limits);
    if (error != cudaSuccess) {
      return error;
    }
    auto *bytes = static_cast<unsigned char *>(own.data);
    const Problem problem{in,
                          out,
                          op,
                          {initial.value, initial.pointer},
                          transform_in,
                          transform_out,
                          of.batches * of.length,
                          of.length,
                          of.inner,
                          in_strides,
                          out_strides,
                          {},
                          1,
                          1,
                          reinterpret_cast<ScanState *>(bytes),
                          bytes + kStateBytes,
                          own.bytes - kStateBytes};
    return launch_axis_by_words(problem, limits, stream);
  });
}

template <class In, class Out, class Op, class Initial, class... More>
cudaError_t call_scan_axis(const workspace &space, In in, Out out, const axis &of, Op op, Initial initial,
                           const More &...more) {
  if constexpr (are_arrays<In, Out, std::uint64_t>()) {
    const auto from = unwrapped(in);
    const auto to = unwrapped(out);
    using From = std::decay_t<decltype(from)>;
    using To = std::decay_t<decltype(to)>;
    if constexpr (is_request_of_scan<From, To, Op, Initial, More...>()) {
      constexpr bool kInclusive = std::is_same_v<Initial, FromFirst>;
      const auto first = initial_value<From, To, Op, More...>(initial);
      using T = std::decay_t<decltype(first.value)>;
      return scan_axis<T, kInclusive, !kInclusive>(space, from, to, of, known_operator<T>(op), first, stream_of(more...),
                                                   more...);
    }
  }
  return cudaErrorInvalidValue;
}

}  // namespace detail

// Bytes of a workspace for scans of `of`, whatever its strides, whose totals are Ts; In and Out are the types of the arrays.
template <class T, class In = T, class Out = T>
std::size_t axis_scan_workspace_bytes(const axis &of) {
  if (detail::is_too_large(of) || of.batches == 0 || of.length == 0 || of.inner == 0) {
    return detail::kStateBytes;
  }
  return detail::axis_workspace_bytes<T, In, Out>(of);
}

template <class In, class Out, class Op, class... More>
cudaError_t inclusive_scan_of_axis(const workspace &space, In in, Out out, const axis &of, Op op, More... more) {
  return detail::call_scan_axis(space, in, out, of, op, detail::FromFirst{}, more...);
}

template <class In, class Out, class Op, class Initial, class... More>
cudaError_t exclusive_scan_of_axis(const workspace &space, In in, Out out, const axis &of, Op op, Initial initial,
                                   More... more) {
  return detail::call_scan_axis(space, in, out, of, op, initial, more...);
}

template <class In, class Out, class... More>
cudaError_t inclusive_sum_of_axis(const workspace &space, In in, Out out, const axis &of, More... more) {
  return detail::call_scan_axis(space, in, out, of, plus{}, detail::FromFirst{}, more...);
}

template <class In, class Out, class... More>
cudaError_t exclusive_sum_of_axis(const workspace &space, In in, Out out, const axis &of, More... more) {
  return detail::call_scan_axis(space, in, out, of, plus{}, detail::FromIdentity{}, more...);
}

UPSWEEP_CUDA_CALL_FROM_POOL(inclusive_scan_of_axis)
UPSWEEP_CUDA_CALL_FROM_POOL(exclusive_scan_of_axis)
UPSWEEP_CUDA_CALL_FROM_POOL(inclusive_sum_of_axis)
UPSWEEP_CUDA_CALL_FROM_POOL(exclusive_sum_of_axis)

}  // namespace upsweep::cuda
#endif
