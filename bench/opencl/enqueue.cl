// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Trees of commands of one work-item each, which store their number. `leaf` is for the same launches from the host.
void mark(global uint *marks, uint i) { marks[i] = i + 1; }

kernel void leaf(global uint *marks, uint first) { mark(marks, first + (uint)get_global_id(0)); }

#ifdef __opencl_c_device_enqueue
#define RANGE ndrange_1D(1, 1)

// A parent with n children.
kernel void flat(global uint *marks, uint n, queue_t queue) {
  for (uint i = 0; i < n; ++i)
    enqueue_kernel(queue, CLK_ENQUEUE_FLAGS_NO_WAIT, RANGE, ^{
      mark(marks, i);
    });
}

// Each work-item enqueues a child.
kernel void wide(global uint *marks, uint n, queue_t queue) {
  const uint i = (uint)get_global_id(0);
  enqueue_kernel(queue, CLK_ENQUEUE_FLAGS_NO_WAIT, RANGE, ^{
    mark(marks, i);
  });
}

// A binary tree with n levels below its root, numbered as a heap: child k of node i is 2 i + k + 1.
kernel void tree(global uint *marks, uint n, queue_t queue, uint i) {
  if (i) mark(marks, i - 1);
  if (n == 0) return;
  for (uint k = 1; k <= 2; ++k)
    enqueue_kernel(queue, CLK_ENQUEUE_FLAGS_NO_WAIT, RANGE, ^{
      tree(marks, n - 1, queue, 2 * i + k);
    });
}

// Each enqueues the next, n times.
kernel void chain(global uint *marks, uint n, queue_t queue, uint i) {
  if (i) mark(marks, i - 1);
  if (i < n)
    enqueue_kernel(queue, CLK_ENQUEUE_FLAGS_WAIT_KERNEL, RANGE, ^{
      chain(marks, n, queue, i + 1);
    });
}

// Each command waits for the previous command's event.
kernel void waiting(global uint *marks, uint n, queue_t queue) {
  clk_event_t before;
  for (uint i = 0; i < n; ++i) {
    clk_event_t event;
    enqueue_kernel(queue, CLK_ENQUEUE_FLAGS_NO_WAIT, RANGE, i ? 1 : 0, i ? &before : NULL, &event, ^{
      mark(marks, i);
    });
    if (i) release_event(before);
    before = event;
  }
  release_event(before);
}
#endif
