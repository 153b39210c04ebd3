// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Quicksort. A work-group splits its segment into keys below the pivot, keys equal to it, which are then in place, and keys
// above. It enqueues a work-group for each of the other two. quicksort.cpp runs it, and also a version with the host between
// the levels.
#define SMALL 128

/// A segment of a few numbers: each work-item finds the rank of some.
void sort_small(global const uint *from, global uint *result, uint first, uint count) {
  for (uint i = (uint)get_local_id(0); i < count; i += (uint)get_local_size(0)) {
    const uint value = from[first + i];
    uint rank = 0;
    for (uint k = 0; k < count; ++k) {
      const uint other = from[first + k];
      rank += other < value || (other == value && k < i);
    }
    result[first + rank] = value;
  }
}

uint pivot_of(global const uint *from, uint first, uint count) {
  const uint a = from[first], b = from[first + count / 2], c = from[first + count - 1];
  return max(min(a, b), min(max(a, b), c));
}

/// The counts of numbers below and above the pivot, which go to the ends of the segment in `to`.
uint2 part(global const uint *from, global uint *to, global uint *result, uint first, uint count) {
  const uint pivot = pivot_of(from, first, count), size = (uint)get_local_size(0);
  uint below = 0, above = 0;
  for (uint i = 0; i < count; i += size) {
    const uint place = i + (uint)get_local_id(0);
    const bool is_there = place < count;
    const uint value = is_there ? from[first + place] : pivot;
    const uint is_below = value<pivot, is_above = value> pivot;
    const uint before = below + work_group_scan_exclusive_add(is_below),
               behind = above + work_group_scan_exclusive_add(is_above);
    if (is_below) to[first + before] = value;
    if (is_above) to[first + count - 1 - behind] = value;
    below += work_group_reduce_add(is_below);
    above += work_group_reduce_add(is_above);
  }
  for (uint i = below + (uint)get_local_id(0); i < count - above; i += size) result[first + i] = pivot;
  return (uint2)(below, above);
}

kernel void sort(global uint *from, global uint *to, global uint *result, uint first, uint count) {
  if (count <= SMALL) {
    sort_small(from, result, first, count);
    return;
  }
  const uint2 counts = part(from, to, result, first, count);
  if (get_local_id(0) != 0) return;
  const ndrange_t group = ndrange_1D(get_local_size(0), get_local_size(0));
  const uint last = first + count - counts.y;
  if (counts.x)
    enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_WAIT_WORK_GROUP, group, ^{
      sort(to, from, result, first, counts.x);
    });
  if (counts.y)
    enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_WAIT_WORK_GROUP, group, ^{
      sort(to, from, result, last, counts.y);
    });
}

/// A level of the sort: a work-group for each segment leaves two segments for the next level.
kernel void sort_level(global const uint *from, global uint *to, global uint *result, global const uint2 *segments,
                       global uint2 *next) {
  const size_t group = get_group_id(0);
  const uint first = segments[group].x, count = segments[group].y;
  uint2 counts = 0;
  if (count <= SMALL)
    sort_small(from, result, first, count);
  else
    counts = part(from, to, result, first, count);
  if (get_local_id(0) != 0) return;
  next[2 * group] = (uint2)(first, counts.x);
  next[2 * group + 1] = (uint2)(first + count - counts.y, counts.y);
}
