// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One pass of a stable radix sort by single work-items: how often each digit occurs in each tile, and, behind a scan of these
// counts in the order of digits and then tiles, the way of each key to its place.
//
// UPS_PLACE    unsigned type of places in the output

UPS_KERNEL ups_count_digits(global const UPS_KEY *keys, ulong keys_at, UPS_N_PARAMETERS, ulong tiles, uint shift, uint mask,
                            global UPS_PLACE *counts) {
  local uint found[UPS_RADIX];
  UPS_SET_N
  const ulong tile = get_group_id(0), begin = tile * UPS_TILE, end = min(begin + UPS_TILE, n);
  for (uint d = 0; d < UPS_RADIX; ++d) found[d] = 0;
  for (ulong i = begin; i < end; ++i) ++found[ups_digit(keys[keys_at + i], shift, mask)];
  for (uint d = 0; d < UPS_RADIX; ++d) counts[d * tiles + tile] = found[d];
}

UPS_KERNEL ups_move_keys(global const UPS_KEY *keys, ulong keys_at, global UPS_KEY *out, ulong out_at,
                         global const UPS_IN *values, ulong values_at, global UPS_IN *values_out, ulong values_out_at,
                         UPS_N_PARAMETERS, ulong tiles, uint shift, uint mask, global const UPS_PLACE *counts) {
  local UPS_PLACE places[UPS_RADIX];
  UPS_SET_N
  const ulong tile = get_group_id(0), begin = tile * UPS_TILE, end = min(begin + UPS_TILE, n);
  for (uint d = 0; d < UPS_RADIX; ++d) places[d] = counts[d * tiles + tile];
  for (ulong i = begin; i < end; ++i) {
    const UPS_KEY key = keys[keys_at + i];
    const UPS_PLACE place = places[ups_digit(key, shift, mask)]++;
    out[out_at + place] = key;
#if UPS_VALUES == 1
    values_out[values_out_at + place] = values[values_at + i];
#elif UPS_VALUES == 2
    values_out[values_out_at + place] = (UPS_IN)i;
#endif
  }
}
