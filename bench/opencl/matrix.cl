// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// C = A · B of square matrices, with TILE × TILE tiles of both in local memory.
kernel void multiply(global const float *a, global const float *b, global float *c, uint n) {
  local float tile_a[TILE][TILE];
  local float tile_b[TILE][TILE];
  uint x = get_local_id(0), y = get_local_id(1);
  uint column = get_global_id(0), row = get_global_id(1);
  float sum = 0;
  for (uint first = 0; first < n; first += TILE) {
    tile_a[y][x] = a[row * n + first + x];
    tile_b[y][x] = b[(first + y) * n + column];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint k = 0; k < TILE; ++k) sum += tile_a[y][k] * tile_b[k][x];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  c[row * n + column] = sum;
}
