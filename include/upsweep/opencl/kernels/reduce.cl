// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Totals of parts of an array, with operands in any order within a work-group, for operators that commute. A work-item has
// UPS_CHAINS totals, so that its loads and operations overlap. three_launches.cl has the rest of a reduction.
#define UPS_CHAINS (UPS_GROUP == 1 ? 32 : 8)

UPS_KERNEL ups_total_parts(UPS_PARAMETERS, UPS_N_PARAMETERS, ulong tiles, ulong per, global ups_state *totals) {
  local ups_state memory[2 * UPS_GROUP];
  UPS_SET_N
  const ulong begin = get_group_id(0) * per * UPS_TILE, end = min(begin + per * UPS_TILE, n);
  ups_state sums[UPS_CHAINS];
  for (uint k = 0; k < UPS_CHAINS; ++k) sums[k] = ups_none();
  ulong i = begin;
  for (; i + UPS_CHAINS * UPS_GROUP <= end; i += UPS_CHAINS * UPS_GROUP) {
#pragma unroll
    for (uint k = 0; k < UPS_CHAINS; ++k) {
      const ulong place = i + (k * UPS_GROUP + get_local_id(0));
      sums[k] = ups_combine(sums[k], ups_state_of(UPS_ARGUMENTS, place, ups_read(UPS_ARGUMENTS, place)));
    }
  }
  for (i += get_local_id(0); i < end; i += UPS_GROUP) {
    sums[0] = ups_combine(sums[0], ups_state_of(UPS_ARGUMENTS, i, ups_read(UPS_ARGUMENTS, i)));
  }
  for (uint width = UPS_CHAINS / 2; width > 0; width /= 2) {
    for (uint k = 0; k < width; ++k) sums[k] = ups_combine(sums[k], sums[k + width]);
  }
  ups_state total;
  ups_group_scan(sums[0], memory, &total);
  if (get_local_id(0) == 0) totals[get_group_id(0)] = total;
}
