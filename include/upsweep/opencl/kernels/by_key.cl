// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The jobs of scans by key and of reductions by key (tiles.cl). A state is a total since the last head, and how many heads.
//
// UPS_HEADS       where a run begins: 1 where keys[i - 1] and keys[i] are not UPS_EQUAL, 2 where keys[i] is not 0 (flags),
//                 3 after every `length` elements; always at element 0
// UPS_REDUCES     0: a scan to `out`; 1: keys and totals of runs to `out_keys` and `out`
// UPS_COUNTS      1: in place of the input's elements ones are added
// UPS_EXCLUSIVE, UPS_TO_T(x, i), UPS_TO_OUT(x)   as in scan.cl; exclusive scans begin each run with `initial`
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

void ups_write(UPS_PARAMETERS, ulong i, ups_element element, ups_state before) {
#if UPS_REDUCES
  const ups_state through = ups_combine(before, ups_state_of(UPS_ARGUMENTS, i, element));
  if (element.is_head) out_keys[out_keys_at + before.heads] = UPS_TO_OUT_KEY(keys[UPS_KEY_PLACE(i)]);
  if (i + 1 == elements || ups_is_head(UPS_ARGUMENTS, i + 1)) {
    out[UPS_OUT_PLACE(through.heads - 1)] = UPS_TO_OUT(ups_value(through.value));
  }
#elif UPS_EXCLUSIVE
  out[UPS_OUT_PLACE(i)] = UPS_TO_OUT(element.is_head ? UPS_INITIAL : ups_apply(UPS_INITIAL, ups_value(before.value)));
#else
  const ups_state through = ups_combine(before, ups_state_of(UPS_ARGUMENTS, i, element));
  out[UPS_OUT_PLACE(i)] = UPS_TO_OUT(ups_value(through.value));
#endif
}

void ups_finish(UPS_PARAMETERS, ups_state total) {
#if UPS_REDUCES
  number[number_at] = (UPS_NUMBER)total.heads;
#endif
}
