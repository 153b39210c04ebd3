// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tiles of scans and reductions by key on CPUs (by_key.cl), in place of tiles.cl: a work-item iterates over its tile in
// vectors (lanes.cl). A scan that starts again at heads is a scan of pairs of a value and a mark, where (a, f) and (b, g) make
// (g ? b : a op b, f | g) (Schwartz 1980). Keys are numbers compared by ==, or flags.
#define UPS_KEPT 1
#define UPS_WORD 32u
#if UPS_COUNTS
#define UPS_STAGED ((UPS_ITEMS + 31) / 32)  // marks as words, which the first pass over a tile leaves for the second
#elif UPS_REDUCES
#define UPS_STAGED (UPS_WORD + 1)
#else
#define UPS_STAGED 1
#endif

#if UPS_LANE_BITS == 64
#define UPS_LANE_MARK long
#elif UPS_LANE_BITS == 32
#define UPS_LANE_MARK int
#elif UPS_LANE_BITS == 16
#define UPS_LANE_MARK short
#else
#define UPS_LANE_MARK char
#endif
#define UPS_VECTOR_OF_MARKS UPS_JOIN(UPS_LANE_MARK, UPS_LANE_COUNT)

// Marks of elements i to i + UPS_LANE_COUNT - 1: -1 where a run begins; i > 0.
UPS_VECTOR_OF_MARKS ups_marks(UPS_PARAMETERS, ulong i) {
#if UPS_HEADS == 1
  return UPS_JOIN(convert_, UPS_VECTOR_OF_MARKS)(~(UPS_LOAD(0, keys + (keys_at + i - 1)) == UPS_LOAD(0, keys + (keys_at + i))));
#else
  return UPS_JOIN(convert_, UPS_VECTOR_OF_MARKS)(UPS_LOAD(0, keys + (keys_at + i)) != (UPS_JOIN(UPS_KEY, UPS_LANE_COUNT))(0));
#endif
}

// Bit k for lane k: a product gathers the bits of eight bytes.
uint ups_bits_of_eight(ulong bytes) { return (uint)((bytes & 0x8040201008040201UL) * 0x0101010101010101UL >> 56); }
uint ups_bits_of_marks(UPS_VECTOR_OF_MARKS marks) {
#if UPS_LANE_COUNT == 16
  const ulong2 bytes = as_ulong2(convert_char16(marks));
  return ups_bits_of_eight(bytes.x) | ups_bits_of_eight(bytes.y) << 8;
#else
  return ups_bits_of_eight(as_ulong(convert_char8(marks)));
#endif
}

#if !UPS_COUNTS
UPS_VECTOR ups_load(UPS_PARAMETERS, ulong i) { return UPS_TO_LANES(UPS_TO_TOTALS(UPS_LOAD(0, in + (in_at + i)))); }

// Element i becomes the total since the last head; `running` is the total of the elements before the vector.
#define UPS_MARKED_STEP(k)                                                                                                     \
  v = select(ups_apply_lanes(UPS_SHIFT_##k(v, none), v), v, marks);                                                            \
  marks |= UPS_SHIFT_##k(marks, (UPS_VECTOR_OF_MARKS)(0));
UPS_VECTOR ups_scan_marked(UPS_VECTOR v, UPS_VECTOR_OF_MARKS marks, UPS_VECTOR running) {
  const UPS_VECTOR none = (UPS_VECTOR)(UPS_NO_LANE);
  UPS_FOR_SHIFTS(UPS_MARKED_STEP)
  return select(ups_apply_lanes(running, v), v, marks);
}

UPS_T ups_total_of(UPS_PARAMETERS, ulong i, ulong end) {
  UPS_VECTOR a = (UPS_VECTOR)(UPS_NO_LANE), b = a;
  for (; i + 2 * UPS_LANE_COUNT <= end; i += 2 * UPS_LANE_COUNT) {
    a = ups_apply_lanes(a, ups_load(UPS_ARGUMENTS, i));
    b = ups_apply_lanes(b, ups_load(UPS_ARGUMENTS, i + UPS_LANE_COUNT));
  }
  UPS_T total = (UPS_T)ups_reduce_lanes(ups_apply_lanes(a, b));
  for (; i < end; ++i) total = ups_apply(total, UPS_TO_T(in[in_at + i], i));
  return total;
}
#endif

#if UPS_REDUCES
uint ups_heads_of_word(UPS_PARAMETERS, ulong i, uint count) {
  uint bits = 0;
  if (count == UPS_WORD && i > 0) {
    for (uint k = 0; k < UPS_WORD; k += UPS_LANE_COUNT) bits |= ups_bits_of_marks(ups_marks(UPS_ARGUMENTS, i + k)) << k;
    return bits;
  }
  for (uint k = 0; k < count; ++k) bits |= ups_is_head(UPS_ARGUMENTS, i + k) << k;
  return bits;
}

#if !UPS_COUNTS
// The heads among elements i to i + count - 1, where count is at most UPS_WORD. *scanned has room for count + 1 totals: the
// total since the last head before element i, and the totals through each element. `*running` is the first total and becomes
// the last.
uint ups_scan_word(UPS_PARAMETERS, ulong i, uint count, UPS_T *running, local UPS_T *scanned) {
  uint bits = 0;
  if (count == UPS_WORD && i > 0) {
    for (uint k = 0; k < UPS_WORD; k += UPS_LANE_COUNT) {
      const UPS_VECTOR_OF_MARKS marks = ups_marks(UPS_ARGUMENTS, i + k);
      const UPS_VECTOR v = ups_scan_marked(ups_load(UPS_ARGUMENTS, i + k), marks, (UPS_VECTOR)((UPS_LANE)*running));
      bits |= ups_bits_of_marks(marks) << k;
      scanned[k] = *running;
      UPS_JOIN(vstore, UPS_LANE_COUNT)(UPS_OF_LANES(v), 0, scanned + k + 1);
      *running = (UPS_T)UPS_LAST_LANE(v);
    }
    return bits;
  }
  for (uint k = 0; k < count; ++k) {
    const uint is_head = ups_is_head(UPS_ARGUMENTS, i + k);
    const UPS_T x = UPS_TO_T(in[in_at + i + k], i + k);
    bits |= is_head << k;
    scanned[k] = *running;
    *running = is_head ? x : ups_apply(*running, x);
  }
  return bits;
}
#endif

ups_state ups_up(UPS_PARAMETERS, ulong base, uint count, ups_element *kept, local ups_state *stage, local ups_state *memory,
                 ups_state *before) {
  ups_state total = ups_none();
  *before = total;
  ulong open = base;  // where the last run begins
  for (uint k = 0; k < count; k += UPS_WORD) {
    const uint bits = ups_heads_of_word(UPS_ARGUMENTS, base + k, min(UPS_WORD, count - k));
#if UPS_COUNTS
    ((local uint *)stage)[k / UPS_WORD] = bits;
#endif
    total.heads += popcount(bits);
    open = bits != 0 ? base + (k + 31 - clz(bits)) : open;
  }
#if UPS_COUNTS
  total.value = (UPS_T)(base + count - open);
#else
  total.value = ups_total_of(UPS_ARGUMENTS, open, base + count);
#endif
  return total;
}

void ups_down(UPS_PARAMETERS, ulong base, uint count, const ups_element *kept, local ups_state *stage, local ups_state *memory,
              ups_state prefix, ups_state before) {
  UPS_T running = prefix.value;
  UPS_COUNT run = prefix.heads;
#if UPS_COUNTS
  ulong open = base - running;  // where the last run begins
#define UPS_TOTAL_BEFORE(first, i) ((UPS_T)((i) - open))
#else
  local UPS_T *scanned = (local UPS_T *)stage;
#define UPS_TOTAL_BEFORE(first, i) scanned[first]
#endif
  for (uint k = 0; k < count; k += UPS_WORD) {
#if UPS_COUNTS
    uint bits = ((local uint *)stage)[k / UPS_WORD];
#else
    uint bits = ups_scan_word(UPS_ARGUMENTS, base + k, min(UPS_WORD, count - k), &running, scanned);
#endif
    for (; bits != 0; bits &= bits - 1) {
      const uint first = popcount(~bits & (bits - 1));
      const ulong i = base + (k + first);
      if (run > 0) out[UPS_OUT_PLACE(run - 1)] = UPS_TO_OUT(UPS_TOTAL_BEFORE(first, i));
      out_keys[out_keys_at + run] = UPS_TO_OUT_KEY(keys[UPS_KEY_PLACE(i)]);
#if UPS_COUNTS
      open = i;
#endif
      ++run;
    }
  }
  const ulong end = base + count;
#if UPS_COUNTS
  running = UPS_TOTAL_BEFORE(0, end);
#endif
  if (end == elements && count != 0) out[UPS_OUT_PLACE(run - 1)] = UPS_TO_OUT(running);
}

#else
// The last head among elements begin to end - 1, or `end`. The search starts at the end, since the head is often near it.
ulong ups_last_head(UPS_PARAMETERS, ulong begin, ulong end) {
  ulong i = end;
  for (; i > begin + UPS_LANE_COUNT; i -= UPS_LANE_COUNT) {
    const uint bits = ups_bits_of_marks(ups_marks(UPS_ARGUMENTS, i - UPS_LANE_COUNT));
    if (bits != 0) return i - UPS_LANE_COUNT + (31 - clz(bits));
  }
  while (i > begin) {
    if (ups_is_head(UPS_ARGUMENTS, --i)) return i;
  }
  return end;
}

ups_state ups_up(UPS_PARAMETERS, ulong base, uint count, ups_element *kept, local ups_state *stage, local ups_state *memory,
                 ups_state *before) {
  const ulong end = base + count, head = ups_last_head(UPS_ARGUMENTS, base, end);
  ups_state total = ups_none();
  *before = total;
  total.heads = head != end ? 1 : 0;
  total.value = ups_total_of(UPS_ARGUMENTS, head != end ? head : base, end);
  return total;
}

// Scans elements i to end - 1 one by one. `running` is the total since the last head, in exclusive scans with the initial
// value.
UPS_T ups_down_each(UPS_PARAMETERS, ulong i, ulong end, UPS_T running) {
  for (; i < end; ++i) {
    const uint is_head = ups_is_head(UPS_ARGUMENTS, i);
    const UPS_T x = UPS_TO_T(in[in_at + i], i);
#if UPS_EXCLUSIVE
    const UPS_T result = is_head ? UPS_INITIAL : running;
    running = ups_apply(result, x);
#else
    const UPS_T result = is_head ? x : ups_apply(running, x);
    running = result;
#endif
    out[UPS_OUT_PLACE(i)] = UPS_TO_OUT(result);
  }
  return running;
}

void ups_store(UPS_PARAMETERS, ulong i, UPS_VECTOR v) {
#ifdef UPS_STREAM
  UPS_STREAM(UPS_TO_RESULTS(UPS_OF_LANES(v)), (global UPS_RESULTS *)(out + UPS_OUT_PLACE(i)));
#else
  UPS_JOIN(vstore, UPS_LANE_COUNT)(UPS_TO_RESULTS(UPS_OF_LANES(v)), 0, out + UPS_OUT_PLACE(i));
#endif
}

void ups_down(UPS_PARAMETERS, ulong base, uint count, const ups_element *kept, local ups_state *stage, local ups_state *memory,
              ups_state prefix, ups_state before) {
  const ulong end = base + count;
  ulong i = base == 0 ? min(end, (ulong)UPS_LANE_COUNT) : base;  // only elements with a predecessor have marks
#ifdef UPS_STREAM
  while (i < end && (ulong)(out + UPS_OUT_PLACE(i)) % sizeof(UPS_RESULTS) != 0) ++i;
#endif
#if UPS_EXCLUSIVE
  const UPS_VECTOR initials = (UPS_VECTOR)((UPS_LANE)UPS_INITIAL);
  UPS_T total = ups_apply(UPS_INITIAL, prefix.value);
#else
  UPS_T total = prefix.value;
#endif
  total = ups_down_each(UPS_ARGUMENTS, base, i, total);
  UPS_VECTOR running = (UPS_VECTOR)((UPS_LANE)total);
  for (; i + UPS_LANE_COUNT <= end; i += UPS_LANE_COUNT) {
    const UPS_VECTOR_OF_MARKS marks = ups_marks(UPS_ARGUMENTS, i);
    UPS_VECTOR v = ups_load(UPS_ARGUMENTS, i);
#if UPS_EXCLUSIVE
    v = ups_scan_marked(select(v, ups_apply_lanes(initials, v), marks), marks, running);
    ups_store(UPS_ARGUMENTS, i, select(UPS_SHIFTED(v, running), initials, marks));
#else
    v = ups_scan_marked(v, marks, running);
    ups_store(UPS_ARGUMENTS, i, v);
#endif
    running = (UPS_VECTOR)(UPS_LAST_LANE(v));
  }
  ups_down_each(UPS_ARGUMENTS, i, end, (UPS_T)UPS_LAST_LANE(running));
}
#endif
