// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The pass in one launch of a work-group for each tile. Work-groups take tiles in the order in which they begin (a ticket), so
// that one that waits waits for work-groups that have begun, whatever the order in which the device starts them.
//
// words[0] is the counter of tickets; what ups_look_back() uses follows.
UPS_KERNEL ups_one_launch(UPS_PARAMETERS, UPS_N_PARAMETERS, ulong tiles, volatile global ulong *words) {
  local ups_state stage[UPS_STAGED] __attribute__((aligned(16))), memory[2 * UPS_GROUP];
  local uint ticket;
  ups_chunk kept[UPS_KEPT];
  ups_state before;
  UPS_SET_N
  if (get_local_id(0) == 0) ticket = atomic_inc((volatile global uint *)words);
  barrier(CLK_LOCAL_MEM_FENCE);
  const ulong tile = ticket, last_tile = n == 0 ? 0 : (n - 1) / UPS_TILE;
  if (tile > last_tile) return;
  const uint count = ups_elements_of(tile, n);
  const ups_state total = ups_up(UPS_ARGUMENTS, tile * UPS_TILE, count, kept, stage, memory, &before);
  const ups_state tiles_before = ups_look_back(words + 1, tiles, tile, total, memory);
  const ups_state prefix = ups_combine(ups_first(UPS_ARGUMENTS), tiles_before);
  ups_down(UPS_ARGUMENTS, tile * UPS_TILE, count, kept, stage, memory, prefix, before, total);
  if (tile == last_tile && get_local_id(0) == 0) ups_finish(UPS_ARGUMENTS, ups_combine(prefix, total));
}
