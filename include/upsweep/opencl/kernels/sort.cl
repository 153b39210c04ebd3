// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One pass of a stable radix sort: how often each digit occurs in each tile, and, behind a scan of these counts in the order of
// digits and then tiles, the way of each key to its place.
//
// UPS_KEY          type of keys; the pass is by bits of ups_bits_0() (keys.cl)
// UPS_RADIX_BITS   bits of a digit at most
// UPS_VALUES       0: keys alone; 1: with values of UPS_IN; 2: with their indices, in the first pass
// UPS_T            type of counts

#define UPS_RADIX (1 << UPS_RADIX_BITS)

uint ups_digit(UPS_KEY key, uint shift, uint mask) { return (uint)(ups_bits_0(key) >> shift) & mask; }

UPS_KERNEL ups_count_digits(global const UPS_KEY *keys, ulong keys_at, UPS_N_PARAMETERS, ulong tiles, uint shift, uint mask,
                            global UPS_T *counts) {
  local uint found[UPS_RADIX];
  UPS_SET_N
  const ulong tile = get_group_id(0), begin = tile * UPS_TILE, end = min(begin + UPS_TILE, n);
  for (uint d = get_local_id(0); d < UPS_RADIX; d += UPS_GROUP) found[d] = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (ulong i = begin + get_local_id(0); i < end; i += UPS_GROUP)
    atomic_inc(&found[ups_digit(keys[keys_at + i], shift, mask)]);
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint d = get_local_id(0); d < UPS_RADIX; d += UPS_GROUP) counts[d * tiles + tile] = found[d];
}

// A work-item counts the digits of neighbouring keys; the counts in the order of digits and then work-items, scanned, are the
// first places of its keys in the tile.
UPS_KERNEL ups_move_keys(global const UPS_KEY *keys, ulong keys_at, global UPS_KEY *out, ulong out_at,
                         global const UPS_IN *values, ulong values_at, global UPS_IN *values_out, ulong values_out_at,
                         UPS_N_PARAMETERS, ulong tiles, uint shift, uint mask, global const UPS_T *counts) {
  local UPS_KEY staged[UPS_TILE];
  local ushort ranks[UPS_TILE], found[UPS_RADIX * UPS_GROUP];
  local UPS_T memory[2 * UPS_GROUP], starts[UPS_RADIX];
  UPS_SET_N
  const uint item = get_local_id(0);
  const ulong tile = get_group_id(0), begin = tile * UPS_TILE;
  const uint count = begin < n ? (uint)min((ulong)UPS_TILE, n - begin) : 0;
  for (uint place = item; place < count; place += UPS_GROUP) staged[place] = keys[keys_at + begin + place];
  for (uint d = 0; d < UPS_RADIX; ++d) found[d * UPS_GROUP + item] = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint place = item * UPS_ITEMS; place < min(count, (item + 1) * UPS_ITEMS); ++place) {
    ++found[ups_digit(staged[place], shift, mask) * UPS_GROUP + item];
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  UPS_T sum = 0, total;
  for (uint d = 0; d < UPS_RADIX; ++d) sum += found[item * UPS_RADIX + d];
  UPS_T running = ups_group_scan(sum, memory, &total);
  for (uint d = 0; d < UPS_RADIX; ++d) {
    const ushort before = found[item * UPS_RADIX + d];
    found[item * UPS_RADIX + d] = (ushort)running;
    running += before;
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint d = item; d < UPS_RADIX; d += UPS_GROUP) starts[d] = counts[d * tiles + tile] - found[d * UPS_GROUP];
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint place = item * UPS_ITEMS; place < min(count, (item + 1) * UPS_ITEMS); ++place) {
    ranks[place] = found[ups_digit(staged[place], shift, mask) * UPS_GROUP + item]++;
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint place = item; place < count; place += UPS_GROUP) {
    const UPS_KEY key = staged[place];
    const UPS_T to = starts[ups_digit(key, shift, mask)] + ranks[place];
    out[out_at + to] = key;
#if UPS_VALUES == 1
    values_out[values_out_at + to] = values[values_at + begin + place];
#elif UPS_VALUES == 2
    values_out[values_out_at + to] = (UPS_IN)(begin + place);
#endif
  }
}
