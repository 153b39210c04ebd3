// A row of accesses is one event; barriers, atomics and async copies have their own. Private and constant memory has none.
// clang-format off
// RUN: %upsweepc -cl-std=CL3.0 --cpu=x86-64-v3 --check=race --emit=llvm --llvm=-print-after=upsweep-check-races -o /dev/null %s 2>&1 | FileCheck %s
// RUN: %upsweepc -cl-std=CL3.0 --cpu=x86-64-v3 --emit=llvm -o - %s | FileCheck %s --check-prefix=OFF

// OFF-NOT:     upsweep.site

// CHECK-LABEL: define internal void @move.item(
// CHECK:       call void @__ups_race(ptr {{.*}}, i64 4, ptr @upsweep.site{{.*}}, i64 0, i32 0, i32 0, i32 2)
// CHECK:       load float
// CHECK-NOT:   call void @__ups_race(
// CHECK:       getelementptr
// CHECK:       call void @__ups_race(ptr {{.*}}, i64 4, ptr @upsweep.site{{.*}}, i64 %{{.*}}, i32 0, i32 0, i32 2)
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
