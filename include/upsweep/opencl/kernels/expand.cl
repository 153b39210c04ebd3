// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The elements of runs: out[o] = values[k] where offsets[k] <= o < offsets[k + 1]. Work-groups take tiles of the output in a
// fixed cycle. The last offset gives the number of elements, of which at most `room` are written.
//
// UPS_OFFSET   type of the offsets; UPS_NUMBER: type of the total; UPS_HAS_TOTAL: 1 if the total is written.

// The last of runs `low` to `high` - 1 that begins at or before a place.
ulong ups_run_at(global const UPS_OFFSET *offsets, ulong low, ulong high, ulong place) {
  while (high - low > 1) {
    const ulong middle = low + (high - low) / 2;
    if ((ulong)offsets[middle] <= place) {
      low = middle;
    } else {
      high = middle;
    }
  }
  return low;
}

UPS_KERNEL ups_expand(global const UPS_IN *values, ulong values_at, global const UPS_OFFSET *offsets, ulong offsets_at,
                      global UPS_OUT *out, ulong out_at, global UPS_NUMBER *total_to, ulong total_at, UPS_N_PARAMETERS,
                      ulong room) {
  local ulong ends[2];  // the first and the last run of the tile
  UPS_SET_N
  const uint item = get_local_id(0);
  const ulong all = n == 0 ? 0 : (ulong)offsets[offsets_at + n], total = min(all, room);
#if UPS_HAS_TOTAL
  if (get_global_id(0) == 0) total_to[total_at] = (UPS_NUMBER)all;
#endif
  for (ulong base = get_group_id(0) * UPS_TILE; base < total; base += get_num_groups(0) * UPS_TILE) {
    const uint count = (uint)min((ulong)UPS_TILE, total - base);
    for (uint end = item; end < 2; end += UPS_GROUP) {
      ends[end] = ups_run_at(offsets + offsets_at, 0, n, end == 0 ? base : base + count - 1);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    const ulong first = ends[0], last = max(ends[1], first);  // also where offsets fall
#if UPS_GROUP == 1
    ulong place = base;
    for (ulong run = first; run <= last; ++run) {
      const ulong end = min((ulong)offsets[offsets_at + run + 1], base + count);
      const UPS_OUT x = UPS_TO_OUT(values[values_at + run]);
      for (; place < end; ++place) out[out_at + place] = x;
    }
#else
    for (uint i = item; i < count; i += UPS_GROUP) {
      const ulong run = ups_run_at(offsets + offsets_at, first, last + 1, base + i);
      out[out_at + base + i] = UPS_TO_OUT(values[values_at + run]);
    }
#endif
    barrier(CLK_LOCAL_MEM_FENCE);
  }
}
