// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Histograms. Each work-group counts in its own table, in local memory or with UPS_GROUP 1 in `tables`, and then adds the
// table to the counts. With UPS_SHARED all work-groups count directly in the counts.
//
// UPS_BINS_ARE      0: by UPS_BIN(x); 1: between levels; 2: of equal width, for integers; 3: of equal width, for other numbers.
// UPS_BIN(x)        the bin of a sample, an integer; bins outside of 0 to bins - 1 are not counted.
// UPS_LEVEL         type of the levels.
// UPS_BOUND         type of the bounds: long for signed samples, ulong for unsigned; double or float.
// UPS_SHORT         bins * (upper - lower) is below 2^32.
// UPS_LOCAL_COUNTS  counts of a table in local memory.
// UPS_COUNT_TYPE    type of the counts: uint or ulong, with weights also float or double.
// UPS_TABLE_TYPE    type of a table's counts.
// UPS_WEIGHT        type of the pixels' weights, if there are any.
// UPS_REGION        pixels are in rows of `width`, `pitch` samples apart.
// UPS_CHANNELS      interleaved samples of a pixel, with the first UPS_COUNTED counted.

// An atomic addition to a count. OpenCL lacks it for floating-point numbers, for which a loop compares and exchanges.
#if UPS_LONG_COUNTS
#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable
#endif
#define UPS_ADDER_uint(name, space)                                                                                            \
  void name(volatile space uint *at, uint x) { atomic_add(at, x); }
#define UPS_ADDER_ulong(name, space)                                                                                           \
  void name(volatile space ulong *at, ulong x) { atom_add(at, x); }
#define UPS_ADDER_OF_NUMBERS(name, space, number, bits_type, to_bits, to_number, exchange)                                     \
  void name(volatile space number *at, number x) {                                                                             \
    volatile space bits_type *bits = (volatile space bits_type *)at;                                                           \
    bits_type seen = *bits, before;                                                                                            \
    do {                                                                                                                       \
      before = seen;                                                                                                           \
      seen = exchange(bits, before, to_bits(to_number(before) + x));                                                           \
    } while (seen != before);                                                                                                  \
  }
#define UPS_ADDER_float(name, space) UPS_ADDER_OF_NUMBERS(name, space, float, uint, as_uint, as_float, atomic_cmpxchg)
#define UPS_ADDER_double(name, space) UPS_ADDER_OF_NUMBERS(name, space, double, ulong, as_ulong, as_double, atom_cmpxchg)
UPS_JOIN(UPS_ADDER_, UPS_COUNT_TYPE)(ups_add_to_count, global)
#if !UPS_SHARED && UPS_GROUP > 1
    UPS_JOIN(UPS_ADDER_, UPS_TABLE_TYPE)(ups_add_to_table, local)
#endif

#ifdef UPS_WEIGHT
#define UPS_WEIGHT_OF(pixel) ((UPS_TABLE_TYPE)weights[weights_at + (pixel)])
#else
#define UPS_WEIGHT uint
#define UPS_WEIGHT_OF(pixel) 1
#endif

        ulong
    ups_bin_of(UPS_IN x, ulong bins, global const UPS_LEVEL *levels, UPS_BOUND lower, UPS_BOUND upper, UPS_BOUND scale) {
#if UPS_BINS_ARE == 0
  return (ulong)(UPS_BIN(x));
#elif UPS_BINS_ARE == 1
  if (!(x >= levels[0]) || !(x < levels[bins])) return ULONG_MAX;
  // The bin is that of the last level at or below x; among equal levels the last one, so that bins between them are empty.
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
#elif UPS_BINS_ARE == 2
  const UPS_BOUND y = x;
  if (y < lower || y >= upper) return ULONG_MAX;
  const ulong distance = (ulong)y - (ulong)lower, width = (ulong)upper - (ulong)lower;
  // Divisions of 64 bits are slow.
  return UPS_SHORT ? (uint)distance * (uint)bins / (uint)width : distance * bins / width;
#else
  const UPS_BOUND y = x;
  if (!(y >= lower) || !(y < upper)) return ULONG_MAX;
  return min((ulong)((y - lower) * scale), bins - 1);
#endif
}

UPS_KERNEL ups_histogram(global const UPS_IN *in, ulong in_at, volatile global UPS_COUNT_TYPE *counts, ulong counts_at,
                         global const UPS_LEVEL *levels, ulong levels_at, UPS_BOUND lower, UPS_BOUND upper, UPS_BOUND scale,
                         UPS_N_PARAMETERS, ulong bins, global const UPS_WEIGHT *weights, ulong weights_at, ulong width,
                         ulong pitch, global UPS_TABLE_TYPE *tables) {
  UPS_SET_N
  const uint item = get_local_id(0);
  const ulong all = bins * UPS_COUNTED;
#if UPS_SHARED
#elif UPS_GROUP == 1
  global UPS_TABLE_TYPE *table = tables + get_group_id(0) * all;
  for (ulong b = 0; b < all; ++b) table[b] = 0;
#else
  local UPS_TABLE_TYPE table[UPS_LOCAL_COUNTS];
  for (ulong b = item; b < all; b += UPS_GROUP) table[b] = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
#endif
  for (ulong base = get_group_id(0) * UPS_TILE; base < n; base += get_num_groups(0) * UPS_TILE) {
    const uint count = (uint)min((ulong)UPS_TILE, n - base);
#if UPS_REGION
    ulong row = (base + item) / width, column = (base + item) % width;
#endif
    for (uint i = item; i < count; i += UPS_GROUP) {
#if UPS_REGION
      global const UPS_IN *pixel = in + in_at + row * pitch + column * UPS_CHANNELS;
      column += UPS_GROUP;
      if (column >= width) {
        row += column / width;
        column %= width;
      }
#else
      global const UPS_IN *pixel = in + in_at + (base + i) * UPS_CHANNELS;
#endif
      for (uint channel = 0; channel < UPS_COUNTED; ++channel) {
        const UPS_IN x = pixel[channel];
        const ulong bin = ups_bin_of(x, bins, levels + levels_at, lower, upper, scale);
        if (bin >= bins) continue;
#if UPS_SHARED
        ups_add_to_count(counts + counts_at + channel * bins + bin, UPS_WEIGHT_OF(base + i));
#elif UPS_GROUP == 1
        table[channel * bins + bin] += UPS_WEIGHT_OF(base + i);
#else
        ups_add_to_table(table + channel * bins + bin, UPS_WEIGHT_OF(base + i));
#endif
      }
    }
  }
#if !UPS_SHARED
  barrier(CLK_LOCAL_MEM_FENCE);
  for (ulong b = item; b < all; b += UPS_GROUP) {
    if (table[b] != 0) ups_add_to_count(counts + counts_at + b, (UPS_COUNT_TYPE)table[b]);
  }
#endif
}

UPS_KERNEL ups_clear_counts(global UPS_COUNT_TYPE *counts, ulong counts_at, ulong all) {
  const ulong b = get_global_id(0);
  if (b < all) counts[counts_at + b] = 0;
}
