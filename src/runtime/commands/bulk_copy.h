// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Bulk copies and fills, used by transfer commands.
#ifndef UPSWEEP_RUNTIME_COMMANDS_BULK_COPY_H
#define UPSWEEP_RUNTIME_COMMANDS_BULK_COPY_H

#include <cstddef>

namespace upsweep {

/// Largest pattern of clEnqueueFillBuffer and clEnqueueSVMMemFill: a 16-component vector of 8 bytes.
constexpr size_t kMaxFillPattern = 128;

/// Copies `bytes` bytes. The ranges must not overlap, but `to` may equal `from` (a write from the host pointer of the buffer).
void copy_bytes(void *to, const void *from, size_t bytes);

/// Repeats `pattern` over `bytes` bytes. `pattern_bytes` divides `bytes`; it is a power of two up to kMaxFillPattern, or three
/// times a power of two.
void fill_bytes(void *to, size_t bytes, const void *pattern, size_t pattern_bytes);

/// The shape of a region: rows of bytes, and slices of rows.
struct Rows {
  size_t bytes, rows, slices;
};
/// The distances of rows and slices, in bytes.
struct RowLayout {
  size_t row_pitch, slice_pitch;
};

/// copy_bytes() and fill_bytes() of each row.
void copy_rows(char *to, const RowLayout &to_layout, const char *from, const RowLayout &from_layout, const Rows &rows);
void fill_rows(char *to, const RowLayout &layout, const Rows &rows, const void *pattern, size_t pattern_bytes);

}  // namespace upsweep

#endif
