// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Scans of contiguous rows: a work-group scans a row in tiles (tiles.cl). The job's ups_first_of() and ups_finish_column() are
// as in axis.cl; UPS_MOVE(a, b) moves the job's pointers to a row's begin.
UPS_KERNEL ups_rows(UPS_PARAMETERS, ulong length, ulong in_batch, ulong out_batch) {
  local ups_state stage[UPS_STAGED] __attribute__((aligned(16))), memory[2 * UPS_GROUP];
  ups_chunk kept[UPS_KEPT];
  const ulong row = get_group_id(0);
  UPS_MOVE(row * in_batch, row * out_batch)
  ups_state before, prefix = ups_first_of(UPS_ARGUMENTS, row);
  for (ulong base = 0; base < length; base += UPS_TILE) {
    const uint count = (uint)min((ulong)UPS_TILE, length - base);
    const ups_state total = ups_up(UPS_ARGUMENTS, base, count, kept, stage, memory, &before);
    ups_prepare(UPS_ARGUMENTS, count, kept, stage, before, total);
    ups_down(UPS_ARGUMENTS, base, count, kept, stage, memory, prefix, total);
    prefix = ups_combine(prefix, total);
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  if (get_local_id(0) == 0) ups_finish_column(UPS_ARGUMENTS, row, prefix);
}
