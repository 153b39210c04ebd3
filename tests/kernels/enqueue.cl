// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels that enqueue others. They check return values themselves and count failures in `errors`.
#define ENQUEUE(...) count_error(errors, enqueue_kernel(__VA_ARGS__))
void count_error(global int *errors, int result) {
  if (result != CLK_SUCCESS) atomic_inc(errors);
}
#define NO_WAIT CLK_ENQUEUE_FLAGS_NO_WAIT

typedef struct {
  char c;
  double16 d;
  int array[5];
} captured;

kernel void captures(global int *errors, global int *out, char c, long2 l, float3 f) {
  const size_t i = get_global_id(0);
  captured s = {c, (double16)(i + 0.5), {1, 2, 3, 4, (int)i}};
  const int before = (int)i * 3;
  ENQUEUE(get_default_queue(), NO_WAIT, ndrange_1D(4), ^{
    const int sum = s.c + (int)s.d.s9 + s.array[4] + (int)l.y + (int)f.z + before;
    out[4 * i + get_global_id(0)] = sum + (int)get_global_size(0);
  });
}

void mark(global int *out, size_t width, size_t height) {
  const size_t place = (get_global_id(2) * height + get_global_id(1)) * width + get_global_id(0);
  atomic_add(out + place,
             (int)(1 + get_local_size(0) * 16 + get_local_size(1) * 256 + get_local_size(2) * 4096 + get_work_dim() * 65536));
}
kernel void ranges(global int *errors, global int *out, int which) {
  queue_t queue = get_default_queue();
  size_t offset[3] = {1, 2, 1}, size[3] = {6, 4, 3}, local_size[3] = {3, 2, 1};
  ndrange_t range = ndrange_1D(6);
  switch (which) {
  case 1: range = ndrange_1D(6, 3); break;
  case 2: range = ndrange_1D(1, 6, 3); break;
  case 3: range = ndrange_2D(size); break;
  case 4: range = ndrange_2D(size, local_size); break;
  case 5: range = ndrange_2D(offset, size, local_size); break;
  case 6: range = ndrange_3D(size); break;
  case 7: range = ndrange_3D(size, local_size); break;
  case 8: range = ndrange_3D(offset, size, local_size); break;
  case 9: range = ndrange_1D(0); break;
  }
  ENQUEUE(queue, NO_WAIT, range, ^{
    mark(out, 8, 8);
  });
}

kernel void local_arguments(global int *errors, global int *out, uint groups, uint size) {
  ENQUEUE(
      get_default_queue(), NO_WAIT, ndrange_1D(groups * size, size),
      ^(local void *a, local void *b) {
        local int *numbers = a;
        local double4 *wide = b;
        local int own;
        const uint i = get_local_id(0), last = get_local_size(0) - 1;
        if (i == 0) own = (int)get_group_id(0);
        numbers[i] = (int)i;
        wide[i] = (double4)(i);
        barrier(CLK_LOCAL_MEM_FENCE);
        const int reversed = numbers[last - i] + (int)wide[last - i].w + own;
        const int sum = work_group_reduce_add(reversed);
        const int scan = sub_group_scan_inclusive_add(1) + (int)(get_sub_group_id() * get_max_sub_group_size());
        out[get_global_id(0)] = sum + scan;
      },
      size * (uint)sizeof(int), size * (uint)sizeof(double4));
}

// A chain of n commands; each waits for the previous command.
kernel void chain(global int *errors, global int *out, int n) {
  queue_t queue = get_default_queue();
  clk_event_t before = create_user_event();
  const clk_event_t first = before;
  for (int i = 0; i < n; ++i) {
    clk_event_t now;
    ENQUEUE(queue, NO_WAIT, ndrange_1D(1), 1, &before, &now, ^{
      out[i] = i ? out[i - 1] + 1 : 1;
    });
    release_event(before);
    before = now;
  }
  release_event(before);
  ENQUEUE(queue, NO_WAIT, ndrange_1D(1), ^{
    set_user_event_status(first, CL_COMPLETE);
  });
}

// Three commands, a marker for all of them, and a command that waits for the marker.
kernel void markers(global int *errors, global int *out) {
  queue_t queue = get_default_queue();
  clk_event_t events[3], marker;
  for (int i = 0; i < 3; ++i)
    ENQUEUE(queue, NO_WAIT, ndrange_1D(64, 8), 0, NULL, &events[i], ^{
      atomic_inc(out + i);
    });
  if (enqueue_marker(queue, 3, events, &marker) != CLK_SUCCESS) atomic_inc(errors);
  ENQUEUE(queue, NO_WAIT, ndrange_1D(1), 1, &marker, NULL, ^{
    out[3] = out[0] + out[1] + out[2];
  });
  for (int i = 0; i < 3; ++i) release_event(events[i]);
  if (!is_valid_event(marker)) atomic_inc(errors);
  release_event(marker);
}

kernel void flags(global int *errors, global int *out, global int *seen) {
  const size_t i = get_global_id(0), n = get_global_size(0);
  const size_t group = get_group_id(0), size = get_local_size(0);
  if (get_local_id(0) == 0) {
    ENQUEUE(get_default_queue(), CLK_ENQUEUE_FLAGS_WAIT_KERNEL, ndrange_1D(1), ^{
      int sum = 0;
      for (size_t k = 0; k < n; ++k) sum += out[k];
      seen[2 * group] = sum;
    });
    ENQUEUE(get_default_queue(), CLK_ENQUEUE_FLAGS_WAIT_WORK_GROUP, ndrange_1D(1), ^{
      int sum = 0;
      for (size_t k = 0; k < size; ++k) sum += out[group * size + k];
      seen[2 * group + 1] = sum;
    });
  }
  barrier(CLK_GLOBAL_MEM_FENCE);
  out[i] = 1;
}

kernel void tree(global int *errors, global int *count, int depth, int width, queue_t queue) {
  atomic_inc(count);
  if (depth == 0) return;
  for (int i = 0; i < width; ++i)
    ENQUEUE(queue, NO_WAIT, ndrange_1D(1), ^{
      tree(errors, count, depth - 1, width, queue);
    });
}

// A chain without events, of any length.
kernel void endless(global int *errors, global int *count, int n) {
  count[0]++;
  if (n > 1)
    ENQUEUE(get_default_queue(), NO_WAIT, ndrange_1D(1), ^{
      endless(errors, count, n - 1);
    });
}

// Each command has an event, which completes after the commands below it.
kernel void endless_with_events(global int *errors, global int *count) {
  count[0]++;
  clk_event_t event;
  const int result = enqueue_kernel(get_default_queue(), NO_WAIT, ndrange_1D(1), 0, NULL, &event, ^{
    endless_with_events(errors, count);
  });
  if (result == CLK_SUCCESS)
    release_event(event);
  else
    errors[0] = result;
}

// A parent's event completes after all commands below it.
kernel void completion(global int *errors, global int *out, int n) {
  queue_t queue = get_default_queue();
  clk_event_t event;
  ENQUEUE(queue, NO_WAIT, ndrange_1D(1), 0, NULL, &event, ^{
    for (int i = 0; i < n; ++i)
      ENQUEUE(queue, NO_WAIT, ndrange_1D(1), ^{
        ENQUEUE(queue, CLK_ENQUEUE_FLAGS_WAIT_KERNEL, ndrange_1D(16, 4), ^{
          atomic_inc(out);
        });
      });
  });
  ENQUEUE(queue, NO_WAIT, ndrange_1D(1), 1, &event, NULL, ^{
    out[1] = out[0];
  });
  release_event(event);
}

kernel void queries(global uint *out, global int *numbers) {
  void (^block)(void) = ^{
    numbers[get_global_id(0)] = 1;
  };
  void (^with_local)(local void *) = ^(local void *p) {
    numbers[get_global_id(0)] = *(local int *)p;
  };
  out[0] = get_kernel_work_group_size(block);
  out[1] = get_kernel_work_group_size(with_local);
  out[2] = get_kernel_preferred_work_group_size_multiple(block);
  out[3] = get_kernel_preferred_work_group_size_multiple(with_local);
  const ndrange_t range = ndrange_1D(1000, 100);
  out[4] = get_kernel_sub_group_count_for_ndrange(range, block);
  out[5] = get_kernel_max_sub_group_size_for_ndrange(range, block);
  out[6] = get_kernel_sub_group_count_for_ndrange(range, with_local);
  block();
}

kernel void profiling(global int *errors, global ulong *times) {
  queue_t queue = get_default_queue();
  clk_event_t event;
  ENQUEUE(queue, NO_WAIT, ndrange_1D(1), 0, NULL, &event, ^{
    times[2] = 1;
    ENQUEUE(queue, NO_WAIT, ndrange_1D(1), ^{
      for (int i = 0; i < 1000; ++i) times[3] += times[2];
    });
  });
  capture_event_profiling_info(event, CLK_PROFILING_COMMAND_EXEC_TIME, times);
  release_event(event);
}
// The times are ready when a command runs that waits for the event.
kernel void complete_times(global int *errors, global ulong *times) {
  const size_t i = get_global_id(0);
  queue_t queue = get_default_queue();
  clk_event_t event;
  ENQUEUE(queue, NO_WAIT, ndrange_1D(1), 0, NULL, &event, ^{
    times[4 * i + 2] = 1;
  });
  ENQUEUE(queue, NO_WAIT, ndrange_1D(1), 1, &event, NULL, ^{
    capture_event_profiling_info(event, CLK_PROFILING_COMMAND_EXEC_TIME, times + 4 * i);
    times[4 * i + 3] = times[4 * i] > 0 && times[4 * i + 1] >= times[4 * i];
    release_event(event);
  });
}

kernel void events(global int *out, clk_profiling_info unused) {
  clk_event_t event = create_user_event();
  out[0] = is_valid_event(event);
  out[1] = is_valid_event(CLK_NULL_EVENT);
  retain_event(event);
  release_event(event);
  out[2] = is_valid_event(event);
  release_event(event);
  out[3] = is_valid_event(event);
  release_event(event);
  set_user_event_status(event, CL_COMPLETE);
}

// Fills the queue with commands, none of which runs before the last is enqueued.
kernel void fill(global int *out, global int *ran, queue_t queue, int most) {
  clk_event_t gate = create_user_event();
  int n = 0, result = CLK_SUCCESS;
  for (; n < most; ++n) {
    result = enqueue_kernel(queue, NO_WAIT, ndrange_1D(1), 1, &gate, NULL, ^{
      atomic_inc(ran);
    });
    if (result != CLK_SUCCESS) break;
  }
  out[0] = n;
  out[1] = result;
  set_user_event_status(gate, CL_COMPLETE);
  release_event(gate);
}

// Only -g makes the driver report mistakes.
kernel void mistakes(global int *out, queue_t queue) {
  clk_event_t event = create_user_event();
  clk_event_t gone = event;
  release_event(event);
  void (^block)(void) = ^{
    out[63] = 1;
  };
  ndrange_t range = ndrange_1D(1);
  size_t large[3] = {1 << 20, 1 << 20, 1 << 20};
  ndrange_t no_range = range;
  no_range.workDimension = 4;
  queue_t no_queue = CLK_NULL_QUEUE;
  out[0] = enqueue_kernel(no_queue, NO_WAIT, range, block);
  out[1] = enqueue_kernel(queue, NO_WAIT, no_range, block);
  out[2] = enqueue_kernel(queue, NO_WAIT, ndrange_1D(1 << 20, 1 << 20), block);
  out[3] = enqueue_kernel(queue, NO_WAIT, range, 1, &gone, NULL, block);
  out[4] = enqueue_kernel(queue, NO_WAIT, range, 1, NULL, NULL, block);
  out[5] = enqueue_kernel(queue, NO_WAIT, range, 0, &gone, NULL, block);
  out[6] = enqueue_kernel(
      queue, NO_WAIT, range,
      ^(local void *p) {
        out[63] = 2;
      },
      0u);
  out[7] = enqueue_kernel(
      queue, NO_WAIT, range,
      ^(local void *p) {
        out[63] = 2;
      },
      1u << 30);
  out[8] = enqueue_marker(queue, 1, &gone, &event);
  out[9] = enqueue_marker(queue, 0, NULL, &event);
  out[10] = enqueue_marker(no_queue, 1, &gone, &event);
  out[11] = enqueue_marker(queue, 0, NULL, NULL);
}

// A command whose event ended with an error does not run, and its parents fail.
kernel void failing(global int *errors, global int *out, int status) {
  queue_t queue = get_default_queue();
  clk_event_t gate = create_user_event(), event;
  ENQUEUE(queue, NO_WAIT, ndrange_1D(1), 1, &gate, &event, ^{
    out[0] = 1;
  });
  ENQUEUE(queue, NO_WAIT, ndrange_1D(1), 1, &event, NULL, ^{
    out[1] = 1;
  });
  ENQUEUE(queue, NO_WAIT, ndrange_1D(1), ^{
    out[2] = 1;
  });
  if (status <= 0) set_user_event_status(gate, status);
  release_event(gate);
  release_event(event);
}

// A command that waits for a command above it, which completes after all commands below it: neither can run.
void enqueue_behind(ulong handle, global int *errors, global int *out) {
  clk_event_t event = *(clk_event_t *)&handle;
  if (enqueue_kernel(get_default_queue(), NO_WAIT, ndrange_1D(1), 1, &event, NULL, ^{
        out[1] = 1;
      }))
    atomic_inc(errors);
}
kernel void waits_for_parent(global int *errors, global int *out, global ulong *handle) {
  queue_t queue = get_default_queue();
  clk_event_t event;
  ENQUEUE(queue, CLK_ENQUEUE_FLAGS_WAIT_KERNEL, ndrange_1D(1), 0, NULL, &event, ^{
    enqueue_behind(*handle, errors, out);
    out[0] = 1;
  });
  ENQUEUE(queue, NO_WAIT, ndrange_1D(1), 1, &event, NULL, ^{
    out[2] = 1;
  });
  *handle = *(ulong *)&event;
}

// Many work-items enqueue, in branches.
kernel void divergent(global int *errors, global int *out) {
  const int i = (int)get_global_id(0);
  if (i % 3 == 0)
    ENQUEUE(get_default_queue(), NO_WAIT, ndrange_1D(i % 5 + 1), ^{
      atomic_add(out + i, 1);
    });
  else if (i % 3 == 1)
    ENQUEUE(get_default_queue(), NO_WAIT, ndrange_1D(2), ^{
      atomic_add(out + i, 10);
    });
}

kernel void prints(global int *errors, int n) {
  ENQUEUE(get_default_queue(), NO_WAIT, ndrange_1D(1), ^{
    printf("child of %d\n", n);
  });
}

// Blocks, and blocks of those, with images, a sampler and numbers.
kernel void captured_images(global int *errors, global int *out, read_only image2d_t from, write_only image2d_t to,
                            sampler_t nearest, int more) {
  size_t size[2] = {get_image_width(from), get_image_height(from)};
  ENQUEUE(get_default_queue(), CLK_ENQUEUE_FLAGS_WAIT_KERNEL, ndrange_2D(size), ^{
    const int2 at = (int2)(get_global_id(0), get_global_id(1));
    const int4 colour = read_imagei(from, nearest, at);
    ENQUEUE(get_default_queue(), NO_WAIT, ndrange_1D(1), ^{
      write_imagei(to, at, read_imagei(from, at) + colour + more);
      atomic_add(out, get_image_width(to));
    });
  });
}
