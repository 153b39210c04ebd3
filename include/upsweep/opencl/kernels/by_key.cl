// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The jobs of scans by key and of reductions by key (tiles.cl). A state is the total since the last head, and the number of
// heads.
//
// UPS_HEADS       heads, at which a run begins: 1: keys[i - 1] and keys[i] are not UPS_EQUAL; 2: keys[i], a flag, is not 0; 3:
//                 after every `length` elements. Element 0 is always a head.
// UPS_REDUCES     0: a scan to `out`; 1: keys and totals of runs to `out_keys` and `out`.
// UPS_COUNTS      1: adds ones in place of the input's elements.
// UPS_EXCLUSIVE, UPS_TO_T(x, i), UPS_TO_OUT(x)   as in scan.cl; exclusive scans begin each run with `initial`.
#define UPS_PARAMETERS                                                                                                         \
  UPS_KEY_PARAMETERS, UPS_IN_PARAMETERS, global UPS_OUT_KEY *out_keys, ulong out_keys_at, UPS_OUT_PARAMETERS,                  \
      global UPS_NUMBER *number, ulong number_at, UPS_INITIAL_PARAMETERS, ulong elements, ulong length
#define UPS_ARGUMENTS                                                                                                          \
  UPS_KEY_ARGUMENTS, UPS_IN_ARGUMENTS, out_keys, out_keys_at, UPS_OUT_ARGUMENTS, number, number_at, UPS_INITIAL_ARGUMENTS,     \
      elements, length
#undef UPS_SET_LAST
#define UPS_SET_LAST elements = n;

typedef struct {
  ups_maybe value;
  UPS_COUNT heads;
} ups_state;
ups_state ups_none(void) {
  ups_state state;
  state.value = ups_nothing();
  state.heads = 0;
  return state;
}
ups_state ups_combine(ups_state a, ups_state b) {
  if (b.heads == 0) b.value = ups_apply_maybe(a.value, b.value);
  b.heads += a.heads;
  return b;
}
ups_state ups_first(UPS_PARAMETERS) { return ups_none(); }

typedef struct {
  UPS_T x;
  uint is_head;
} ups_element;

uint ups_is_head(UPS_PARAMETERS, ulong i) {
#if UPS_HEADS == 1
  return i == 0 || !UPS_EQUAL(keys[UPS_KEY_PLACE(i - 1)], keys[UPS_KEY_PLACE(i)]) ? 1 : 0;
#elif UPS_HEADS == 2
  return i == 0 || keys[UPS_KEY_PLACE(i)] != 0 ? 1 : 0;
#elif UPS_SHORT
  return (uint)i % (uint)length == 0 ? 1 : 0;
#else
  return i % length == 0 ? 1 : 0;
#endif
}

ups_element ups_read(UPS_PARAMETERS, ulong i) {
  ups_element element;
#if UPS_COUNTS
  element.x = 1;
#else
  element.x = UPS_TO_T(in[UPS_IN_PLACE(i)], i);
#endif
  element.is_head = ups_is_head(UPS_ARGUMENTS, i);
  return element;
}

ups_state ups_state_of(UPS_PARAMETERS, ulong i, ups_element element) {
  ups_state state;
  state.value = ups_some(element.x);
  state.heads = element.is_head;
  return state;
}

// The result of a scan for an element, from the totals without and with it.
UPS_T ups_result_of(UPS_PARAMETERS, ups_element element, ups_state before, ups_state through) {
#if UPS_EXCLUSIVE
  return element.is_head ? UPS_INITIAL : ups_apply(UPS_INITIAL, ups_value(before.value));
#else
  return ups_value(through.value);
#endif
}

void ups_write(UPS_PARAMETERS, ulong i, ups_element element, ups_state before) {
#if UPS_REDUCES
  if (!element.is_head) return;
  out_keys[out_keys_at + before.heads] = UPS_TO_OUT_KEY(keys[UPS_KEY_PLACE(i)]);
  if (before.heads != 0) out[UPS_OUT_PLACE(before.heads - 1)] = UPS_TO_OUT(ups_value(before.value));
#else
  const ups_state through = ups_combine(before, ups_state_of(UPS_ARGUMENTS, i, element));
  out[UPS_OUT_PLACE(i)] = UPS_TO_OUT(ups_result_of(UPS_ARGUMENTS, element, before, through));
#endif
}

#ifdef UPS_WIDTH
#if UPS_HEADS != 3
UPS_CHUNK(ups_keys, UPS_KEY, UPS_KEY_WORD, UPS_KEY_VECTOR)
#endif
#if !UPS_COUNTS
UPS_CHUNK(ups_values, UPS_IN, UPS_IN_WORD, UPS_IN_VECTOR)
#endif
#if !UPS_REDUCES
UPS_CHUNK(ups_results, UPS_OUT, UPS_OUT_WORD, UPS_OUT_VECTOR)
#endif
typedef struct {
#if !UPS_COUNTS
  ups_values values;
#endif
  uint heads;  // a bit for each element
} ups_chunk;

bool ups_is_aligned(UPS_PARAMETERS, ulong i) {
  bool is_aligned = true;
#if UPS_HEADS != 3
  is_aligned = is_aligned && ups_keys_is_aligned(keys + keys_at + i);
#endif
#if !UPS_COUNTS
  is_aligned = is_aligned && ups_values_is_aligned(in + in_at + i);
#endif
#if !UPS_REDUCES
  is_aligned = is_aligned && ups_results_is_aligned(out + out_at + i);
#endif
  return is_aligned;
}

uint ups_lead(UPS_PARAMETERS) {
#if UPS_COUNTS
  return ups_keys_lead(keys + keys_at);
#else
  return ups_values_lead(in + in_at);
#endif
}

void ups_read_chunk(UPS_PARAMETERS, ulong i, uint count, bool is_whole, ups_chunk *chunk) {
  uint heads = 0;
#if !UPS_COUNTS
  ups_values_load(&chunk->values, in + in_at + i, count, is_whole);
#endif
#if UPS_HEADS != 3
  ups_keys neighbours;
  ups_keys_load(&neighbours, keys + keys_at + i, count, is_whole);
#endif
#if UPS_HEADS == 1
  heads = i == 0 || !UPS_EQUAL(keys[keys_at + i - 1], ups_keys_get(&neighbours, 0)) ? 1 : 0;
#pragma unroll
  for (uint v = 1; v < UPS_WIDTH; ++v) {
    if (v < count) heads |= UPS_EQUAL(ups_keys_get(&neighbours, v - 1), ups_keys_get(&neighbours, v)) ? 0u : 1u << v;
  }
#elif UPS_HEADS == 2
#pragma unroll
  for (uint v = 0; v < UPS_WIDTH; ++v) heads |= ups_keys_get(&neighbours, v) != 0 || i + v == 0 ? 1u << v : 0u;
#else
#pragma unroll
  for (uint v = 0; v < UPS_WIDTH; ++v) heads |= ups_is_head(UPS_ARGUMENTS, i + v) << v;
#endif
  chunk->heads = heads & ((1u << count) - 1);
}

ups_element ups_element_of(UPS_PARAMETERS, ulong i, const ups_chunk *chunk, uint v) {
  ups_element element;
#if UPS_COUNTS
  element.x = 1;
#else
  element.x = UPS_TO_T(ups_values_get(&chunk->values, v), i + v);
#endif
  element.is_head = chunk->heads >> v & 1;
  return element;
}

ups_state ups_total_of(UPS_PARAMETERS, ulong i, uint count, const ups_chunk *chunk) {
  ups_state total = ups_none();
#pragma unroll
  for (uint v = 0; v < UPS_WIDTH; ++v) {
    if (v >= count) continue;
    total = ups_combine(total, ups_state_of(UPS_ARGUMENTS, i + v, ups_element_of(UPS_ARGUMENTS, i, chunk, v)));
  }
  return total;
}

void ups_write_chunk(UPS_PARAMETERS, ulong i, uint count, bool is_whole, const ups_chunk *chunk, ups_state before) {
#if UPS_REDUCES
  if (chunk->heads == 0) return;
#else
  ups_results results = {0};
#endif
#pragma unroll
  for (uint v = 0; v < UPS_WIDTH; ++v) {
    if (v >= count) continue;
    const ups_element element = ups_element_of(UPS_ARGUMENTS, i, chunk, v);
    const ups_state through = ups_combine(before, ups_state_of(UPS_ARGUMENTS, i + v, element));
#if UPS_REDUCES
    ups_write(UPS_ARGUMENTS, i + v, element, before);
#else
    ups_results_set(&results, v, UPS_TO_OUT(ups_result_of(UPS_ARGUMENTS, element, before, through)));
#endif
    before = through;
  }
#if !UPS_REDUCES
  ups_results_store(&results, out + out_at + i, count, is_whole);
#endif
}
#endif

void ups_finish(UPS_PARAMETERS, ups_state total) {
#if UPS_REDUCES
  number[number_at] = (UPS_NUMBER)total.heads;
  if (total.heads != 0) out[UPS_OUT_PLACE(total.heads - 1)] = UPS_TO_OUT(ups_value(total.value));  // the last run
#endif
}
