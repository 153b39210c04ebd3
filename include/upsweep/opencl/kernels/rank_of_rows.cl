// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The search of rank.cl in each row of a matrix, by a work-group, which reads its row once for each 8 bits of the keys.
//
// state   of each row as rank_state.cl has it; UPS_LESS, UPS_RANK and UPS_FOUND are set.

#define UPS_BYTES_OF_PART(k, type, bits_of, is_float, is_signed, minus_infinity)                                               \
  case k: return (uint)sizeof(type);
uint ups_bytes(uint part) {
  switch (part) { UPS_PARTS(UPS_BYTES_OF_PART) }
  return 0;
}

UPS_KERNEL ups_rank_of_rows(global const UPS_KEY *keys, ulong keys_at, ulong length, ulong rank, global ulong *state) {
  local uint seen[256];
  local ulong chosen[2];  // the digit, and the keys before it
  const uint item = get_local_id(0);
  const ulong row = get_group_id(0);
  global const UPS_KEY *from = keys + keys_at + row * length;
  ulong found[UPS_NUM_PARTS], less = 0;
  for (uint p = 0; p < UPS_NUM_PARTS; ++p) found[p] = 0;
  for (uint part = 0; part < UPS_NUM_PARTS; ++part) {
    for (uint shift = 8 * ups_bytes(part); shift > 0;) {
      shift -= 8;
      for (uint d = item; d < 256; d += UPS_GROUP) seen[d] = 0;
      barrier(CLK_LOCAL_MEM_FENCE);
      for (ulong i = item; i < length; i += UPS_GROUP) {
        const UPS_KEY x = from[i];
        if (ups_begins_so(x, found, part, shift)) UPS_INCREMENT(&seen[(ups_bits(x, part) >> shift) & 255]);
      }
      barrier(CLK_LOCAL_MEM_FENCE);
      if (item == 0) {
        ulong left = rank - less;
        uint digit = 0;
        for (; digit < 255 && left >= seen[digit]; ++digit) left -= seen[digit];
        chosen[0] = digit;
        chosen[1] = rank - left;
      }
      barrier(CLK_LOCAL_MEM_FENCE);
      found[part] |= chosen[0] << shift;
      less = chosen[1];
    }
  }
  if (item != 0) return;
  state += row * (UPS_FOUND + UPS_NUM_PARTS);
  state[UPS_LESS] = less;
  state[UPS_RANK] = rank - less;
  for (uint p = 0; p < UPS_NUM_PARTS; ++p) state[UPS_FOUND + p] = found[p];
}
