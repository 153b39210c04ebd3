// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// cl_khr_subgroup_non_uniform_vote, _ballot, _shuffle, _shuffle_relative, _rotate: votes and moves among the active work-items.
#include "library.h"
#include "sub_group_intrinsics.h"

HELPER ulong active(void) { return __ups_sg_ballot(1); }
HELPER uint first_active(void) { return (uint)__builtin_ctzl(active()); }

// Votes
SMALL int sub_group_elect(void) { return __ups_lane() == first_active(); }
SMALL int sub_group_non_uniform_all(int predicate) { return __ups_sg_ballot(predicate == 0) == 0; }
SMALL int sub_group_non_uniform_any(int predicate) { return __ups_sg_ballot(predicate) != 0; }

// Ballots have at most 64 lanes, so the upper half of the four words is zero.
HELPER ulong word(uint4 value) { return (ulong)value.y << 32 | value.x; }
HELPER uint4 words(ulong bits) { return (uint4)((uint)bits, (uint)(bits >> 32), 0, 0); }
HELPER ulong lanes_below(uint n) { return n >= 64 ? ~0UL : (1UL << n) - 1; }
// Bit counts cover the largest sub-group's size, even in a smaller sub-group.
HELPER ulong all_lanes(void) { return lanes_below(__ups_max_sub_group_size()); }

SMALL uint4 sub_group_ballot(int predicate) { return words(__ups_sg_ballot(predicate)); }
SMALL int sub_group_ballot_bit_extract(uint4 value, uint index) { return (int)(word(value) >> (index & 63) & 1); }
SMALL int sub_group_inverse_ballot(uint4 value) { return (int)(word(value) >> __ups_lane() & 1); }
SMALL uint sub_group_ballot_bit_count(uint4 value) {
  return (uint)__builtin_popcountl(word(value) & lanes_below(__ups_max_sub_group_size()));
}
SMALL uint sub_group_ballot_inclusive_scan(uint4 value) {
  return (uint)__builtin_popcountl(word(value) & lanes_below(__ups_lane() + 1));
}
SMALL uint sub_group_ballot_exclusive_scan(uint4 value) {
  return (uint)__builtin_popcountl(word(value) & lanes_below(__ups_lane()));
}
SMALL uint sub_group_ballot_find_lsb(uint4 value) {
  return (uint)__builtin_ctzl(word(value) & lanes_below(__ups_max_sub_group_size()));
}
SMALL uint sub_group_ballot_find_msb(uint4 value) {
  return 63 - (uint)__builtin_clzl(word(value) & lanes_below(__ups_max_sub_group_size()));
}

SMALL PURE uint4 get_sub_group_eq_mask(void) { return words(1UL << __ups_lane()); }
SMALL PURE uint4 get_sub_group_ge_mask(void) { return words(all_lanes() & ~lanes_below(__ups_lane())); }
SMALL PURE uint4 get_sub_group_gt_mask(void) { return words(all_lanes() & ~lanes_below(__ups_lane() + 1)); }
SMALL PURE uint4 get_sub_group_le_mask(void) { return words(lanes_below(__ups_lane() + 1)); }
SMALL PURE uint4 get_sub_group_lt_mask(void) { return words(lanes_below(__ups_lane())); }

// Moves. A rotation wraps around the largest sub-group, or each cluster of it (a power of two).
HELPER uint rotated(uint lane, int delta, uint size) { return (lane & ~(size - 1)) | ((lane + (uint)delta) & (size - 1)); }

#define VECTOR_BROADCAST(N, T, ...) \
  SMALL CAT(T, N) sub_group_non_uniform_broadcast(CAT(T, N) x, uint lane) BY_COMPONENT(N, T, sg_broadcast(x[i], lane))
#define MOVES(T, ...) \
  SMALL T sub_group_shuffle(T x, uint lane) { return sg_shuffle(x, lane); } \
  SMALL T sub_group_shuffle_xor(T x, uint mask) { return sg_shuffle(x, __ups_lane() ^ mask); } \
  SMALL T sub_group_shuffle_up(T x, uint delta) { return sg_shuffle(x, __ups_lane() - delta); } \
  SMALL T sub_group_shuffle_down(T x, uint delta) { return sg_shuffle(x, __ups_lane() + delta); } \
  SMALL T sub_group_rotate(T x, int delta) { \
    return sg_shuffle(x, rotated(__ups_lane(), delta, __ups_max_sub_group_size())); \
  } \
  SMALL T sub_group_clustered_rotate(T x, int delta, uint cluster) { \
    return sg_shuffle(x, rotated(__ups_lane(), delta, cluster)); \
  } \
  SMALL T sub_group_non_uniform_broadcast(T x, uint lane) { return sg_broadcast(x, lane); } \
  SMALL T sub_group_broadcast_first(T x) { return sg_broadcast(x, first_active()); } \
  SMALL int sub_group_non_uniform_all_equal(T x) { \
    return __ups_sg_ballot(!(x == sg_broadcast(x, first_active()))) == 0; \
  } \
  FOR_VECTORS(VECTOR_BROADCAST, T)
FOR_LANES(MOVES)
