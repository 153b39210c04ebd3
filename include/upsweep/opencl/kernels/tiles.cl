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
// A tile is first reduced (ups_up), and then, when the total before it is known, scanned (ups_down). With UPS_GROUP 1 a tile is read
// twice, the second time from the cache; otherwise its elements stay in registers, each work-item's UPS_GROUP apart as memory is
// fastest, and their states pass through local memory to be summed side by side.

#if UPS_GROUP == 1
#define UPS_KEPT 1
#define UPS_STAGED 1

ups_state ups_up(UPS_PARAMETERS, ulong base, uint count, ups_element *kept, local ups_state *stage, local ups_state *memory,
                 ups_state *before) {
  ups_state total = ups_none();
  for (uint k = 0; k < count; ++k) {
    total = ups_combine(total, ups_state_of(UPS_ARGUMENTS, base + k, ups_read(UPS_ARGUMENTS, base + k)));
  }
  *before = ups_none();
  return total;
}

void ups_down(UPS_PARAMETERS, ulong base, uint count, const ups_element *kept, local ups_state *stage, ups_state prefix,
              ups_state before) {
  for (uint k = 0; k < count; ++k) {
    const ups_element element = ups_read(UPS_ARGUMENTS, base + k);
    const ups_state state = ups_state_of(UPS_ARGUMENTS, base + k, element);
    ups_write(UPS_ARGUMENTS, base + k, element, prefix);
    prefix = ups_combine(prefix, state);
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

void ups_down(UPS_PARAMETERS, ulong base, uint count, const ups_element *kept, local ups_state *stage, ups_state prefix,
              ups_state before) {
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
