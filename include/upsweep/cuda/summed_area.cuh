// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Summed-area tables, in one pass that reads each pixel once and writes each sum once.
//
//   summed_area_table            out(y, x) = the sum of in(v, u) for v <= y and u <= x, for each channel
//   exclusive_summed_area_table  out(y, x) = the same for v < y and u < x; the table has height + 1 rows of width + 1 pixels,
//                                the first of which are 0
//
// space    initialised workspace of at least summed_area_workspace_bytes<Sum>(of) bytes, or stream_pool (workspace.cuh)
// in, out  device pointers to contiguous memory; elements of `in` are integers or floating-point numbers of up to 64 bits, also
//          of 16, those of `out` (Sum) integers or floating-point numbers of 32 or 64 bits. They may be the same if elements
//          are of the same size and lie alike, and the table is not exclusive; they must not overlap otherwise
// of       image_shape: height, width, channels side by side in a pixel; elements (not bytes) from row to row and from image to
//          image, 0 for images without gaps; and how many images there are. Planes are images of one channel. What lies
//          between rows is neither read nor written
// options  the stream; transform_input(f), of which out has the sums of f(element), say of squares
//
// Sums have the type of `out`, and elements are converted to it first; integers wrap, so that differences of four places are
// right as long as they fit. Sums of floating-point numbers are bracketed by tiles that depend on the type and the number of
// channels alone: the same, bit for bit, from run to run and on every GPU. Rows that begin at multiples of 16 bytes, in the
// image and in the table, are fastest; others cost more instructions, not more memory traffic.
//
// Work is queued on the stream; but for stream_pool nothing is allocated, and nothing synchronises. A call is one launch.
//
// Errors: cudaErrorInvalidValue for null pointers, other numbers of channels, rows or images that overlap, arrays that do, too
// small or misaligned a workspace, and more than 2^31 - 1 tiles of 64 rows of 512 bytes of sums.
#pragma once

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

UPSWEEP_CUDA_CALL_FROM_POOL(summed_area_table)
UPSWEEP_CUDA_CALL_FROM_POOL(exclusive_summed_area_table)

}  // namespace upsweep::cuda
