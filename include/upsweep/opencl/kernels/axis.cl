// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Scans and reductions along an axis with neighbours behind it. A work-group has a strip: UPS_COLUMNS neighbouring columns of
// a batch. It scans the strip in tiles of UPS_ROWS rows: all tiles, or with UPS_LOOK_BACK one tile, which looks back at
// earlier tiles. The tiles of a strip form a chain. Brackets depend on the shape alone.
// A job has the functions of tiles.cl and two more:
//   ups_first_of(.., column)          the total before a column's first element, columns counted over all batches.
//   ups_finish_column(.., column, total)
// UPS_READ_ROW(row)   row number `row` in the scan's order: backward scans count from the last row.
// UPS_WRITES          0 for reductions, which only write totals of columns.
#define UPS_SHAPE                                                                                                              \
  ulong length, ulong inner, ulong strips, ulong chains, ulong in_batch, ulong in_along, ulong out_batch, ulong out_along

#if UPS_GROUP == 1
#define UPS_ROWS UPS_ITEMS
#define UPS_TILES_OF_BLOCK 16u
#else
#define UPS_LANES (UPS_GROUP / UPS_COLUMNS)
#define UPS_ROWS (UPS_LANES * UPS_ITEMS)
#define UPS_TILES_OF_BLOCK UPS_LANES
#endif
#if UPS_BACKWARD_ROWS
#define UPS_READ_ROW(row) (length - 1 - (row))
#else
#define UPS_READ_ROW(row) (row)
#endif

// The place of a column's published totals: first the totals of tiles, then the prefixes of blocks of tiles.
#if UPS_LOOK_BACK
#define UPS_TILE_WORDS(tile) (words + ((chain * tiles + (tile)) * UPS_COLUMNS + col) * UPS_WORDS)
#define UPS_BLOCK_WORDS(block)                                                                                                 \
  (words + (chains * tiles + chain * (tiles / UPS_TILES_OF_BLOCK + 1) + (block)) * (UPS_COLUMNS * UPS_WORDS) + col * UPS_WORDS)
#endif

#if UPS_GROUP == 1
// A single work-item has all columns, in loops that compilers vectorise.
void ups_columns(UPS_PARAMETERS, UPS_SHAPE, ulong tiles, ulong per, volatile global ulong *words, ulong chain, ulong part,
                 uint width) {
  const ulong batch = chain / strips, column = chain % strips * UPS_COLUMNS;
  const ulong from = batch * in_batch + column, to = batch * out_batch + column;
  const ulong begin = part * per * UPS_ROWS, end = min(begin + per * UPS_ROWS, length);
  ups_state running[UPS_COLUMNS];
#if UPS_LOOK_BACK
  ups_state sums[UPS_COLUMNS];
  const uint place = (uint)(part % UPS_TILES_OF_BLOCK);
  const ulong block = part / UPS_TILES_OF_BLOCK;
  for (uint col = 0; col < width; ++col) sums[col] = ups_none();
  for (ulong row = begin; row < end; ++row) {
    const ulong at = from + UPS_READ_ROW(row) * in_along;
    for (uint col = 0; col < width; ++col) {
      sums[col] = ups_combine(sums[col], ups_state_of(UPS_ARGUMENTS, at + col, ups_read(UPS_ARGUMENTS, at + col)));
    }
  }
  if (place < UPS_TILES_OF_BLOCK - 1) {
    for (uint col = 0; col < width; ++col) ups_publish(UPS_TILE_WORDS(part), sums[col]);
  }
  for (uint col = 0; col < width; ++col) {
    ups_state before = ups_none();
    for (uint i = 0; i < place; ++i) before = ups_combine(before, ups_wait_for(UPS_TILE_WORDS(part - place + i)));
    running[col] =
        block == 0 ? ups_first_of(UPS_ARGUMENTS, batch * inner + column + col) : ups_wait_for(UPS_BLOCK_WORDS(block));
    if (place == UPS_TILES_OF_BLOCK - 1) {
      ups_publish(UPS_BLOCK_WORDS(block + 1), ups_combine(running[col], ups_combine(before, sums[col])));
    }
    running[col] = ups_combine(running[col], before);
  }
#else
  for (uint col = 0; col < width; ++col) running[col] = ups_first_of(UPS_ARGUMENTS, batch * inner + column + col);
#endif
#if UPS_WRITES || !UPS_LOOK_BACK
  for (ulong row = begin; row < end; ++row) {
    const ulong at = from + UPS_READ_ROW(row) * in_along, out_row = to + UPS_READ_ROW(row) * out_along;
    for (uint col = 0; col < width; ++col) {
      const ups_element element = ups_read(UPS_ARGUMENTS, at + col);
      const ups_state state = ups_state_of(UPS_ARGUMENTS, at + col, element);
#if UPS_WRITES
      ups_write(UPS_ARGUMENTS, out_row + col, element, running[col]);
#endif
      running[col] = ups_combine(running[col], state);
    }
  }
#else
  for (uint col = 0; col < width; ++col) running[col] = ups_combine(running[col], sums[col]);
#endif
  if (end == length) {
    for (uint col = 0; col < width; ++col) ups_finish_column(UPS_ARGUMENTS, batch * inner + column + col, running[col]);
  }
}

#else
// The total of the states of earlier work-items of the same column; *total is the column's.
ups_state ups_scan_column(ups_state x, local ups_state *memory, ups_state *total) {
  const uint item = get_local_id(0);
  uint now = 0;
  memory[item] = x;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint distance = UPS_COLUMNS; distance < UPS_GROUP; distance *= 2) {
    ups_state y = memory[now + item];
    if (item >= distance) y = ups_combine(memory[now + item - distance], y);
    now ^= UPS_GROUP;
    memory[now + item] = y;
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  *total = memory[now + UPS_GROUP - UPS_COLUMNS + item % UPS_COLUMNS];
  const ups_state before = item < UPS_COLUMNS ? ups_none() : memory[now + item - UPS_COLUMNS];
  barrier(CLK_LOCAL_MEM_FENCE);
  return before;
}

#if UPS_LOOK_BACK
ups_state ups_look_back_in_column(volatile global ulong *words, ulong chains, ulong chain, ulong tiles, ulong tile,
                                  ups_state first, ups_state total, local ups_state *memory) {
  const uint col = get_local_id(0) % UPS_COLUMNS, lane = get_local_id(0) / UPS_COLUMNS;
  const uint place = (uint)(tile % UPS_TILES_OF_BLOCK);
  const ulong block = tile / UPS_TILES_OF_BLOCK;
  ups_state in_block;
  if (lane == 0 && place < UPS_TILES_OF_BLOCK - 1) ups_publish(UPS_TILE_WORDS(tile), total);
  const ups_state mine = lane < place ? ups_wait_for(UPS_TILE_WORDS(tile - place + lane)) : ups_none();
  ups_scan_column(mine, memory, &in_block);
  if (lane == 0) memory[col] = block == 0 ? first : ups_wait_for(UPS_BLOCK_WORDS(block));
  barrier(CLK_LOCAL_MEM_FENCE);
  const ups_state block_prefix = memory[col];
  barrier(CLK_LOCAL_MEM_FENCE);
  if (lane == 0 && place == UPS_TILES_OF_BLOCK - 1) {
    ups_publish(UPS_BLOCK_WORDS(block + 1), ups_combine(block_prefix, ups_combine(in_block, total)));
  }
  return ups_combine(block_prefix, in_block);
}
#endif

void ups_columns(UPS_PARAMETERS, UPS_SHAPE, ulong tiles, ulong per, volatile global ulong *words, ulong chain, ulong part,
                 local ups_state *stage, local ups_state *memory) {
  const uint item = get_local_id(0), col = item % UPS_COLUMNS, lane = item / UPS_COLUMNS;
  const ulong batch = chain / strips, column = chain % strips * UPS_COLUMNS + col, end = min((part + 1) * per, tiles);
  const ulong from = batch * in_batch + column, to = batch * out_batch + column;
  const bool exists = column < inner;
  const ulong number = batch * inner + (exists ? column : 0);
  ups_state prefix = ups_first_of(UPS_ARGUMENTS, number), total;
  for (ulong tile = part * per; tile < end; ++tile) {
    const ulong base = tile * UPS_ROWS;
    const uint rows = exists ? (uint)min((ulong)UPS_ROWS, length - base) : 0;
#if UPS_WRITES
    ups_element kept[UPS_ITEMS];
#pragma unroll
    for (uint k = 0; k < UPS_ITEMS; ++k) {
      const uint row = k * UPS_LANES + lane;
      const ulong at = from + UPS_READ_ROW(base + row) * in_along;
      if (row < rows) kept[k] = ups_read(UPS_ARGUMENTS, at);
      stage[k * UPS_GROUP + item] = row < rows ? ups_state_of(UPS_ARGUMENTS, at, kept[k]) : ups_none();
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    local ups_state *slice = stage + (lane * UPS_ITEMS * UPS_COLUMNS + col);
    ups_state sum = slice[0];
#pragma unroll
    for (uint k = 1; k < UPS_ITEMS; ++k) sum = ups_combine(sum, slice[k * UPS_COLUMNS]);
#else
    ups_state sum = ups_none();
#pragma unroll
    for (uint k = 0; k < UPS_ITEMS; ++k) {
      const uint row = lane * UPS_ITEMS + k;
      const ulong at = from + UPS_READ_ROW(base + row) * in_along;
      if (row < rows) sum = ups_combine(sum, ups_state_of(UPS_ARGUMENTS, at, ups_read(UPS_ARGUMENTS, at)));
    }
#endif
    const ups_state before = ups_scan_column(sum, memory, &total);
#if UPS_LOOK_BACK
    prefix = ups_look_back_in_column(words, chains, chain, tiles, tile, prefix, total, memory);
#endif
#if UPS_WRITES
    ups_state running = ups_combine(prefix, before);
#pragma unroll
    for (uint k = 0; k < UPS_ITEMS; ++k) {
      const ups_state state = slice[k * UPS_COLUMNS];
      slice[k * UPS_COLUMNS] = running;
      running = ups_combine(running, state);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
#pragma unroll
    for (uint k = 0; k < UPS_ITEMS; ++k) {
      const uint row = k * UPS_LANES + lane;
      if (row < rows) {
        ups_write(UPS_ARGUMENTS, to + UPS_READ_ROW(base + row) * out_along, kept[k], stage[k * UPS_GROUP + item]);
      }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
#endif
    prefix = ups_combine(prefix, total);
  }
  if (end == tiles && lane == 0 && exists) ups_finish_column(UPS_ARGUMENTS, number, prefix);
}
#endif

// Work-groups that wait for others take tickets (one_launch.cl): first the first tiles of all strips, then the second ones.
UPS_KERNEL ups_axis(UPS_PARAMETERS, UPS_SHAPE, ulong tiles, ulong per, volatile global ulong *words) {
#if UPS_LOOK_BACK
  local uint ticket;
  if (get_local_id(0) == 0) ticket = atomic_inc((volatile global uint *)words);
  barrier(CLK_LOCAL_MEM_FENCE);
  const ulong number = ticket;
  words += 1;
#else
  const ulong number = get_group_id(0);
#endif
#if UPS_GROUP == 1
  const ulong column = number % chains % strips * UPS_COLUMNS;
  if (column + UPS_COLUMNS <= inner) {
    ups_columns(UPS_ARGUMENTS, length, inner, strips, chains, in_batch, in_along, out_batch, out_along, tiles, per, words,
                number % chains, number / chains, UPS_COLUMNS);
  } else {
    ups_columns(UPS_ARGUMENTS, length, inner, strips, chains, in_batch, in_along, out_batch, out_along, tiles, per, words,
                number % chains, number / chains, (uint)(inner - column));
  }
#else
  local ups_state stage[UPS_WRITES ? UPS_ROWS * UPS_COLUMNS : 1], memory[2 * UPS_GROUP];
  ups_columns(UPS_ARGUMENTS, length, inner, strips, chains, in_batch, in_along, out_batch, out_along, tiles, per, words,
              number % chains, number / chains, stage, memory);
#endif
}
