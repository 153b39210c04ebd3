// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The exclusive scan of the totals of an array's parts, by one work-group.
UPS_KERNEL ups_scan_totals(UPS_PARAMETERS, UPS_N_PARAMETERS, ulong parts, global ups_state *totals) {
  local ups_state memory[2 * UPS_GROUP];
  UPS_SET_N
  ups_state running = ups_first(UPS_ARGUMENTS);
  for (ulong begin = 0; begin < parts; begin += UPS_GROUP) {
    const ulong i = begin + get_local_id(0);
    const ups_state x = i < parts ? totals[i] : ups_none();
    ups_state total;
    const ups_state before = ups_group_scan(x, memory, &total);
    if (i < parts) totals[i] = ups_combine(running, before);
    running = ups_combine(running, total);
  }
  if (get_local_id(0) == 0) ups_finish(UPS_ARGUMENTS, running);
}
