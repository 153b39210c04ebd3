// A sub-group calls the hook once at a barrier. The end of the entry finds work-items that miss the barrier.
// clang-format off
// RUN: %upsweepc -cl-std=CL3.0 --cpu=x86-64-v3 --check=barrier --emit=llvm -o - %s | FileCheck %s
// RUN: %upsweepc -cl-std=CL3.0 --cpu=x86-64-v3 --check=memory --emit=llvm -o - %s | FileCheck %s --check-prefix=OFF

// OFF-NOT:     upsweep.meeting
// CHECK:       c"barrier\00"
// CHECK:       c"{{.*}}check_barriers.cl:17:
// CHECK:       @upsweep.meeting = internal constant
// CHECK-NOT:   @upsweep.meeting.1

// Four checked values would be stored for each lane of an async copy, but a barrier's constant flags are not compared.
// CHECK:       call void %{{.*}}(ptr {{.*}}%group, ptr {{.*}}@upsweep.meeting,
// CHECK-LABEL: define internal void @turn.entry(
// CHECK:       call void %{{.*}}(ptr {{.*}}%group)
kernel void turn(global int *out, local int *tile, int n) {
  if (get_local_id(0) < n) {
    tile[get_local_id(0)] = out[get_local_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  out[get_local_id(0)] = tile[n - 1 - get_local_id(0)];
}
