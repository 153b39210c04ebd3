// Kernels that enqueue blocks, and the blocks' kernels, which find the item of their work-group by its number in the grid
// (src/targets/cuda/kernel_abi.h). Other kernels do not change.
// RUN: %upsweepc -cl-std=CL3.0 --target=cuda --cpu=sm_80 -o - %s | FileCheck %s

// CHECK-LABEL: .entry plain(
// CHECK-NOT:     .sys.
// CHECK-NOT:     plain_param_1+144
// CHECK:         ret;
kernel void plain(global int *out) { out[get_global_id(0)] = (int)get_num_groups(0); }

// A message's slots are taken after all earlier work of the work-item, and its words may arrive in any order. The last
// work-group to end notifies the host.
// CHECK-LABEL: .entry enqueues(
// CHECK:         atom.release.gpu.global.add.u64
// CHECK-NOT:     .release.sys.
// CHECK:         st.relaxed.sys.global.v2.u64
// CHECK-NOT:     .release.sys.
// CHECK:         barrier.sync 0;
// CHECK:         fence.acq_rel.gpu;
// CHECK:         atom.relaxed.gpu.global.add.u64
// CHECK:         st.release.sys.global.u64
// CHECK:         ret;
// CHECK-NOT:     barrier.sync 0;
kernel void enqueues(global int *out, int n) {
  enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(64), ^{
    out[get_global_id(0)] = n + (int)get_group_id(1);
  });
  enqueue_kernel(
      get_default_queue(), CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(64),
      ^(local void *p) {
        local int *numbers = p;
        numbers[get_local_id(0)] = n;
        barrier(CLK_LOCAL_MEM_FENCE);
        out[get_global_id(0)] = numbers[0];
      },
      256u);
}

// No work runs if there are no items. Several items form a table, and a block's place in its item's range follows from the
// block's number. A single item is read without the table, as a whole.
// CHECK-LABEL: .entry __enqueues_block_invoke_kernel(
// CHECK-NEXT:    .param .align 8 .b8 __enqueues_block_invoke_kernel_param_0[32]
// CHECK:         ld.param.u64 [[ITEM:%rd[0-9]+]], [__enqueues_block_invoke_kernel_param_0];
// CHECK-NEXT:    setp.{{eq|ne}}.s64 [[SOME:%p[0-9]+]], [[ITEM]], 0;
// CHECK-NEXT:    @[[SOME]] bra
// CHECK:         mov.u32 [[PLACE:%r[0-9]+]], %ctaid.x;
// CHECK:         ld.param.u64 [[ARGUMENTS:%rd[0-9]+]], {{\[%rd[0-9]+}}+16];
// CHECK:         setp.{{eq|ne}}.s32 [[ONLY:%p[0-9]+]],
// CHECK-NEXT:    @[[ONLY]] bra [[FOUND:.*]];
// CHECK:         mul.wide.u32 {{%rd[0-9]+}}, [[PLACE]], 8;
// CHECK:         mul.wide.u32 [[OFFSET:%rd[0-9]+]], {{%r[0-9]+}}, 176;
// CHECK:         add.s64 [[ITEM]], [[ITEM]], [[OFFSET]];
// CHECK:         add.s64 [[ARGUMENTS]], [[ARGUMENTS]],
// CHECK:         ld.global.nc.u32 {{%r[0-9]+}}, {{\[}}[[ITEM]]+160];
// CHECK:         div.u32
// CHECK:         [[FOUND]]:
// CHECK-NEXT:    ld.global.nc.u64 {{%rd[0-9]+}}, {{\[}}[[ITEM]]+144];
// CHECK-NEXT:    ld.global.u32 {{%r[0-9]+}}, {{\[}}[[ARGUMENTS]]+24];
// CHECK:         barrier.sync 0;
// CHECK:         ret;

// The argument block has the offset of local memory, and the literal behind it.
// CHECK-LABEL: .entry __enqueues_block_invoke_2_kernel(
// CHECK:         ld.param.u64 [[ARGUMENTS:%rd[0-9]+]], {{\[%rd[0-9]+}}+16];
// CHECK:         ld.global.nc.u64 {{%rd[0-9]+}}, {{\[}}[[ARGUMENTS]]];
// CHECK:         upsweep_dynamic_local
// CHECK:         ret;

// A kernel that a block calls reports its own end if the host has started it, and otherwise the block's end.
// CHECK-LABEL: .entry called(
// CHECK:         barrier.sync 0;
// CHECK:         ret;
// CHECK-LABEL: .entry __called_block_invoke_kernel(
// CHECK:         barrier.sync 0;
// CHECK-NOT:     barrier.sync 0;
// CHECK:         ret;
kernel void called(global int *out, int n) {
  out[n] = n;
  if (n > 0)
    enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(1), ^{
      called(out, n - 1);
    });
}
