// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The layout of an image's texels in linear memory: sizes, pitches, mip levels, and regions as rectangles of bytes.
#ifndef UPSWEEP_RUNTIME_OBJECTS_IMAGE_LAYOUT_H
#define UPSWEEP_RUNTIME_OBJECTS_IMAGE_LAYOUT_H

#include "runtime/commands/rect_copy.h"
#include <CL/cl.h>
#include <cstddef>
#include <optional>
#include <vector>

namespace upsweep {

/// An object type of images. `dims`: the number of a texel's coordinates; the last coordinate of an array is its layer.
struct ImageType {
  cl_mem_object_type value;
  const char *name;
  unsigned dims;
  bool is_array;

  /// Null if `value` is not an image type.
  static const ImageType *find(cl_mem_object_type value);
  unsigned dims_of_layer() const { return is_array ? dims - 1 : dims; }
};

/// Sizes in texels as the queries return them: 0 for dimensions that the type lacks. Pitches in bytes; slice_pitch is that of a
/// slice of a volume or of a layer, and 0 for other types.
struct ImageShape {
  const ImageType *type = nullptr;
  size_t width = 0;
  size_t height = 0;
  size_t depth = 0;
  size_t layers = 0;
  size_t row_pitch = 0;
  size_t slice_pitch = 0;
  cl_uint mip_levels = 0;  ///< as passed: 0 and 1 both mean one level

  /// Sizes along the coordinates; 1 beyond `dims`.
  Size3 extent() const;
  cl_uint levels() const { return mip_levels > 1 ? mip_levels : 1; }
};

/// A mip level: size and byte stride along each coordinate. In 1D arrays the row coordinate is a layer.
struct ImageLevel {
  size_t offset = 0;  ///< from the image's first byte
  Size3 extent{};
  size_t row_pitch = 0;
  size_t slice_pitch = 0;
};

struct ImageLayout {
  std::vector<ImageLevel> levels;
  size_t bytes = 0;
};

/// Replaces pitches of 0. Empty if a size exceeds 2^64. Levels after the first have no gaps between rows.
std::optional<ImageLayout> lay_out(ImageShape &shape, size_t texel_bytes);

/// Texels of a level, by coordinates.
struct ImageRegion {
  size_t level = 0;
  Size3 origin{};
  Size3 extent{};
};

/// A region as a rectangle of bytes, relative to the image's first byte: extent in bytes, rows and slices.
RectLayout rect_of(const ImageLevel &level, const ImageRegion &region, size_t texel_bytes);
Size3 bytes_of(const ImageRegion &region, size_t texel_bytes);

/// The layout of a region's texels in application memory with these pitches; a pitch of 0 is computed. Empty if a pitch is too
/// small for the region.
std::optional<RectLayout> host_rect(const ImageType &type, const ImageRegion &region, size_t texel_bytes, size_t row_pitch,
                                    size_t slice_pitch);

}  // namespace upsweep
#endif
