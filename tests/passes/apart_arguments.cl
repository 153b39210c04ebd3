// A second body for launches whose arguments do not overlap, if a loop gains by it: then the sum is in a register.
// RUN: %upsweepc -cl-std=CL3.0 --cpu=x86-64-v3 --llvm=-print-after=upsweep-apart-arguments -o /dev/null %s 2>&1 | FileCheck %s
// RUN: %upsweepc -cl-std=CL3.0 --cpu=x86-64-v3 -cl-opt-disable --llvm=-print-after=upsweep-apart-arguments -o /dev/null %s \
// RUN:   2>&1 | FileCheck %s --check-prefix=OFF

// OFF-NOT: @__ups_arguments_apart

// CHECK-LABEL: define internal void @sum.item(
// CHECK:       call i1 @__ups_arguments_apart()
// CHECK:       {{^}}for.body{{[^:]*}}.apart:
// CHECK-NOT:   store
// CHECK:       fadd float
// CHECK-NOT:   store
// CHECK:       br i1
kernel void sum(global float *out, global const float *in, int n) {
  size_t i = get_global_id(0);
  for (int k = 0; k < n; ++k) out[i] += in[k];
}

// Local memory is separate from all buffers, also from a single one.
// CHECK-LABEL: define internal void @tile.item(
// CHECK:       call i1 @__ups_arguments_apart()
// CHECK:       {{^}}for.body{{[^:]*}}.apart:
// CHECK-NOT:   store
// CHECK:       fadd float
// CHECK-NOT:   store
// CHECK:       br i1
kernel void tile(global float *out, local float *a, int n) {
  local float b[64];
  size_t i = get_local_id(0);
  b[i] = a[i] = i;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int k = 0; k < n; ++k) out[i] += a[k] + b[k];
}

// No check: the argument changes, there is no second argument, another thread may read it, or both pointers are one argument.
// CHECK-LABEL: define internal void @moves.item(
// CHECK-NOT:   @__ups_arguments_apart
// CHECK:       {{^}}}
kernel void moves(global float *out, global const float *in, int n) {
  for (int k = get_global_id(0); k < n; k += 64) out[k] += in[k];
}
// CHECK-LABEL: define internal void @alone.item(
// CHECK-NOT:   @__ups_arguments_apart
// CHECK:       {{^}}}
kernel void alone(global float *out, global float *unused, int n) {
  size_t i = get_global_id(0);
  for (int k = 0; k < n; ++k) out[i] = out[i] * 1.5f + 1;
}
// CHECK-LABEL: define internal void @meets.item(
// CHECK-NOT:   @__ups_arguments_apart
// CHECK:       {{^}}}
kernel void meets(global float *out, global const float *in, int n) {
  size_t i = get_global_id(0);
  for (int k = 0; k < n; ++k) {
    out[i] += in[k];
    barrier(CLK_GLOBAL_MEM_FENCE);
  }
}
// CHECK-LABEL: define internal void @one.item(
// CHECK-NOT:   @__ups_arguments_apart
// CHECK:       {{^}}}
kernel void one(global float *out, int n) {
  size_t i = get_global_id(0);
  for (int k = 0; k < n; ++k) out[i] += out[i + k + 1];
}
