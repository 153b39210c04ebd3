// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The search for the key at a place of the sorted array, 8 bits at a time from the most significant on. Keys with the bits
// found so far are counted by their next 8 bits, which determines these bits of the key (rank_state.cl).

#define UPS_FROM_KEYS 0
#define UPS_GATHERS 1
#define UPS_FROM_CANDIDATES 2

// The place is that of the last of the `wanted` first elements, or with `is_nth` the place behind them.
kernel void ups_begin_rank(UPS_N_PARAMETERS, ulong wanted, uint is_nth, global ulong *state) {
  UPS_SET_N
  for (uint i = 0; i < UPS_FOUND + UPS_NUM_PARTS; ++i) state[i] = 0;
  state[UPS_WANTED] = min(wanted, n);
  state[UPS_RANK] = is_nth ? wanted : max(state[UPS_WANTED], 1UL) - 1;
}

// counts[g * 256 + d] becomes the number of work-group g's keys with digit d.
UPS_KERNEL ups_count_rank(global const UPS_KEY *keys, ulong keys_at, UPS_N_PARAMETERS, uint part, uint shift,
                          global ulong *state, global UPS_KEY *candidates, global uint *counts) {
  local uint seen[256], matches, place;
  UPS_SET_N
  const uint item = get_local_id(0);
  const ulong source = state[UPS_SOURCE];
  ulong found[UPS_NUM_PARTS];
  for (uint p = 0; p < UPS_NUM_PARTS; ++p) found[p] = state[UPS_FOUND + p];
  global const UPS_KEY *from = source == UPS_FROM_CANDIDATES ? candidates : keys + keys_at;
  const ulong all = source == UPS_FROM_CANDIDATES ? state[UPS_SIZE] : n;
  for (uint d = item; d < 256; d += UPS_GROUP) seen[d] = 0;
  if (item == 0) matches = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (ulong base = get_group_id(0) * UPS_TILE; base < all; base += get_num_groups(0) * UPS_TILE) {
    const uint count = (uint)min((ulong)UPS_TILE, all - base);
    for (uint i = item; i < count; i += UPS_GROUP) {
      const UPS_KEY x = from[base + i];
      if (!ups_begins_so(x, found, part, shift)) continue;
      UPS_INCREMENT(&seen[(ups_bits(x, part) >> shift) & 255]);
      if (source == UPS_GATHERS) UPS_INCREMENT(&matches);
    }
    if (source != UPS_GATHERS) continue;
    // The tile's candidates take contiguous places, in any order.
    barrier(CLK_LOCAL_MEM_FENCE);
    if (item == 0) {
      place = atomic_add((volatile global uint *)(state + UPS_NEXT), matches);
      matches = 0;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint i = item; i < count; i += UPS_GROUP) {
      const UPS_KEY x = from[base + i];
      if (ups_begins_so(x, found, part, shift)) candidates[place + UPS_INCREMENT(&matches)] = x;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (item == 0) matches = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint d = item; d < 256; d += UPS_GROUP) counts[get_group_id(0) * 256 + d] = seen[d];
}

// The digit whose keys contain the rank. A rank behind the last key ends behind all keys with the bits found.
UPS_KERNEL ups_choose_digit(global const uint *counts, uint groups, uint part, uint shift, uint capacity, global ulong *state) {
  local ulong totals[256];
  for (uint d = get_local_id(0); d < 256; d += UPS_GROUP) {
    ulong total = 0;
    for (uint g = 0; g < groups; ++g) total += counts[g * 256 + d];
    totals[d] = total;
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  if (get_local_id(0) != 0) return;
  ulong rank = state[UPS_RANK];
  uint digit = 0;
  for (; digit < 255 && rank >= totals[digit]; ++digit) rank -= totals[digit];
  state[UPS_LESS] += state[UPS_RANK] - rank;
  state[UPS_RANK] = rank;
  state[UPS_FOUND + part] |= (ulong)digit << shift;
  if (state[UPS_SOURCE] == UPS_FROM_KEYS && totals[digit] <= capacity) {
    state[UPS_SOURCE] = UPS_GATHERS;
    state[UPS_SIZE] = totals[digit];
  } else if (state[UPS_SOURCE] == UPS_GATHERS) {
    state[UPS_SOURCE] = UPS_FROM_CANDIDATES;
  }
}
