// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Summed-area tables, which read each pixel once and write each sum once, and filters whose time does not grow with their
// width.
//
//   summed_area_table            out(y, x) = the sum of in(v, u) for v <= y and u <= x, for each channel
//   exclusive_summed_area_table  out(y, x) = the same for v < y and u < x; the table has height + 1 rows of width + 1 pixels,
//                                and its first row and column are 0
//   box_filter                   out(y, x) = the mean of in over the image's pixels up to `radius` away in both directions
//
// `space`      initialised workspace of at least summed_area_workspace_bytes<Sum>(of) bytes, or stream_pool (workspace.cuh).
// `in`, `out`  device pointers to contiguous memory. Elements of `in` are integers or floating-point numbers of up to 64 bits,
//              also of 16. Elements of `out` (Sum) have 32 or 64 bits. Input and output may be the same if they have the same
//              layout and size of elements, and the table is not exclusive; otherwise they must not overlap.
// `of`         image_shape: height, width, channels side by side in a pixel; elements (not bytes) from row to row and from
//              image to image, 0 for images without gaps; and how many images there are. Planes are images of one channel.
//              Bytes between rows are neither read nor written.
// `options`    the stream; transform_input(f): out has the sums of f(element), for example of squares. f is called three times
//              for each element.
//
// Sums have the type of `out`, and elements are converted to it first; integers wrap, so that a box's sum from four places is
// right if it fits. Tiles, which depend on the type and the number of channels alone, bracket the sums of floating-point
// numbers. So these are the same, bit for bit, from run to run and on every GPU. Rows that begin at multiples of 16 bytes, in
// the image and in the table, are fastest; others cost more instructions, not more memory traffic.
//
// Filters make an exclusive table in the workspace: box_filter_workspace_bytes<In, Out>(of) bytes or more, aligned to 16, which
// need not be initialised and are overwritten, so that calls of other kinds need them initialised again. Integers are summed as
// such, and floating-point numbers in doubles; means are rounded to the nearest integer, as in the CPU library. 64-bit integers
// take two tables, of their halves. Means of floating-point numbers are differences of the table's sums. All means behind an
// infinity or a NaN are NaNs, and a large number leaves an error behind it (docs/decisions/box-filters.md).
//
// `in`, `out`  may also be the same or overlap, and have other types, of up to 64 bits.
// `radius`     a number of pixels; a device pointer to integers, one for each pixel, images x height x width without gaps, in
//              which negative integers mean 0; or a functor: radius(i) of pixel i = (image * height + y) * width + x, with a
//              member `most` that no radius exceeds. circle_of_confusion(depth, focus, strength, most) computes radii from
//              depths.
// `options`    the stream; repeated(times): the filter of the filter's output, and so on. Three times come close to a Gaussian
//              whose variance is radius * (radius + 1).
//
// Work is queued on the stream and nothing synchronises. Only stream_pool allocates memory. A table is one launch, a filter two
// and a memset.
//
// Errors: cudaErrorInvalidValue for null pointers, invalid numbers of channels, rows, images or arrays that overlap, no
// repetition, a workspace that is too small or misaligned, and more than 2^31 - 1 tiles of 64 rows of 512 bytes of sums.
#pragma once

#include <upsweep/common/cpp17.h>
#ifdef UPSWEEP_CPP17
#include <upsweep/cuda/device/box_filter_launch.cuh>
#include <upsweep/cuda/device/call.cuh>
#include <upsweep/cuda/device/summed_area_launch.cuh>

namespace upsweep::cuda {

namespace detail {

template <AreaKind kKind, class In, class Out, class... Options>
cudaError_t call_sum_areas(const workspace &space, In in, Out out, const image_shape &of, const Options &...options) {
  if constexpr (are_arrays<In, Out, std::uint64_t>() && are_pointers<In, Out>() && are_options<Options...>()) {
    using Sum = ElementOf<Unwrapped<Out>>;
    static_assert(std::is_arithmetic_v<Sum> && (sizeof(Sum) == 4 || sizeof(Sum) == 8),
                  "upsweep: sums are integers or floating-point numbers of 32 or 64 bits");
    static_assert(sizeof(ElementOf<Unwrapped<In>>) <= 8, "upsweep: elements have up to 64 bits");
    const auto transform = find_option<transform_input>(transform_input<Unchanged>(Unchanged{}), options...).function;
    return sum_areas<kKind>(space, const_pointer(in), unwrapped(out), of, transform, stream_of(options...));
  }
  return cudaErrorInvalidValue;
}

}  // namespace detail

// Bytes of a workspace for tables of `of` whose sums are Sums, of either kind.
template <class Sum>
std::size_t summed_area_workspace_bytes(const image_shape &of) {
  return detail::area_workspace_bytes<Sum>(of);
}

template <class In, class Out, class... Options>
cudaError_t summed_area_table(const workspace &space, In in, Out out, const image_shape &of, Options... options) {
  return detail::call_sum_areas<detail::AreaKind::kInclusive>(space, in, out, of, options...);
}

template <class In, class Out, class... Options>
cudaError_t exclusive_summed_area_table(const workspace &space, In in, Out out, const image_shape &of, Options... options) {
  return detail::call_sum_areas<detail::AreaKind::kExclusive>(space, in, out, of, options...);
}

// Bytes of a workspace for filters of `of`, of any radius.
template <class In, class Out = In>
std::size_t box_filter_workspace_bytes(const image_shape &of) {
  return detail::box_workspace_bytes<In, Out>(of);
}

template <class In, class Out, class Radius, class... Options>
cudaError_t box_filter(const workspace &space, In in, Out out, const image_shape &of, const Radius &radius,
                       Options... options) {
  if constexpr (detail::are_arrays<In, Out, std::uint64_t>() && detail::are_pointers<In, Out>()) {
    constexpr bool kAreKnown = ((detail::is_stream<Options> || std::is_same_v<Options, repeated>) && ...);
    static_assert(kAreKnown, "upsweep: the options of a filter are a stream and repeated");
    const auto radii = detail::radius_of(radius);
    const bool is_none = of.height == 0 || of.width == 0 || of.images == 0;
    if (!is_none && detail::is_null_radius(radii)) {
      return cudaErrorInvalidValue;
    }
    return detail::filter_boxes(space, detail::const_pointer(in), detail::unwrapped(out), of, radii,
                                detail::option_of<repeated>(repeated(1), options...).times, detail::stream_of(options...));
  }
  return cudaErrorInvalidValue;
}

UPSWEEP_CUDA_CALL_FROM_POOL(summed_area_table)
UPSWEEP_CUDA_CALL_FROM_POOL(exclusive_summed_area_table)
UPSWEEP_CUDA_CALL_FROM_POOL(box_filter)

}  // namespace upsweep::cuda
#endif
