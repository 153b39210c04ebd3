// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The layout and extent of arrays along an axis and of images: one checked computation for the libraries for CPU threads, CUDA
// and OpenCL queues. It needs C++17 and the standard library.
#pragma once

#include <cstdint>

namespace upsweep::common {

// Distances in elements between batches, and between elements along the axis; 0: without gaps.
struct axis_strides {
  std::uint64_t batch = 0;
  std::uint64_t along = 0;
};

// Element (b, l, i) is at b * strides.batch + l * strides.along + i.
struct axis {
  std::uint64_t batches = 1;
  std::uint64_t length = 0;
  std::uint64_t inner = 1;
  axis_strides in = {};
  axis_strides out = {};
};

// Distances in elements between rows and between images; 0: without gaps.
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

// The fault of a shape: overlapping elements, or an extent beyond the limit.
enum class fault { none, overlap, too_large };

struct extent {
  std::uint64_t elements = 0;  // from the first place to the last
  fault is = fault::none;
};

// The largest limit of a caller: sums of a few such extents fit in 64 bits.
inline constexpr std::uint64_t kMostPlaces = std::uint64_t(1) << 60;

// a * b, or a number beyond kMostPlaces if the product is.
constexpr std::uint64_t product(std::uint64_t a, std::uint64_t b) {
  return a > 0 && b > kMostPlaces / a ? kMostPlaces + 1 : a * b;
}
// a + b, where each may be beyond kMostPlaces.
constexpr std::uint64_t sum(std::uint64_t a, std::uint64_t b) {
  return a > kMostPlaces || b > kMostPlaces - a ? kMostPlaces + 1 : a + b;
}

// Replaces strides of 0 by the strides of an array without gaps.
constexpr axis_strides complete_strides(const axis &of, axis_strides strides) {
  strides.along = strides.along == 0 ? of.inner : strides.along;
  strides.batch = strides.batch == 0 ? product(of.length, strides.along) : strides.batch;
  return strides;
}

// The extent of an axis with complete strides. Batches are contiguous, or their rows interlock.
constexpr extent extent_of_axis(const axis &of, const axis_strides &strides, std::uint64_t most = kMostPlaces) {
  if (of.batches == 0 || of.length == 0 || of.inner == 0) {
    return {};
  }
  const bool has_rows = of.length > 1, has_batches = of.batches > 1;
  const std::uint64_t rows = has_rows ? product(of.length - 1, strides.along) : 0,
                      batches = has_batches ? product(of.batches - 1, strides.batch) : 0;
  const std::uint64_t all = sum(sum(rows, batches), of.inner);
  const bool is_apart = (!has_rows || strides.along >= of.inner) && (!has_batches || strides.batch >= sum(rows, of.inner));
  const bool is_woven = (!has_batches || strides.batch >= of.inner) && (!has_rows || strides.along >= sum(batches, of.inner));
  if (all > most) {
    return {0, fault::too_large};
  }
  return is_apart || is_woven ? extent{all, fault::none} : extent{0, fault::overlap};
}

// Images of height x width pixels with channels: their complete distances, and the extents of one image and of all.
struct image_extent {
  std::uint64_t pitch = 0, stride = 0;
  std::uint64_t image = 0, all = 0;
  fault is = fault::none;
};

// Replaces distances of 0. Images without elements have no extent, but rows must not overlap.
constexpr image_extent extent_of_images(std::uint64_t images, std::uint64_t height, std::uint64_t width, std::uint64_t channels,
                                        std::uint64_t pitch, std::uint64_t stride, std::uint64_t most = kMostPlaces) {
  const std::uint64_t row = product(width, channels);
  image_extent of{pitch == 0 ? row : pitch, stride, 0, 0, fault::none};
  of.stride = stride == 0 ? product(height, of.pitch) : stride;
  if (row > most) {
    of.is = fault::too_large;
  } else if (of.pitch < row) {
    of.is = fault::overlap;
  } else if (images > 0 && height > 0 && row > 0) {
    of.image = sum(product(height - 1, of.pitch), row);
    of.all = sum(product(images - 1, of.stride), of.image);
    of.is = of.all > most ? fault::too_large : images > 1 && of.stride < of.image ? fault::overlap : fault::none;
  }
  return of;
}

}  // namespace upsweep::common
