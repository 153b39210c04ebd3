// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The ranks of a work-group's keys by a digit. The work-group is UPS_WARPS warps of UPS_LANES work-items, each with UPS_ITEMS
// keys in registers. A warp's keys are contiguous, in rows of UPS_LANES. So a key's rank is the count of its digit in earlier
// rows of the warp and in earlier lanes of its row.
//
// UPS_SUB_GROUPS   1: a warp is a sub-group; 0: a warp is neighbouring work-items, synchronised by the work-group's barriers.
#define UPS_WARPS (UPS_GROUP / UPS_LANES)
#define UPS_DIGITS_OF_ITEM (UPS_GROUP < UPS_RADIX ? UPS_RADIX / UPS_GROUP : 1)

#if UPS_SUB_GROUPS && __OPENCL_C_VERSION__ >= 200 && (defined(__opencl_c_subgroups) || defined(cl_khr_subgroups))
#define UPS_WARPS_ARE_SUB_GROUPS
#if __OPENCL_C_VERSION__ < 300
#pragma OPENCL EXTENSION cl_khr_subgroups : enable
#endif
#define UPS_WARP_BARRIER sub_group_barrier(CLK_LOCAL_MEM_FENCE)
uint ups_warp(void) { return get_sub_group_id(); }
uint ups_lane(void) { return get_sub_group_local_id(); }
#else
#define UPS_WARP_BARRIER barrier(CLK_LOCAL_MEM_FENCE)
uint ups_warp(void) { return (uint)get_local_id(0) / UPS_LANES; }
uint ups_lane(void) { return (uint)get_local_id(0) % UPS_LANES; }
#endif

// The place in the tile of this work-item's key k.
#define UPS_PLACE_OF(k) ((ups_warp() * UPS_ITEMS + (k)) * UPS_LANES + ups_lane())

// Words of masks and, behind them, counts: UPS_RADIX for each warp.
#define UPS_RANKING_WORDS (UPS_WARPS * UPS_RADIX * 6 / 8)
// In 64-bit words, for masks and counts, or for `bytes` of keys and values.
#define UPS_POOL_WORDS(bytes) (UPS_RANKING_WORDS > ((bytes) + 7) / 8 ? UPS_RANKING_WORDS : ((bytes) + 7) / 8)

// Called before ups_rank(), with a barrier between them.
void ups_clear_counts(local ulong *words) {
  for (uint i = get_local_id(0); i < UPS_RANKING_WORDS; i += UPS_GROUP) words[i] = 0;
}

// The rank of each key among the warp's keys with the same digit. Stores each warp's count of each digit in `counts`. `masks`
// tells the lanes of a row which lanes have their digit. Ends with a barrier.
void ups_rank(const uint *digits, uint *ranks, local ushort *counts, local uint *masks) {
  counts += ups_warp() * UPS_RADIX;
  masks += ups_warp() * UPS_RADIX;
  const uint bit = 1u << ups_lane(), before = bit - 1, after = ~before << 1;
#pragma unroll
  for (uint k = 0; k < UPS_ITEMS; ++k) {
    const uint digit = digits[k];
    atomic_or(&masks[digit], bit);
    UPS_WARP_BARRIER;
    const uint same = masks[digit], rank = counts[digit] + popcount(same & before);
    UPS_WARP_BARRIER;
    if ((same & after) == 0) {
      counts[digit] = (ushort)(rank + 1);
      masks[digit] = 0;
    }
    UPS_WARP_BARRIER;
    ranks[k] = rank;
  }
#ifdef UPS_WARPS_ARE_SUB_GROUPS
  barrier(CLK_LOCAL_MEM_FENCE);
#endif
}

// The number of keys with each of this work-item's digits.
void ups_total_warps(const local ushort *counts, uint *totals) {
#pragma unroll
  for (uint j = 0; j < UPS_DIGITS_OF_ITEM; ++j) {
    const uint digit = (uint)get_local_id(0) * UPS_DIGITS_OF_ITEM + j;
    totals[j] = 0;
    for (uint w = 0; w < UPS_WARPS && digit < UPS_RADIX; ++w) totals[j] += counts[w * UPS_RADIX + digit];
  }
}

// Stores in `starts` where each warp's keys of each digit begin in the tile, and in `begins` where the keys of this
// work-item's digits begin. `sums` has room for UPS_RADIX + 16 elements. Ends with a barrier.
void ups_place_warps(const local ushort *counts, local ushort *starts, local uint *sums, const uint *totals, uint *begins) {
  const uint first = (uint)get_local_id(0) * UPS_DIGITS_OF_ITEM;
#pragma unroll
  for (uint j = 0; j < UPS_DIGITS_OF_ITEM; ++j) {
    if (first + j < UPS_RADIX) sums[first + j] = totals[j];
  }
  barrier(CLK_LOCAL_MEM_FENCE);
#pragma unroll
  for (uint j = 0; j < UPS_DIGITS_OF_ITEM; ++j) {
    const uint digit = first + j;
    begins[j] = 0;
    if (digit >= UPS_RADIX) continue;
    for (uint d = digit / 16 * 16; d < digit; ++d) begins[j] += sums[d];
    if (digit % 16 == 15) sums[UPS_RADIX + digit / 16] = begins[j] + totals[j];
  }
  barrier(CLK_LOCAL_MEM_FENCE);
#pragma unroll
  for (uint j = 0; j < UPS_DIGITS_OF_ITEM; ++j) {
    const uint digit = first + j;
    if (digit >= UPS_RADIX) continue;
    for (uint d = 0; d < digit / 16; ++d) begins[j] += sums[UPS_RADIX + d];
    uint begin = begins[j];
    for (uint w = 0; w < UPS_WARPS; ++w) {
      starts[w * UPS_RADIX + digit] = (ushort)begin;
      begin += counts[w * UPS_RADIX + digit];
    }
  }
  barrier(CLK_LOCAL_MEM_FENCE);
}
