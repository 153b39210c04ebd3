// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The job of linear recurrences (tiles.cl, axis.cl): the composition of the maps x -> a[t] * x + b[t].
//
// UPS_A, UPS_B, UPS_OUT   types of the arrays' elements; UPS_T that of states, a number.
// UPS_HAS_INITIAL, UPS_HAS_LAST   states before the first elements are at `initial`; states after the last ones go to
//                                 `last_to`.
#if UPS_BACKWARD
#define UPS_PLACE(i) (last - (i))
#else
#define UPS_PLACE(i) (i)
#endif
#ifdef UPS_T_UNSIGNED
#define UPS_STEP(a, x, b) ((UPS_T)((UPS_T_UNSIGNED)(a) * (UPS_T_UNSIGNED)(x) + (UPS_T_UNSIGNED)(b)))
#else
#define UPS_STEP(a, x, b) ((a) * (x) + (b))
#endif
#define UPS_PARAMETERS                                                                                                         \
  global const UPS_A *a, ulong a_at, global const UPS_B *b, ulong b_at, global UPS_OUT *out, ulong out_at,                     \
      global const UPS_T *initial, ulong initial_at, global UPS_T *last_to, ulong last_at, ulong last
#define UPS_ARGUMENTS a, a_at, b, b_at, out, out_at, initial, initial_at, last_to, last_at, last
#define UPS_MOVE(from, to)                                                                                                     \
  a_at += from;                                                                                                                \
  b_at += from;                                                                                                                \
  out_at += to;
#undef UPS_SET_LAST
#define UPS_SET_LAST last = n - 1;

typedef struct {
  UPS_T factor, offset;
} ups_state;
typedef ups_state ups_element;
ups_state ups_map(UPS_T factor, UPS_T offset) {
  ups_state map;
  map.factor = factor;
  map.offset = offset;
  return map;
}
ups_state ups_none(void) { return ups_map(1, 0); }
ups_state ups_combine(ups_state first, ups_state second) {
  return ups_map(UPS_STEP(first.factor, second.factor, 0), UPS_STEP(second.factor, first.offset, second.offset));
}

ups_state ups_first_of(UPS_PARAMETERS, ulong column) { return ups_map(0, UPS_HAS_INITIAL ? initial[initial_at + column] : 0); }
ups_state ups_first(UPS_PARAMETERS) { return ups_first_of(UPS_ARGUMENTS, 0); }
ups_element ups_read(UPS_PARAMETERS, ulong i) { return ups_map((UPS_T)a[a_at + UPS_PLACE(i)], (UPS_T)b[b_at + UPS_PLACE(i)]); }
ups_state ups_state_of(UPS_PARAMETERS, ulong i, ups_element element) { return element; }
void ups_write(UPS_PARAMETERS, ulong i, ups_element element, ups_state before) {
  out[out_at + UPS_PLACE(i)] = (UPS_OUT)UPS_STEP(element.factor, before.offset, element.offset);
}
void ups_finish_column(UPS_PARAMETERS, ulong column, ups_state total) {
#if UPS_HAS_LAST
  last_to[last_at + column] = total.offset;
#endif
}
void ups_finish(UPS_PARAMETERS, ups_state total) { ups_finish_column(UPS_ARGUMENTS, 0, total); }
