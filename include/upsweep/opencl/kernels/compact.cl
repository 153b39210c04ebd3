// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The job of selections and partitions (tiles.cl): a scan of the number of kept elements.
//
// UPS_MARKS      the kept elements: 1 by UPS_PREDICATE(x[i]), 2 by flags, 3 by bits of 32-bit words, 4 by
//                UPS_PREDICATE(stencil[i]), 5 the first of each run of UPS_EQUAL elements of the stencil.
// UPS_REJECTS    the others: 0 dropped, 1 to `second`, 2 to the end of `out`, backward; 3: dropped, and the kept elements of
//                the stencil go to `second`.
// UPS_STENCIL    type of the stencil's elements; UPS_SECOND: type of the elements of `second`; UPS_NUMBER: type of the count.
#define UPS_PARAMETERS                                                                                                         \
  UPS_IN_PARAMETERS, UPS_STENCIL_PARAMETERS, UPS_OUT_PARAMETERS, global UPS_SECOND *second, ulong second_at,                   \
      global UPS_NUMBER *number, ulong number_at, ulong last
#define UPS_ARGUMENTS UPS_IN_ARGUMENTS, UPS_STENCIL_ARGUMENTS, UPS_OUT_ARGUMENTS, second, second_at, number, number_at, last

#undef UPS_SET_LAST
#define UPS_SET_LAST last = n - 1;

ups_state ups_first(UPS_PARAMETERS) { return ups_none(); }

ups_element ups_read(UPS_PARAMETERS, ulong i) {
  const UPS_IN x = in[UPS_IN_PLACE(i)];
#if UPS_MARKS == 1
  return ups_marked(x, UPS_PREDICATE(x) ? 1 : 0);
#elif UPS_MARKS == 2
  return ups_marked(x, stencil[UPS_STENCIL_PLACE(i)] != 0 ? 1 : 0);
#elif UPS_MARKS == 3
  return ups_marked(x, stencil[UPS_STENCIL_PLACE(i / 32)] >> (i % 32) & 1);
#elif UPS_MARKS == 4
  return ups_marked(x, UPS_PREDICATE(stencil[UPS_STENCIL_PLACE(i)]) ? 1 : 0);
#else
  return ups_marked(x, i == 0 || !UPS_EQUAL(stencil[UPS_STENCIL_PLACE(i - 1)], stencil[UPS_STENCIL_PLACE(i)]) ? 1 : 0);
#endif
}

ups_state ups_state_of(UPS_PARAMETERS, ulong i, ups_element element) { return element.mark; }

void ups_write(UPS_PARAMETERS, ulong i, ups_element element, ups_state before) {
  if (element.mark) {
    out[UPS_OUT_PLACE(before)] = UPS_TO_OUT(element.x);
#if UPS_REJECTS == 3
    second[second_at + before] = UPS_TO_SECOND(stencil[UPS_STENCIL_PLACE(i)]);
#endif
  } else {
#if UPS_REJECTS == 1
    second[second_at + (i - before)] = UPS_TO_SECOND(element.x);
#elif UPS_REJECTS == 2
    out[UPS_OUT_PLACE(last - (i - before))] = UPS_TO_OUT(element.x);
#endif
  }
}

#ifdef UPS_WIDTH
UPS_CHUNK(ups_values, UPS_IN, UPS_IN_WORD, UPS_IN_VECTOR)
#if UPS_MARKS != 1 && UPS_MARKS != 3
UPS_CHUNK(ups_stencils, UPS_STENCIL, UPS_STENCIL_WORD, UPS_STENCIL_VECTOR)
#endif
typedef struct {
  ups_values values;
  uint marks;  // a bit for each element
} ups_chunk;

bool ups_is_aligned(UPS_PARAMETERS, ulong i) {
  bool is_aligned = ups_values_is_aligned(in + in_at + i);
#if UPS_MARKS != 1 && UPS_MARKS != 3
  is_aligned = is_aligned && ups_stencils_is_aligned(stencil + stencil_at + i);
#endif
  return is_aligned;
}

uint ups_lead(UPS_PARAMETERS) { return UPS_MARKS == 3 ? 0 : ups_values_lead(in + in_at); }  // a chunk's bits are in one word

void ups_read_chunk(UPS_PARAMETERS, ulong i, uint count, bool is_whole, ups_chunk *chunk) {
  uint marks = 0;
  ups_values_load(&chunk->values, in + in_at + i, count, is_whole);
#if UPS_MARKS == 1
#pragma unroll
  for (uint v = 0; v < UPS_WIDTH; ++v) {
    if (v < count) marks |= (UPS_PREDICATE(ups_values_get(&chunk->values, v)) ? 1u : 0u) << v;
  }
#elif UPS_MARKS == 3
  marks = stencil[stencil_at + i / 32] >> (i % 32);
#else
  ups_stencils others;
  ups_stencils_load(&others, stencil + stencil_at + i, count, is_whole);
#if UPS_MARKS == 5
  bool is_marked = i == 0 || !UPS_EQUAL(stencil[stencil_at + i - 1], ups_stencils_get(&others, 0));
#pragma unroll
  for (uint v = 0; v < UPS_WIDTH; ++v) {
    if (v >= count) continue;
    if (v > 0) is_marked = !UPS_EQUAL(ups_stencils_get(&others, v - 1), ups_stencils_get(&others, v));
    marks |= (is_marked ? 1u : 0u) << v;
  }
#else
#if UPS_MARKS == 2
#define UPS_IS_MARKED(x) ((x) != 0)
#else
#define UPS_IS_MARKED(x) UPS_PREDICATE(x)
#endif
#pragma unroll
  for (uint v = 0; v < UPS_WIDTH; ++v) {
    if (v >= count) continue;
    const UPS_STENCIL x = ups_stencils_get(&others, v);
    marks |= (UPS_IS_MARKED(x) ? 1u : 0u) << v;
  }
#endif
#endif
  chunk->marks = marks & ((1u << count) - 1);
}

ups_state ups_total_of(UPS_PARAMETERS, ulong i, uint count, const ups_chunk *chunk) { return popcount(chunk->marks); }

// The tile's elements pass through local memory: kept elements first, then the others.
typedef UPS_IN ups_exchanged;
void ups_exchange(UPS_PARAMETERS, uint begin, uint count, const ups_chunk *chunk, uint before, uint kept,
                  local ups_exchanged *exchanged) {
#pragma unroll
  for (uint v = 0; v < UPS_WIDTH; ++v) {
    const bool is_kept = (chunk->marks >> v & 1) != 0;
    const uint place = is_kept ? before : kept + (begin + v - before);
    if (is_kept || (UPS_REJECTS != 0 && v < count)) exchanged[place] = ups_values_get(&chunk->values, v);
    before += is_kept ? 1 : 0;
  }
}

void ups_write_exchanged(UPS_PARAMETERS, ulong base, uint count, ups_state prefix, uint kept,
                         local const ups_exchanged *exchanged) {
  for (uint k = get_local_id(0); k < kept; k += UPS_GROUP) out[UPS_OUT_PLACE(prefix + k)] = UPS_TO_OUT(exchanged[k]);
#if UPS_REJECTS != 0
  const ulong rejected = base - prefix;
  for (uint k = kept + get_local_id(0); k < count; k += UPS_GROUP) {
#if UPS_REJECTS == 1
    second[second_at + rejected + (k - kept)] = UPS_TO_SECOND(exchanged[k]);
#else
    out[UPS_OUT_PLACE(last - rejected - (k - kept))] = UPS_TO_OUT(exchanged[k]);
#endif
  }
#endif
}
#endif

void ups_finish(UPS_PARAMETERS, ups_state total) { number[number_at] = (UPS_NUMBER)total; }

// For rows.cl: moves the job's pointers to a row.
#define UPS_MOVE(from, to)                                                                                                     \
  in_at += from;                                                                                                               \
  stencil_at += from;                                                                                                          \
  out_at += to;
ups_state ups_first_of(UPS_PARAMETERS, ulong row) { return ups_none(); }
void ups_finish_column(UPS_PARAMETERS, ulong row, ups_state total) { number[number_at + row] = (UPS_NUMBER)total; }
