// Dot products of four bytes are a single instruction of GPUs, for each pair of signs.
// RUN: %upsweepc --target=cuda --cpu=sm_70 -o - %s | FileCheck %s
// CHECK-LABEL: .entry products(
// CHECK-DAG:     dp4a.u32.u32
// CHECK-DAG:     dp4a.s32.s32
// CHECK-DAG:     dp4a.u32.s32
// CHECK-DAG:     dp4a.s32.u32
// CHECK:         ret;
kernel void products(global int *a, uint x, uint y) {
  a[0] = (int)dot_4x8packed_uu_uint(x, y);
  a[1] = dot_4x8packed_ss_int(x, y);
  a[2] = dot(as_uchar4(x), as_char4(y));
  a[3] = dot_acc_sat(as_char4(x), as_uchar4(y), a[3]);
}
