// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The job that gathers the first elements of a sorted array, or a single element (tiles.cl), when the key at the last place is
// known (rank.cl). Smaller keys come first, then the wanted number of equal ones, each in the order of the input. The low 32
// bits of a state count smaller keys, the high 32 bits equal ones.
//
// UPS_IS_NTH    1: only the equal key at the wanted place.
// UPS_VALUES    0: keys alone; 1: with values of UPS_VALUE; 2: with their indices.
#define UPS_PARAMETERS                                                                                                         \
  global const UPS_KEY *in, ulong in_at, global UPS_KEY *out, ulong out_at, global const UPS_VALUE *values, ulong values_at,   \
      global UPS_VALUE *values_out, ulong values_out_at, global const ulong *known
#define UPS_ARGUMENTS in, in_at, out, out_at, values, values_at, values_out, values_out_at, known

ups_state ups_first(UPS_PARAMETERS) { return ups_none(); }

// The mark: 0 before the key, 1 equal, 2 behind it.
ups_element ups_read(UPS_PARAMETERS, ulong i) {
  const UPS_KEY x = in[in_at + i];
  for (uint part = 0; part < UPS_NUM_PARTS; ++part) {
    const ulong bits = ups_bits(x, part), found = known[UPS_FOUND + part];
    if (bits != found) return ups_marked(x, bits < found ? 0 : 2);
  }
  return ups_marked(x, 1);
}

ups_state ups_state_of(UPS_PARAMETERS, ulong i, ups_element element) {
  return element.mark == 0 ? 1 : element.mark == 1 ? 1UL << 32 : 0;
}

void ups_move(UPS_PARAMETERS, ulong i, UPS_KEY x, ulong place) {
  out[out_at + place] = x;
#if UPS_VALUES == 1
  values_out[values_out_at + place] = values[values_at + i];
#elif UPS_VALUES == 2
  values_out[values_out_at + place] = (UPS_VALUE)i;
#endif
}

void ups_write(UPS_PARAMETERS, ulong i, ups_element element, ups_state before) {
  const ulong less = (uint)before, equal = before >> 32;
#if UPS_IS_NTH
  if (element.mark == 1 && equal == known[UPS_RANK]) ups_move(UPS_ARGUMENTS, i, element.x, 0);
#else
  if (element.mark == 0) ups_move(UPS_ARGUMENTS, i, element.x, less);
  if (element.mark == 1 && equal <= known[UPS_RANK]) ups_move(UPS_ARGUMENTS, i, element.x, known[UPS_LESS] + equal);
#endif
}

void ups_finish(UPS_PARAMETERS, ups_state total) {}

// For rows.cl: each row has its own state.
#define UPS_MOVE(from, to)                                                                                                     \
  in_at += from;                                                                                                               \
  values_at += from;                                                                                                           \
  out_at += to;                                                                                                                \
  values_out_at += to;                                                                                                         \
  known += get_group_id(0) * (UPS_FOUND + UPS_NUM_PARTS);
ups_state ups_first_of(UPS_PARAMETERS, ulong row) { return ups_none(); }
void ups_finish_column(UPS_PARAMETERS, ulong row, ups_state total) {}
