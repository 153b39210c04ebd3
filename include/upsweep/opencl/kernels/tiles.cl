// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One pass over tiles, of which all scans and compactions are made. A job says what it is about:
//
//   UPS_PARAMETERS, UPS_ARGUMENTS    its part of the kernels' parameters, and their names
//   ups_element, ups_read(.., i)     what it keeps of element i until results are written
//   ups_state_of(.., i, element)     what is scanned
//   ups_write(.., i, element, before)  the work for element i, with the total of all before it
//   ups_finish(.., total)            is called once, with the total of all
//   ups_first(..)                    the total before the first element
//
// A tile is first reduced (ups_up), and then, when the total before it is known, scanned (ups_down). With UPS_GROUP 1 a tile is
// read twice, the second time from the cache; otherwise its elements stay in registers, each work-item's UPS_GROUP apart as
// memory is fastest, and their states pass through local memory to be summed side by side.

#ifdef UPS_OWN_TILES
// ups_up() and ups_down() are of the job: tiles_vectors.cl, tiles_by_key.cl or tiles_compact.cl, read before this file.
#elif UPS_GROUP == 1
// A tile is UPS_SLICES slices, which are worked on side by side, so that operations do not wait for each other.
#define UPS_SLICES 8
#define UPS_SLICE (UPS_TILE / UPS_SLICES)
#define UPS_KEPT 1
#define UPS_STAGED UPS_SLICES

// Leaves the totals of a whole tile's slices in `stage`.
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
              ups_state prefix, ups_state before) {
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
// A tile is UPS_ITEMS rows of a work-group's width, and the work-group one or two sub-groups, which are the lanes of vectors.
// Nothing passes through local memory. The operator commutes, so that totals are taken of columns.
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
              ups_state prefix, ups_state before) {
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
#define UPS_KEPT UPS_ITEMS
#define UPS_STAGED UPS_TILE

// Returns the tile's total to all work-items; *before is that of the tile's work-items before this one.
ups_state ups_up(UPS_PARAMETERS, ulong base, uint count, ups_element *kept, local ups_state *stage, local ups_state *memory,
                 ups_state *before) {
  const uint item = get_local_id(0);
  if (count == UPS_TILE) {
#pragma unroll
    for (uint k = 0; k < UPS_ITEMS; ++k) kept[k] = ups_read(UPS_ARGUMENTS, base + (k * UPS_GROUP + item));
#pragma unroll
    for (uint k = 0; k < UPS_ITEMS; ++k) {
      stage[k * UPS_GROUP + item] = ups_state_of(UPS_ARGUMENTS, base + (k * UPS_GROUP + item), kept[k]);
    }
  } else {
#pragma unroll
    for (uint k = 0; k < UPS_ITEMS; ++k) {
      const uint place = k * UPS_GROUP + item;
      if (place < count) kept[k] = ups_read(UPS_ARGUMENTS, base + place);
      stage[place] = place < count ? ups_state_of(UPS_ARGUMENTS, base + place, kept[k]) : ups_none();
    }
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  local const ups_state *slice = stage + item * UPS_ITEMS;
  ups_state sum = slice[0], total;
#pragma unroll
  for (uint k = 1; k < UPS_ITEMS; ++k) sum = ups_combine(sum, slice[k]);
  *before = ups_group_scan(sum, memory, &total);
  return total;
}

void ups_down(UPS_PARAMETERS, ulong base, uint count, const ups_element *kept, local ups_state *stage, local ups_state *memory,
              ups_state prefix, ups_state before) {
  const uint item = get_local_id(0);
  local ups_state *slice = stage + item * UPS_ITEMS;
  ups_state running = ups_combine(prefix, before);
#pragma unroll
  for (uint k = 0; k < UPS_ITEMS; ++k) {
    const ups_state state = slice[k];
    slice[k] = running;
    running = ups_combine(running, state);
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  if (count == UPS_TILE) {
#pragma unroll
    for (uint k = 0; k < UPS_ITEMS; ++k) {
      ups_write(UPS_ARGUMENTS, base + (k * UPS_GROUP + item), kept[k], stage[k * UPS_GROUP + item]);
    }
  } else {
#pragma unroll
    for (uint k = 0; k < UPS_ITEMS; ++k) {
      const uint place = k * UPS_GROUP + item;
      if (place < count) ups_write(UPS_ARGUMENTS, base + place, kept[k], stage[place]);
    }
  }
}
#endif

uint ups_elements_of(ulong tile, ulong n) {
  const ulong base = tile * UPS_TILE;
  return base >= n ? 0 : (uint)min((ulong)UPS_TILE, n - base);
}
