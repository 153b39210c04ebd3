// Lanes follow the dimension that is contiguous in memory. Kernels whose neighbours along x are far apart in memory get units
// of neighbours along y or z, where work-groups are long enough. Other kernels have no such units.
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

// Equally many accesses along both dimensions.
// CHECK-LABEL: define internal void @transpose.entry(
// CHECK-NOT:   {{^}}column:
// CHECK:       {{^}}}
kernel void transpose(global const float *in, global float *out) {
  out[get_global_id(0) * get_global_size(1) + get_global_id(1)] = in[get_global_id(1) * get_global_size(0) + get_global_id(0)];
}

// Accesses in loops count.
// CHECK-LABEL: define internal void @product.entry(
// CHECK:       {{^}}column:
// CHECK-NOT:   gather
// CHECK:       {{^}}next_column:
kernel void product(global const float *a, global const float *b, global float *c, int n) {
  float sum = 0;
  for (int k = 0; k < n; k++) sum += a[get_global_id(0) * n + k] * b[k * n + get_global_id(1)];
  c[get_global_id(1) * n + get_global_id(0)] = sum;
}

// The sub-groups of a work-group of 1 x N are along y, even if the kernel can observe it.
// CHECK-LABEL: define internal void @tells.entry(
// CHECK:       icmp eq i{{.*}}, 1
// CHECK:       {{^}}column:
// CHECK:       {{^}}}
kernel void tells(global const int *in, global int *out) {
  size_t i = get_global_id(0) * get_global_size(1) + get_global_id(1);
  out[i] = work_group_scan_inclusive_add(in[i]);
}
