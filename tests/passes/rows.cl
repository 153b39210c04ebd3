// The units of a row run in a loop of their own: uniform values are loaded before it.
// RUN: %upsweepc -cl-std=CL3.0 --cpu=x86-64-v3 --emit=llvm -o - %s | FileCheck %s

// CHECK-LABEL: define internal void @move.entry(
// CHECK:       {{^}}unit:
// CHECK-NOT:   load {{ptr|i32|i64}}
// CHECK:       load <8 x float>
// CHECK:       store <8 x float>
// CHECK-NOT:   load
// CHECK:       br i1 %{{.*}}, label %unit{{$}}
// The code has the rest of a row once.
// CHECK:       odd:
// CHECK:       call <8 x float> @llvm.masked.load
// CHECK-NOT:   load <8 x float>
// CHECK-NOT:   call void @move.row
// CHECK:       {{^}}}
kernel void move(global const float *in, global float *out) {
  size_t i = get_global_id(1) * get_global_size(0) + get_global_id(0);
  out[i] = in[i];
}

// A scan's running total is never read back within a row: no store to the result can change it.
// CHECK-LABEL: define internal void @scan.entry(
// CHECK:       {{^}}unit:
// CHECK-NOT:   load i32
// CHECK:       store <8 x i32>
// CHECK-NOT:   load
// CHECK:       br i1 %{{.*}}, label %unit{{$}}
kernel void scan(global const int *in, global int *out) {
  size_t i = get_global_id(0);
  out[i] = work_group_scan_inclusive_add(in[i]);
}
