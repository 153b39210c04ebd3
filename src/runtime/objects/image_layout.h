// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Where the texels of an image are in linear memory: sizes, pitches, mip levels, and regions of them as rectangles of bytes.
#ifndef UPSWEEP_RUNTIME_OBJECTS_IMAGE_LAYOUT_H
#define UPSWEEP_RUNTIME_OBJECTS_IMAGE_LAYOUT_H

#include "runtime/commands/rect_copy.h"
#include <CL/cl.h>
#include <cstddef>
#include <optional>
#include <vector>

namespace upsweep {

/// An object type of images. `dims`: the coordinates of a texel; the last one of an array is its layer.
struct ImageType {
  cl_mem_object_type value;
  const char *name;
  unsigned dims;
  bool is_array;

  /// Null when `value` is not an image's.
  static const ImageType *find(cl_mem_object_type value);
  unsigned dims_of_layer() const { return is_array ? dims - 1 : dims; }
};

/// Sizes in texels as the queries give them: 0 where the type has none. Pitches in bytes; slice_pitch is of a slice of a volume
/// or of a layer, 0 for other types.
struct ImageShape {
  const ImageType *type = nullptr;
  size_t width = 0;
  size_t height = 0;
  size_t depth = 0;
  size_t layers = 0;
  size_t row_pitch = 0;
  size_t slice_pitch = 0;
  cl_uint mip_levels = 0;  ///< as given: 0 or 1 is one level

  /// Sizes along the coordinates, 1 beyond `dims`.
  Size3 extent() const;
  cl_uint levels() const { return mip_levels > 1 ? mip_levels : 1; }
};

/// A mip level: texels along the coordinates, and bytes from one to the next. A coordinate of rows is a layer in 1D arrays.
struct ImageLevel {
  size_t offset = 0;  ///< bytes from the image's first byte
  Size3 extent{};
  size_t row_pitch = 0;
  size_t slice_pitch = 0;
};

struct ImageLayout {
  std::vector<ImageLevel> levels;
  size_t bytes = 0;
};

/// Pitches of 0 are completed. Nothing when a size is beyond 2^64. Levels after the first have no gaps between rows.
std::optional<ImageLayout> lay_out(ImageShape &shape, size_t texel_bytes);

/// Texels of a level, in coordinates.
struct ImageRegion {
  size_t level = 0;
  Size3 origin{};
  Size3 extent{};
};

/// The rectangle of bytes that a region is, from the image's first byte on, and its extent in bytes, rows and slices.
RectLayout rect_of(const ImageLevel &level, const ImageRegion &region, size_t texel_bytes);
Size3 bytes_of(const ImageRegion &region, size_t texel_bytes);

/// The layout of a region's texels in memory with these pitches of the application, which 0 asks to be computed. Nothing when
/// one of them is less than what the region needs.
std::optional<RectLayout> host_rect(const ImageType &type, const ImageRegion &region, size_t texel_bytes, size_t row_pitch,
                                    size_t slice_pitch);

}  // namespace upsweep
#endif
