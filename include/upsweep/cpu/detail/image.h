// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The layout of images' pixels, and the summed-area table of one image.
#pragma once

#include <upsweep/common/shape.h>
#include <upsweep/cpu/detail/area_job.h>
#include <upsweep/cpu/detail/arguments.h>

namespace upsweep::cpu {

using common::image_shape;

namespace detail {

// The elements from the first to the last place of an image with a complete shape.
inline std::uint64_t extent_of(const image_shape &of, std::uint64_t pitch) {
  return (of.height - 1) * pitch + of.width * of.channels;
}

// Replaces distances of 0, and checks all distances; an output has `more` additional rows and columns.
inline image_shape whole_shape(image_shape of, std::uint64_t more = 0) {
  const common::image_extent in =
      common::extent_of_images(of.images, of.height, of.width, of.channels, of.in_pitch, of.in_stride);
  const common::image_extent out = common::extent_of_images(
      of.images, common::sum(of.height, more), common::sum(of.width, more), of.channels, of.out_pitch, of.out_stride);
  const auto is = [&](common::fault fault) { return in.is == fault || out.is == fault; };
  if (of.channels == 0 || is(common::fault::overlap)) {
    throw std::invalid_argument("upsweep::cpu: rows or images overlap (check pitches and strides), or there are no channels");
  }
  if (is(common::fault::too_large)) {
    throw std::invalid_argument("upsweep::cpu: the images exceed the address space");
  }
  of.in_pitch = in.pitch;
  of.out_pitch = out.pitch;
  of.in_stride = in.stride;
  of.out_stride = out.stride;
  return of;
}

// Rows of a piece of work: enough that the cost for each band is negligible.
inline Chunks bands_of(const image_shape &of, std::size_t element_bytes) {
  Chunks bands(of.height, 1);
  const std::uint64_t row_bytes = of.width * of.channels * element_bytes;
  bands.size = row_bytes * of.height <= kAloneBytes ? of.height : std::max<std::uint64_t>(16, 2 * kChunkBytes / row_bytes);
  return bands;
}

// An image with its pitches.
template <class In, class Out, class Transform, class Executor>
void sum_areas(const In *in, Out *out, const image_shape &of, const Transform &transform, Executor &executor) {
  const std::uint64_t row = of.width * of.channels;
  const bool is_in_place = static_cast<const void *>(in) == static_cast<const void *>(out);
  const AreaJob<Out, In, Transform> job{in,
                                        out,
                                        row,
                                        of.channels,
                                        of.in_pitch,
                                        of.out_pitch,
                                        bands_of(of, sizeof(Out)),
                                        row * of.height * sizeof(Out) >= kStreamedBytes && !is_in_place,
                                        transform};
  go_over_chunks(executor, job, job.bands.count(), std::vector<Out>());
}

// Calls visit(image, executor) for each image: in parallel if there are enough images for all threads, else in sequence.
template <class Executor, class Visit>
void for_each_image(std::uint64_t images, Executor &executor, const Visit &visit) {
  if (images >= 2 * std::uint64_t(executor.concurrency()) && executor.concurrency() > 1) {
    for_each_piece(executor, images, [&](std::uint64_t image) {
      calling_thread alone;
      visit(image, alone);
    });
  } else {
    for (std::uint64_t image = 0; image < images; ++image) {
      visit(image, executor);
    }
  }
}

}  // namespace detail

}  // namespace upsweep::cpu
