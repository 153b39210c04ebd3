// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The exchange of counts among the work-groups of a sweep: each needs the count of each digit in earlier tiles.
//
// 16 tiles form a group, and 16 groups a span. A tile stores its counts, and adds them to its group's counts. The count before
// a tile is the sum over earlier tiles of its group, earlier groups of its span, and one word for all earlier spans. These are
// at most 31 words for each digit, read together, however many tiles are under way.
//
// All words are 0 before the sweep: UPS_RADIX words of 64 bits for each span, then UPS_RADIX words of 32 bits for each group
// and each tile.

#define UPS_WIDE 16u
#define UPS_SPAN (UPS_WIDE * UPS_WIDE)
#define UPS_IS_THERE 0x80000000u
#define UPS_ARRIVAL (UPS_IS_THERE / UPS_WIDE)
#define UPS_IS_BEGUN 0x8000000000000000ul
// Columns of four digits each have several work-items, and a work-item reads UPS_LOOKS rows together.
#define UPS_COLUMNS (UPS_GROUP < UPS_RADIX / 4 ? UPS_GROUP : UPS_RADIX / 4)
#define UPS_ROWS_AT_ONCE (UPS_GROUP / UPS_COLUMNS)
#define UPS_LOOKS (UPS_ROWS_AT_ONCE < 4 ? 2 : (2 * UPS_WIDE - 2 + UPS_ROWS_AT_ONCE - 1) / UPS_ROWS_AT_ONCE)

volatile global uint *ups_groups(volatile global ulong *rows, ulong tiles) {
  return (volatile global uint *)(rows + (tiles / UPS_SPAN + 1) * UPS_RADIX);
}
volatile global uint *ups_tiles(volatile global ulong *rows, ulong tiles) {
  return ups_groups(rows, tiles) + (tiles / UPS_WIDE + 1) * UPS_RADIX;
}

void ups_publish_count(volatile global ulong *rows, ulong tiles, ulong tile, uint digit, uint count) {
  atomic_xchg(ups_tiles(rows, tiles) + tile * UPS_RADIX + digit, count | UPS_IS_THERE);
  atomic_add(ups_groups(rows, tiles) + tile / UPS_WIDE * UPS_RADIX + digit, count + UPS_ARRIVAL);
}

// Clears the words that this tile and later ones write in rows.
void ups_clear_rows(global ulong *rows, ulong tiles, ulong tile) {
  global uint *groups = (global uint *)(rows + (tiles / UPS_SPAN + 1) * UPS_RADIX);
  global uint *of_tiles = groups + (tiles / UPS_WIDE + 1) * UPS_RADIX;
  for (uint d = get_local_id(0); d < UPS_RADIX; d += UPS_GROUP) {
    of_tiles[tile * UPS_RADIX + d] = 0;
    if (tile % UPS_WIDE == 0) groups[tile / UPS_WIDE * UPS_RADIX + d] = 0;
    if (tile % UPS_SPAN == 0) rows[tile / UPS_SPAN * UPS_RADIX + d] = 0;
  }
}

// A plain load may return an old word for long; an atomic one does not. A word that is set does not change any more.
uint4 ups_wait_for_counts(volatile global uint *at, uint4 words) {
  for (uint looks = 1; (words.x & words.y & words.z & words.w & UPS_IS_THERE) == 0; ++looks) {
    if (looks % 16 == 0) {
      words = (uint4)(atomic_or(at, 0u), atomic_or(at + 1, 0u), atomic_or(at + 2, 0u), atomic_or(at + 3, 0u));
    } else {
      words = *(volatile global uint4 *)at;
    }
  }
  return words & (UPS_ARRIVAL - 1);
}
// A plain load of 64 bits may return a new half and an old one.
ulong ups_wait_for_span(volatile global ulong *rows, ulong span, uint digit) {
  volatile global ulong *at = rows + span * UPS_RADIX + digit;
  for (uint looks = 1; (*at & UPS_IS_BEGUN) == 0 && (looks % 16 != 0 || (ups_load_word(at) & UPS_IS_BEGUN) == 0); ++looks) {
  }
  ulong word;
  do word = ups_load_word(at);
  while ((word & UPS_IS_BEGUN) == 0);
  return word & ~UPS_IS_BEGUN;
}

// Adds the counts of each digit in earlier tiles of the span to `before`.
void ups_add_rows(volatile global ulong *rows, ulong tiles, ulong tile, local uint *before) {
  const uint in_group = (uint)(tile % UPS_WIDE), groups = (uint)(tile / UPS_WIDE % UPS_WIDE);
  volatile global uint *of_group = ups_tiles(rows, tiles) + (tile - in_group) * UPS_RADIX;
  volatile global uint *of_span = ups_groups(rows, tiles) + (tile / UPS_WIDE - groups) * UPS_RADIX;
  const uint rows_before = in_group + groups;
  for (uint column = (uint)get_local_id(0) % UPS_COLUMNS; column < UPS_RADIX / 4; column += UPS_COLUMNS) {
    uint4 sum = 0;
    for (uint first = (uint)get_local_id(0) / UPS_COLUMNS; first < rows_before; first += UPS_LOOKS * UPS_ROWS_AT_ONCE) {
      volatile global uint *from[UPS_LOOKS];
      uint4 seen[UPS_LOOKS];
#pragma unroll
      for (uint k = 0; k < UPS_LOOKS; ++k) {
        const uint row = first + k * UPS_ROWS_AT_ONCE;
        from[k] = (row < in_group ? of_group + row * UPS_RADIX : of_span + (row - in_group) * UPS_RADIX) + 4 * column;
        seen[k] = row < rows_before ? *(volatile global uint4 *)from[k] : UPS_IS_THERE;
      }
#pragma unroll
      for (uint k = 0; k < UPS_LOOKS; ++k) sum += ups_wait_for_counts(from[k], seen[k]);
    }
    if (sum.x != 0) atomic_add(&before[4 * column], sum.x);
    if (sum.y != 0) atomic_add(&before[4 * column + 1], sum.y);
    if (sum.z != 0) atomic_add(&before[4 * column + 2], sum.z);
    if (sum.w != 0) atomic_add(&before[4 * column + 3], sum.w);
  }
}
