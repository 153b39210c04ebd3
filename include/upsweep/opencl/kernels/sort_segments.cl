// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The kernels that turn two stable sorts of a whole array, by keys and then by segments, into a sort of each segment.
//
// UPS_OFFSET   type of the offsets; undefined: segments are rows of `length` elements.
// UPS_ID       type of segments' numbers, which count from 1; 0 before the first offset, `most` + 1 from the last one on.
// UPS_PLACE    type of places in the array.
// UPS_VALUES   0: keys alone; 1: with values; 2: with their indices in the segment.
#ifdef UPS_OFFSET
#define UPS_SEGMENTS_PARAMETERS global const UPS_OFFSET *offsets, ulong offsets_at, ulong length
#define UPS_BEGIN_OF(id) ((ulong)offsets[offsets_at + (id) - 1])
#else
#define UPS_SEGMENTS_PARAMETERS global const uint *offsets, ulong offsets_at, ulong length
#define UPS_BEGIN_OF(id) (((id) - 1) * length)
#endif

// The number of n + 1 offsets that are not above a place.
#ifdef UPS_OFFSET
ulong ups_offsets_up_to(UPS_SEGMENTS_PARAMETERS, ulong n, ulong place) {
  ulong low = 0, high = n + 1;
  while (low < high) {
    const ulong middle = low + (high - low) / 2;
    if ((ulong)offsets[offsets_at + middle] <= place) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low;
}
#endif

UPS_KERNEL ups_number_segments(UPS_SEGMENTS_PARAMETERS, UPS_N_PARAMETERS, ulong most, ulong elements, global UPS_ID *ids) {
  UPS_SET_N
  const ulong begin = get_group_id(0) * UPS_TILE, end = min(begin + UPS_TILE, elements);
#if defined(UPS_OFFSET) && UPS_GROUP == 1
  ulong k = ups_offsets_up_to(offsets, offsets_at, length, n, begin);
#endif
  for (ulong i = begin + get_local_id(0); i < end; i += UPS_GROUP) {
#ifndef UPS_OFFSET
    const ulong k = i / length + 1;
#elif UPS_GROUP == 1
    while (k <= n && (ulong)offsets[offsets_at + k] <= i) ++k;
#else
    const ulong k = ups_offsets_up_to(offsets, offsets_at, length, n, i);
#endif
    ids[i] = (UPS_ID)(k > n ? most + 1 : k);
  }
}

UPS_KERNEL ups_order_ids(global const UPS_ID *ids, global const UPS_PLACE *order, ulong elements, global UPS_ID *out) {
  const ulong begin = get_group_id(0) * UPS_TILE, end = min(begin + UPS_TILE, elements);
  for (ulong i = begin + get_local_id(0); i < end; i += UPS_GROUP) out[i] = ids[order[i]];
}

UPS_KERNEL ups_move_segments(global const UPS_KEY *keys, ulong keys_at, global UPS_KEY *out, ulong out_at,
                             global const UPS_IN *values, ulong values_at, global UPS_IN *values_out, ulong values_out_at,
                             UPS_SEGMENTS_PARAMETERS, ulong most, ulong elements, global const UPS_ID *ids,
                             global const UPS_PLACE *order) {
  const ulong begin = get_group_id(0) * UPS_TILE, end = min(begin + UPS_TILE, elements);
  for (ulong i = begin + get_local_id(0); i < end; i += UPS_GROUP) {
    const UPS_ID id = ids[i];
    if (id == 0 || id > most) continue;
    const ulong from = order[i];
    out[out_at + i] = keys[keys_at + from];
#if UPS_VALUES == 1
    values_out[values_out_at + i] = values[values_at + from];
#elif UPS_VALUES == 2
    values_out[values_out_at + i] = (UPS_IN)(from - UPS_BEGIN_OF(id));
#endif
  }
}
