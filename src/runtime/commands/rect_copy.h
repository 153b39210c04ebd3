// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Arithmetic of 2D and 3D regions in linear memory (clEnqueue{Read,Write,Copy}BufferRect): pitches, bounds, overlap, copying.
#ifndef UPSWEEP_RUNTIME_COMMANDS_RECT_COPY_H
#define UPSWEEP_RUNTIME_COMMANDS_RECT_COPY_H

#include <array>
#include <cstddef>

namespace upsweep {

using Size3 = std::array<size_t, 3>;  ///< bytes in x, rows in y, slices in z

/// Where a region starts in one linear allocation and how its rows and slices follow each other.
struct RectLayout {
  Size3 origin{};
  size_t row_pitch = 0;    ///< bytes; 0 asks for region[0]
  size_t slice_pitch = 0;  ///< bytes; 0 asks for region[1] * row_pitch
};

/// Fills in pitches that are 0. False when a pitch is smaller than the region, or the slice pitch no multiple of the row pitch,
/// or a size overflows.
bool complete_pitches(RectLayout &layout, const Size3 &region);

/// Byte offset of the region's first byte. Call only after complete_pitches and region_end succeeded.
size_t region_begin(const RectLayout &layout);

/// One past the last byte that the region touches, or SIZE_MAX on overflow.
size_t region_end(const RectLayout &layout, const Size3 &region);

/// Whether two regions of the same allocation with equal pitches share a byte.
bool regions_overlap(const RectLayout &a, const RectLayout &b, const Size3 &region);

/// Copies `region` between two allocations that do not overlap there.
void copy_rect(char *to, const RectLayout &to_layout, const char *from, const RectLayout &from_layout, const Size3 &region);

}  // namespace upsweep

#endif
