// Each operation that may be undefined has a check; the library's own operations have none.
// clang-format off
// RUN: %upsweepc -cl-std=CL3.0 --cpu=x86-64-v3 --check=arithmetic --emit=llvm --llvm=-print-after=upsweep-check-arithmetic -o /dev/null %s 2>&1 | FileCheck %s
// RUN: %upsweepc -cl-std=CL3.0 --cpu=x86-64-v3 --check=all --emit=llvm --llvm=-print-after=upsweep-mark-arithmetic -o /dev/null %s 2>&1 | FileCheck %s --check-prefix=OFF --allow-empty

// OFF-NOT:     __ups_arithmetic

// CHECK-LABEL: define internal void @operations.item(
// CHECK:       @llvm.sadd.with.overflow.i32
// CHECK:       call void @__ups_check_index(
// CHECK:       icmp eq i32 %{{.*}}, 0
// CHECK:       call void @__ups_check_index(
// CHECK:       icmp uge i32
// CHECK:       call void @__ups_check_index(
// CHECK:       fcmp olt float %{{.*}}, 0x41E0000000000000
// CHECK:       call void @__ups_check_index(
// CHECK-NOT:   call void @__ups_check_index(
// CHECK:       ret void
kernel void operations(global int *out, int a, int b, float f) {
  out[0] = a + b;
  out[1] = (uint)a / (uint)b;
  out[2] = a << b;
  out[3] = (int)f;
  out[4] = (int)((uint)a + (uint)b) ^ (int)abs(a) ^ convert_int_sat(f);
}
