// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// cl_intel_subgroups and its extensions: blocks of two-dimensional images. Each row of a block has an element for each lane, whatever
// the format of the texels.
//
// The extension describes edges for texels of four bytes: a read beyond an edge returns the texel at the edge, and a write
// there does nothing. Here this holds for words of four bytes in all images.
#include "images/image.h"

/// Bodies for blocks that are not inside the image: rare, so they are not inlined.
#define EDGE __attribute__((overloadable, cold, noinline, minsize))

HELPER long row_bytes(image_ptr image) { return (long)image->width * image->texel_bytes; }

/// The place of the byte at an offset in a row. Offsets beyond an edge give the byte at the same place in the word at the edge.
HELPER long nearest_byte(long offset, long bytes) {
  if (offset < 0) return __builtin_elementwise_min(offset & 3, bytes - 1);
  return offset < bytes ? offset : __builtin_elementwise_max(bytes - 4 + (offset & 3), 0L);
}

EDGE __attribute__((pure)) ulong read_edge(image_ptr image, long x, long y, uint size) {
  const long line = BETWEEN(y, 0L, (long)image->height - 1);
  const __global uchar *row = (const __global uchar *)row_at(level_of(image, 0), (int)line, 0);
  ulong value = 0;
  for (uint i = 0; i < size; ++i) value |= (ulong)row[nearest_byte(x + i, row_bytes(image))] << 8 * i;
  return value;
}

EDGE void write_edge(image_ptr image, long x, long y, uint size, ulong value) {
  if (y < 0 || y >= image->height) return;
  __global uchar *row = (__global uchar *)row_at(level_of(image, 0), (int)y, 0);
  for (uint i = 0; i < size; ++i)
    if (x + i >= 0 && x + i < row_bytes(image)) row[x + i] = (uchar)(value >> 8 * i);
}

/// Where a block is: the address of its first byte, or 0 if it is not inside the image at a multiple of `align`, a power of two.
struct block {
  ulong address;
  int x, y;
};

HELPER struct block block_at(image_ptr image, int2 given, uint bytes, uint rows, uint align) {
  const int2 at = as_int2(__ups_sg_common(as_ulong(given)));
  const ulong address = row_at(level_of(image, 0), at.y, 0) + (uint)at.x;
  const bool is_inside =
      at.x >= 0 && (long)at.x + bytes <= row_bytes(image) && at.y >= 0 && (long)at.y + rows <= image->height;
  const bool is_aligned = (((uint)address | (uint)image->row_pitch) & (align - 1)) == 0;
  struct block block = {is_inside && is_aligned ? address : 0, at.x, at.y};
  return block;
}

/// Elements of 8 bytes have the alignment of words, as images and the coordinates of writes do.
#define ELEMENT(T, A) \
  typedef T element_##T __attribute__((aligned(A))); \
  HELPER __global element_##T *element_of(image_ptr image, struct block block, uint row, T unused) { \
    return (__global element_##T *)(block.address + row * image->row_pitch) + __ups_lane(); \
  } \
  HELPER struct block block_of(image_ptr image, int2 at, uint rows, T unused) { \
    return block_at(image, at, __ups_max_sub_group_size() * (uint)sizeof(T), rows, A); \
  } \
  HELPER T edge_of(image_ptr image, struct block block, uint row, T unused) { \
    return (T)read_edge(image, block.x + (long)__ups_lane() * (long)sizeof(T), (long)block.y + row, sizeof(T)); \
  } \
  HELPER void store_edge(image_ptr image, struct block block, uint row, T x) { \
    write_edge(image, block.x + (long)__ups_lane() * (long)sizeof(T), (long)block.y + row, sizeof(T), x); \
  }
ELEMENT(uchar, 1)
ELEMENT(ushort, 2)
ELEMENT(uint, 4)
ELEMENT(ulong, 4)

#define READ(access, N, T, suffix) \
  SMALL CAT(T, N) CAT3(intel_sub_group_block_read, suffix, N)(access image2d_t of, int2 at) { \
    image_ptr image = described(of); \
    const struct block block = block_of(image, at, WIDTH_##N, (T)0); \
    T rows[WIDTH_##N]; \
    if (block.address) \
      _Pragma("unroll") for (uint i = 0; i < WIDTH_##N; ++i) rows[i] = *element_of(image, block, i, (T)0); \
    else \
      _Pragma("unroll") for (uint i = 0; i < WIDTH_##N; ++i) rows[i] = edge_of(image, block, i, (T)0); \
    CAT(T, N) r; \
    _Pragma("unroll") for (uint i = 0; i < WIDTH_##N; ++i) COMPONENT_##N(r, i) = rows[i]; \
    return r; \
  }
#define WRITE(access, N, T, suffix) \
  SMALL void CAT3(intel_sub_group_block_write, suffix, N)(access image2d_t of, int2 at, CAT(T, N) x) { \
    image_ptr image = described(of); \
    const struct block block = block_of(image, at, WIDTH_##N, (T)0); \
    if (block.address) \
      _Pragma("unroll") for (uint i = 0; i < WIDTH_##N; ++i) *element_of(image, block, i, (T)0) = COMPONENT_##N(x, i); \
    else \
      _Pragma("unroll") for (uint i = 0; i < WIDTH_##N; ++i) store_edge(image, block, i, COMPONENT_##N(x, i)); \
  }
#define WIDTH_ 1
#define WIDTH_2 2
#define WIDTH_4 4
#define WIDTH_8 8
#define WIDTH_16 16
#define COMPONENT_(v, i) v
#define COMPONENT_2(v, i) v[i]
#define COMPONENT_4(v, i) v[i]
#define COMPONENT_8(v, i) v[i]
#define COMPONENT_16(v, i) v[i]

#define BLOCK(N, T, suffix) \
  READ(read_only, N, T, suffix) READ(read_write, N, T, suffix) WRITE(write_only, N, T, suffix) WRITE(read_write, N, T, suffix)
#define BLOCKS(T, suffix) BLOCK(, T, suffix) BLOCK(2, T, suffix) BLOCK(4, T, suffix) BLOCK(8, T, suffix)
BLOCKS(uchar, _uc)
BLOCK(16, uchar, _uc)
BLOCKS(ushort, _us)
BLOCKS(uint, )
BLOCKS(uint, _ui)
BLOCKS(ulong, _ul)
