// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tiles of scans on CPUs (scan.cl), in place of tiles.cl: a work-item iterates over its tile in vectors (lanes.cl). Elements
// are contiguous, and OpenCL C converts them without the caller's text.
#define UPS_KEPT 1
#define UPS_STAGED 1

// The place in memory of elements i to i + UPS_LANE_COUNT - 1.
#if UPS_BACKWARD
#define UPS_PLACES(i) (last - (i) - (UPS_LANE_COUNT - 1))
#define UPS_ORDERED(v) UPS_REVERSED(v)
#else
#define UPS_PLACES(i) (i)
#define UPS_ORDERED(v) (v)
#endif

UPS_VECTOR ups_load(UPS_PARAMETERS, ulong i) {
  const UPS_VECTOR v = UPS_TO_LANES(UPS_TO_TOTALS(UPS_LOAD(0, in + (in_at + UPS_PLACES(i)))));
  return UPS_ORDERED(v);
}

// A store past the caches needs the alignment of the vector.
global UPS_RESULTS *ups_vector_at(UPS_PARAMETERS, ulong i) { return (global UPS_RESULTS *)(out + (out_at + UPS_PLACES(i))); }

void ups_store(UPS_PARAMETERS, ulong i, UPS_VECTOR v) {
  const UPS_RESULTS results = UPS_TO_RESULTS(UPS_OF_LANES(UPS_ORDERED(v)));
#ifdef UPS_STREAM
  UPS_STREAM(results, ups_vector_at(UPS_ARGUMENTS, i));
#else
  UPS_JOIN(vstore, UPS_LANE_COUNT)(results, 0, out + (out_at + UPS_PLACES(i)));
#endif
}

// Four vectors of totals, so that their operations overlap.
ups_state ups_up(UPS_PARAMETERS, ulong base, uint count, ups_element *kept, local ups_state *stage, local ups_state *memory,
                 ups_state *before) {
  const ulong end = base + count;
  ulong i = base;
  UPS_VECTOR a = (UPS_VECTOR)(UPS_NO_LANE), b = a, c = a, d = a;
  for (; i + 4 * UPS_LANE_COUNT <= end; i += 4 * UPS_LANE_COUNT) {
    a = ups_apply_lanes(a, ups_load(UPS_ARGUMENTS, i));
    b = ups_apply_lanes(b, ups_load(UPS_ARGUMENTS, i + UPS_LANE_COUNT));
    c = ups_apply_lanes(c, ups_load(UPS_ARGUMENTS, i + 2 * UPS_LANE_COUNT));
    d = ups_apply_lanes(d, ups_load(UPS_ARGUMENTS, i + 3 * UPS_LANE_COUNT));
  }
  ups_state total = (UPS_T)ups_reduce_lanes(ups_apply_lanes(ups_apply_lanes(a, b), ups_apply_lanes(c, d)));
  for (; i < end; ++i) total = ups_combine(total, ups_some(ups_read(UPS_ARGUMENTS, i)));
  *before = ups_none();
  return total;
}

// Scans elements i to end - 1 one by one; returns the total through the last of them.
ups_state ups_down_each(UPS_PARAMETERS, ulong i, ulong end, ups_state prefix) {
  for (; i < end; ++i) {
    const UPS_T x = ups_read(UPS_ARGUMENTS, i);
    ups_write(UPS_ARGUMENTS, i, x, prefix);
    prefix = ups_combine(prefix, ups_some(x));
  }
  return prefix;
}

// Stores the results of a vector; returns `running`, the total before it in all lanes, for the next vector.
UPS_VECTOR ups_down_vector(UPS_PARAMETERS, ulong i, UPS_VECTOR running) {
  const UPS_VECTOR scanned = ups_scan_lanes(ups_load(UPS_ARGUMENTS, i));
#if UPS_EXCLUSIVE
  ups_store(UPS_ARGUMENTS, i, ups_apply_lanes(running, UPS_SHIFTED(scanned, (UPS_VECTOR)(UPS_NO_LANE))));
#else
  ups_store(UPS_ARGUMENTS, i, ups_apply_lanes(running, scanned));
#endif
  return ups_apply_lanes(running, (UPS_VECTOR)(UPS_LAST_LANE(scanned)));
}

void ups_down(UPS_PARAMETERS, ulong base, uint count, const ups_element *kept, local ups_state *stage, local ups_state *memory,
              ups_state prefix, ups_state before) {
  const ulong end = base + count;
  ulong i = base;
#ifdef UPS_STREAM
  while (i < end && (ulong)ups_vector_at(UPS_ARGUMENTS, i) % sizeof(UPS_RESULTS) != 0) ++i;
  prefix = ups_down_each(UPS_ARGUMENTS, base, i, prefix);
#endif
  UPS_VECTOR running = (UPS_VECTOR)((UPS_LANE)prefix);
  for (; i + 4 * UPS_LANE_COUNT <= end; i += 4 * UPS_LANE_COUNT) {
#pragma unroll
    for (uint k = 0; k < 4; ++k) running = ups_down_vector(UPS_ARGUMENTS, i + k * UPS_LANE_COUNT, running);
  }
  for (; i + UPS_LANE_COUNT <= end; i += UPS_LANE_COUNT) running = ups_down_vector(UPS_ARGUMENTS, i, running);
  ups_down_each(UPS_ARGUMENTS, i, end, (UPS_T)UPS_LAST_LANE(running));
}
