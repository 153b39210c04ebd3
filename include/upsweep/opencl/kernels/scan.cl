// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The job of inclusive and exclusive scans (tiles.cl).
//
// UPS_EXCLUSIVE      1 for exclusive scans.
// UPS_BACKWARD       1 for scans from the last element on.
// UPS_HAS_INITIAL    1 if there is an `initial` value.
// UPS_TOTAL          type of the element at `total`, if the scan writes one.
// UPS_TO_T(x, i)     element i of the input as a total; UPS_TO_OUT(x) a total as an output's element.
#ifndef UPS_TOTAL
#define UPS_TOTAL UPS_T
#define UPS_TO_TOTAL(x) (x)
#define UPS_WRITES_TOTAL 0
#else
#define UPS_WRITES_TOTAL 1
#endif
#if UPS_BACKWARD
#define UPS_PLACE(i) (last - (i))
#else
#define UPS_PLACE(i) (i)
#endif

#define UPS_PARAMETERS                                                                                                         \
  UPS_IN_PARAMETERS, UPS_OUT_PARAMETERS, global UPS_TOTAL *total_to, ulong total_at, UPS_INITIAL_PARAMETERS, ulong last
#define UPS_ARGUMENTS UPS_IN_ARGUMENTS, UPS_OUT_ARGUMENTS, total_to, total_at, UPS_INITIAL_ARGUMENTS, last
#undef UPS_SET_LAST
#define UPS_SET_LAST last = n - 1;

#define UPS_MOVE(from, to)                                                                                                     \
  in_at += from;                                                                                                               \
  out_at += to;

typedef UPS_T ups_element;
ups_state ups_first(UPS_PARAMETERS) { return UPS_HAS_INITIAL ? ups_some(UPS_INITIAL) : ups_none(); }
ups_element ups_read(UPS_PARAMETERS, ulong i) { return UPS_TO_T(in[UPS_IN_PLACE(UPS_PLACE(i))], UPS_PLACE(i)); }
ups_state ups_state_of(UPS_PARAMETERS, ulong i, ups_element element) { return ups_some(element); }

void ups_write(UPS_PARAMETERS, ulong i, ups_element element, ups_state before) {
#if UPS_EXCLUSIVE
  out[UPS_OUT_PLACE(UPS_PLACE(i))] = UPS_TO_OUT(ups_value(before));
#else
  out[UPS_OUT_PLACE(UPS_PLACE(i))] = UPS_TO_OUT(ups_value(ups_combine(before, ups_some(element))));
#endif
}

#ifdef UPS_WIDTH
UPS_CHUNK(ups_chunk, UPS_IN, UPS_IN_WORD, UPS_IN_VECTOR)
UPS_CHUNK(ups_result, UPS_OUT, UPS_OUT_WORD, UPS_OUT_VECTOR)
// A chunk of `count` elements from i on: its begin, and its first element in the scan's order.
#if UPS_BACKWARD
#define UPS_CHUNK_BEGIN(i, count) (last - (i) - ((count) - 1))
#define UPS_CHUNK_PLACE(v, count) ((count) - 1 - (v))
#else
#define UPS_CHUNK_BEGIN(i, count) (i)
#define UPS_CHUNK_PLACE(v, count) (v)
#endif

bool ups_is_aligned(UPS_PARAMETERS, ulong i) {
  return ups_chunk_is_aligned(in + in_at + UPS_CHUNK_BEGIN(i, UPS_WIDTH)) &&
         ups_result_is_aligned(out + out_at + UPS_CHUNK_BEGIN(i, UPS_WIDTH));
}

uint ups_lead(UPS_PARAMETERS) {
  return UPS_BACKWARD ? UPS_WIDTH - 1 - ups_chunk_lead(in + in_at + last) : ups_chunk_lead(in + in_at);
}

void ups_read_chunk(UPS_PARAMETERS, ulong i, uint count, bool is_whole, ups_chunk *chunk) {
  ups_chunk_load(chunk, in + in_at + UPS_CHUNK_BEGIN(i, count), count, is_whole);
}

ups_state ups_element_of(UPS_PARAMETERS, ulong i, uint count, const ups_chunk *chunk, uint v) {
  return ups_some(UPS_TO_T(ups_chunk_get(chunk, UPS_CHUNK_PLACE(v, count)), UPS_PLACE(i + v)));
}

ups_state ups_total_of(UPS_PARAMETERS, ulong i, uint count, const ups_chunk *chunk) {
  ups_state total = ups_element_of(UPS_ARGUMENTS, i, count, chunk, 0);
#pragma unroll
  for (uint v = 1; v < UPS_WIDTH; ++v) {
    if (v < count) total = ups_combine(total, ups_element_of(UPS_ARGUMENTS, i, count, chunk, v));
  }
  return total;
}

void ups_write_chunk(UPS_PARAMETERS, ulong i, uint count, bool is_whole, const ups_chunk *chunk, ups_state before) {
  ups_result results = {0};
#pragma unroll
  for (uint v = 0; v < UPS_WIDTH; ++v) {
    if (v >= count) continue;
    const ups_state through = ups_combine(before, ups_element_of(UPS_ARGUMENTS, i, count, chunk, v));
    ups_result_set(&results, UPS_CHUNK_PLACE(v, count), UPS_TO_OUT(ups_value(UPS_EXCLUSIVE ? before : through)));
    before = through;
  }
  ups_result_store(&results, out + out_at + UPS_CHUNK_BEGIN(i, count), count, is_whole);
}
#endif

void ups_finish(UPS_PARAMETERS, ups_state total) {
#if UPS_WRITES_TOTAL
  total_to[total_at] = UPS_TO_TOTAL(ups_value(total));
#endif
}

// For axis.cl and rows.cl.
ups_state ups_first_of(UPS_PARAMETERS, ulong column) { return ups_first(UPS_ARGUMENTS); }
void ups_finish_column(UPS_PARAMETERS, ulong column, ups_state total) {
#ifdef UPS_TOTALS_OF_COLUMNS
  total_to[total_at + column] = UPS_TO_TOTAL(ups_value(total));
#endif
}
