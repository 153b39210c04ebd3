// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The pass in one launch. Work-groups take tiles by tickets in the order of their arrival. A waiting work-group therefore
// waits only for work-groups that have begun, whatever order the device starts them in. On GPUs a work-group takes tiles until
// none is left, and takes the next ticket while it writes the last results.
//
// words[0] is the counter of tickets; the words of ups_look_back() follow.
UPS_KERNEL ups_one_launch(UPS_PARAMETERS, UPS_N_PARAMETERS, ulong tiles, volatile global ulong *words) {
  local ups_state stage[UPS_STAGED] __attribute__((aligned(16))), memory[2 * UPS_GROUP];
  local uint ticket;
  ups_chunk kept[UPS_KEPT];
  ups_state before;
  UPS_SET_N
  const bool is_first = get_local_id(0) == 0;
  const ulong last_tile = n == 0 ? 0 : (n - 1 + UPS_LEAD) / UPS_TILE;
  if (is_first) ticket = atomic_inc((volatile global uint *)words);
  barrier(CLK_LOCAL_MEM_FENCE);
  for (ulong tile = ticket; tile <= last_tile; tile = ticket) {
    const ulong begin = ups_begin_of(UPS_ARGUMENTS, tile);
    const uint count = ups_elements_of(UPS_ARGUMENTS, tile, n);
    const ups_state total = ups_up(UPS_ARGUMENTS, begin, count, kept, stage, memory, &before);
    ups_publish_tile(words + 1, tile, total);
    ups_prepare(UPS_ARGUMENTS, count, kept, stage, before, total);
    const ups_state tiles_before = ups_look_back(words + 1, tiles, tile, total, memory);
    const ups_state prefix = ups_combine(ups_first(UPS_ARGUMENTS), tiles_before);
    uint next = 0;
    if (UPS_TAKES_TURNS && is_first) next = atomic_inc((volatile global uint *)words);
    ups_down(UPS_ARGUMENTS, begin, count, kept, stage, memory, prefix, total);
    if (tile == last_tile && is_first) ups_finish(UPS_ARGUMENTS, ups_combine(prefix, total));
    if (!UPS_TAKES_TURNS) break;
    if (is_first) ticket = next;
    barrier(CLK_LOCAL_MEM_FENCE);
  }
}
