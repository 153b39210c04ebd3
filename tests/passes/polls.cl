// clang-format off
// The field `polls` of UpsweepKernelCode (kernel_abi.h): work-groups may wait for each other. Barriers and atomic updates do not
// wait for other work-groups.
// RUN: %upsweepc -cl-std=CL3.0 --cpu=x86-64-v3 --llvm=-print-after=upsweep-code-object --emit=object %s -o %t 2>&1 | FileCheck %s
// CHECK: private {{.*}} [6 x { ptr, ptr, i64, i64, i32, i32, i32, i32 }]
// CHECK-SAME: ptr @plain.entry,{{[^}]*}} i32 0, i32 0 }
// CHECK-SAME: ptr @meets_at_barriers.entry,{{[^}]*}} i32 0, i32 0 }
// CHECK-SAME: ptr @adds.entry,{{[^}]*}} i32 0, i32 0 }
// CHECK-SAME: ptr @adds_alone.entry,{{[^}]*}} i32 0, i32 0 }
// CHECK-SAME: ptr @polls.entry,{{[^}]*}} i32 1, i32 0 }
// CHECK-SAME: ptr @polls_alone.entry,{{[^}]*}} i32 1, i32 0 }
kernel void plain(global int *a) { a[get_global_id(0)] += 1; }
kernel void meets_at_barriers(global int *a, local int *b) {
  const int i = get_local_id(0);
  for (int round = 0; round < a[0]; ++round) {
    b[i] = a[i];
    barrier(CLK_LOCAL_MEM_FENCE);
    a[i] = b[get_local_size(0) - 1 - i];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
}
void add_float(volatile global int *to, float value) {
  int old = *to, before;
  do {
    before = old;
    old = atomic_cmpxchg(to, before, as_int(as_float(before) + value));
  } while (old != before);
}
kernel void adds(global int *a) { add_float(a, 1); }
kernel __attribute__((reqd_work_group_size(1, 1, 1))) void adds_alone(global int *a) { add_float(a + get_group_id(0), 1); }
kernel void polls(global atomic_int *a) {
  while (atomic_load(a) == 0) {
  }
}
kernel __attribute__((reqd_work_group_size(1, 1, 1))) void polls_alone(global atomic_int *a) {
  while (atomic_load(a + get_group_id(0)) == 0) {
  }
}
