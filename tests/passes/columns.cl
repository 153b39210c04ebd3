// Lanes lie along the dimension along which memory does. Kernels whose neighbours along x lie far apart get units of neighbours
// along y or z, for work-groups that are long enough there. Others get none.
// RUN: %upsweepc -cl-std=CL3.0 --cpu=x86-64-v3 --emit=llvm -o - %s | FileCheck %s

// CHECK-LABEL: define internal void @along_y.entry(
// CHECK:       {{^}}column:
// CHECK-NOT:   gather
// CHECK:       load <8 x float>
// CHECK-NOT:   scatter
// CHECK:       store <8 x float>
// CHECK:       br i1 %{{.*}}, label %column
kernel void along_y(global const float *in, global float *out) {
  size_t i = get_global_id(0) * get_global_size(1) + get_global_id(1);
  out[i] = in[i];
}

// CHECK-LABEL: define internal void @along_z.entry(
// CHECK:       {{^}}column:
// CHECK:       load <8 x float>
// CHECK:       store <8 x float>
kernel void along_z(global const float *in, global float *out) {
  size_t i = get_global_id(0) * get_global_size(2) + get_global_id(2);
  out[i] = in[i];
}

// CHECK-LABEL: define internal void @along_x.entry(
// CHECK-NOT:   {{^}}column:
// CHECK:       {{^}}}
kernel void along_x(global const float *in, global float *out) {
  size_t i = get_global_id(1) * get_global_size(0) + get_global_id(0);
  out[i] = in[i];
}

// As many accesses along one dimension as along the other.
// CHECK-LABEL: define internal void @transpose.entry(
// CHECK-NOT:   {{^}}column:
// CHECK:       {{^}}}
kernel void transpose(global const float *in, global float *out) {
  out[get_global_id(0) * get_global_size(1) + get_global_id(1)] = in[get_global_id(1) * get_global_size(0) + get_global_id(0)];
}

// What is in a loop counts.
// CHECK-LABEL: define internal void @product.entry(
// CHECK:       {{^}}column:
// CHECK-NOT:   gather
// CHECK:       {{^}}next_column:
kernel void product(global const float *a, global const float *b, global float *c, int n) {
  float sum = 0;
  for (int k = 0; k < n; k++) sum += a[get_global_id(0) * n + k] * b[k * n + get_global_id(1)];
  c[get_global_id(1) * n + get_global_id(0)] = sum;
}

// A work-group of 1 x N has its sub-groups along y, also where the kernel can tell.
// CHECK-LABEL: define internal void @tells.entry(
// CHECK:       icmp eq i{{.*}}, 1
// CHECK:       {{^}}column:
// CHECK:       {{^}}}
kernel void tells(global const int *in, global int *out) {
  size_t i = get_global_id(0) * get_global_size(1) + get_global_id(1);
  out[i] = work_group_scan_inclusive_add(in[i]);
}
