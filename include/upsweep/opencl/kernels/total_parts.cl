// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Totals of parts of an array, with operands in order. A part is `per` successive tiles, and belongs to one work-group.
UPS_KERNEL ups_total_parts(UPS_PARAMETERS, UPS_N_PARAMETERS, ulong tiles, ulong per, global ups_state *totals) {
  local ups_state stage[UPS_STAGED] __attribute__((aligned(16))), memory[2 * UPS_GROUP];
  ups_chunk kept[UPS_KEPT];
  ups_state before, total = ups_none();
  UPS_SET_N
  const ulong first = get_group_id(0) * per, end = min(first + per, tiles);
  for (ulong tile = first; tile < end; ++tile) {
    const ulong begin = ups_begin_of(UPS_ARGUMENTS, tile);
    const uint count = ups_elements_of(UPS_ARGUMENTS, tile, n);
    const ups_state of_tile = ups_up(UPS_ARGUMENTS, begin, count, kept, stage, memory, &before);
    total = ups_combine(total, of_tile);
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  if (get_local_id(0) == 0) totals[get_group_id(0)] = total;
}
