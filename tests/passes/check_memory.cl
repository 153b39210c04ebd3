// Checks of a row take one comparison, and rows remain vector accesses. Provable accesses have no check.
// clang-format off
// RUN: %upsweepc -cl-std=CL3.0 --cpu=x86-64-v3 --check=memory --emit=llvm -o - %s | FileCheck %s
// RUN: %upsweepc -cl-std=CL3.0 --cpu=x86-64-v3 --emit=llvm -o - %s | FileCheck %s --check-prefix=OFF
// RUN: not %upsweepc --check=memory,rases -o - %s 2>&1 | FileCheck %s --check-prefix=WRONG

// CHECK-LABEL: define internal void @move.entry(
// CHECK:       icmp ult i64
// CHECK:       load <8 x float>
// CHECK:       store <8 x float>
// OFF-NOT:     upsweep.site
// WRONG:       'rases' is not a check; the checks are memory, race, all
kernel void move(global float *out, global const float *in) {
  out[get_global_id(0)] = in[get_global_id(0)];
}

// CHECK-LABEL: define internal void @inside.entry(
// CHECK-NOT:   usub.sat.i64(i64 33
// CHECK:       ret void
kernel void inside(global int *out) {
  int values[8];
  for (int k = 0; k < 8; ++k) values[k] = k * get_global_id(0);
  out[get_global_id(0)] = values[get_global_id(0) & 7];
}
