// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Batches of scans along any axis of an array, at the traffic of a copy.
//
// An array of any number of axes is seen as three: `batches` (the product of the axes before the scanned one), its `length`,
// and `inner` neighbouring elements behind it. For an array of shape (n0, n1, n2, n3) that is scanned along axis 1: batches n0,
// length n1, inner n2 * n3. Element (b, l, i) is at b * strides.batch + l * strides.along + i; strides of 0 stand for an array
// without gaps.
//
//   inclusive_scan_of_axis   result(b, l, i) = x(b, 0, i) op ... op x(b, l, i)
//   exclusive_scan_of_axis   result(b, l, i) = initial op x(b, 0, i) op ... op x(b, l - 1, i)
//   ..._sum_of_axis          the same with plus, from 0
//
// space    initialised workspace of at least axis_scan_workspace_bytes<T>(axis) bytes, or stream_pool (workspace.cuh)
// in, out  device pointers or random-access iterators; they may be the same, with the same strides, but must not overlap
//          otherwise. The fast paths take pointers to elements of the same size, aligned to 16 bytes, where `inner` elements
//          and the strides are whole multiples of 16 bytes; any arrays whose `length` is at most 32; and elements of 1, 2, 4 or
//          8 bytes, of any alignment and strides, with batches of 8 KiB and more, as many as the GPU has multiprocessors, or
//          several times as many, or with rows that are cut into as many strips, if rows lie close or have 400 bytes and more.
//          Long batches of 6 MiB together are less fast. Bytes between rows may be read.
// op       associative; it need not commute
// options  backward, transform_input, transform_output, initial_at, accumulator (options.cuh)
//
// Work is queued on `stream`; but for stream_pool nothing is allocated, and nothing synchronises. Floating-point sums are the
// same from run to run on one GPU. At most 2^40 elements.
//
// Where other kernels leave no room for all blocks for 0.6 ms, those that have begun go on alone, and floating-point sums may
// differ in their last digits (device/roll_call.cuh).
//
// Errors: those of scan.cuh; cudaErrorInvalidValue for strides that make places overlap.
#pragma once

#include <upsweep/cuda/device/axis_words.cuh>
#include <upsweep/cuda/scan.cuh>

namespace upsweep::cuda {

using common::axis;

namespace detail {

inline bool is_too_large(const axis &of) {
  return of.batches > kMostElements || of.length > kMostElements || of.inner > kMostElements ||
         common::product(common::product(of.batches, of.length), of.inner) > kMostElements;
}

// Replaces strides of 0 by those of an array without gaps. A stride that is never used becomes one that spaces rows evenly.
inline axis_strides whole_strides(const axis &of, axis_strides strides) {
  strides = common::complete_strides(of, strides);
  if (of.length == 1) {
    strides.along = of.batches > 1 ? strides.batch : of.inner;
  }
  if (of.batches == 1) {
    strides.batch = of.length * strides.along;
  }
  return strides;
}

// Elements from the first place to behind the last; more than any memory has if places overlap or are out of reach.
inline std::uint64_t extent_of(const axis &of, const axis_strides &strides) {
  const common::extent extent = common::extent_of_axis(of, strides, kFarthestElement);
  return extent.is == common::fault::none ? extent.elements : ~std::uint64_t(0);
}

inline bool is_same(const axis_strides &a, const axis_strides &b) { return a.batch == b.batch && a.along == b.along; }

template <class In, class Out>
bool may_be_together(In in, Out out, const axis &of, const axis_strides &in_strides, const axis_strides &out_strides) {
  if constexpr (is_contiguous<In> && is_contiguous<Out>) {
    const auto in_begin = reinterpret_cast<std::uintptr_t>(in);
    const auto out_begin = reinterpret_cast<std::uintptr_t>(out);
    const std::uintptr_t in_end = in_begin + extent_of(of, in_strides) * sizeof(*in);
    const std::uintptr_t out_end = out_begin + extent_of(of, out_strides) * sizeof(*out);
    return in_end <= out_begin || out_end <= in_begin ||
           (in_begin == out_begin && sizeof(*in) == sizeof(*out) && is_same(in_strides, out_strides));
  } else {
    return true;
  }
}

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
  static_assert(std::is_same_v<std::decay_t<decltype(total)>, int>, "a scan along an axis has no one total");
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
  if (is_pool(space)) {
    return with_pool_workspace(space, needed, stream, [&](const workspace &own) {
      return scan_axis<T, kInclusive, kInitial>(own, in, out, of, op, initial, stream, options...);
    });
  }
  if (space.data == nullptr || !is_vector_aligned(space.data) || space.bytes < needed) {
    return cudaErrorInvalidValue;
  }
  const axis_strides dense = {of.length, 1};
  if (of.inner == 1 && is_same(in_strides, dense) && is_same(out_strides, dense)) {
    return scan<T, kInclusive, kInitial>(space, in, out, Count{of.batches * of.length, nullptr, false}, op, initial,
                                         ByRow{of.length}, stream, options...);
  }
  DeviceLimits limits;
  const cudaError_t error = DeviceLimits::of_current(limits);
  if (error != cudaSuccess) {
    return error;
  }
  auto *bytes = static_cast<unsigned char *>(space.data);
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
                        space.bytes - kStateBytes};
  return launch_axis_by_words(problem, limits, stream);
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
