// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A sort by one work-group of as many keys as its tile holds: they pass through local memory for each digit, with the places
// they come from, and values are moved once.
//
// UPS_VALUES   1: values of UPS_IN; 2: indices.

#define UPS_SIZE_OF_PART(k, type, bits_of, is_float, is_signed, minus_infinity)                                                \
  case k: return 8 * (uint)sizeof(type);
uint ups_bits_of_part(uint part) {
  switch (part) { UPS_PARTS(UPS_SIZE_OF_PART) }
  return 0;
}
#define UPS_DIGIT_OF_PART(k, type, bits_of, is_float, is_signed, minus_infinity)                                               \
  case k: return (uint)(ups_bits_##k(x) >> shift);
uint ups_digit_of(UPS_KEY x, uint part, uint shift) {
  switch (part) { UPS_PARTS(UPS_DIGIT_OF_PART) }
  return 0;
}

// Sorts the keys in `pool` by a digit, with their original places; all work-items call it.
void ups_sort_staged(uint part, uint shift, uint mask, uint count, local ulong *pool, local ushort *sources,
                     local ushort *starts, local uint *sums) {
  local UPS_KEY *staged = (local UPS_KEY *)pool;
  local uint *masks = (local uint *)pool;
  local ushort *counts = (local ushort *)(masks + UPS_WARPS * UPS_RADIX);
  UPS_KEY kept[UPS_ITEMS];
  uint digits[UPS_ITEMS], ranks[UPS_ITEMS], totals[UPS_DIGITS_OF_ITEM], begins[UPS_DIGITS_OF_ITEM];
#if UPS_VALUES != 0
  ushort from[UPS_ITEMS];
#endif
#pragma unroll
  for (uint k = 0; k < UPS_ITEMS; ++k) {
    const uint place = UPS_PLACE_OF(k);
    kept[k] = staged[place];
#if UPS_VALUES != 0
    from[k] = sources[place];
#endif
    digits[k] = place < count ? ups_digit_of(kept[k], part, shift) & mask : mask;
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  ups_clear_counts(pool);
  barrier(CLK_LOCAL_MEM_FENCE);
  ups_rank(digits, ranks, counts, masks);
  ups_total_warps(counts, totals);
  ups_place_warps(counts, starts, sums, totals, begins);
#pragma unroll
  for (uint k = 0; k < UPS_ITEMS; ++k) {
    const uint to = ranks[k] + starts[ups_warp() * UPS_RADIX + digits[k]];
    staged[to] = kept[k];
#if UPS_VALUES != 0
    sources[to] = from[k];
#endif
  }
  barrier(CLK_LOCAL_MEM_FENCE);
}

// Sorts by the bits `begin` to `end` - 1 of the key; the last part is the least significant.
UPS_KERNEL ups_sort_few(global const UPS_KEY *keys, ulong keys_at, global UPS_KEY *out, ulong out_at,
                        global const UPS_IN *values, ulong values_at, global UPS_IN *values_out, ulong values_out_at,
                        UPS_N_PARAMETERS, uint begin, uint end) {
  local ulong pool[UPS_POOL_WORDS(UPS_TILE * sizeof(UPS_KEY))] __attribute__((aligned(64)));
  local ushort starts[UPS_WARPS * UPS_RADIX], sources[UPS_VALUES != 0 ? UPS_TILE : 1];
  local uint sums[UPS_RADIX + 16];
  local UPS_KEY *staged = (local UPS_KEY *)pool;
  const uint item = get_local_id(0);
  UPS_SET_N
  const uint count = (uint)n;
  for (uint place = item; place < UPS_TILE; place += UPS_GROUP) {
    if (place < count) staged[place] = keys[keys_at + place];
#if UPS_VALUES != 0
    sources[place] = (ushort)place;
#endif
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  uint bit = 0;  // of the key
  for (uint part = UPS_NUM_PARTS; part-- > 0;) {
    const uint bits = ups_bits_of_part(part), last = end > bit ? min(end - bit, bits) : 0;
    for (uint shift = begin > bit ? begin - bit : 0; shift < last; shift += UPS_RADIX_BITS) {
      const uint mask = (1u << min((uint)UPS_RADIX_BITS, last - shift)) - 1;
      ups_sort_staged(part, shift, mask, count, pool, sources, starts, sums);
    }
    bit += bits;
  }
#if UPS_VALUES == 2
  for (uint place = item; place < count; place += UPS_GROUP) values_out[values_out_at + place] = (UPS_IN)sources[place];
#elif UPS_VALUES == 1
  UPS_IN moved[UPS_ITEMS];  // all are read before the first is written, since values may be sorted in place
#pragma unroll
  for (uint k = 0; k < UPS_ITEMS; ++k) {
    const uint place = item + k * UPS_GROUP;
    if (place < count) moved[k] = values[values_at + sources[place]];
  }
  barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
#pragma unroll
  for (uint k = 0; k < UPS_ITEMS; ++k) {
    const uint place = item + k * UPS_GROUP;
    if (place < count) values_out[values_out_at + place] = moved[k];
  }
#endif
  for (uint place = item; place < count; place += UPS_GROUP) out[out_at + place] = staged[place];
}
