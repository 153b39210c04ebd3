// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The first element for which UPS_PREDICATE holds. Work-groups take tiles in a fixed cycle. They end at the first tile in
// which they find an element, or behind the first tile that is known to have one.
//
// *first_tile is UINT_MAX minus the least tile with a match, or 0; places[g] is the match of work-group g.
UPS_KERNEL ups_find(UPS_IN_PARAMETERS, UPS_N_PARAMETERS, global uint *first_tile, global ulong *places) {
  local uint known, place;
  UPS_SET_N
  const uint item = get_local_id(0);
  const ulong tiles = (n + UPS_TILE - 1) / UPS_TILE;
  for (ulong tile = get_group_id(0); tile < tiles; tile += get_num_groups(0)) {
    if (item == 0) {
      known = UINT_MAX - *(volatile global uint *)first_tile;
      place = UINT_MAX;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (known < tile) return;
    const uint count = (uint)min((ulong)UPS_TILE, n - tile * UPS_TILE);
    uint mine = UINT_MAX;
    for (uint i = item; i < count; i += UPS_GROUP) {
      mine = min(mine, UPS_PREDICATE(in[UPS_IN_PLACE(tile * UPS_TILE + i)]) ? i : UINT_MAX);
    }
    if (mine != UINT_MAX) atomic_min(&place, mine);
    barrier(CLK_LOCAL_MEM_FENCE);
    const uint found = place;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (found != UINT_MAX) {
      if (item == 0) {
        places[get_group_id(0)] = tile * UPS_TILE + found;
        atomic_max(first_tile, UINT_MAX - (uint)tile);
      }
      return;
    }
  }
}

kernel void ups_found(global UPS_NUMBER *number, ulong number_at, UPS_N_PARAMETERS, ulong groups, global const uint *first_tile,
                      global const ulong *places) {
  UPS_SET_N
  number[number_at] = (UPS_NUMBER)(*first_tile == 0 ? n : places[(UINT_MAX - *first_tile) % groups]);
}
