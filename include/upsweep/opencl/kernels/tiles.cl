// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A pass over tiles, the base of all scans and compactions. A job defines:
//
//   UPS_PARAMETERS, UPS_ARGUMENTS    the job's parameters of the kernels, and their names.
//   ups_element, ups_read(.., i)     the data of element i that is kept until results are written.
//   ups_state_of(.., i, element)     the state to scan.
//   ups_write(.., i, element, before)  stores the result of element i, with the total of all earlier ones.
//   ups_finish(.., total)            called once, with the total of all elements.
//   ups_first(..)                    the total before the first element.
//
// A tile is first reduced (ups_up, and ups_prepare for ups_down). When the total before it is known, it is scanned (ups_down).
// With UPS_GROUP 1 a tile is read twice, the second time from the cache. Otherwise its elements stay in registers, with a
// work-item's chunks UPS_GROUP chunks apart for fast access, and their totals pass through local memory.
//
// A job with UPS_WIDTH (chunks.cl) also defines these for GPUs. They process chunks of `count` elements from i on, which are
// aligned and whole if `is_whole`:
//
//   ups_chunk, ups_read_chunk(..), ups_total_of(..), ups_write_chunk(..)   as above.
//   ups_lead(..), ups_is_aligned(.., i)   of all arrays.
//   ups_exchanged, ups_exchange(..), ups_write_exchanged(..)   with UPS_EXCHANGES, in place of ups_write_chunk.

#if UPS_GROUP == 1 || UPS_BY_ROWS
#define ups_chunk ups_element
#define UPS_LEAD 0
void ups_prepare(UPS_PARAMETERS, uint count, const ups_element *kept, local ups_state *stage, ups_state before,
                 ups_state total) {}
#endif

#ifdef UPS_OWN_TILES
// The job defines ups_up() and ups_down(): in tiles_vectors.cl, tiles_by_key.cl or tiles_compact.cl, read before this file.
#elif UPS_GROUP == 1
// A tile is UPS_SLICES slices, which are processed together, so that their operations overlap.
#define UPS_SLICES 8
#define UPS_SLICE (UPS_TILE / UPS_SLICES)
#define UPS_KEPT 1
#define UPS_STAGED UPS_SLICES

// Stores the totals of a whole tile's slices in `stage`.
ups_state ups_up(UPS_PARAMETERS, ulong base, uint count, ups_element *kept, local ups_state *stage, local ups_state *memory,
                 ups_state *before) {
  ups_state total = ups_none();
  *before = total;
  if (count == UPS_SLICE * UPS_SLICES) {
    ups_state sums[UPS_SLICES];
    for (uint c = 0; c < UPS_SLICES; ++c) sums[c] = ups_none();
    for (uint k = 0; k < UPS_SLICE; ++k) {
#pragma unroll
      for (uint c = 0; c < UPS_SLICES; ++c) {
        const ulong i = base + (c * UPS_SLICE + k);
        sums[c] = ups_combine(sums[c], ups_state_of(UPS_ARGUMENTS, i, ups_read(UPS_ARGUMENTS, i)));
      }
    }
    for (uint c = 0; c < UPS_SLICES; ++c) {
      stage[c] = sums[c];
      total = ups_combine(total, sums[c]);
    }
    return total;
  }
  for (uint k = 0; k < count; ++k) {
    total = ups_combine(total, ups_state_of(UPS_ARGUMENTS, base + k, ups_read(UPS_ARGUMENTS, base + k)));
  }
  return total;
}

void ups_down(UPS_PARAMETERS, ulong base, uint count, const ups_element *kept, local ups_state *stage, local ups_state *memory,
              ups_state prefix, ups_state total) {
  if (count == UPS_SLICE * UPS_SLICES) {
    ups_state running[UPS_SLICES];
    for (uint c = 0; c < UPS_SLICES; ++c) {
      running[c] = prefix;
      prefix = ups_combine(prefix, stage[c]);
    }
    for (uint k = 0; k < UPS_SLICE; ++k) {
#pragma unroll
      for (uint c = 0; c < UPS_SLICES; ++c) {
        const ulong i = base + (c * UPS_SLICE + k);
        const ups_element element = ups_read(UPS_ARGUMENTS, i);
        const ups_state state = ups_state_of(UPS_ARGUMENTS, i, element);
        ups_write(UPS_ARGUMENTS, i, element, running[c]);
        running[c] = ups_combine(running[c], state);
      }
    }
    return;
  }
  for (uint k = 0; k < count; ++k) {
    const ups_element element = ups_read(UPS_ARGUMENTS, base + k);
    const ups_state state = ups_state_of(UPS_ARGUMENTS, base + k, element);
    ups_write(UPS_ARGUMENTS, base + k, element, prefix);
    prefix = ups_combine(prefix, state);
  }
}

#elif UPS_BY_ROWS
// A tile is UPS_ITEMS rows of a work-group's width. The work-group is one or two sub-groups, which are vector lanes, and local
// memory is not used. The operator commutes, so that totals are computed by columns.
#define UPS_KEPT 1
#define UPS_STAGED 1

ups_state ups_up(UPS_PARAMETERS, ulong base, uint count, ups_element *kept, local ups_state *stage, local ups_state *memory,
                 ups_state *before) {
  const uint item = get_local_id(0), rows = count / UPS_GROUP;
  ups_state sum = ups_none(), total;
  for (uint k = 0; k < rows; ++k) {
    const ulong i = base + (k * UPS_GROUP + item);
    sum = ups_combine(sum, ups_state_of(UPS_ARGUMENTS, i, ups_read(UPS_ARGUMENTS, i)));
  }
  if (rows * UPS_GROUP + item < count) {
    const ulong i = base + (rows * UPS_GROUP + item);
    sum = ups_combine(sum, ups_state_of(UPS_ARGUMENTS, i, ups_read(UPS_ARGUMENTS, i)));
  }
  ups_group_scan(sum, memory, &total);
  *before = ups_none();
  return total;
}

void ups_down(UPS_PARAMETERS, ulong base, uint count, const ups_element *kept, local ups_state *stage, local ups_state *memory,
              ups_state prefix, ups_state total) {
  const uint item = get_local_id(0), rows = count / UPS_GROUP;
  for (uint k = 0; k < rows; ++k) {
    const ulong i = base + (k * UPS_GROUP + item);
    const ups_element element = ups_read(UPS_ARGUMENTS, i);
    ups_state total;
    const ups_state before_item = ups_group_scan(ups_state_of(UPS_ARGUMENTS, i, element), memory, &total);
    ups_write(UPS_ARGUMENTS, i, element, ups_combine(prefix, before_item));
    prefix = ups_combine(prefix, total);
  }
  if (rows * UPS_GROUP < count) {
    const ulong i = base + (rows * UPS_GROUP + item);
    const bool exists = rows * UPS_GROUP + item < count;
    ups_element element;
    ups_state state = ups_none(), total;
    if (exists) {
      element = ups_read(UPS_ARGUMENTS, i);
      state = ups_state_of(UPS_ARGUMENTS, i, element);
    }
    const ups_state before_item = ups_group_scan(state, memory, &total);
    if (exists) ups_write(UPS_ARGUMENTS, i, element, ups_combine(prefix, before_item));
  }
}

#else
// A tile is UPS_CHUNKS rows of chunks, which are neighbouring elements. Chunks stay in registers, and their totals pass
// through local memory, where each work-item has a slice of them.
#ifdef UPS_WIDTH
#define UPS_LEAD ups_lead(UPS_ARGUMENTS)
#else
#define UPS_WIDTH 1
#define UPS_LEAD 0
typedef ups_element ups_chunk;
bool ups_is_aligned(UPS_PARAMETERS, ulong i) { return true; }
void ups_read_chunk(UPS_PARAMETERS, ulong i, uint count, bool is_whole, ups_chunk *chunk) {
  *chunk = ups_read(UPS_ARGUMENTS, i);
}
ups_state ups_total_of(UPS_PARAMETERS, ulong i, uint count, const ups_chunk *chunk) {
  return ups_state_of(UPS_ARGUMENTS, i, *chunk);
}
void ups_write_chunk(UPS_PARAMETERS, ulong i, uint count, bool is_whole, const ups_chunk *chunk, ups_state before) {
  ups_write(UPS_ARGUMENTS, i, *chunk, before);
}
#endif
#define UPS_CHUNKS (UPS_ITEMS / UPS_WIDTH)
#define UPS_KEPT UPS_CHUNKS
#ifdef UPS_EXCHANGES  // elements pass through local memory, so that neighbours write neighbours
#define UPS_EXCHANGED ((UPS_TILE * sizeof(ups_exchanged) + sizeof(ups_state) - 1) / sizeof(ups_state))
#define UPS_STAGED (UPS_EXCHANGED > UPS_GROUP * UPS_CHUNKS ? UPS_EXCHANGED : UPS_GROUP * UPS_CHUNKS)
#else
#define UPS_STAGED (UPS_GROUP * UPS_CHUNKS)
#endif

uint ups_size_of_chunk(uint begin, uint count) { return begin < count ? min((uint)UPS_WIDTH, count - begin) : 0; }

// Returns the tile's total to all work-items; *before is the total of the tile's earlier work-items.
ups_state ups_up(UPS_PARAMETERS, ulong base, uint count, ups_chunk *kept, local ups_state *stage, local ups_state *memory,
                 ups_state *before) {
  const uint item = get_local_id(0);
  if (count == UPS_TILE && ups_is_aligned(UPS_ARGUMENTS, base)) {
#pragma unroll
    for (uint k = 0; k < UPS_CHUNKS; ++k) {
      ups_read_chunk(UPS_ARGUMENTS, base + (k * UPS_GROUP + item) * UPS_WIDTH, UPS_WIDTH, true, &kept[k]);
    }
#pragma unroll
    for (uint k = 0; k < UPS_CHUNKS; ++k) {
      const uint place = k * UPS_GROUP + item;
      stage[place] = ups_total_of(UPS_ARGUMENTS, base + place * UPS_WIDTH, UPS_WIDTH, &kept[k]);
    }
  } else {
#pragma unroll
    for (uint k = 0; k < UPS_CHUNKS; ++k) {
      const uint place = k * UPS_GROUP + item, begin = place * UPS_WIDTH, size = ups_size_of_chunk(begin, count);
      if (size != 0) ups_read_chunk(UPS_ARGUMENTS, base + begin, size, false, &kept[k]);
      stage[place] = size != 0 ? ups_total_of(UPS_ARGUMENTS, base + begin, size, &kept[k]) : ups_none();
    }
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  local const ups_state *slice = stage + item * UPS_CHUNKS;
  ups_state sum = slice[0], total;
#pragma unroll
  for (uint k = 1; k < UPS_CHUNKS; ++k) sum = ups_combine(sum, slice[k]);
  *before = ups_group_scan(sum, memory, &total);
  return total;
}

// Work before the total of earlier tiles is known: `stage` becomes the totals of the tile before each chunk, or elements in
// the order in which they are written.
void ups_prepare(UPS_PARAMETERS, uint count, const ups_chunk *kept, local ups_state *stage, ups_state before, ups_state total) {
  const uint item = get_local_id(0);
  local ups_state *slice = stage + item * UPS_CHUNKS;
  ups_state running = before;
#pragma unroll
  for (uint k = 0; k < UPS_CHUNKS; ++k) {
    const ups_state state = slice[k];
    slice[k] = running;
    running = ups_combine(running, state);
  }
  barrier(CLK_LOCAL_MEM_FENCE);
#ifdef UPS_EXCHANGES
  uint befores[UPS_CHUNKS];
#pragma unroll
  for (uint k = 0; k < UPS_CHUNKS; ++k) befores[k] = (uint)stage[k * UPS_GROUP + item];
  barrier(CLK_LOCAL_MEM_FENCE);
#pragma unroll
  for (uint k = 0; k < UPS_CHUNKS; ++k) {
    const uint begin = (k * UPS_GROUP + item) * UPS_WIDTH, size = ups_size_of_chunk(begin, count);
    if (size != 0) {
      ups_exchange(UPS_ARGUMENTS, begin, size, &kept[k], befores[k], (uint)total, (local ups_exchanged *)stage);
    }
  }
  barrier(CLK_LOCAL_MEM_FENCE);
#endif
}

void ups_down(UPS_PARAMETERS, ulong base, uint count, const ups_chunk *kept, local ups_state *stage, local ups_state *memory,
              ups_state prefix, ups_state total) {
#ifdef UPS_EXCHANGES
  ups_write_exchanged(UPS_ARGUMENTS, base, count, prefix, (uint)total, (local const ups_exchanged *)stage);
#else
  const uint item = get_local_id(0);
  if (count == UPS_TILE && ups_is_aligned(UPS_ARGUMENTS, base)) {
#pragma unroll
    for (uint k = 0; k < UPS_CHUNKS; ++k) {
      const uint place = k * UPS_GROUP + item;
      const ups_state before = ups_combine(prefix, stage[place]);
      ups_write_chunk(UPS_ARGUMENTS, base + place * UPS_WIDTH, UPS_WIDTH, true, &kept[k], before);
    }
  } else {
#pragma unroll
    for (uint k = 0; k < UPS_CHUNKS; ++k) {
      const uint place = k * UPS_GROUP + item, begin = place * UPS_WIDTH, size = ups_size_of_chunk(begin, count);
      const ups_state before = ups_combine(prefix, stage[place]);
      if (size != 0) ups_write_chunk(UPS_ARGUMENTS, base + begin, size, false, &kept[k], before);
    }
  }
#endif
}
#endif

// The begin of a tile, and its number of elements. If chunks are aligned, tiles begin at an aligned chunk, so the first tile
// is shorter.
ulong ups_begin_of(UPS_PARAMETERS, ulong tile) { return tile == 0 ? 0 : tile * UPS_TILE - UPS_LEAD; }
uint ups_elements_of(UPS_PARAMETERS, ulong tile, ulong n) {
  const ulong begin = ups_begin_of(UPS_ARGUMENTS, tile), end = (tile + 1) * UPS_TILE - UPS_LEAD;
  return begin >= n ? 0 : (uint)(min(end, n) - begin);
}
