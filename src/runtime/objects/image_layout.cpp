// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Layout of images, with overflow checks, since the application may pass any sizes.
#include "runtime/objects/image_layout.h"
#include <algorithm>

namespace upsweep {
namespace {

constexpr ImageType kTypes[] = {
    {CL_MEM_OBJECT_IMAGE1D, "CL_MEM_OBJECT_IMAGE1D", 1, false},
    {CL_MEM_OBJECT_IMAGE1D_BUFFER, "CL_MEM_OBJECT_IMAGE1D_BUFFER", 1, false},
    {CL_MEM_OBJECT_IMAGE1D_ARRAY, "CL_MEM_OBJECT_IMAGE1D_ARRAY", 2, true},
    {CL_MEM_OBJECT_IMAGE2D, "CL_MEM_OBJECT_IMAGE2D", 2, false},
    {CL_MEM_OBJECT_IMAGE2D_ARRAY, "CL_MEM_OBJECT_IMAGE2D_ARRAY", 3, true},
    {CL_MEM_OBJECT_IMAGE3D, "CL_MEM_OBJECT_IMAGE3D", 3, false},
};

/// Levels start at cache lines.
constexpr size_t kLevelAlignment = 64;

bool multiply(size_t a, size_t b, size_t &product) { return !__builtin_mul_overflow(a, b, &product); }

/// The extent of level `index`: coordinates other than layers are halved for each level, to at least 1.
Size3 extent_of(const ImageShape &shape, size_t index) {
  Size3 extent = shape.extent();
  for (unsigned dim = 0; dim < shape.type->dims_of_layer(); ++dim) extent[dim] = std::max<size_t>(1, extent[dim] >> index);
  return extent;
}

bool add_level(ImageLayout &layout, const ImageLevel &level) {
  size_t bytes = 0;
  if (!multiply(level.slice_pitch, level.extent[2], bytes)) return false;
  layout.levels.push_back(level);
  return !__builtin_add_overflow(level.offset, bytes, &layout.bytes);
}

/// Adds the first level, whose pitches come from the application.
bool add_first(ImageLayout &layout, ImageShape &shape, size_t texel_bytes) {
  const Size3 extent = shape.extent();
  if (shape.row_pitch == 0 && !multiply(extent[0], texel_bytes, shape.row_pitch)) return false;
  if (shape.type->value == CL_MEM_OBJECT_IMAGE1D_ARRAY) {
    if (shape.slice_pitch == 0) shape.slice_pitch = shape.row_pitch;
    size_t all = 0;
    return multiply(shape.slice_pitch, extent[1], all) && add_level(layout, {0, extent, shape.slice_pitch, all});
  }
  size_t slice = 0;
  if (!multiply(shape.row_pitch, extent[1], slice)) return false;
  if (shape.type->dims < 3) return add_level(layout, {0, extent, shape.row_pitch, slice});
  if (shape.slice_pitch == 0) shape.slice_pitch = slice;
  return add_level(layout, {0, extent, shape.row_pitch, shape.slice_pitch});
}

}  // namespace

const ImageType *ImageType::find(cl_mem_object_type value) {
  const ImageType *found = std::ranges::find(kTypes, value, &ImageType::value);
  return found == std::end(kTypes) ? nullptr : found;
}

Size3 ImageShape::extent() const {
  switch (type->value) {
  case CL_MEM_OBJECT_IMAGE1D_ARRAY: return {width, layers, 1};
  case CL_MEM_OBJECT_IMAGE2D: return {width, height, 1};
  case CL_MEM_OBJECT_IMAGE2D_ARRAY: return {width, height, layers};
  case CL_MEM_OBJECT_IMAGE3D: return {width, height, depth};
  default: return {width, 1, 1};
  }
}

std::optional<ImageLayout> lay_out(ImageShape &shape, size_t texel_bytes) {
  ImageLayout layout;
  if (!add_first(layout, shape, texel_bytes)) return std::nullopt;
  for (size_t index = 1; index < shape.levels(); ++index) {
    // Products cannot overflow, since this level is no larger than the first; only the sum can.
    const Size3 extent = extent_of(shape, index);
    const size_t row = extent[0] * texel_bytes;
    const size_t offset = (layout.bytes + kLevelAlignment - 1) / kLevelAlignment * kLevelAlignment;
    if (offset < layout.bytes || !add_level(layout, {offset, extent, row, row * extent[1]})) return std::nullopt;
  }
  return layout;
}

RectLayout rect_of(const ImageLevel &level, const ImageRegion &region, size_t texel_bytes) {
  return {
      {level.offset + region.origin[0] * texel_bytes, region.origin[1], region.origin[2]}, level.row_pitch, level.slice_pitch};
}

Size3 bytes_of(const ImageRegion &region, size_t texel_bytes) {
  return {region.extent[0] * texel_bytes, region.extent[1], region.extent[2]};
}

std::optional<RectLayout> host_rect(const ImageType &type, const ImageRegion &region, size_t texel_bytes, size_t row_pitch,
                                    size_t slice_pitch) {
  const auto &[bytes, rows, slices] = bytes_of(region, texel_bytes);
  if (row_pitch == 0) row_pitch = bytes;
  if (row_pitch < bytes) return std::nullopt;
  // "the size in bytes of the 2D slice of the 3D region of a 3D image or each image of a 1D or 2D image array": a layer of a 1D
  // array is a row.
  const bool rows_are_layers = type.value == CL_MEM_OBJECT_IMAGE1D_ARRAY;
  size_t slice = row_pitch;
  if (!rows_are_layers && !multiply(row_pitch, rows, slice)) return std::nullopt;
  if (slice_pitch == 0) slice_pitch = slice;
  if (slice_pitch < slice) return std::nullopt;
  if (!rows_are_layers) return RectLayout{{0, 0, 0}, row_pitch, slice_pitch};
  size_t all = 0;
  if (!multiply(slice_pitch, rows, all)) return std::nullopt;
  return RectLayout{{0, 0, 0}, slice_pitch, all};
}

}  // namespace upsweep
