// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The kernels of reductions of segments, behind reduce_segments.cl and work_group.cl.

#if UPS_GROUP == 1
// Reduces the segments of a share in sequence.
ups_maybe ups_reduce_share(global const UPS_IN *from, UPS_SEGMENTS_PARAMETERS, global UPS_OUT *out, UPS_INITIAL_PARAMETERS,
                           ulong first, ulong last, ulong i, ulong end, global ups_maybe *head) {
  for (ulong k = first; k < last; ++k) {
    const ulong segment_end = UPS_OFFSET_OF(k + 1);
    const ups_maybe total = ups_total_of(from, i, segment_end);
    if (k == first) {
      *head = total;
    } else {
      out[k] = ups_result_of(total, UPS_INITIAL_ARGUMENTS, i);
    }
    i = segment_end;
  }
  return ups_total_of(from, i, end);
}

#else
// The number of a tile's ends before `end`, from k on.
uint ups_ends_of_tile(UPS_SEGMENTS_PARAMETERS, ulong n, ulong k, ulong end, local uint *found) {
  const uint item = get_local_id(0);
  ulong candidate = k + item * UPS_ITEMS;
  if (item == 0) *found = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  if (candidate < n && ups_place_of_end(UPS_SEGMENTS, candidate) < end) atomic_max(found, item * UPS_ITEMS + 1);
  barrier(CLK_LOCAL_MEM_FENCE);
  const uint low = *found;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint j = item; j < UPS_ITEMS; j += UPS_GROUP) {
    candidate = k + low + j;
    if (candidate < n && ups_place_of_end(UPS_SEGMENTS, candidate) < end) atomic_max(found, low + j + 1);
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  return min(*found, (uint)UPS_TILE);
}

// A tile's elements and ends go to local memory, where each work-item processes UPS_ITEMS of their sequence.
ups_state ups_reduce_tile(global UPS_OUT *out, UPS_SEGMENTS_PARAMETERS, UPS_INITIAL_PARAMETERS, ulong k, uint ends, uint count,
                          const local ups_maybe *stage, const local uint *places, local ups_state *memory, ups_state before,
                          global ups_maybe *head) {
  const uint begin = min((uint)get_local_id(0) * UPS_ITEMS, count), end = min(begin + UPS_ITEMS, count);
  uint j = 0;
  for (uint high = ends; j < high;) {
    const uint middle = j + (high - j) / 2;
    if (places[middle] < begin) {
      j = middle + 1;
    } else {
      high = middle;
    }
  }
  j = min(j, begin);  // where offsets fall
  uint x = begin - j;
  ups_state mine = ups_none(), total;
  ups_maybe first = ups_nothing();
  const uint first_end = j;
  for (uint i = begin; i < end; ++i) {
    if (j < ends && places[j] == i) {
      if (mine.is_head == 0) {
        first = mine.value;
      } else {
        out[k + j] = ups_result_of(mine.value, UPS_INITIAL_ARGUMENTS, UPS_OFFSET_OF(k + j));
      }
      mine = ups_piece(ups_nothing(), 1);
      ++j;
    } else {
      mine.value = ups_apply_maybe(mine.value, stage[x++]);
    }
  }
  const ups_state before_item = ups_combine(before, ups_group_scan(mine, memory, &total));
  if (mine.is_head) {
    first = ups_apply_maybe(before_item.value, first);
    if (before_item.is_head) {
      out[k + first_end] = ups_result_of(first, UPS_INITIAL_ARGUMENTS, UPS_OFFSET_OF(k + first_end));
    } else {
      *head = first;
    }
  }
  return ups_combine(before, total);
}
#endif

UPS_KERNEL ups_reduce_segments(global const UPS_IN *in, ulong in_at, UPS_SEGMENTS_PARAMETERS, global UPS_OUT *out, ulong out_at,
                               UPS_INITIAL_PARAMETERS, UPS_N_PARAMETERS, global ulong *firsts, global ups_maybe *heads,
                               global ups_maybe *tails) {
  UPS_SET_N
#ifdef UPS_OFFSET
  room = min(room, (ulong)offsets[offsets_at + n]);
#endif
  const ulong group = get_group_id(0), groups = get_num_groups(0);
  const ulong all = n == 0 ? 0 : ups_place_of_end(UPS_SEGMENTS, n - 1) + 1;
  const ulong share = (all / groups / UPS_TILE + 1) * UPS_TILE;
  const ulong begin = min(group * share, all), end = min(begin + share, all);
  const ulong first = ups_ends_before(UPS_SEGMENTS, n, begin), last = ups_ends_before(UPS_SEGMENTS, n, end);
  const ulong base = n == 0 ? 0 : UPS_OFFSET_OF(0);
  global const UPS_IN *from = in + in_at;
  if (get_local_id(0) == 0) {
    firsts[group] = first;
    if (group + 1 == groups) firsts[groups] = last;
  }
#if UPS_GROUP == 1
  tails[group] = ups_reduce_share(from, UPS_SEGMENTS, out + out_at, UPS_INITIAL_ARGUMENTS, first, last,
                                  min(base + begin - first, room), min(base + end - last, room), heads + group);
#else
  local ups_maybe stage[UPS_TILE];
  local uint places[UPS_TILE], found;
  local ups_state memory[2 * UPS_GROUP];
  ups_state running = ups_none();
  ulong k = first;
  for (ulong place = begin; place < end; place += UPS_TILE) {
    const uint count = (uint)min((ulong)UPS_TILE, end - place);
    const uint ends = min(ups_ends_of_tile(UPS_SEGMENTS, n, k, place + count, &found), count);
    const ulong element = base + place - k;
    for (uint i = get_local_id(0); i < count - ends; i += UPS_GROUP) {
      if (element + i < room) stage[i] = ups_some(UPS_TO_T(from[element + i], element + i));
    }
    for (uint j = get_local_id(0); j < ends; j += UPS_GROUP) {
      places[j] = (uint)(ups_place_of_end(UPS_SEGMENTS, k + j) - place);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    running = ups_reduce_tile(out + out_at, UPS_SEGMENTS, UPS_INITIAL_ARGUMENTS, k, ends, count, stage, places, memory, running,
                              heads + group);
    k += ends;
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  if (get_local_id(0) == 0) tails[group] = running.value;
#endif
}

// Joins the shares' results: a scan of their tails by one work-group.
UPS_KERNEL ups_join_segments(UPS_SEGMENTS_PARAMETERS, global UPS_OUT *out, ulong out_at, UPS_INITIAL_PARAMETERS, ulong groups,
                             global const ulong *firsts, global const ups_maybe *heads, global const ups_maybe *tails) {
  local ups_state memory[2 * UPS_GROUP];
  ups_state running = ups_none();
  for (ulong begin = 0; begin < groups; begin += UPS_GROUP) {
    const ulong g = begin + get_local_id(0);
    const bool has_end = g < groups && firsts[g] < firsts[g + 1];
    const ups_state tail = g < groups ? ups_piece(tails[g], has_end ? 1 : 0) : ups_none();
    ups_state total;
    const ups_state before = ups_group_scan(tail, memory, &total);
    if (has_end) {
      const ups_maybe all = ups_apply_maybe(ups_combine(running, before).value, heads[g]);
      out[out_at + firsts[g]] = ups_result_of(all, UPS_INITIAL_ARGUMENTS, UPS_OFFSET_OF(firsts[g]));
    }
    running = ups_combine(running, total);
  }
}
