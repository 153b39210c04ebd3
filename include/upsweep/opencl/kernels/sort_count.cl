// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Counts of digits by work-groups, before passes of a radix sort.
//
// UPS_DIGITS   digits of the part of the key, in one sweep.

#if UPS_SWEEP
// Several counters for each digit, so that neighbouring work-items rarely share one.
#define UPS_COUNTERS (UPS_DIGITS <= 2 ? 16 : UPS_DIGITS <= 4 ? 8 : 4)
#define UPS_LOADS 8

void ups_count_key(UPS_KEY key, uint shift, uint last_mask, local uint *found) {
#pragma unroll
  for (uint d = 0; d < UPS_DIGITS; ++d) {
    const uint digit = ups_digit(key, shift + d * UPS_RADIX_BITS, d + 1 < UPS_DIGITS ? UPS_RADIX - 1 : last_mask);
    atomic_inc(&found[(d * UPS_RADIX + digit) * UPS_COUNTERS + (uint)get_local_id(0) % UPS_COUNTERS]);
  }
}

// Adds the number of keys whose digit d is x to words[counts_at + d * UPS_RADIX + x].
UPS_KERNEL ups_count_all(global const UPS_KEY *keys, ulong keys_at, UPS_N_PARAMETERS, uint shift, uint last_mask,
                         global ulong *words, ulong counts_at) {
  local uint found[UPS_DIGITS * UPS_RADIX * UPS_COUNTERS];
  const uint item = get_local_id(0);
  UPS_SET_N
  for (uint i = item; i < UPS_DIGITS * UPS_RADIX * UPS_COUNTERS; i += UPS_GROUP) found[i] = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  const ulong tile = UPS_LOADS * UPS_GROUP;
  for (ulong base = get_group_id(0) * tile; base < n; base += get_num_groups(0) * tile) {
    if (n - base >= tile) {
      UPS_KEY loaded[UPS_LOADS];
#pragma unroll
      for (uint k = 0; k < UPS_LOADS; ++k) loaded[k] = keys[keys_at + base + item + k * UPS_GROUP];
#pragma unroll
      for (uint k = 0; k < UPS_LOADS; ++k) ups_count_key(loaded[k], shift, last_mask, found);
    } else {
      for (ulong i = base + item; i < n; i += UPS_GROUP) ups_count_key(keys[keys_at + i], shift, last_mask, found);
    }
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint i = item; i < UPS_DIGITS * UPS_RADIX; i += UPS_GROUP) {
    ulong sum = 0;
    for (uint c = 0; c < UPS_COUNTERS; ++c) sum += found[i * UPS_COUNTERS + (c + i) % UPS_COUNTERS];
    if (sum != 0) atom_add(&words[counts_at + i], sum);
  }
}

#else
UPS_KERNEL ups_count_digits(global const UPS_KEY *keys, ulong keys_at, UPS_N_PARAMETERS, ulong tiles, uint shift, uint mask,
                            global UPS_PLACE *counts) {
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
#endif
