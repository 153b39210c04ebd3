// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The pass in three launches, for devices on which a work-group cannot wait for another. The launches are the totals of parts
// of the array (total_parts.cl), their scan by one work-group (scan_totals.cl), and the scan of the parts, here. A part is
// `per` successive tiles.
UPS_KERNEL ups_scan_parts(UPS_PARAMETERS, UPS_N_PARAMETERS, ulong tiles, ulong per, global const ups_state *totals) {
  local ups_state stage[UPS_STAGED] __attribute__((aligned(16))), memory[2 * UPS_GROUP];
  ups_chunk kept[UPS_KEPT];
  ups_state before, prefix = totals[get_group_id(0)];
  UPS_SET_N
  const ulong first = get_group_id(0) * per, end = min(first + per, tiles);
  for (ulong tile = first; tile < end; ++tile) {
    const ulong begin = ups_begin_of(UPS_ARGUMENTS, tile);
    const uint count = ups_elements_of(UPS_ARGUMENTS, tile, n);
    const ups_state total = ups_up(UPS_ARGUMENTS, begin, count, kept, stage, memory, &before);
    ups_prepare(UPS_ARGUMENTS, count, kept, stage, before, total);
    ups_down(UPS_ARGUMENTS, begin, count, kept, stage, memory, prefix, total);
    prefix = ups_combine(prefix, total);
    barrier(CLK_LOCAL_MEM_FENCE);
  }
}
