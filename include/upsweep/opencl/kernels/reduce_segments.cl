// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reductions of segments of any lengths, mixed in any order (Merrill and Garland 2016, "Merge-based Parallel Sparse
// Matrix-Vector Multiplication"). The elements and the segments' ends are one sequence, in which a segment's end stands behind
// its last element. Work-groups have equal shares of that sequence. A share leaves two totals: of its elements up to its first
// end (`heads`), and of its elements behind its last end (`tails`). ups_join_segments() writes the results of first ends.
//
// UPS_OFFSET    type of the offsets; without it segments are rows of `length` elements.
// room          elements of the input; larger offsets count as this number.
#ifdef UPS_OFFSET
#define UPS_SEGMENTS_PARAMETERS global const UPS_OFFSET *offsets, ulong offsets_at, ulong length, ulong room
#define UPS_OFFSET_OF(k) min((ulong)offsets[offsets_at + (k)], room)
#else
#define UPS_SEGMENTS_PARAMETERS global const uint *offsets, ulong offsets_at, ulong length, ulong room
#define UPS_OFFSET_OF(k) ((k) * length)
#endif
#define UPS_SEGMENTS offsets, offsets_at, length, room

// A total, and whether it begins in the work-item's, tile's or share's elements.
typedef struct {
  ups_maybe value;
  uint is_head;
} ups_state;
ups_state ups_piece(ups_maybe value, uint is_head) {
  ups_state state;
  state.value = value;
  state.is_head = is_head;
  return state;
}
ups_state ups_none(void) { return ups_piece(ups_nothing(), 0); }
ups_state ups_combine(ups_state a, ups_state b) {
  if (b.is_head) return b;
  return ups_piece(ups_apply_maybe(a.value, b.value), a.is_head);
}

// The place of a segment's end in the sequence.
ulong ups_place_of_end(UPS_SEGMENTS_PARAMETERS, ulong k) { return UPS_OFFSET_OF(k + 1) - UPS_OFFSET_OF(0) + k; }

// The number of ends before a place.
ulong ups_ends_before(UPS_SEGMENTS_PARAMETERS, ulong n, ulong place) {
  ulong low = 0, high = min(n, place);
  while (low < high) {
    const ulong middle = low + (high - low) / 2;
    if (ups_place_of_end(UPS_SEGMENTS, middle) < place) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low;
}
