// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Arithmetic of 2D and 3D regions in linear memory (clEnqueue{Read,Write,Copy}BufferRect): pitches, bounds, overlap, copying.
#ifndef UPSWEEP_RUNTIME_COMMANDS_RECT_COPY_H
#define UPSWEEP_RUNTIME_COMMANDS_RECT_COPY_H

#include <array>
#include <cstddef>

namespace upsweep {

using Size3 = std::array<size_t, 3>;  ///< bytes in x, rows in y, slices in z

/// Start of a region in a linear allocation, and the distances of its rows and slices.
struct RectLayout {
  Size3 origin{};
  size_t row_pitch = 0;    ///< bytes; 0 asks for region[0]
  size_t slice_pitch = 0;  ///< bytes; 0 asks for region[1] * row_pitch
};

/// Replaces pitches of 0. False if a pitch is smaller than the region, the slice pitch is not a multiple of the row pitch, or a
/// size overflows.
bool complete_pitches(RectLayout &layout, const Size3 &region);

/// Byte offset of the region's first byte. Call it only after complete_pitches() and region_end() succeeded.
size_t region_begin(const RectLayout &layout);

/// End of the last byte of the region, or SIZE_MAX on overflow.
size_t region_end(const RectLayout &layout, const Size3 &region);

/// Whether two regions of the same allocation with equal pitches share a byte.
bool regions_overlap(const RectLayout &a, const RectLayout &b, const Size3 &region);

/// Copies `region` between two allocations; the regions must not overlap.
void copy_rect(char *to, const RectLayout &to_layout, const char *from, const RectLayout &from_layout, const Size3 &region);

/// Repeats `pattern`, whose size divides region[0], over `region`.
void fill_rect(char *to, const RectLayout &layout, const Size3 &region, const void *pattern, size_t pattern_bytes);

}  // namespace upsweep

#endif
