// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Region arithmetic with overflow checks, since the application may pass any sizes.
#include "runtime/commands/rect_copy.h"

#include "runtime/commands/bulk_copy.h"

#include <algorithm>
#include <cstdint>
#include <initializer_list>

namespace upsweep {
namespace {

/// result = a * b + c; false on overflow.
bool multiply_add(size_t a, size_t b, size_t c, size_t &result) {
  return !__builtin_mul_overflow(a, b, &result) && !__builtin_add_overflow(result, c, &result);
}

using Wide = __int128;  // for distances and pitches, which may be any 64-bit numbers

/// Whether two slices whose first bytes are `distance` apart (of either sign) share a byte.
bool rows_overlap(Wide distance, Wide row_pitch, const Size3 &region) {
  const Wide first_rows = distance / row_pitch - (distance % row_pitch < 0 ? 1 : 0);
  for (Wide rows = first_rows; rows <= first_rows + 1; ++rows) {
    const Wide gap = distance - rows * row_pitch;
    const Wide length = region[0];
    const Wide height = region[1];
    if (gap > -length && gap < length && rows > -height && rows < height) return true;
  }
  return false;
}

/// A region as gapless rows of bytes that are as long as possible: contiguous rows and slices are merged.
Rows rows_of(std::initializer_list<const RectLayout *> layouts, const Size3 &region) {
  const auto &[bytes, rows, slices] = region;
  if (!std::ranges::all_of(layouts, [&](const RectLayout *layout) { return rows == 1 || layout->row_pitch == bytes; }))
    return {bytes, rows, slices};
  if (!std::ranges::all_of(layouts,
                           [&](const RectLayout *layout) { return slices == 1 || layout->slice_pitch == bytes * rows; }))
    return {bytes * rows, 1, slices};
  return {bytes * rows * slices, 1, 1};
}

}  // namespace

bool complete_pitches(RectLayout &layout, const Size3 &region) {
  if (layout.row_pitch == 0) layout.row_pitch = region[0];
  if (layout.row_pitch < region[0]) return false;
  size_t slice = 0;
  if (!multiply_add(region[1], layout.row_pitch, 0, slice)) return false;
  if (layout.slice_pitch == 0) layout.slice_pitch = slice;
  return layout.slice_pitch >= slice && layout.slice_pitch % layout.row_pitch == 0;
}

size_t region_begin(const RectLayout &layout) {
  return layout.origin[2] * layout.slice_pitch + layout.origin[1] * layout.row_pitch + layout.origin[0];
}

size_t region_end(const RectLayout &layout, const Size3 &region) {
  size_t last_slice = 0;
  size_t last_row = 0;
  size_t end = 0;
  const bool fits = !__builtin_add_overflow(layout.origin[2], region[2] - 1, &last_slice) &&
                    !__builtin_add_overflow(layout.origin[1], region[1] - 1, &last_row) &&
                    !__builtin_add_overflow(layout.origin[0], region[0], &end) &&
                    multiply_add(last_row, layout.row_pitch, end, end) &&
                    multiply_add(last_slice, layout.slice_pitch, end, end);
  return fits ? end : SIZE_MAX;
}

bool regions_overlap(const RectLayout &a, const RectLayout &b, const Size3 &region) {
  const size_t a_begin = region_begin(a);
  const size_t b_begin = region_begin(b);
  if (a_begin >= region_end(b, region) || b_begin >= region_end(a, region)) return false;
  // The spans overlap, but the boxes may not. A region is a set of rows of equal length, so two regions share a byte exactly
  // when a row of one overlaps a row of the other. Write the distance as slices * slice_pitch + rows * row_pitch + gap; then
  // only two values of `slices` and of `rows` can make rows overlap.
  const Wide distance = a_begin < b_begin ? b_begin - a_begin : a_begin - b_begin;
  const Wide first_slices = distance / a.slice_pitch;
  for (Wide slices = first_slices; slices <= first_slices + 1 && slices < region[2]; ++slices) {
    const Wide rest = distance - slices * static_cast<Wide>(a.slice_pitch);
    if (rows_overlap(rest, a.row_pitch, region)) return true;
  }
  return false;
}

void copy_rect(char *to, const RectLayout &to_layout, const char *from, const RectLayout &from_layout, const Size3 &region) {
  to += region_begin(to_layout);
  from += region_begin(from_layout);
  copy_rows(to, {to_layout.row_pitch, to_layout.slice_pitch}, from, {from_layout.row_pitch, from_layout.slice_pitch},
            rows_of({&to_layout, &from_layout}, region));
}

void fill_rect(char *to, const RectLayout &layout, const Size3 &region, const void *pattern, size_t pattern_bytes) {
  to += region_begin(layout);
  fill_rows(to, {layout.row_pitch, layout.slice_pitch}, rows_of({&layout}, region), pattern, pattern_bytes);
}

}  // namespace upsweep
