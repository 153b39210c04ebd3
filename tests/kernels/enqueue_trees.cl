// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A tree of commands, drawn by the host: each node enqueues the children that its record names.
typedef struct {
  int parent, first_child, num_children;
  int global_size, local_size, local_bytes;
  int flags;  // kernel_enqueue_flags_t
  int waits;  // siblings before it, as bits
  int has_event;
  int is_gated;   // waits for a user event of its parent
  int sets_gate;  // the command that sets the user event, after all children; -1: the parent
} node;

/// The same value as the interpreter computes for a work-item.
int value_of(int id, int item, int captured) { return (id * 31 + item * 7 + captured) & 0xffff; }

typedef struct {
  global const node *nodes;
  global int *own;      // sums of a node's work-items
  global int *subtree;  // the same, with all nodes below it
  global int *waited;   // the values that a node saw in subtree[] of the nodes it waits for, and in own[] of its parent
  global int *errors;
} tree;

void run_node(tree t, queue_t queue, int id, int captured, local int *memory);

void enqueue_child(tree t, queue_t queue, int child, global const node *record, uint num_events, clk_event_t *events,
                   clk_event_t *event) {
  const int captured = child * 5 + 3;
  clk_event_t *const list = num_events ? events : NULL;
  clk_event_t *const result = record->has_event ? event : NULL;
  const ndrange_t range =
      record->local_size ? ndrange_1D(record->global_size, record->local_size) : ndrange_1D(record->global_size);
  int status;
  if (record->local_bytes)
    status = enqueue_kernel(
        queue, record->flags, range, num_events, list, result,
        ^(local void *p) {
          run_node(t, queue, child, captured, (local int *)p);
        },
        (uint)record->local_bytes);
  else
    status = enqueue_kernel(queue, record->flags, range, num_events, list, result, ^{
      run_node(t, queue, child, captured, 0);
    });
  if (status != CLK_SUCCESS) atomic_inc(t.errors);
}

void enqueue_children(tree t, queue_t queue, global const node *record) {
  clk_event_t events[8];
  const clk_event_t gate = create_user_event();
  for (int i = 0; i < record->num_children; ++i) {
    global const node *child = t.nodes + record->first_child + i;
    clk_event_t list[9];
    uint n = 0;
    for (int k = 0; k < i; ++k)
      if (child->waits >> k & 1) list[n++] = events[k];
    if (child->is_gated) list[n++] = gate;
    enqueue_child(t, queue, record->first_child + i, child, n, list, &events[i]);
  }
  if (record->sets_gate < 0)
    set_user_event_status(gate, CL_COMPLETE);
  else if (enqueue_kernel(queue, CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(1), ^{
             set_user_event_status(gate, CL_COMPLETE);
           }) != CLK_SUCCESS)
    atomic_inc(t.errors);
  for (int i = 0; i < record->num_children; ++i)
    if (record[0].num_children && t.nodes[record->first_child + i].has_event) release_event(events[i]);
  if (record->sets_gate < 0) release_event(gate);
}

void run_node(tree t, queue_t queue, int id, int captured, local int *memory) {
  global const node *record = t.nodes + id;
  const int item = (int)get_global_id(0);
  if (item == 0 && record->parent >= 0) {
    int sum = 0;
    const int first = t.nodes[record->parent].first_child;
    for (int k = 0; k < 8; ++k)
      if (record->waits >> k & 1) sum += atomic_add(t.subtree + first + k, 0);
    if (record->flags == CLK_ENQUEUE_FLAGS_WAIT_KERNEL) sum += atomic_add(t.own + record->parent, 0);
    t.waited[id] = sum;
  }
  int value = value_of(id, item, captured);
  if (memory) {  // through the neighbour's place
    const int last = (int)get_local_size(0) - 1, here = (int)get_local_id(0);
    memory[last - here] = value;
    barrier(CLK_LOCAL_MEM_FENCE);
    value = memory[last - here];
  }
  if (item == 0 && record->num_children) enqueue_children(t, queue, record);
  atomic_add(t.own + id, value);
  for (int node = id; node >= 0; node = t.nodes[node].parent) atomic_add(t.subtree + node, value);
}

kernel void root(global const node *nodes, global int *own, global int *subtree, global int *waited, global int *errors,
                 queue_t queue) {
  const tree t = {nodes, own, subtree, waited, errors};
  run_node(t, queue, 0, 0, 0);
}
