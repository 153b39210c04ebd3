// Lanes that probably access neighbouring places: the index wraps around or is clamped. Not if the index comes from memory or
// has an unknown factor.
// RUN: %upsweepc -cl-std=CL3.0 --cpu=x86-64-v3 --emit=llvm -o - %s | FileCheck %s

// CHECK-LABEL: define internal void @wraps.entry(
// CHECK:       br i1 %row
// CHECK:       load <8 x float>
kernel void wraps(global const float *in, global float *out, uint n) {
  size_t i = get_global_id(0);
  out[i] = in[(i + 1) % n];
}

// CHECK-LABEL: define internal void @clamps.entry(
// CHECK:       br i1 %row
// CHECK:       load <8 x i8>
kernel void clamps(global const uchar *in, global uchar *out, int n) {
  int x = get_global_id(0), y = get_global_id(1);
  out[y * n + x] = in[y * n + clamp(x - 1, 0, n - 1)];
}

// CHECK-LABEL: define internal void @picks.entry(
// CHECK-NOT:   br i1 %row
// CHECK-LABEL: define internal void @strides.entry(
// CHECK-NOT:   br i1 %row
// CHECK:       {{^}}}
kernel void picks(global const float *in, global const int *from, global float *out) {
  out[get_global_id(0)] = in[from[get_global_id(0)]];
}
kernel void strides(global const float *in, global float *out, int n) { out[get_global_id(0)] = in[get_global_id(0) * n % 77]; }
