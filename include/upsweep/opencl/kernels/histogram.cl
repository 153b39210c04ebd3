// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Histograms. Work-groups count in tables of their own: in local memory, or with UPS_GROUP 1 in `tables`, and then add these to
// the counts; with UPS_SHARED all work-groups count in the counts themselves.
//
// UPS_BIN(x)      the bin of a sample, as a ulong; others than 0 to bins - 1 are not counted
// UPS_BINS        bins of a table in local memory
// UPS_LEVELS      type of the levels, if the bins are between levels
// UPS_COUNT_TYPE  uint or ulong, the counts' unsigned type
// UPS_CHANNELS, UPS_COUNTED   samples side by side in a pixel, and how many of them are counted

#if defined(UPS_LONG_COUNTS)
#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable
#define UPS_ADD(at, x) atom_add(at, x)
#else
#define UPS_ADD(at, x) atomic_add(at, x)
#endif

#ifdef UPS_LEVELS
// The last level at or below x is the bin's; of equal levels the last one, so that bins between them are empty.
ulong ups_bin_of(UPS_IN x, ulong bins, global const UPS_LEVELS *levels) {
  if (!(x >= levels[0]) || !(x < levels[bins])) return ULONG_MAX;
  ulong low = 0, high = bins;
  while (high - low > 1) {
    const ulong middle = low + (high - low) / 2;
    if (levels[middle] <= x) {
      low = middle;
    } else {
      high = middle;
    }
  }
  return low;
}
#else
#define UPS_LEVELS uint
ulong ups_bin_of(UPS_IN x, ulong bins, global const UPS_LEVELS *levels) { return (ulong)(UPS_BIN(x)); }
#endif

UPS_KERNEL ups_histogram(global const UPS_IN *in, ulong in_at, volatile global UPS_COUNT_TYPE *counts, ulong counts_at,
                         global const UPS_LEVELS *levels, ulong levels_at, UPS_N_PARAMETERS, ulong bins, global uint *tables) {
  UPS_SET_N
  const uint item = get_local_id(0);
  const ulong all = bins * UPS_COUNTED;
#if UPS_SHARED
#elif UPS_GROUP == 1
  global uint *table = tables + get_group_id(0) * all;
  for (ulong b = 0; b < all; ++b) table[b] = 0;
#else
  local uint table[UPS_BINS];
  for (ulong b = item; b < all; b += UPS_GROUP) table[b] = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
#endif
  for (ulong base = get_group_id(0) * UPS_TILE; base < n; base += get_num_groups(0) * UPS_TILE) {
    const uint count = (uint)min((ulong)UPS_TILE, n - base);
    for (uint i = item; i < count; i += UPS_GROUP) {
      for (uint channel = 0; channel < UPS_COUNTED; ++channel) {
        const UPS_IN x = in[in_at + (base + i) * UPS_CHANNELS + channel];
        const ulong bin = ups_bin_of(x, bins, levels + levels_at);
        if (bin >= bins) continue;
#if UPS_SHARED
        UPS_ADD(counts + counts_at + channel * bins + bin, 1);
#elif UPS_GROUP == 1
        ++table[channel * bins + bin];
#else
        atomic_inc(table + channel * bins + bin);
#endif
      }
    }
  }
#if !UPS_SHARED
  barrier(CLK_LOCAL_MEM_FENCE);
  for (ulong b = item; b < all; b += UPS_GROUP) {
    if (table[b] != 0) UPS_ADD(counts + counts_at + b, (UPS_COUNT_TYPE)table[b]);
  }
#endif
}

UPS_KERNEL ups_clear_counts(global UPS_COUNT_TYPE *counts, ulong counts_at, ulong all) {
  const ulong b = get_global_id(0);
  if (b < all) counts[counts_at + b] = 0;
}
