// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Stable merges of two ordered ranges, and sorts by merges of runs that double (Green, McColl and Bader 2012, "GPU Merge
// Path"). A binary search finds the start of a work-item's part of the result, so that all parts have the same size.
//
// UPS_LESS(x, y)   whether x comes before y; if ranges are not in its order, results are arbitrary elements of them.
// UPS_HAS_VALUES   a value of the type UPS_VALUE is moved with each key.
// UPS_RUN          keys that a work-item of ups_sort_tiles sorts by insertion.
//
// Work-groups behind the end have no elements, but must not return before a barrier: PoCL 3.1 then wrote beyond arrays.
typedef struct {
  global UPS_KEY *keys;
  global UPS_VALUE *values;
} ups_range;

#define UPS_RANGE_PARAMETERS(name)                                                                                             \
  global UPS_KEY *name##_keys, ulong name##_keys_at, global UPS_VALUE *name##_values, ulong name##_values_at
#define UPS_RANGE(name) ups_from((ups_range){name##_keys, name##_values}, name##_keys_at, name##_values_at)
#if UPS_HAS_VALUES
#define UPS_MOVE(to, k, from, i) ((to).keys[k] = (from).keys[i], (to).values[k] = (from).values[i])
#else
#define UPS_MOVE(to, k, from, i) ((to).keys[k] = (from).keys[i])
#endif

ups_range ups_from(ups_range r, ulong key, ulong value) {
  r.keys += key;
#if UPS_HAS_VALUES
  r.values += value;
#endif
  return r;
}

// The number of keys of `a` among the first `diagonal` keys of a merge. The next key is that of `a` unless that of `b` is
// less.
ulong ups_split(ups_range a, ulong a_count, ups_range b, ulong b_count, ulong diagonal) {
  ulong low = diagonal > b_count ? diagonal - b_count : 0, high = min(diagonal, a_count);
  while (low < high) {
    const ulong middle = low + (high - low) / 2;
    if (UPS_LESS(b.keys[diagonal - 1 - middle], a.keys[middle])) {
      high = middle;
    } else {
      low = middle + 1;
    }
  }
  return low;
}

// Merges `count` elements, from the diagonal on.
void ups_merge_part(ups_range a, ulong a_count, ups_range b, ulong b_count, ulong diagonal, ulong count, ups_range to) {
  ulong i = ups_split(a, a_count, b, b_count, diagonal), j = diagonal - i;
  for (ulong k = 0; k < count; ++k) {
    const bool is_of_b = j < b_count && (i >= a_count || UPS_LESS(b.keys[j], a.keys[i]));
    const ups_range from = {is_of_b ? b.keys : a.keys, is_of_b ? b.values : a.values};
    const ulong at = is_of_b ? j : i;
    UPS_MOVE(to, k, from, at);
    j += is_of_b ? 1 : 0;
    i += is_of_b ? 0 : 1;
  }
}

// The same by a work-group: the begin and end of its tile in `a` bound the searches of its work-items.
void ups_merge_tile(ups_range a, ulong a_count, ups_range b, ulong b_count, ulong diagonal, ulong count, ups_range to,
                    local ulong *ends) {
#if UPS_GROUP > 1
  const uint item = get_local_id(0);
  if (item < 2) ends[item] = ups_split(a, a_count, b, b_count, diagonal + item * count);
  barrier(CLK_LOCAL_MEM_FENCE);
  // Unsorted ranges may be split out of order: the tile nevertheless takes its elements from inside of both.
  const ulong begin = ends[0], end = clamp(ends[1], begin, begin + count), mine = item * (ulong)UPS_ITEMS;
  if (mine >= count) return;
  a = ups_from(a, begin, begin);
  b = ups_from(b, diagonal - begin, diagonal - begin);
  ups_merge_part(a, end - begin, b, count - (end - begin), mine, min((ulong)UPS_ITEMS, count - mine), ups_from(to, mine, mine));
#else
  ups_merge_part(a, a_count, b, b_count, diagonal, count, to);
#endif
}

UPS_KERNEL ups_merge(UPS_RANGE_PARAMETERS(a), ulong a_count, UPS_RANGE_PARAMETERS(b), ulong b_count,
                     UPS_RANGE_PARAMETERS(out)) {
  local ulong ends[2];
  const ulong begin = get_group_id(0) * (ulong)UPS_TILE, count = min((ulong)UPS_TILE, a_count + b_count - begin);
  ups_merge_tile(UPS_RANGE(a), a_count, UPS_RANGE(b), b_count, begin, count, ups_from(UPS_RANGE(out), begin, begin), ends);
}

// Pairs of neighbouring runs of `width` elements, a whole number of tiles.
UPS_KERNEL ups_merge_runs(UPS_RANGE_PARAMETERS(in), UPS_RANGE_PARAMETERS(out), UPS_N_PARAMETERS, ulong width) {
  local ulong ends[2];
  UPS_SET_N
  const ulong begin = min(get_group_id(0) * (ulong)UPS_TILE, n);
  const ulong first = begin / (2 * width) * (2 * width), middle = min(first + width, n), end = min(first + 2 * width, n);
  const ups_range in = UPS_RANGE(in);
  ups_merge_tile(ups_from(in, first, first), middle - first, ups_from(in, middle, middle), end - middle, begin - first,
                 min((ulong)UPS_TILE, n - begin), ups_from(UPS_RANGE(out), begin, begin), ends);
}

// Sorts a run of `count` elements by insertion. `in` and `to` may be the same.
void ups_sort_run(ups_range in, ups_range to, uint count) {
  for (uint i = 0; i < count; ++i) {
    const UPS_KEY key = in.keys[i];
#if UPS_HAS_VALUES
    const UPS_VALUE value = in.values[i];
#endif
    uint place = i;
    for (; place > 0 && UPS_LESS(key, to.keys[place - 1]); --place) UPS_MOVE(to, place, to, place - 1);
    to.keys[place] = key;
#if UPS_HAS_VALUES
    to.values[place] = value;
#endif
  }
}

// Work-items sort runs, then merge them to tiles, alternately between `out` and `other`; the tiles end in `out`. `in` may be
// either of them.
UPS_KERNEL ups_sort_tiles(UPS_RANGE_PARAMETERS(in), UPS_RANGE_PARAMETERS(out), UPS_RANGE_PARAMETERS(other), UPS_N_PARAMETERS) {
  UPS_SET_N
  const ulong first = min(get_group_id(0) * (ulong)UPS_TILE, n);
  const uint count = (uint)min((ulong)UPS_TILE, n - first);
  ups_range to = ups_from(UPS_RANGE(out), first, first), from = ups_from(UPS_RANGE(other), first, first);
  for (uint width = UPS_RUN; width < UPS_TILE; width *= 2) {
    const ups_range swapped = to;
    to = from;
    from = swapped;
  }
  const ups_range in = ups_from(UPS_RANGE(in), first, first);
  for (uint begin = get_local_id(0) * UPS_RUN; begin < count; begin += UPS_GROUP * UPS_RUN) {
    ups_sort_run(ups_from(in, begin, begin), ups_from(to, begin, begin), min((uint)UPS_RUN, count - begin));
  }
  for (uint width = UPS_RUN; width < UPS_TILE; width *= 2) {
    const ups_range swapped = to;
    to = from;
    from = swapped;
    barrier(CLK_GLOBAL_MEM_FENCE);
    // Each work-item makes an equal part of the result; a single work-item makes whole pairs of runs.
    const uint part = UPS_GROUP > 1 ? UPS_RUN : 2 * width;
    for (uint begin = get_local_id(0) * part; begin < count; begin += UPS_GROUP * part) {
      const uint pair = begin / (2 * width) * (2 * width), middle = min(pair + width, count),
                 end = min(pair + 2 * width, count);
      ups_merge_part(ups_from(from, pair, pair), middle - pair, ups_from(from, middle, middle), end - middle, begin - pair,
                     min(part, end - begin), ups_from(to, begin, begin));
    }
  }
}
