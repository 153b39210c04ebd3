// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Breadth-first search: the nodes of a level mark their neighbours, which form the next level, and the level's kernel enqueues
// the next one. breadth_first.cpp runs it, and also a version with the host between the levels.
#define UNSEEN 0xffffffffu

typedef struct {
  global const uint *first;  // each node's first edge in `neighbours`, then the number of edges
  global const uint *neighbours;
  global uint *distance;
  global uint *nodes[2];  // nodes of this level and the next
  global uint *counts;    // number of nodes of each level
} search;

void visit(search s, uint level) {
  const uint i = (uint)get_global_id(0);
  if (i >= s.counts[level]) return;
  const uint node = s.nodes[level & 1][i];
  for (uint k = s.first[node]; k < s.first[node + 1]; ++k) {
    const uint other = s.neighbours[k];
    if (atomic_cmpxchg(s.distance + other, UNSEEN, level + 1) == UNSEEN)
      s.nodes[~level & 1][atomic_inc(s.counts + level + 1)] = other;
  }
}

/// A single work-item reads the level's number of nodes, enqueues work-items for them, and enqueues itself for the next level.
void next_level(search s, uint level) {
  const uint count = s.counts[level];
  if (count == 0) return;
  const queue_t queue = get_default_queue();
  clk_event_t visited;
  if (enqueue_kernel(queue, CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D((count + 63) / 64 * 64, 64), 0, NULL, &visited, ^{
        visit(s, level);
      }) != CLK_SUCCESS)
    return;
  enqueue_kernel(queue, CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(1), 1, &visited, NULL, ^{
    next_level(s, level + 1);
  });
  release_event(visited);
}

#define ARGUMENTS                                                                                                              \
  global const uint *first, global const uint *neighbours, global uint *distance, global uint *even, global uint *odd,         \
      global uint *counts
#define SEARCH {first, neighbours, distance, {even, odd}, counts}

kernel void search_all(ARGUMENTS) {
  const search s = SEARCH;
  next_level(s, 0);
}

kernel void search_level(ARGUMENTS, uint level) {
  const search s = SEARCH;
  visit(s, level);
}
