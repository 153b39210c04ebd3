// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Section 1.13.17: enqueuing kernels, and the types that come with it.

//: builds -cl-std=CL2.0 | -cl-std=CL3.0
global int counter;
void (^const outside)(void) = ^{
  counter = 1;
};
void (^const with_memory)(local void *) = ^(local void *p) {
  *(local int *)p = 1;
};
kernel void other(global int *a) { a[get_global_id(0)] = 1; }
static void helper(queue_t queue, clk_event_t *event, global int *a) {
  enqueue_kernel(queue, CLK_ENQUEUE_FLAGS_WAIT_KERNEL, ndrange_1D(1), 1, event, NULL, ^{
    other(a);
  });
}
kernel void f(global int *a, queue_t queue, read_only image2d_t image, sampler_t sampler, read_only pipe int p) {
  const size_t size[3] = {1, 2, 3};
  clk_event_t events[2] = {create_user_event(), CLK_NULL_EVENT};
  if (queue == CLK_NULL_QUEUE || get_default_queue() != queue || events[1] == CLK_NULL_EVENT || events[0] != events[1])
    a[0] = 1;
  enqueue_kernel(queue, CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_2D(size), outside);
  enqueue_kernel(queue, CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_3D(size, size), with_memory, 16);
  void (^const block)(local void *, local void *) = ^(local void *x, local void *y) {
    a[1] = *(local int *)x + *(local int *)y;
  };
  void (^const same)(local void *, local void *) = block;
  enqueue_kernel(queue, CLK_ENQUEUE_FLAGS_WAIT_WORK_GROUP, ndrange_1D(1, 2, 3), 1, events, &events[1], same, 4, (uint)a[0]);
  enqueue_kernel(queue, 0, ndrange_1D(1), ^{
    int packet;
    local float4 texel;
    texel = read_imagef(image, sampler, (int2)(0));
    read_pipe(p, &packet);
    barrier(CLK_LOCAL_MEM_FENCE);
    a[2] = packet + (int)texel.x;
    enqueue_kernel(queue, 0, ndrange_1D(1), ^{
      f(a, queue, image, sampler, p);
    });
  });
  helper(queue, events, a);
  set_user_event_status(events[0], CL_COMPLETE);
  enqueue_marker(queue, 1, events, &events[1]);
  capture_event_profiling_info(events[1], CLK_PROFILING_COMMAND_EXEC_TIME, a);
  retain_event(events[0]);
  release_event(events[0]);
  a[3] = is_valid_event(events[0]) + get_kernel_work_group_size(block) +
         get_kernel_preferred_work_group_size_multiple(outside) +
         get_kernel_sub_group_count_for_ndrange(ndrange_1D(1), outside) +
         get_kernel_max_sub_group_size_for_ndrange(ndrange_1D(1), with_memory);
}

//: refused "declaring function parameter of type" -cl-std=CL2.0 | -cl-std=CL3.0
void f(queue_t queue, void (^block)(void)) { enqueue_kernel(queue, 0, ndrange_1D(1), block); }
//: refused "blocks used in enqueue_kernel call are expected to have parameters of type 'local void*'"
kernel void f(queue_t queue) {
  enqueue_kernel(queue, 0, ndrange_1D(1),
                 ^(int x){
                 },
                 4);
}
//: refused "cannot be used as the type of a kernel parameter"
kernel void f(clk_event_t event) {}
//: refused "cannot be used as the type of a kernel parameter"
kernel void f(ndrange_t range) {}
//: refused "cannot be used to declare a program scope variable"
clk_event_t event;
//: refused "taking address of function is not allowed"
kernel void f(queue_t queue) { enqueue_kernel(queue, 0, ndrange_1D(1), f); }
//: refused "invalid operands to binary expression"
kernel void f(queue_t queue, global int *a) { a[0] = queue < queue; }
//: refused "blocks with parameters are not accepted in this prototype of enqueue_kernel call"
kernel void f(queue_t queue) {
  enqueue_kernel(queue, 0, ndrange_1D(1),
                 ^(local void *p){
                 });
}
