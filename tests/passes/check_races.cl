// A row of accesses is one event; barriers, atomics and async copies have their own. Private and constant memory has none.
// clang-format off
// RUN: %upsweepc -cl-std=CL3.0 --cpu=x86-64-v3 --check=race --emit=llvm --llvm=-print-after=upsweep-check-races -o /dev/null %s 2>&1 | FileCheck %s
// RUN: %upsweepc -cl-std=CL3.0 --cpu=x86-64-v3 --emit=llvm -o - %s | FileCheck %s --check-prefix=OFF

// OFF-NOT:     upsweep.site

// CHECK-LABEL: define internal void @move.item(
// CHECK:       %[[APART:.*]] = call i1 @__ups_arguments_apart()
// CHECK:       %[[QUIET:.*]] = select i1 %[[APART]], i32 10, i32 0
// CHECK:       call void @__ups_race(ptr {{.*}}, i64 4, ptr @upsweep.site{{.*}}, i64 0, i32 %[[QUIET]], i32 0, i32 2)
// CHECK:       load float
// CHECK-NOT:   call void @__ups_race(
// CHECK:       getelementptr
// CHECK:       call void @__ups_race(ptr {{.*}}, i64 4, ptr @upsweep.site{{.*}}, i64 %{{.*}}, i32 %{{.*}}, i32 0, i32 2)
// CHECK:       store float
kernel void move(global float *out, global const float *in, constant float *factors) {
  out[get_global_id(0)] = in[get_global_id(0)] * factors[get_local_id(0)];
}

// CHECK-LABEL: define internal void @meet.item(
// CHECK:       call void @__ups_race(ptr {{.*}}, i64 4, ptr @upsweep.site{{.*}}, i64 0, i32 2, i32 3, i32 2)
// CHECK:       store atomic
// CHECK:       call void @__ups_work_group_barrier(i32 noundef 1)
// CHECK-NEXT:  call void @__ups_race_meet(i32 5, i32 1)
// CHECK:       call void @__ups_race(ptr null, i64 0, ptr null, i64 0, i32 4, i32 2, i32 1)
kernel void meet(global atomic_int *out) {
  atomic_store_explicit(out, 1, memory_order_release, memory_scope_device);
  barrier(CLK_LOCAL_MEM_FENCE);
  read_mem_fence(CLK_GLOBAL_MEM_FENCE);
}

// Elements of work-items in two dimensions cannot race if the rows are long enough.
// CHECK-LABEL: define internal void @own.item(
// CHECK:       %[[BY:.*]] = zext i32 %{{.*}} to i64
// CHECK:       icmp uge i64 %[[BY]], %{{.*}}
// CHECK:       select i1 %{{.*}}, i32 10, i32 0
kernel void own(global int *out, int width) {
  out[get_global_id(1) * width + get_global_id(0)] = 1;
}

// A neighbour's element, a place of several work-items, and a pointer from memory may race.
// CHECK-LABEL: define internal void @others.item(
// CHECK-NOT:   i32 10
// CHECK:       ret void
kernel void others(global int *out, global int *next, global int *narrow, global int *local_place) {
  out[get_global_id(0)] = out[get_global_id(0) + 1];
  next[get_global_id(0) / 2] = 1;
  narrow[(uchar)get_global_id(0)] = 1;
  local_place[get_local_id(0)] = 1;
}

// CHECK-LABEL: define internal void @unknown.item(
// CHECK-NOT:   i32 10
// CHECK:       ret void
kernel void unknown(global int *out, global ulong *pointers) {
  *(global int *)pointers[0] = 1;
  out[get_global_id(0)] = 1;
}

// An async copy is one access of each memory; its elements have none.
// CHECK-LABEL: define internal void @copy.item(
// CHECK:       %[[BYTES:.*]] = shl i64 %{{.*}}, 4
// CHECK:       call void @__ups_race(ptr {{.*}}, i64 %[[BYTES]], ptr @upsweep.site{{.*}}, i64 0, i32 %{{.*}}, i32 0, i32 2)
// CHECK:       call void @__ups_race(ptr {{.*}}, i64 %[[BYTES]], ptr @upsweep.site{{.*}}, i64 0, i32 11, i32 0, i32 2)
// CHECK-NOT:   call void @__ups_race(
// CHECK:       ret void
kernel void copy(global const float4 *in, local float4 *tile, ulong n) {
  async_work_group_copy(tile, in, n, 0);
}
