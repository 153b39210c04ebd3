// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Async copies that are long enough for the copy engine, or may be; no event is waited for.
void begin(local int4 *tile, global const int4 *in) { async_work_group_copy(tile, in, 512, 0); }

kernel void leaves(global const int4 *in, local int4 *tile) { begin(tile, in); }

kernel void gives(global int4 *out, local const int4 *tile) { async_work_group_copy(out, tile, 512, 0); }

kernel void stays(global int4 *out, local int4 *tile) { out[get_global_id(0)] = tile[get_local_id(0)]; }

kernel void any(global const int *in, local int *tile, uint n) { async_work_group_copy(tile, in, n, 0); }
