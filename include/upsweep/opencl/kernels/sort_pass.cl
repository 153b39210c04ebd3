// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A pass of a radix sort by work-groups. Each work-group sorts its tile by the digit in local memory, so that keys with equal
// digits form runs, and stores the runs.
//
// Source: Adinets and Merrill 2022, "Onesweep: A Faster Least Significant Digit Radix Sort for GPUs".
//
// UPS_SWEEP    1: the work-groups of one launch exchange counts (sort_rows.cl); 0: earlier launches count and scan UPS_PLACE
//              unsigned type of places in the output UPS_DIRECT   1: values are too large to pass through local memory.

#define UPS_KEY_BYTES ((UPS_TILE * sizeof(UPS_KEY) + 7) / 8 * 8)
#define UPS_STAGES_VALUES (UPS_VALUES != 0 && !UPS_DIRECT)
#if UPS_STAGES_VALUES
#define UPS_STAGED_BYTES (UPS_KEY_BYTES + UPS_TILE * sizeof(UPS_IN))
#else
#define UPS_STAGED_BYTES UPS_KEY_BYTES
#endif

#if UPS_VALUES == 2
#define UPS_VALUE_OF(k) ((UPS_IN)(base + UPS_PLACE_OF(k)))
#else
#define UPS_VALUE_OF(k) (values + base + UPS_PLACE_OF(0))[(k) * UPS_LANES]
#endif

#if UPS_SWEEP
#define UPS_BEGINS_PARAMETERS global ulong *words, ulong counts_at, ulong ticket_at, ulong rows_at, ulong next_at
#define UPS_TAKE_TICKET ticket = atomic_inc((volatile global uint *)(words + ticket_at))
#define UPS_TILE_OF_TICKET ticket
#else
#define UPS_BEGINS_PARAMETERS global const UPS_PLACE *counts
#define UPS_TAKE_TICKET
#define UPS_TILE_OF_TICKET get_group_id(0)
#endif

// The digit of a key in registers. Places behind the last key get the last digit, and so come last.
#define UPS_DIGIT_OF(k, shift, mask) (UPS_PLACE_OF(k) < count ? ups_digit(kept[k], shift, mask) : (mask))

void ups_load_keys(global const UPS_KEY *keys, uint count, UPS_KEY *kept) {
  keys += UPS_PLACE_OF(0);
  if (count == UPS_TILE) {
#pragma unroll
    for (uint k = 0; k < UPS_ITEMS; ++k) kept[k] = keys[k * UPS_LANES];
  } else {
#pragma unroll
    for (uint k = 0; k < UPS_ITEMS; ++k) {
      if (UPS_PLACE_OF(k) < count) kept[k] = keys[k * UPS_LANES];
    }
  }
}

// Keys move to their places in the tile, which `ranks` then holds.
void ups_stage_keys(const UPS_KEY *kept, uint count, uint shift, uint mask, const local ushort *starts, uint *ranks,
                    local UPS_KEY *staged) {
  starts += ups_warp() * UPS_RADIX;
#pragma unroll
  for (uint k = 0; k < UPS_ITEMS; ++k) {
    ranks[k] += starts[UPS_DIGIT_OF(k, shift, mask)];
    staged[ranks[k]] = kept[k];
  }
}

void ups_load_values(global const UPS_IN *values, ulong base, uint count, UPS_IN *moved) {
#pragma unroll
  for (uint k = 0; k < UPS_ITEMS; ++k) {
    if (UPS_PLACE_OF(k) < count) moved[k] = UPS_VALUE_OF(k);
  }
}

#if UPS_SWEEP
// The first tile turns the counts of all keys into the begins of digits.
void ups_begin_sweep(global const ulong *counts, volatile global ulong *rows, local ulong *sums) {
  for (uint d = get_local_id(0); d < UPS_RADIX; d += UPS_GROUP) sums[d] = counts[d];
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint d = get_local_id(0); d < UPS_RADIX; d += UPS_GROUP) {
    ulong begin = 0;
    for (uint before = 0; before < d; ++before) begin += sums[before];
    ups_store_word(rows + d, begin | UPS_IS_BEGUN);
  }
  barrier(CLK_LOCAL_MEM_FENCE);
}

// Publishes its counts of digits to the later tiles, and clears `before`.
void ups_publish_counts(volatile global ulong *rows, ulong tiles, ulong tile, const uint *totals, local uint *before) {
#pragma unroll
  for (uint j = 0; j < UPS_DIGITS_OF_ITEM; ++j) {
    const uint digit = (uint)get_local_id(0) * UPS_DIGITS_OF_ITEM + j;
    if (digit >= UPS_RADIX) continue;
    ups_publish_count(rows, tiles, tile, digit, totals[j]);
    before[digit] = 0;
  }
}

// The begins of digits in the output, minus their begins in the tile (`own`). The last tile of a span begins the next one.
void ups_find_begins(volatile global ulong *rows, ulong tile, const local uint *before, const uint *totals, const uint *own,
                     local UPS_PLACE *begins) {
#pragma unroll
  for (uint j = 0; j < UPS_DIGITS_OF_ITEM; ++j) {
    const uint digit = (uint)get_local_id(0) * UPS_DIGITS_OF_ITEM + j;
    if (digit >= UPS_RADIX) continue;
    const ulong begin = ups_wait_for_span(rows, tile / UPS_SPAN, digit) + before[digit];
    begins[digit] = (UPS_PLACE)begin - own[j];
    if (tile % UPS_SPAN == UPS_SPAN - 1) {
      ups_store_word(rows + (tile / UPS_SPAN + 1) * UPS_RADIX + digit, (begin + totals[j]) | UPS_IS_BEGUN);
    }
  }
}
#else
void ups_find_begins(global const UPS_PLACE *counts, ulong tiles, ulong tile, const uint *own, local UPS_PLACE *begins) {
#pragma unroll
  for (uint j = 0; j < UPS_DIGITS_OF_ITEM; ++j) {
    const uint digit = (uint)get_local_id(0) * UPS_DIGITS_OF_ITEM + j;
    if (digit < UPS_RADIX) begins[digit] = counts[digit * tiles + tile] - own[j];
  }
}
#endif

// Stores the tile's runs, each contiguously.
void ups_store_runs(const local UPS_KEY *staged, uint count, uint shift, uint mask, const local UPS_PLACE *begins,
                    const local UPS_IN *staged_values, global UPS_KEY *out, global UPS_IN *values_out) {
  const uint item = get_local_id(0);
#pragma unroll
  for (uint k = 0; k < UPS_ITEMS; ++k) {
    const uint place = item + k * UPS_GROUP;
    if (place < count) {
      const UPS_KEY key = (staged + item)[k * UPS_GROUP];
      const UPS_PLACE to = begins[ups_digit(key, shift, mask)] + place;
      out[to] = key;
#if UPS_STAGES_VALUES
      values_out[to] = (staged_values + item)[k * UPS_GROUP];
#endif
    }
  }
}

UPS_KERNEL ups_sort_pass(global const UPS_KEY *keys, ulong keys_at, global UPS_KEY *out, ulong out_at,
                         global const UPS_IN *values, ulong values_at, global UPS_IN *values_out, ulong values_out_at,
                         UPS_N_PARAMETERS, ulong tiles, uint shift, uint mask, UPS_BEGINS_PARAMETERS) {
  // First masks and counts, then keys and values.
  local ulong pool[UPS_POOL_WORDS(UPS_STAGED_BYTES > 8 * UPS_RADIX ? UPS_STAGED_BYTES : 8 * UPS_RADIX)]
      __attribute__((aligned(64)));
  local ushort starts[UPS_WARPS * UPS_RADIX];
  local uint sums[UPS_RADIX + 16], before[UPS_RADIX], ticket;
  local UPS_PLACE begins[UPS_RADIX];
  volatile local uint place_of_digit[2];
  local UPS_KEY *staged = (local UPS_KEY *)pool;
  local UPS_IN *staged_values = (local UPS_IN *)(pool + UPS_KEY_BYTES / 8);
  local ushort *counts_of_warps = (local ushort *)pool + 2 * UPS_WARPS * UPS_RADIX;
  UPS_KEY kept[UPS_ITEMS];
  UPS_IN moved[UPS_ITEMS];
  uint digits[UPS_ITEMS], ranks[UPS_ITEMS], totals[UPS_DIGITS_OF_ITEM], own[UPS_DIGITS_OF_ITEM];
  UPS_SET_N
  if (get_local_id(0) == 0) {
    UPS_TAKE_TICKET;
    place_of_digit[0] = shift;
    place_of_digit[1] = mask;
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  const ulong tile = UPS_TILE_OF_TICKET, base = tile * UPS_TILE;
  if (base >= n) return;
  const uint count = (uint)min((ulong)UPS_TILE, n - base);
#if UPS_SWEEP
  volatile global ulong *rows = words + rows_at;
  if (tile == 0) ups_begin_sweep(words + counts_at, rows, pool);
#endif
  ups_clear_counts(pool);
  ups_load_keys(keys + keys_at + base, count, kept);
#pragma unroll
  for (uint k = 0; k < UPS_ITEMS; ++k) digits[k] = UPS_DIGIT_OF(k, shift, mask);
  barrier(CLK_LOCAL_MEM_FENCE);
  ups_rank(digits, ranks, counts_of_warps, (local uint *)pool);
  ups_total_warps(counts_of_warps, totals);
#if UPS_SWEEP
  ups_publish_counts(rows, tiles, tile, totals, before);
#endif
  ups_place_warps(counts_of_warps, starts, sums, totals, own);
  // Read again, so that the compiler does not keep digits in registers.
  const uint shift_again = place_of_digit[0], mask_again = place_of_digit[1];
  ups_stage_keys(kept, count, shift_again, mask_again, starts, ranks, staged);
#if UPS_STAGES_VALUES
  ups_load_values(values + values_at, base, count, moved);  // values arrive during the wait for counts
#endif
#if UPS_SWEEP
  if (next_at != 0) ups_clear_rows(words + next_at, tiles, tile);
  ups_add_rows(rows, tiles, tile, before);
#endif
#if UPS_STAGES_VALUES
#pragma unroll
  for (uint k = 0; k < UPS_ITEMS; ++k) staged_values[ranks[k]] = moved[k];
#endif
#if UPS_SWEEP
  barrier(CLK_LOCAL_MEM_FENCE);
  ups_find_begins(rows, tile, before, totals, own, begins);
#else
  ups_find_begins(counts, tiles, tile, own, begins);
#endif
  barrier(CLK_LOCAL_MEM_FENCE);
#if UPS_DIRECT
  ups_load_values(values + values_at, base, count, moved);
#pragma unroll
  for (uint k = 0; k < UPS_ITEMS; ++k) {
    const UPS_PLACE to = begins[UPS_DIGIT_OF(k, shift_again, mask_again)] + ranks[k];
    if (UPS_PLACE_OF(k) < count) values_out[values_out_at + to] = moved[k];
  }
#endif
  ups_store_runs(staged, count, shift, mask, begins, staged_values, out + out_at, values_out + values_out_at);
}
