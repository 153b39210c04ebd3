// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How the pixels of images lie, and the summed-area table of one image.
#pragma once

#include <upsweep/cpu/detail/area_job.h>
#include <upsweep/cpu/detail/arguments.h>

namespace upsweep::cpu {

// The names and their order are those of upsweep/cuda.
struct image_shape {
  std::uint64_t height = 0;
  std::uint64_t width = 0;
  std::uint64_t channels = 1;
  std::uint64_t in_pitch = 0;
  std::uint64_t out_pitch = 0;
  std::uint64_t images = 1;
  std::uint64_t in_stride = 0;
  std::uint64_t out_stride = 0;
};

namespace detail {

// Elements from the first one to behind the last one of an image.
inline std::uint64_t extent_of(const image_shape &of, std::uint64_t pitch) {
  return (of.height - 1) * pitch + of.width * of.channels;
}

// Replaces distances of 0, and checks all: of an output that has `more` rows and columns than the image.
inline image_shape whole_shape(image_shape of, std::uint64_t more = 0) {
  const std::uint64_t row = of.width * of.channels, out_row = (of.width + more) * of.channels;
  of.in_pitch = of.in_pitch == 0 ? row : of.in_pitch;
  of.out_pitch = of.out_pitch == 0 ? out_row : of.out_pitch;
  of.in_stride = of.in_stride == 0 ? of.height * of.in_pitch : of.in_stride;
  of.out_stride = of.out_stride == 0 ? (of.height + more) * of.out_pitch : of.out_stride;
  const bool has_pixels = of.height > 0 && of.width > 0 && of.images > 1;
  if (of.channels == 0 || of.in_pitch < row || of.out_pitch < out_row ||
      (has_pixels &&
       (of.in_stride < extent_of(of, of.in_pitch) || of.out_stride < (of.height + more - 1) * of.out_pitch + out_row))) {
    throw std::invalid_argument("upsweep::cpu: rows or images that overlap, or no channels");
  }
  return of;
}

// Rows of one piece of work: enough that what is done once a band does not count.
inline Chunks bands_of(const image_shape &of, std::size_t element_bytes) {
  Chunks bands(of.height, 1);
  const std::uint64_t row_bytes = of.width * of.channels * element_bytes;
  bands.size = row_bytes * of.height <= kAloneBytes ? of.height : std::max<std::uint64_t>(16, 2 * kChunkBytes / row_bytes);
  return bands;
}

// Of one image, with its pitches.
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

// visit(image, executor) for each: side by side where there are enough of them for all threads, else one after the other.
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
