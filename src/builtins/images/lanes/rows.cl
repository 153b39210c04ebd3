// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The common case of reads and writes of texels: all lanes are active, and their texels are adjacent in a row of an image of a
// common format. The passes inline this bitcode into kernels (passes/cpu/image_rows.h). All other cases call the functions of
// image_lanes.cl with a separate frame, so that the kernel's frame is never in memory.
#include "images/lanes/rows.h"
#include "images/lanes/stores.h"

#define OF_LANES(name) CAT3(name, _lanes, LANES)
#define OF_ROWS(name) CAT3(name, _rows, LANES)

// M(name, component, channels, bytes of a channel, swizzle as a number). Each format costs a few instructions at each read and write.
#define R_SWIZZLE 0x05040400u
#define FOR_FLOATS(M) \
  M(rgba8, UPSWEEP_UNORM8, 4, 1, RGBA_SWIZZLE) \
  M(r8, UPSWEEP_UNORM8, 1, 1, R_SWIZZLE) \
  M(rgba_float, UPSWEEP_FLOAT, 4, 4, RGBA_SWIZZLE) \
  M(r_float, UPSWEEP_FLOAT, 1, 4, R_SWIZZLE) \
  M(rgba_half, UPSWEEP_HALF, 4, 2, RGBA_SWIZZLE)
#define FOR_INTEGERS(M) \
  M(rgba8ui, UPSWEEP_UINT8, 4, 1, RGBA_SWIZZLE) \
  M(r8ui, UPSWEEP_UINT8, 1, 1, R_SWIZZLE) \
  M(r32ui, UPSWEEP_UINT32, 1, 4, R_SWIZZLE) \
  M(r32i, UPSWEEP_SINT32, 1, 4, R_SWIZZLE)

// Facts about these formats that the functions for any image query.
#define KNOWN(name, kind, channels, bytes, order) \
  static const __constant struct UpsweepImage name = {.component = kind, \
                                                      .components = channels, \
                                                      .texel_bytes = (channels) * (bytes), \
                                                      .swizzle = {(order) & 255, (order) >> 8 & 255, (order) >> 16 & 255, (order) >> 24}};
FOR_FLOATS(KNOWN)
FOR_INTEGERS(KNOWN)

/// The eight bytes of a description that define the format.
#define FORMAT(component, channels, bytes, order) \
  ((ulong)(component) | (channels) << 8 | ((bytes) / 2 * 4 + (channels) - 1) << 16 | (channels) * (bytes) << 24 | (ulong)(order) << 32)
#define FORMAT_OF(image) (*(const __constant ulong *)&(image)->component)

#define READ_ROW(name, component, channels, bytes, order) \
  case FORMAT(component, channels, bytes, order): READ_AT(&name, row, (U)0, ALL_LANES, form | IN_ROW, colour); return true;
#define WRITE_ROW(name, component, channels, bytes, order) \
  case FORMAT(component, channels, bytes, order): WRITE_AT(&name, row, NUMBERS * ((channels) * (bytes)), ALL_LANES, form, colour); return true;
#define BY_FORMAT(FORMATS, M) \
  switch (FORMAT_OF(image)) { \
    FORMATS(M) \
  default: return false; \
  }
#define READ_AT floats_at
#define WRITE_AT write_f_at
INLINE bool read_row_f(image_ptr image, ulong row, uint form, union lanes colour[4]) { BY_FORMAT(FOR_FLOATS, READ_ROW) }
INLINE bool write_row_f(image_ptr image, ulong row, uint form, const union lanes colour[4]) { BY_FORMAT(FOR_FLOATS, WRITE_ROW) }
#undef READ_AT
#undef WRITE_AT
#define READ_AT integers_at
#define WRITE_AT write_i_at
INLINE bool read_row_i(image_ptr image, ulong row, uint form, union lanes colour[4]) { BY_FORMAT(FOR_INTEGERS, READ_ROW) }
INLINE bool write_row_i(image_ptr image, ulong row, uint form, const union lanes colour[4]) { BY_FORMAT(FOR_INTEGERS, WRITE_ROW) }

#define ROW_READ(operation, kind, shape, D, place) \
  void OF_LANES(__ups_##operation##_##kind##_##shape)(image_ptr image, ulong sampler, struct frame *io, uint lanes); \
  void OF_ROWS(__ups_##operation##_##kind##_##shape)(image_ptr image, ulong sampler, struct frame *io, uint lanes) { \
    const ulong row = (lanes & ALL_LANES) == ALL_LANES ? place : 0; \
    if (row != 0 && read_row_##kind(image, row, lanes & SIDE_BY_SIDE, io->colour)) return; \
    struct frame any; \
    EACH_OF(d, D) any.in[d] = io->in[d]; \
    OF_LANES(__ups_##operation##_##kind##_##shape)(image, sampler, &any, lanes); \
    EACH_OF(k, 4) io->colour[k] = any.colour[k]; \
  }
#define IS_PLAIN(sampler) (!IS_LINEAR(sampler) && !IS_NORMALIZED(sampler))
#define ROWS(kind, shape, D) \
  ROW_READ(read, kind, shape, D, row_of_ints(image, io, D)) \
  ROW_READ(sample, kind, shape, D, IS_PLAIN(sampler) ? row_of_floats(image, io, D) : 0) \
  void OF_LANES(__ups_write_##kind##_##shape)(image_ptr image, struct frame *io, uint lanes); \
  void OF_ROWS(__ups_write_##kind##_##shape)(image_ptr image, struct frame *io, uint lanes) { \
    const bool is_whole = (lanes & ALL_LANES) == ALL_LANES && has_all(io->in[D].i == 0, ALL_LANES); \
    const ulong row = is_whole ? row_of_ints(image, io, D) : 0; \
    if (row != 0 && write_row_##kind(image, row, lanes & SIDE_BY_SIDE, io->colour)) return; \
    struct frame any; \
    EACH_OF(d, D + 1) any.in[d] = io->in[d]; \
    EACH_OF(k, 4) any.colour[k] = io->colour[k]; \
    OF_LANES(__ups_write_##kind##_##shape)(image, &any, lanes); \
  }
#define ROWS_OF(kind) ROWS(kind, 1d, 1) ROWS(kind, 2d, 2) ROWS(kind, 3d, 3)
ROWS_OF(f)
ROWS_OF(i)
