// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The transpose of a square matrix: element by element, and by tiles in local memory, whose rows are padded against bank
// conflicts. A work-group of TILE × ROWS work-items moves a tile of TILE × TILE.
kernel void plain(global const float *in, global float *out, uint n) {
  const uint x = get_global_id(0), y = get_global_id(1);
  out[x * n + y] = in[y * n + x];
}

kernel void tiled(global const float *in, global float *out, uint n) {
  local float tile[TILE][TILE + 1];
  const uint x = get_local_id(0), y = get_local_id(1);
  const uint left = get_group_id(0) * TILE, top = get_group_id(1) * TILE;
  for (uint row = y; row < TILE; row += ROWS) tile[row][x] = in[(top + row) * n + left + x];
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint row = y; row < TILE; row += ROWS) out[(left + row) * n + top + x] = tile[x][row];
}
