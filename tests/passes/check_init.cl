// Shadows of a row are vectors beside the row. Values that cannot be uninitialised have no shadow and no test.
// clang-format off
// RUN: %upsweepc -cl-std=CL3.0 --cpu=x86-64-v3 --check=init --emit=llvm -o - %s | FileCheck %s
// RUN: %upsweepc -cl-std=CL3.0 --cpu=x86-64-v3 --check=memory --emit=llvm -o - %s | FileCheck %s --check-prefix=OFF

// CHECK-LABEL: define internal void @add.entry(
// CHECK:       load <8 x float>
// CHECK:       load <8 x i32>
// CHECK:       store <8 x i32>
// CHECK:       store <8 x float>
// OFF-NOT:     70368744177664
kernel void add(global float *out, global const float *in, float more) {
  out[get_global_id(0)] = in[get_global_id(0)] + more;
}

// Ids, arguments and counters decide these branches and addresses: only the stored value has a site.
// CHECK-LABEL: define internal void @written.entry(
// CHECK-NOT:   upsweep.site
// CHECK:       ret void
kernel void written(global int *out, int n) {
  int sum = 0;
  for (int i = 0; i < n; ++i)
    if ((i + get_global_id(0)) % 3 == 1) sum += i;
  if (sum > n) out[sum & 63] = sum;
}

// The condition alone has a test, for a whole row.
// CHECK-LABEL: define internal void @branch.entry(
// CHECK:       load <8 x i32>
// CHECK:       br i1 {{.*}}, label %{{.*}}, label %outside
kernel void branch(global int *out, global const int *in) {
  if (in[get_global_id(0)] > 3) out[get_global_id(0)] = 1;
}
