// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A pass of a stable radix sort by single work-items, on CPUs. It counts each digit in each tile. A scan of the counts, in the
// order of digits and then tiles, gives the places of keys. Elements of arrays larger than the caches are gathered in a line
// of 64 bytes for each digit; a full line is stored past the caches.
//
// UPS_PLACE    unsigned type of places in the output.

#define UPS_TABLES 4  // counts of neighbours with the same digit do not stall

UPS_KERNEL ups_count_digits(global const UPS_KEY *keys, ulong keys_at, UPS_N_PARAMETERS, ulong tiles, uint shift, uint mask,
                            global UPS_PLACE *counts) {
  local uint found[UPS_TABLES * UPS_RADIX];
  UPS_SET_N
  const ulong tile = get_group_id(0), begin = tile * UPS_TILE, end = min(begin + UPS_TILE, n);
  for (uint d = 0; d < UPS_TABLES * UPS_RADIX; ++d) found[d] = 0;
  ulong i = begin;
  for (; i + UPS_TABLES <= end; i += UPS_TABLES) {
#pragma unroll
    for (uint k = 0; k < UPS_TABLES; ++k) ++found[k * UPS_RADIX + ups_digit(keys[keys_at + i + k], shift, mask)];
  }
  for (; i < end; ++i) ++found[ups_digit(keys[keys_at + i], shift, mask)];
  for (uint d = 0; d < UPS_RADIX; ++d) {
    UPS_PLACE sum = 0;
    for (uint k = 0; k < UPS_TABLES; ++k) sum += found[k * UPS_RADIX + d];
    counts[d * tiles + tile] = sum;
  }
}

#ifdef UPS_STREAM
#define UPS_LINE_BYTES 64
#define UPS_LINE(T) ((uint)(UPS_LINE_BYTES / sizeof(T)))
// The place of an element within its line.
#define UPS_SLOT(T, out, place) ((uint)(((ulong)(out) / sizeof(T) + (place)) % UPS_LINE(T)))

// Functions for a type: one moves an element to its place, the other stores the rest of a digit's line at the end. `first` is
// the tile's first place of the digit: elements before it in the line belong to another tile.
#define UPS_LINES(T, name)                                                                                                     \
  void ups_put_##name(local ulong8 *line, global T *out, UPS_PLACE first, UPS_PLACE place, T x) {                              \
    local T *elements = (local T *)line;                                                                                       \
    const uint slot = UPS_SLOT(T, out, place);                                                                                 \
    elements[slot] = x;                                                                                                        \
    if (slot != UPS_LINE(T) - 1) return;                                                                                       \
    const UPS_PLACE held = place + 1 - first;                                                                                  \
    if (held >= UPS_LINE(T)) {                                                                                                 \
      UPS_STREAM(*line, (global ulong8 *)(out + (place + 1 - UPS_LINE(T))));                                                   \
    } else {                                                                                                                   \
      for (uint k = 0; k < held; ++k) out[first + k] = elements[UPS_LINE(T) - held + k];                                       \
    }                                                                                                                          \
  }                                                                                                                            \
  void ups_finish_##name(local ulong8 *line, global T *out, UPS_PLACE first, UPS_PLACE end) {                                  \
    local T *elements = (local T *)line;                                                                                       \
    const uint filled = UPS_SLOT(T, out, end), held = (uint)min((UPS_PLACE)filled, (UPS_PLACE)(end - first));                  \
    for (uint k = 0; k < held; ++k) out[end - held + k] = elements[filled - held + k];                                         \
  }
UPS_LINES(UPS_KEY, key)
#if UPS_VALUES
UPS_LINES(UPS_IN, value)
#endif
#endif

UPS_KERNEL ups_move_keys(global const UPS_KEY *keys, ulong keys_at, global UPS_KEY *out, ulong out_at,
                         global const UPS_IN *values, ulong values_at, global UPS_IN *values_out, ulong values_out_at,
                         UPS_N_PARAMETERS, ulong tiles, uint shift, uint mask, global const UPS_PLACE *counts) {
  local UPS_PLACE places[UPS_RADIX];
#ifdef UPS_STREAM
  local UPS_PLACE firsts[UPS_RADIX];
  local ulong8 lines[UPS_RADIX];
#if UPS_VALUES
  local ulong8 lines_of_values[UPS_RADIX];
#endif
#endif
  UPS_SET_N
  const ulong tile = get_group_id(0), begin = tile * UPS_TILE, end = min(begin + UPS_TILE, n);
  out += out_at;
  values_out += values_out_at;
  for (uint d = 0; d < UPS_RADIX; ++d) {
    places[d] = counts[d * tiles + tile];
#ifdef UPS_STREAM
    firsts[d] = places[d];
#endif
  }
  for (ulong i = begin; i < end; ++i) {
    const UPS_KEY key = keys[keys_at + i];
    const uint digit = ups_digit(key, shift, mask);
    const UPS_PLACE place = places[digit]++;
#if UPS_VALUES == 1
    const UPS_IN value = values[values_at + i];
#elif UPS_VALUES == 2
    const UPS_IN value = (UPS_IN)i;
#endif
#ifdef UPS_STREAM
    ups_put_key(lines + digit, out, firsts[digit], place, key);
#if UPS_VALUES
    ups_put_value(lines_of_values + digit, values_out, firsts[digit], place, value);
#endif
#else
    out[place] = key;
#if UPS_VALUES
    values_out[place] = value;
#endif
#endif
  }
#ifdef UPS_STREAM
  for (uint d = 0; d < UPS_RADIX; ++d) {
    ups_finish_key(lines + d, out, firsts[d], places[d]);
#if UPS_VALUES
    ups_finish_value(lines_of_values + d, values_out, firsts[d], places[d]);
#endif
  }
#endif
}
